#pragma once
// Lists and counts of domains, and what replies show of them (interface 4.4 and 4.5, wire "Lists" and
// "Domains").
#include "core/access/context.h"
#include "core/base/errors.h"
#include "core/base/page.h"
#include "core/model/domain.h"

#include <span>

namespace slashpost {

// One word for all flags of a domain.
enum class DomainStatus : std::uint8_t {
    active,   // it serves
    pending,  // not verified
    inactive, // switched off by its owner
    revoked,  // by the operator, whatever else it is
};
DomainStatus status_of(const Domain& domain);

enum class DomainScope : std::uint8_t {
    shared,    // with the workspace
    shareable, // by the caller, and not shared yet (core/access/domain_doors.h)
};

struct DomainFilter {
    DomainScope scope = DomainScope::shared;
    std::string term;           // in the name, ignoring case; empty: all
    std::optional<bool> active; // links can be made on it now
    std::optional<bool> verified;
    std::optional<DomainType> type;
    std::optional<DomainStatus> status;
};

// Whether a domain's addresses work with https.
enum class Encryption : std::uint8_t {
    none,
    pending, // the server is getting a certificate
    failed,  // it could not get one, and tries again
    active,
};

struct DomainDetails {
    Domain domain;
    std::int64_t clicks = 0; // on links of the workspace, like the two below
    std::int64_t sessions = 0;
    std::optional<Timestamp> last_click_at;
    Encryption encryption = Encryption::none;
    std::string encryption_error; // why it failed, in words
};

// Names for PageRequest::order_by, the default first.
std::span<const std::string_view> domain_orders();

// Fails as invalid on `orderBy` or `last` when those name nothing.
Result<std::vector<DomainDetails>> list_domains(Context& ctx, const DomainFilter& filter,
                                                const PageRequest& page, Problems problems = {});
Result<std::int64_t> count_domains(Context& ctx, const DomainFilter& filter, const Problems& problems = {});

Result<DomainDetails> describe_domain(Context& ctx, const Domain& domain);

} // namespace slashpost
