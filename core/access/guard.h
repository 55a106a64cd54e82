#pragma once
// What a route asks of its caller and of the things it touches, as a value (interface 3, 5; wire "Errors").
//
// A route's row holds a Guard. enter() applies what concerns the caller, in the order of the wire: role,
// feature, revoked workspace, workspace type. The doors (core/access/doors.h) apply what concerns a link or
// a domain, inside the transaction; there is no other way to a row, so a guard cannot be forgotten.
#include "core/access/features.h"
#include "core/model/workspace.h"

#include <cstdint>
#include <string_view>

namespace slashpost {

// A set of WorkspaceType.
enum class WorkspaceTypes : std::uint8_t {
    classic = 1,
    extended = 2,
    gallery = 4,
    any = 7,
    classic_or_gallery = 5
};

constexpr bool contains(WorkspaceTypes set, WorkspaceType type) {
    return (static_cast<unsigned>(set) & static_cast<unsigned>(type)) != 0;
}

enum class Access : std::uint8_t { read, write };
enum class LinkState : std::uint8_t {
    readable, // a deleted link is not found
    live,     // a deleted link is refused with DeletedLink
    any,      // a deleted link is as good
};
enum class LinkKind : std::uint8_t {
    any,
    rotator, // a link of another type is refused with WrongLinkType
};
enum class DomainState : std::uint8_t { any, in_force }; // in force: a link's domain is not revoked
// Where a link may lie that is written. On a domain that is not shared with the workspace (any more) a link
// can be deleted, and what happened on it be reported; nothing else.
enum class LinkDomain : std::uint8_t {
    shared_domain, // elsewhere invalid with NotShared
    any_domain,
    // The same as shared_domain, unless what is sent is as it is stored: who knows that asks need_shared.
    shared_domain_to_change,
};

// What a caller enters: a workspace, or nothing but its own account (interface 4.5: no `Workspace` header).
enum class Scope : std::uint8_t { workspace, account };
// What a member whose role is too low is told (interface 5.6). A stranger always gets a 404.
enum class TooLow : std::uint8_t { forbidden, not_found };

// Which keys a call is open to that may not do all that their account may (KeyLimits). One that may only read
// is refused everything that writes, besides.
enum class LimitedKeys : std::uint8_t {
    in_place, // those for one workspace, in it; none of those for links only
    links,    // those for links only, too
    all       // each of them, also where no workspace is entered
};

struct Guard {
    Access access = Access::read;
    Scope scope = Scope::workspace;
    Role role = Role::viewer; // at least this one
    TooLow too_low = TooLow::forbidden;
    Feature feature = Feature::none;
    bool while_revoked = false; // a write that is possible in a revoked workspace, too (interface 3.2)
    WorkspaceTypes types = WorkspaceTypes::any;
    LinkState link = LinkState::readable;
    DomainState domain = DomainState::any;
    LinkKind kind = LinkKind::any;
    LinkDomain place = LinkDomain::shared_domain;
    LimitedKeys limited_keys = LimitedKeys::in_place;

    // Whether a revoked workspace refuses it.
    [[nodiscard]] constexpr bool refuses_revoked() const { return access == Access::write && !while_revoked; }
    bool operator==(const Guard&) const = default;
};

} // namespace slashpost
