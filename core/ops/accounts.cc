#include "core/ops/accounts.h"

#include "core/base/errors.h"
#include "core/base/secret.h"
#include "core/base/text.h"
#include "core/ops/domains.h"
#include "core/ops/field_rules.h"
#include "core/schema/schema.h"
#include "core/schema/store.h"

namespace slashpost {

namespace {

constexpr std::size_t hint_characters = 6;

Result<Workspace> create_default_workspace(SystemContext& system, AccountId owner) {
    Workspace workspace{.id = system.tools.ids.next<WorkspaceId>(),
                        .name = "Main workspace",
                        .owner = owner,
                        .is_default = true,
                        .created_at = system.now,
                        .updated_at = system.now};
    TRY(schema().workspaces.insert(system.txn, workspace));
    TRY(schema().members.insert(
        system.txn,
        {.workspace = workspace.id, .account = owner, .role = Role::owner, .created_at = system.now}));
    return workspace;
}

} // namespace

Result<Account> create_account(SystemContext& system, const NewAccount& in) {
    Account account{.id = system.tools.ids.next<AccountId>(),
                    .username = in.username,
                    .email = in.email,
                    .full_name = in.full_name,
                    .created_at = system.now};
    Problems problems;
    check_account(account, problems);
    TRY(problems.result("account"));
    if (account.full_name.empty())
        account.full_name = account.username;
    const auto workspace = TRY(create_default_workspace(system, account.id));
    account.default_workspace = workspace.id;
    TRY(schema().accounts.insert(system.txn, account));
    if (const auto domain = TRY(default_domain(system.txn)))
        TRY(share_domain(system, *domain, workspace.id));
    return account;
}

Result<Account> find_account(data::View& view, std::string_view name) {
    const auto& accounts = schema().accounts;
    std::optional<Account> account;
    if (const auto id = AccountId::parse(name))
        account = TRY(accounts.find(view, id->view()));
    if (!account)
        account = TRY(accounts.find_by(accounts.by_username, view, fold_case(name)));
    if (!account)
        return not_found("account", name);
    return std::move(*account);
}

Result<std::vector<Account>> list_accounts(data::View& view) {
    std::vector<Account> out;
    TRY(schema().accounts.each(view, [&](const Account& account) -> Result<bool> {
        out.push_back(account);
        return true;
    }));
    return out;
}

Result<std::vector<Account>> accounts_with_email(data::View& view, std::string_view email) {
    constexpr std::size_t count_max = 2;
    const auto& accounts = schema().accounts;
    std::vector<Account> out;
    if (email.empty())
        return out;
    TRY(accounts.by_email.walk(view, {.scope = key(fold_case(email))},
                               [&](data::BytesView primary) -> Result<bool> {
                                   if (auto account = TRY(accounts.find(view, primary)))
                                       out.push_back(std::move(*account));
                                   return out.size() < count_max;
                               }));
    return out;
}

Result<IssuedKey> create_key(SystemContext& system, const Account& account, std::string_view name,
                             const KeyLimits& limits) {
    Problems problems;
    check_key_name(name, problems);
    TRY(problems.result("key"));

    IssuedKey issued;
    issued.key = make_token(system.tools.random);
    issued.row = {.id = system.tools.ids.next<ApiKeyId>(),
                  .account = account.id,
                  .name = std::string(name),
                  .hash = sha256(issued.key),
                  .hint = issued.key.substr(0, hint_characters),
                  .created_at = system.now,
                  .read_only = limits.read_only,
                  .links_only = limits.links_only,
                  .workspace = limits.workspace,
                  .expires_at = limits.expires_at};
    TRY(schema().api_keys.insert(system.txn, issued.row));
    return issued;
}

Result<std::vector<ApiKey>> list_keys(data::View& view, AccountId account) {
    std::vector<ApiKey> out;
    const data::Walk walk{.scope = data::key(account)};
    TRY(schema().api_keys.by_account.walk(view, walk, [&](data::BytesView primary) -> Result<bool> {
        if (auto key = TRY(schema().api_keys.find(view, primary)))
            out.push_back(std::move(*key));
        return true;
    }));
    return out;
}

Result<ApiKey> revoke_key(SystemContext& system, std::string_view key_id) {
    const auto id = ApiKeyId::parse(key_id);
    auto key = id ? TRY(schema().api_keys.find(system.txn, id->view())) : std::optional<ApiKey>();
    if (!key)
        return not_found("key", key_id);
    TRY(schema().api_keys.remove(system.txn, *key));
    return std::move(*key);
}

} // namespace slashpost
