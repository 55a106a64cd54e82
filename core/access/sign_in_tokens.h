#pragma once
// One-time addresses of the dashboard, as they are given out: by the operator, or by mail. Each is good once,
// for a quarter of an hour (core/model/sign_in.h).
#include "core/access/context.h"

namespace slashpost {

inline constexpr std::size_t sign_in_tokens_per_account_max = 10; // one more ends the oldest

// The token of a new one.
Result<std::string> issue_sign_in_token(SystemContext& system, AccountId account, bool by_mail);
// "http://localhost:8082/sign-in#<token>": a fragment is in no log and in no Referer. `dashboard_url` is what
// addresses of the dashboard begin with.
std::string sign_in_address(std::string_view dashboard_url, std::string_view token);
// None that was given out is good any more.
Result<void> withdraw_sign_in_tokens(data::Txn& txn, AccountId account);

} // namespace slashpost
