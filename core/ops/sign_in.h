#pragma once
// Signing in at the dashboard: with a name and a password, or with a one-time address.
//
// Comparing a password takes 100 ms and 64 MiB, so no transaction does it: begin_password_try counts the try
// and says what to compare with, and sign_in_with_password ends it, once the password was found to be right.
#include "core/ops/sessions.h"

namespace slashpost {

// Who is meant by a user name, ignoring case, or by an e-mail address, if exactly one account has it.
Result<std::optional<Account>> person_named(data::View& view, std::string_view user);

struct PasswordTry {
    std::int64_t wait_seconds = 0; // not 0: there were too many, and the next may be made then
    AccountId account;             // empty: nobody is called so
    std::string hash;              // what is to be compared (core/base/password_hash.h); empty: there is none
};
// `address` is where the try comes from.
Result<PasswordTry> begin_password_try(SystemContext& system, std::string_view user,
                                       std::string_view address);
// Who signs in, besides what they prove themselves with.
struct WhoSignsIn {
    std::string address;    // of the network
    std::string user_agent; // the header
    std::string code;       // of a second factor (second_factor.h); empty: none was sent
};
// The password was right. Fails with CodeRequired when a second factor is asked for, and with SignInFailed
// when its code is wrong, or the password was changed meanwhile.
Result<OpenedSession> sign_in_with_password(SystemContext& system, const PasswordTry& right,
                                            const WhoSignsIn& who);

struct TokenTry {
    std::int64_t wait_seconds = 0; // as in PasswordTry
    std::optional<OpenedSession>
        session;                // nothing: the token is unknown, used, or too old, or the code is wrong
    bool asks_for_code = false; // the token is good, was not the operator's, and there is a second factor
};
// What the operator gave out asks for no second factor: it is how those come in who lost theirs.
Result<TokenTry> sign_in_with_token(SystemContext& system, std::string_view token, const WhoSignsIn& who);

// Whether the caller, who has a session, must say the password to change it: there is one, and the session
// was not begun with a one-time address a short time ago.
struct PasswordState {
    bool exists = false;
    bool must_be_said = false;
    bool session_is_fresh = false; // it was begun with a one-time address a short time ago
    std::string hash;
};
Result<PasswordState> password_state(Context& ctx);
// The session that calls; fails with SignedOut when it is over.
Result<Session> calling_session(Context& ctx);
// Stores the hash of a new password, and ends all other sessions of the caller and its one-time addresses.
Result<void> change_password(Context& ctx, std::string new_hash);

// What whoever has proved to be the person is told of an account that is suspended.
std::unexpected<Error> account_suspended();

// Puts a mail with a one-time address into the outbox, if somebody is called so and has an address. Nobody is
// told whether. Not 0: too many were asked for from that address.
Result<std::int64_t> mail_sign_in_address(SystemContext& system, std::string_view user,
                                          std::string_view address);

} // namespace slashpost
