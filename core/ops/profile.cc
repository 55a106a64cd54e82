#include "core/ops/profile.h"

#include "core/access/sign_in_tokens.h"
#include "core/base/email.h"
#include "core/base/text.h"
#include "core/ops/field_rules.h"
#include "core/ops/sign_in_tries.h"
#include "core/schema/schema.h"
#include "core/work/mails.h"

namespace slashpost {

void check_chosen_username(std::string_view username, std::string_view own_email, Problems& problems) {
    if (username.find('@') != username.npos && fold_case(username) != fold_case(own_email))
        problems.add(
            invalid_format("username", "must not contain @: it would be taken for an e-mail address"));
}

Result<void> change_profile(Context& ctx, const ProfileChange& change) {
    auto changed = ctx.account;
    changed.username = change.username;
    changed.full_name = change.full_name.empty() ? change.username : change.full_name;
    Problems problems;
    if (change.avatar_url.is_set())
        changed.avatar_url = stored_avatar(change.avatar_url.value(), problems);
    else
        change.avatar_url.apply_to(changed.avatar_url);
    check_account(changed, problems);
    if (changed.username != ctx.account.username)
        check_chosen_username(changed.username, changed.email, problems);
    TRY(problems.result("account"));
    TRY(schema().accounts.update(ctx.txn(), ctx.account, changed));
    ctx.account = std::move(changed);
    return {};
}

Result<void> ask_for_email(Context& ctx, std::string_view email) {
    const auto trimmed = trim(email);
    if (trimmed.empty())
        return invalid("account", {required_field("email")});
    if (!is_email(trimmed))
        return invalid("account", {invalid_format("email", "must be an e-mail address")});
    if (!ctx.settings.sends_mail)
        return refused("NoMail", "account", "This server sends no mail; its operator changes addresses.");
    auto system = ctx.system_context();
    if (TRY(take_try(system, TryKind::mail_to_account, ctx.account.id.hex())) > 0)
        return refused("TooManyMails", "account", "There were too many mails; wait a quarter of an hour.");
    TRY(await_email_proof(system, ctx.account.id, trimmed));
    TRY(withdraw_mail(ctx.txn(), MailKind::email, ctx.account.id));
    return enqueue_mail(system, MailKind::email, ctx.account.id);
}

Result<void> confirm_email(Context& ctx, std::string_view code) {
    auto system = ctx.system_context();
    const auto proved = TRY(take_email_proof(system, ctx.account.id, code));
    if (!proved)
        return invalid("account",
                       {invalid_format("code", "is not the code that was mailed last, or too old")});
    auto changed = ctx.account;
    changed.email = *proved;
    TRY(schema().accounts.update(ctx.txn(), ctx.account, changed));
    ctx.account = std::move(changed);
    return give_back_try(system, TryKind::by_account, ctx.account.id.hex());
}

} // namespace slashpost
