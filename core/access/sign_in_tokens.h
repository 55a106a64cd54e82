#pragma once
// One-time addresses of the dashboard, as they are given out: by the operator, or by mail. Each is good once,
// for a quarter of an hour (core/model/sign_in.h).
#include "core/access/context.h"

namespace slashpost {

inline constexpr std::size_t sign_in_tokens_per_account_max = 10; // one more ends the oldest

// The token of a new one.
Result<std::string> issue_sign_in_token(SystemContext& system, AccountId account, bool by_mail);
// The same for who has come from the provider and lacks nothing but the second factor.
Result<std::string> issue_second_step_token(SystemContext& system, AccountId account);
// "http://localhost:8082/sign-in#<token>": a fragment is in no log and in no Referer. `dashboard_url` is what
// addresses of the dashboard begin with.
std::string sign_in_address(std::string_view dashboard_url, std::string_view token);
// The account is to have the address, once it shows the code that is mailed there; in place of any before.
Result<void> await_email_proof(SystemContext& system, AccountId account, std::string_view email);
struct EmailProof {
    std::string email;
    std::string code; // "abcd efgh ijkl mnop"
};
// A new code for the mail; nothing when none is awaited any more.
Result<std::optional<EmailProof>> write_email_proof(SystemContext& system, AccountId account);
// The address that the code proves, which is used up by that; nothing for another code. Blanks do not count.
Result<std::optional<std::string>> take_email_proof(SystemContext& system, AccountId account,
                                                    std::string_view code);

// None that was given out is good any more.
Result<void> withdraw_sign_in_tokens(data::Txn& txn, AccountId account);

} // namespace slashpost
