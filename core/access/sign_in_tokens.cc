#include "core/access/sign_in_tokens.h"

#include "core/base/secret.h"
#include "core/base/text.h"
#include "core/base/totp.h"
#include "core/schema/schema.h"

#include <array>
#include <fmt/format.h>

namespace slashpost {

namespace {

constexpr std::size_t code_bytes = 10; // 80 bits, 16 characters

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

// What waits for the proof of an address.
Result<std::optional<SignInToken>> awaited_proof(data::View& view, AccountId account, Timestamp now) {
    for (auto& token : TRY(tokens_of(view, account)))
        if (!token.email.empty() && token.ends_at() > now)
            return std::optional(std::move(token));
    return std::optional<SignInToken>();
}

// With what the row says of how it is given out.
Result<std::string> issue(SystemContext& system, SignInToken row) {
    const auto before = TRY(tokens_of(system.txn, row.account));
    for (std::size_t i = 0; i + sign_in_tokens_per_account_max <= before.size(); ++i)
        TRY(tokens().remove(system.txn, before[i]));
    auto token = make_token(system.tools.random);
    row.id = system.tools.ids.next<SignInTokenId>();
    row.token_hash = sha256(token);
    row.created_at = system.now;
    TRY(tokens().insert(system.txn, row));
    return token;
}

std::string in_small_letters_without_blanks(std::string_view text) {
    auto out = lower_ascii(text);
    std::erase(out, ' ');
    return out;
}

} // namespace

Result<void> await_email_proof(SystemContext& system, AccountId account, std::string_view email) {
    for (const auto& token : TRY(tokens_of(system.txn, account)))
        if (!token.email.empty())
            TRY(tokens().remove(system.txn, token));
    return tokens().insert(system.txn,
                           {.id = system.tools.ids.next<SignInTokenId>(),
                            .account = account,
                            .token_hash = sha256(make_token(system.tools.random)), // of nothing yet
                            .created_at = system.now,
                            .by_mail = true,
                            .email = std::string(email),
                            .unknown = {}});
}

Result<std::optional<EmailProof>> write_email_proof(SystemContext& system, AccountId account) {
    const auto awaited = TRY(awaited_proof(system.txn, account, system.now));
    if (!awaited)
        return std::optional<EmailProof>();
    std::array<std::uint8_t, code_bytes> bits{};
    system.tools.random.fill(bits);
    const auto code = lower_ascii(base32({reinterpret_cast<const char*>(bits.data()), bits.size()}));
    auto changed = *awaited;
    changed.token_hash = sha256(code);
    TRY(tokens().update(system.txn, *awaited, changed));
    constexpr std::size_t group = 4;
    EmailProof out{.email = awaited->email, .code = code.substr(0, group)};
    for (auto at = group; at < code.size(); at += group)
        out.code += " " + code.substr(at, group);
    return std::optional(std::move(out));
}

Result<std::optional<std::string>> take_email_proof(SystemContext& system, AccountId account,
                                                    std::string_view code) {
    const auto awaited = TRY(awaited_proof(system.txn, account, system.now));
    if (!awaited ||
        !equal_in_constant_time(awaited->token_hash, sha256(in_small_letters_without_blanks(code))))
        return std::optional<std::string>();
    TRY(tokens().remove(system.txn, *awaited));
    return std::optional(awaited->email);
}

Result<std::string> issue_sign_in_token(SystemContext& system, AccountId account, bool by_mail) {
    return issue(system, {.account = account, .token_hash = {}, .by_mail = by_mail, .unknown = {}});
}

Result<std::string> issue_second_step_token(SystemContext& system, AccountId account) {
    return issue(system, {.account = account, .token_hash = {}, .by_provider = true, .unknown = {}});
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
