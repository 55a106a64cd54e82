#pragma once
// Operations on invites (interface 3.4 and 4.5, wire "Workspaces, people").
//
// An invite is for an e-mail address, or for an account, by whoever may add people. The account that it is
// for, or that has the address, finds it with its own key. Its token is kept as a hash: it is given out in
// the mail (core/work/mails.h) or, when no mail server is set, once to whoever invites an address.
#include "core/access/context.h"
#include "core/base/errors.h"
#include "core/base/page.h"
#include "core/model/invite.h"

#include <span>

namespace slashpost {

struct NewInvites {
    std::vector<std::string> emails;
    Role role = Role::user; // at most the sender's; owner: an offer to take the workspace over
    std::string message;    // at most 2000 characters, lines are kept; empty: none
};

// An invite with what a reply shows of its sender and, when it is for an account, of that.
struct InviteDetails {
    Invite invite;
    Account sender;
    std::optional<Account> invitee;
};

struct SentInvite {
    InviteDetails details;
    std::string address; // to accept at; empty when it goes out by mail
};

// One invite for each address, all or none; the same address twice is one. Whoever has an open invite into
// the workspace gets a new one in its place. Refused for a role above the sender's, with LimitReached for
// more in a day than the owner's plan allows, or when nobody more fits into it; invalid with AlreadyExists
// for somebody who works here already.
Result<std::vector<SentInvite>> create_invites(Context& ctx, const NewInvites& in, Problems problems = {});

// Invites the account for a role below owner, in place of an invite that it has already; it counts for the
// day like any other. Refused with LimitReached as above. Whoever invites is not told the account's address.
Result<Invite> invite_account(Context& ctx, const Account& person, Role role);

// Names for PageRequest::order_by, the default first.
std::span<const std::string_view> invite_orders();

// Those of the workspace in one state.
Result<std::vector<InviteDetails>> list_invites(Context& ctx, InviteStatus status, const PageRequest& page,
                                                Problems problems = {});
Result<std::int64_t> count_invites(Context& ctx, InviteStatus status, const Problems& problems = {});

// It cannot be accepted any more and is gone from all lists. A conflict when it was accepted.
Result<InviteDetails> withdraw_invite(Context& ctx, const Invite& invite);

struct AcceptedInvite {
    InviteDetails details;
    Workspace workspace;
};
// Those that the caller can accept, oldest first; at most received_invites_max.
inline constexpr std::size_t received_invites_max = 100;
Result<std::vector<AcceptedInvite>> list_received_invites(Context& ctx);

// The caller, in the account's scope, takes the place that the invite offers; somebody who works there
// already never gets a lower role by it. With an offer to take over, the caller becomes the owner and the
// owner before an admin. Refused with LimitReached for one too many. Who may accept is said by the door
// (core/access/doors.h).
Result<AcceptedInvite> accept_invite(Context& ctx, const Invite& invite);

// Whom it is for does not want it: it is gone, as if withdrawn. For whom it is is said by the door.
Result<AcceptedInvite> decline_invite(Context& ctx, const Invite& invite);

// For the operator. The invite may be anybody's; fails as not found.
Result<Invite> find_any_invite(data::View& view, std::string_view id);
// A new address to accept at; those before are worth nothing then, and a mail that waits is not sent. A
// conflict when it cannot be accepted any more.
Result<std::string> issue_acceptance_address(SystemContext& system, const Invite& invite);
Result<void> withdraw_any_invite(SystemContext& system, const Invite& invite);

} // namespace slashpost
