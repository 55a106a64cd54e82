#include "core/ops/identities.h"

#include "core/access/invitations.h"
#include "core/access/sign_in_tokens.h"
#include "core/base/email.h"
#include "core/base/errors.h"
#include "core/base/host.h"
#include "core/base/secret.h"
#include "core/base/text.h"
#include "core/ops/accounts.h"
#include "core/ops/field_rules.h"
#include "core/ops/second_factor.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <fmt/format.h>

namespace slashpost {

namespace {

constexpr std::size_t invites_looked_at_max = 100;

const IdentityTable& identities() { return schema().identities; }

Result<void> check_email(const ProviderRules& rules, const std::string& email) {
    if (rules.email_domains.empty())
        return {};
    if (email.empty())
        return refused("EmailNotAllowed", "session",
                       "The provider names no proved e-mail address of yours, which is needed here.");
    const auto host = normal_host(email.substr(email.rfind('@') + 1));
    if (host && std::ranges::find(rules.email_domains, *host) != rules.email_domains.end())
        return {};
    return refused("EmailNotAllowed", "session",
                   fmt::format("People with an address like {} cannot sign in here.", email));
}

Identity row_of(const ProvenIdentity& who, AccountId account, Timestamp now) {
    return {.account = account,
            .issuer = who.issuer,
            .subject = who.subject,
            .email = who.email,
            .connected_at = now,
            .used_at = now,
            .unknown = {}};
}

// In place of one before.
Result<void> put(data::Txn& txn, const Identity& row) {
    if (const auto before = TRY(identities().find(txn, row.account.view())))
        return identities().update(txn, *before, row);
    return identities().insert(txn, row);
}

// As who owns the address comes first. One whom the provider knows as somebody else had it before them, and
// whoever runs the installation says themself who they are elsewhere.
Result<AccountId> connect_by_email(SystemContext& system, const ProvenIdentity& who,
                                   const std::vector<Account>& owners) {
    const auto& account = owners.front();
    if (owners.size() > 1 || account.is_operator || !system.tools.settings.provider.connects_by_email)
        return refused("AccountExists", "session",
                       fmt::format("There is an account with the address {}. Sign in to it in another way, "
                                   "then connect it with the provider in the account page.",
                                   who.email));
    const auto before = TRY(identities().find(system.txn, account.id.view()));
    if (before && before->issuer == who.issuer)
        return refused("AnotherIdentity", "session",
                       fmt::format("The account with the address {} belongs to somebody else at the "
                                   "provider; ask the person who runs the server.",
                                   who.email));
    TRY(put(system.txn, row_of(who, account.id, system.now)));
    return account.id;
}

Result<bool> is_invited(SystemContext& system, const std::string& email) {
    bool found = false;
    std::size_t looked_at = 0;
    const auto& invites = schema().invites;
    const data::Walk walk{.scope = key(fold_case(email))};
    TRY(invites.by_receiver.walk(system.txn, walk, [&](data::BytesView primary) -> Result<bool> {
        const auto invite = TRY(invites.find(system.txn, primary));
        found = invite && TRY(invited_to(system.txn, *invite, system.now));
        return !found && ++looked_at < invites_looked_at_max;
    }));
    return found;
}

// The address, which is theirs, or what stands before its @ when somebody is called so.
Result<std::string> username_for(SystemContext& system, const std::string& email) {
    constexpr std::size_t letters = 8;
    const auto& accounts = schema().accounts;
    if (!TRY(accounts.find_by(accounts.by_username, system.txn, fold_case(email))))
        return email;
    return fmt::format("{}-{}", email.substr(0, email.rfind('@')),
                       make_token(system.tools.random).substr(0, letters));
}

Result<AccountId> make_account(SystemContext& system, const ProvenIdentity& who) {
    const auto& rules = system.tools.settings.provider;
    if (who.email.empty() || !(rules.admits_newcomers || TRY(is_invited(system, who.email))))
        return refused("NoAccount", "session",
                       who.email.empty()
                           ? std::string("You have no account here.")
                           : fmt::format("There is no account for {} here; ask to be invited.", who.email));
    Problems problems; // of the name, which is no reason to let nobody in
    check_account({.username = who.email, .email = {}, .full_name = who.full_name}, problems);
    const auto account =
        TRY(create_account(system, {.username = TRY(username_for(system, who.email)),
                                    .email = who.email,
                                    .full_name = problems.none() ? who.full_name : std::string()}));
    TRY(identities().insert(system.txn, row_of(who, account.id, system.now)));
    return account.id;
}

Result<AccountId> account_of(SystemContext& system, const ProvenIdentity& who) {
    if (const auto known =
            TRY(identities().find_by(identities().by_subject, system.txn, who.issuer, who.subject))) {
        auto used = *known;
        used.email = who.email;
        used.used_at = system.now;
        TRY(identities().update(system.txn, *known, used));
        return known->account;
    }
    const auto owners = TRY(accounts_with_email(system.txn, who.email));
    return owners.empty() ? make_account(system, who) : connect_by_email(system, who, owners);
}

} // namespace

Result<ProviderSignIn> sign_in_with_identity(SystemContext& system, const ProvenIdentity& who,
                                             const std::string& user_agent) {
    TRY(check_email(system.tools.settings.provider, who.email));
    const auto id = TRY(account_of(system, who));
    const auto account = TRY(schema().accounts.find(system.txn, id.view()));
    if (!account)
        return fault("an identity's account is missing");
    if (account->suspended_at)
        return account_suspended();
    const auto stored = TRY(schema().credentials.find(system.txn, id.view()));
    ProviderSignIn out;
    if (stored && asks_for_code(*stored) && !who.had_second_factor)
        out.token = TRY(issue_second_step_token(system, id));
    else
        out.session = TRY(open_session(system, id, SignInWay::provider, user_agent));
    return out;
}

Result<std::optional<Identity>> identity_of(Context& ctx) {
    return identities().find(ctx.view(), ctx.account.id.view());
}

Result<void> connect_identity(Context& ctx, const ProvenIdentity& who) {
    TRY(check_email(ctx.settings.provider, who.email));
    const auto owner =
        TRY(identities().find_by(identities().by_subject, ctx.view(), who.issuer, who.subject));
    if (owner && owner->account != ctx.account.id)
        return refused("IdentityTaken", "session",
                       "Another account is connected with this person at the provider. Sign in to that one.");
    return put(ctx.txn(), row_of(who, ctx.account.id, ctx.now));
}

Result<void> disconnect_identity(Context& ctx) {
    const auto stored = TRY(identity_of(ctx));
    if (!stored)
        return not_found("identity", "");
    if (!TRY(password_state(ctx)).exists)
        return refused("NoPassword", "session", "Choose a password first, or you could not sign in again.");
    return identities().remove(ctx.txn(), *stored);
}

} // namespace slashpost
