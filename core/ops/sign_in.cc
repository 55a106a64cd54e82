#include "core/ops/sign_in.h"

#include "core/access/sign_in_tokens.h"
#include "core/base/errors.h"
#include "core/base/secret.h"
#include "core/base/text.h"
#include "core/ops/accounts.h"
#include "core/ops/second_factor.h"
#include "core/ops/sign_in_tries.h"
#include "core/schema/schema.h"
#include "core/work/mails.h"

#include <algorithm>
#include <fmt/format.h>

namespace slashpost {

namespace {

// A session that began with a one-time address may set a password for so long without knowing the old one.
constexpr std::int64_t fresh_seconds = 15LL * 60;

Result<std::optional<Credentials>> credentials_of(data::View& view, AccountId account) {
    return schema().credentials.find(view, account.view());
}

struct CodeVerdict {
    bool is_good = false;
    bool is_missing = false;
    std::int64_t wait_seconds = 0;
};

// Whether who has a mailed address also has the second factor, if there is one.
Result<CodeVerdict> check_code(SystemContext& system, AccountId account, const WhoSignsIn& who) {
    const auto stored = TRY(credentials_of(system.txn, account));
    if (!stored || !asks_for_code(*stored))
        return CodeVerdict{.is_good = true};
    if (who.code.empty())
        return CodeVerdict{.is_missing = true};
    if (const auto wait = TRY(take_try(system, TryKind::by_account, account.hex())); wait > 0)
        return CodeVerdict{.wait_seconds = wait};
    if (!TRY(take_code(system.txn, *stored, who.code, system.now)))
        return CodeVerdict{};
    TRY(give_back_try(system, TryKind::by_account, account.hex()));
    return CodeVerdict{.is_good = true};
}

std::string whose_tries(const std::optional<Account>& account, std::string_view user) {
    return account ? account->id.hex() : nobody_called(user);
}

} // namespace

std::unexpected<Error> account_suspended() {
    return refused("AccountSuspended", "session",
                   "This account is suspended; ask the person who runs the server.");
}

Result<std::optional<Account>> person_named(data::View& view, std::string_view user) {
    if (user.empty() || !is_utf8(user))
        return std::optional<Account>();
    const auto& accounts = schema().accounts;
    if (auto named = TRY(accounts.find_by(accounts.by_username, view, fold_case(user))))
        return named;
    auto found = TRY(accounts_with_email(view, user));
    return found.size() == 1 ? std::optional(std::move(found.front())) : std::nullopt;
}

Result<PasswordTry> begin_password_try(SystemContext& system, std::string_view user,
                                       std::string_view address) {
    if (const auto wait = TRY(take_try(system, TryKind::by_address, address)); wait > 0)
        return PasswordTry{.wait_seconds = wait, .account = {}, .hash = {}};
    const auto account = TRY(person_named(system.txn, user));
    const auto wait = TRY(take_try(system, TryKind::by_account, whose_tries(account, user)));
    PasswordTry out{.wait_seconds = wait, .account = account ? account->id : AccountId(), .hash = {}};
    if (account)
        if (const auto stored = TRY(credentials_of(system.txn, account->id)))
            out.hash = stored->password_hash;
    return out;
}

Result<OpenedSession> sign_in_with_password(SystemContext& system, const PasswordTry& right,
                                            const WhoSignsIn& who) {
    const auto account = TRY(schema().accounts.find(system.txn, right.account.view()));
    const auto stored = TRY(credentials_of(system.txn, right.account));
    if (!account || !stored || stored->password_hash != right.hash)
        return sign_in_failed();
    if (asks_for_code(*stored)) {
        if (who.code.empty())
            return code_required();
        if (!TRY(take_code(system.txn, *stored, who.code, system.now)))
            return sign_in_failed();
    }
    if (account->suspended_at)
        return account_suspended();
    TRY(give_back_try(system, TryKind::by_account, account->id.hex()));
    TRY(give_back_try(system, TryKind::by_address, who.address));
    return open_session(system, account->id, SignInWay::password, who.user_agent);
}

Result<TokenTry> sign_in_with_token(SystemContext& system, std::string_view token, const WhoSignsIn& who) {
    if (const auto wait = TRY(take_try(system, TryKind::by_address, who.address)); wait > 0)
        return TokenTry{.wait_seconds = wait, .session = {}};
    const auto& table = schema().sign_in_tokens;
    const auto hash = sha256(token);
    const auto stored = TRY(table.find_by(table.by_token, system.txn, hash));
    const auto account =
        stored ? TRY(schema().accounts.find(system.txn, stored->account.view())) : std::optional<Account>();
    if (!account || !equal_in_constant_time(stored->token_hash, hash) || stored->ends_at() <= system.now ||
        !stored->email.empty())
        return TokenTry{};
    if (account->suspended_at)
        return account_suspended();
    if (stored->by_mail || stored->by_provider) {
        const auto verdict = TRY(check_code(system, stored->account, who));
        if (!verdict.is_good)
            return TokenTry{
                .wait_seconds = verdict.wait_seconds, .session = {}, .asks_for_code = verdict.is_missing};
    }
    TRY(table.remove(system.txn, *stored));
    TRY(give_back_try(system, TryKind::by_address, who.address));
    const auto way = stored->by_provider ? SignInWay::provider : SignInWay::address;
    return TokenTry{.wait_seconds = 0,
                    .session = TRY(open_session(system, stored->account, way, who.user_agent))};
}

Result<Session> calling_session(Context& ctx) {
    auto session = TRY(schema().sessions.find(ctx.view(), ctx.caller.session.view()));
    if (!session)
        return signed_out();
    return std::move(*session);
}

Result<PasswordState> password_state(Context& ctx) {
    const auto session = TRY(calling_session(ctx));
    const auto stored = TRY(credentials_of(ctx.view(), ctx.account.id));
    const bool exists = stored && !stored->password_hash.empty();
    const bool fresh =
        session.way == SignInWay::address && ctx.now < session.created_at.plus_seconds(fresh_seconds);
    return PasswordState{.exists = exists,
                         .must_be_said = exists && !fresh,
                         .session_is_fresh = fresh,
                         .hash = stored ? stored->password_hash : std::string()};
}

Result<void> change_password(Context& ctx, std::string new_hash) {
    const auto& table = schema().credentials;
    const auto session = TRY(calling_session(ctx));
    const auto stored = TRY(credentials_of(ctx.view(), ctx.account.id));
    auto changed = stored.value_or(Credentials{.account = ctx.account.id, .password_hash = {}});
    changed.password_hash = std::move(new_hash);
    changed.password_set_at = ctx.now;
    if (stored)
        TRY(table.update(ctx.txn(), *stored, changed));
    else
        TRY(table.insert(ctx.txn(), changed));
    TRY(withdraw_sign_in_tokens(ctx.txn(), ctx.account.id));
    auto system = ctx.system_context();
    TRY(give_back_try(system, TryKind::by_account, ctx.account.id.hex()));
    return end_sessions(ctx.txn(), ctx.account.id, session.id);
}

Result<std::int64_t> mail_sign_in_address(SystemContext& system, std::string_view user,
                                          std::string_view address) {
    if (const auto wait = TRY(take_try(system, TryKind::mail_by_address, address)); wait > 0)
        return wait;
    const auto account = TRY(person_named(system.txn, user));
    if (!account || account->email.empty() ||
        TRY(take_try(system, TryKind::mail_to_account, account->id.hex())) > 0)
        return 0;
    TRY(withdraw_mail(system.txn, MailKind::sign_in, account->id));
    TRY(enqueue_mail(system, MailKind::sign_in, account->id));
    return 0;
}

} // namespace slashpost
