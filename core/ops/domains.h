#pragma once
// What can be done with a domain, whoever does it: the operator with the admin tool, or an account that owns
// it (core/ops/account_domains.h).
#include "core/access/context.h"
#include "core/base/change.h"
#include "core/base/errors.h"
#include "core/model/domain.h"

namespace slashpost {

struct NewDomain {
    std::string full_name; // any spelling of a host name; stored in normal form
    DomainType type = DomainType::service;
    AccountId owner;
    WorkspaceId registered_in; // of a user domain, if it was in one
    bool verified = false;
    SlashtagRules slashtag;
};

// Fails as invalid when the name is none, is the dashboard's (core/ops/dashboard_host.h), when a verified
// domain has it, or its owner has registered it.
Result<Domain> add_domain(SystemContext& system, const NewDomain& in);
// Fails as not found. `name` is a full name or a domain's id. Of several domains of one name it is the
// verified one; fails with Conflict when none of several is.
Result<Domain> find_any_domain(data::View& view, std::string_view name);
// In the order of creation.
Result<std::vector<Domain>> list_domains(data::View& view);
// Those that may make links on it.
Result<std::vector<WorkspaceId>> workspaces_sharing(data::View& view, DomainId domain);

struct BrandingChange {
    Change<std::string> name;      // one line, at most branding_name_length_max characters
    Change<std::string> color;     // six hexadecimal digits, with or without "#"
    Change<std::string> logo_url;  // https, on a host with a name
    Change<std::string> home_text; // at most branding_home_text_length_max characters
};
inline constexpr std::size_t branding_name_length_max = 100;
inline constexpr std::size_t branding_home_text_length_max = 500;

struct DomainChange {
    Change<bool> verified;
    Change<bool> active;
    Change<bool> revoked;
    Change<std::uint32_t> redirect_type; // 301, 302, 307 or 308
    Change<std::string> custom_homepage; // an http or https address, not on the domain itself,
    Change<std::string> not_found_url;   // and not leading back over links and other domains
    Change<std::string> expired_url;     // likewise
    Change<bool> forward_parameters;
    Change<OnConflict> on_conflict;                 // not as_domain
    Change<std::uint32_t> slashtag_length_min;      // 1 up
    Change<std::uint32_t> slashtag_length_max;      // up to slashtag_length_limit
    Change<bool> slashtag_case_sensitive;           // only while the domain has no links
    Change<SlashtagCharset> slashtag_charset;       // from unicode to ascii likewise
    Change<std::string> apple_app_site_association; // JSON, at most domain_document_bytes_max; that it can
    Change<std::string> asset_links;                // be read is for the caller to see to
    BrandingChange branding;
    Change<std::vector<std::string>> aliases; // its further names (core/ops/domain_aliases.h), in any
                                              // spelling; of those that stay nothing changes. Empty ones are
                                              // passed over
    std::vector<std::string> proved_aliases;  // those of them that were proved
};
// An address for what is not found or has ended as it was given, with "{path}" and "{domain}" in it for what
// was asked for, where the stored address has "%7Bpath%7D" and "%7Bdomain%7D".
[[nodiscard]] std::string shown_place(std::string stored);

inline constexpr std::size_t domain_aliases_max = 10;
inline constexpr std::size_t domain_document_bytes_max = std::size_t{64} * 1024;
inline constexpr std::uint32_t slashtag_length_limit = 255;

// Fails as invalid with all problems at once; with AlreadyExists on `fullName` when it is to be verified and
// another verified domain has the name, with InvalidFormat when the dashboard has.
Result<Domain> change_domain(SystemContext& system, const Domain& domain, const DomainChange& change,
                             Problems problems = {});
// Refused with Conflict while active or paused links are left on it. Expired ones, of which there may be some
// hundred, are deleted with it, and its sharing ends.
Result<void> remove_domain(SystemContext& system, const Domain& domain);

// To be called whenever a link comes to a domain, so that nobody can find the domain empty meanwhile.
Result<void> note_arrival(data::Txn& txn, DomainId domain);

// What becomes of the links of a workspace that a domain is no longer shared with.
enum class LinksLeft : std::uint8_t {
    keep,   // they go on until they are deleted; nothing else can be done with them
    retire, // for visitors and callers they are deleted at once; their rows follow (core/work/retire.h)
};

// Succeed when it is so already. Sharing fails as not found. A domain of the installation is not shared with
// an extended workspace (interface 4.5): refused with WrongWorkspaceType. While links are being retired
// there, it is refused with Conflict.
Result<void> share_domain(SystemContext& system, DomainId domain, WorkspaceId workspace);
// Who ended it: the workspace itself, whose admins may share the domain again (core/access/domain_doors.h),
// or the operator or whoever manages the domain, without whom it does not come back.
enum class UnsharedBy : std::uint8_t { workspace, others };
// With `retire` also when it is not shared any more, but links are left.
Result<void> unshare_domain(SystemContext& system, DomainId domain, WorkspaceId workspace, LinksLeft links,
                            UnsharedBy by = UnsharedBy::others);

} // namespace slashpost
