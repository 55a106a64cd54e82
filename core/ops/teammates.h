#pragma once
// Operations on the people of a workspace (interface 4.5, wire "Workspaces, people"). How somebody is invited
// is in core/ops/invites.h; leaving is in core/ops/workspaces.h.
//
// Whoever is removed has no access from the commit on, with any key; what they made stays. Invites that they
// sent can no longer be accepted (core/access/invitations.h). Nobody becomes a teammate without a word of
// their own, but where they have worked with whoever adds them.
#include "core/access/context.h"
#include "core/base/errors.h"
#include "core/base/page.h"
#include "core/model/invite.h"

#include <span>

namespace slashpost {

// Somebody in a workspace with what a reply shows of the person.
struct Teammate {
    Account account;
    Member member;
};

struct TeammateFilter {
    std::string term; // in the full name, the username or the e-mail address, ignoring case; empty: all
};

// Names for PageRequest::order_by, the default first.
std::span<const std::string_view> teammate_orders();

// The owner is one of them. Fails as invalid on `orderBy` or `last` when those name nothing.
Result<std::vector<Teammate>> list_teammates(Context& ctx, const TeammateFilter& filter,
                                             const PageRequest& page, Problems problems = {});
Result<std::int64_t> count_teammates(Context& ctx, const TeammateFilter& filter,
                                     const Problems& problems = {});
Result<Teammate> describe_teammate(Context& ctx, const Member& member);

// A person who was given a role: has it, or was invited to it.
struct SetTeammate {
    Account account;
    std::optional<Member> member;
    std::optional<Invite> invite; // without a member
};

// Gives a person the role, which is below owner: a teammate, somebody who becomes one by this because both
// work together in another workspace too (or the operator lets admins add anybody), or else somebody who is
// invited (core/ops/invites.h). Refused for the owner, whose role goes only by an invite to take over; with
// LimitReached for one too many.
Result<SetTeammate> set_teammate(Context& ctx, const Account& person, Role role);
// Refused for the owner.
Result<void> remove_teammate(Context& ctx, const Member& member);

} // namespace slashpost
