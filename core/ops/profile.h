#pragma once
// What people change of their own account: its names, and its e-mail address once they have shown that it is
// theirs. Whoever has an address gets the invites to it, so nobody has one on their word alone.
#include "core/access/context.h"
#include "core/base/change.h"
#include "core/base/errors.h"

namespace slashpost {

struct ProfileChange {
    std::string username;
    std::string full_name;          // empty: the user name
    Change<std::string> avatar_url; // an http or https address
};

// Adds a problem for a user name that would be taken for somebody's e-mail address when they sign in;
// `own_email` is the one that is proved to be theirs.
void check_chosen_username(std::string_view username, std::string_view own_email, Problems& problems);

// The caller's. Fails as invalid, also for a user name that is taken.
Result<void> change_profile(Context& ctx, const ProfileChange& change);

// Puts a mail with a code into the outbox, to the new address; a code that was sent before is good no more.
// Fails as invalid, and as refused with NoMail where no mail is sent: the operator sets addresses there.
Result<void> ask_for_email(Context& ctx, std::string_view email);
// By the code out of the mail, within a quarter of an hour. Invalid for another one.
Result<void> confirm_email(Context& ctx, std::string_view code);

} // namespace slashpost
