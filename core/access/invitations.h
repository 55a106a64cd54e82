#pragma once
// What an invite is worth while it is open, whoever asks: the person who accepts it, or whoever mails it.
#include "core/access/context.h"
#include "core/model/invite.h"

namespace slashpost {

// The workspace that the invite leads to, as long as it can be accepted: it is pending, the workspace is
// there, and whoever sent it still works there and could send it now. So nobody comes in on the word of
// somebody who was removed.
Result<std::optional<Workspace>> invited_to(data::View& view, const Invite& invite, Timestamp now);

// A new token for the invite, whose row is changed but not stored: any token before is worth nothing then.
std::string renew_token(Random& random, Invite& invite);

// Where the token is to be posted to.
std::string acceptance_address(const Settings& settings, std::string_view token);

} // namespace slashpost
