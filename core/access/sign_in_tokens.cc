#include "core/access/sign_in_tokens.h"

#include "core/base/secret.h"
#include "core/schema/schema.h"

#include <fmt/format.h>

namespace slashpost {

namespace {

const SignInTokenTable& tokens() { return schema().sign_in_tokens; }

// The oldest first.
Result<std::vector<SignInToken>> tokens_of(data::View& view, AccountId account) {
    std::vector<SignInToken> out;
    const data::Walk walk{.scope = key(account)};
    TRY(tokens().by_account.walk(view, walk, [&](data::BytesView primary) -> Result<bool> {
        if (auto token = TRY(tokens().find(view, primary)))
            out.push_back(std::move(*token));
        return true;
    }));
    return out;
}

} // namespace

Result<std::string> issue_sign_in_token(SystemContext& system, AccountId account, bool by_mail) {
    const auto before = TRY(tokens_of(system.txn, account));
    for (std::size_t i = 0; i + sign_in_tokens_per_account_max <= before.size(); ++i)
        TRY(tokens().remove(system.txn, before[i]));
    auto token = make_token(system.tools.random);
    TRY(tokens().insert(system.txn, {.id = system.tools.ids.next<SignInTokenId>(),
                                     .account = account,
                                     .token_hash = sha256(token),
                                     .created_at = system.now,
                                     .by_mail = by_mail,
                                     .unknown = {}}));
    return token;
}

std::string sign_in_address(std::string_view dashboard_url, std::string_view token) {
    return fmt::format("{}/sign-in#{}", dashboard_url, token);
}

Result<void> withdraw_sign_in_tokens(data::Txn& txn, AccountId account) {
    for (const auto& token : TRY(tokens_of(txn, account)))
        TRY(tokens().remove(txn, token));
    return {};
}

} // namespace slashpost
