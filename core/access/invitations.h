#pragma once
// What an invite is worth while it is open, whoever asks: the person who accepts it, or whoever mails it.
#include "core/access/context.h"
#include "core/model/invite.h"

namespace slashpost {

// The workspace that the invite leads to, as long as it can be accepted: it is pending, the workspace is
// there, and whoever sent it works there with a role that could send it, as they have done ever since. So
// nobody comes in on the word of somebody who was removed, or lost a role, whatever became of them later.
Result<std::optional<Workspace>> invited_to(data::View& view, const Invite& invite, Timestamp now);

// Whether the invite is to this account, or to its e-mail address.
bool is_for(const Invite& invite, const Account& account);
// Whether who shows the invite's token may accept it with this account: one that it is for; where the
// operator lets, also one without an address, because nothing else could tell whose it is.
bool may_accept(const Invite& invite, const Account& account, const Settings& settings);

// A new token for the invite, whose row is changed but not stored: any token before is worth nothing then.
std::string renew_token(Random& random, Invite& invite);

// Where the token is to be posted to.
std::string acceptance_address(const Settings& settings, std::string_view token);
// The page of the dashboard where the invite is accepted or refused, as people open it; a fragment is in no
// log. There must be a dashboard.
std::string invite_page_address(const Settings& settings, std::string_view token);

} // namespace slashpost
