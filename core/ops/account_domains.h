#pragma once
// Domains as accounts manage them (interface 3.3, 4.4 and 4.5; wire "Domains"): registered, proved, set,
// shared and removed. Lists are in core/ops/domain_lists.h; whose a domain is, is said by its door
// (core/access/domain_doors.h).
//
// Registering claims nothing: anybody may register any name, and only who proves it can use it.
#include "core/ops/domains.h"

#include <span>

namespace slashpost {

// The TXT record that proves a domain. It names this registration, so one that is left over from another, or
// was set for another account, proves nothing.
struct VerificationRecord {
    std::string name;  // "_slashpost.go.example.com"; of its own, because go.example.com may be a CNAME
    std::string value; // "slashpost-verification=<the domain's id>"
};
VerificationRecord verification_record(const Domain& domain);
// Of a further name of the domain.
VerificationRecord verification_record(const Domain& domain, std::string_view full_name);
// Whether the DNS has room for the record of a name in normal form; for an address it has none.
[[nodiscard]] bool can_be_proved(std::string_view full_name);
// Fails as invalid with NotFound on `verification` when the record is not among the texts found at its name.
Result<void> expect_record(const VerificationRecord& record, std::span<const std::string> texts);

// An unverified domain of the account that owns the workspace, shared with the workspace. Fails as invalid
// for a name that no TXT record can prove, for one that is verified or was registered by the account before;
// with LimitReached.
Result<Domain> register_domain(Context& ctx, std::string_view full_name, Problems problems = {});

// Verifies the domain when its record is among `texts`, those found at the record's name. Fails as invalid
// with NotFound on `verification` when it is not, and with AlreadyExists on `fullName` when another account
// was first to prove the name. Does nothing to a verified one.
Result<Domain> verify_domain(Context& ctx, const Domain& domain, std::span<const std::string> texts);

Result<Domain> update_domain(Context& ctx, const Domain& domain, const DomainChange& change,
                             Problems problems = {});
// Refused with Conflict while it has active links, in whatever workspace. Answers the domain as it was.
Result<Domain> delete_domain(Context& ctx, const Domain& domain);

// With the context's workspace.
Result<void> share_domain_here(Context& ctx, const Domain& domain);
// Links that are there go on.
Result<void> unshare_domain_here(Context& ctx, const Domain& domain);

} // namespace slashpost
