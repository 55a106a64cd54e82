#include "app/admin/account_commands.h"

#include "app/admin/commands.h"
#include "core/access/sign_in_tokens.h"
#include "core/base/errors.h"
#include "core/model/plan.h"
#include "core/ops/accounts.h"
#include "core/schema/schema.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <vector>

namespace slashpost::admin {

namespace {

struct Arguments {
    NewAccount account;
    std::string account_name;
    std::string key_name;
    std::string key_id;
    std::string base_url;
};
using Shared = std::shared_ptr<Arguments>;

Result<void> print_account(Console& console, const Account& account) {
    return console.write(fmt::format("{}  {:<24} {:<32} created {}  default workspace {}\n", account.id.hex(),
                                     account.username, account.email.empty() ? "-" : account.email,
                                     to_iso(account.created_at), account.default_workspace.hex()));
}

// " (read only, until 2027-01-15T09:00:00.000Z)"; empty for a key that may do what its account may.
std::string words_of_limits(const ApiKey& key) {
    std::vector<std::string> words;
    if (key.read_only)
        words.emplace_back("read only");
    if (key.links_only)
        words.emplace_back("links only");
    if (!key.workspace.empty())
        words.push_back(fmt::format("workspace {}", key.workspace.hex()));
    if (key.expires_at)
        words.push_back(fmt::format("until {}", to_iso(*key.expires_at)));
    return words.empty() ? "" : fmt::format(" ({})", fmt::join(words, ", "));
}

Result<std::string> how_to_sign_in(data::View& view, const Account& account) {
    const auto stored = TRY(schema().credentials.find(view, account.id.view()));
    if (!stored || !stored->password_set_at)
        return fmt::format("with an address of: slashpost-admin sign-in-address {}", account.username);
    return fmt::format("with a password of {}{}", to_iso(*stored->password_set_at),
                       stored->totp_since ? " and a code" : "");
}

Result<void> print_keys(Console& console, data::View& view, const Account& account) {
    for (const auto& key : TRY(list_keys(view, account.id)))
        TRY(console.write(fmt::format("{}  {}...  created {}  account {}  {}{}\n", key.id.hex(), key.hint,
                                      to_iso(key.created_at), account.username, key.name,
                                      words_of_limits(key))));
    return {};
}

Result<int> create(AdminContext& context, Console& console, const Arguments& arguments) {
    const auto account = TRY(context.service.run_as_operator(
        [&](SystemContext& system) { return create_account(system, arguments.account); }));
    TRY(print_account(console, account));
    console.note(fmt::format(
        "next: slashpost-admin sign-in-address {} for the dashboard, or slashpost-admin key create "
        "--account {} for the API",
        account.username, account.username));
    return exit_good;
}

Result<int> list(AdminContext& context, Console& console) {
    return context.engine.read([&](data::View& view) -> Result<int> {
        for (const auto& account : TRY(list_accounts(view)))
            TRY(print_account(console, account));
        return exit_good;
    });
}

Result<int> show(AdminContext& context, Console& console, const Arguments& arguments) {
    return context.engine.read([&](data::View& view) -> Result<int> {
        const auto account = TRY(find_account(view, arguments.account_name));
        TRY(print_account(console, account));
        TRY(console.write(
            fmt::format("full name: {}\nplan: {}\nsigns in: {}\nworkspaces:\n", account.full_name,
                        account.plan.empty() ? std::string_view(Plan::default_name) : account.plan,
                        TRY(how_to_sign_in(view, account)))));
        const data::Walk walk{.scope = data::key(account.id)};
        TRY(schema().members.by_account.walk(view, walk, [&](data::BytesView primary) -> Result<bool> {
            const auto workspace = TRY(schema().workspaces.find(view, primary.substr(0, sizeof(RawId))));
            if (workspace && !workspace->deleted_at)
                TRY(console.write(fmt::format("{}  {}\n", workspace->id.hex(), workspace->name)));
            return true;
        }));
        TRY(console.write("keys:\n"));
        TRY(print_keys(console, view, account));
        return exit_good;
    });
}

Result<int> issue_key(AdminContext& context, Console& console, const Arguments& arguments) {
    const auto issued = TRY(context.service.run_as_operator([&](SystemContext& system) -> Result<IssuedKey> {
        return create_key(system, TRY(find_account(system.txn, arguments.account_name)), arguments.key_name);
    }));
    TRY(console.write(fmt::format("API key: {}\n", issued.key)));
    console.note("Keep it: it is shown this once and stored as a hash only.");
    return exit_good;
}

Result<int> show_keys(AdminContext& context, Console& console, const Arguments& arguments) {
    return context.engine.read([&](data::View& view) -> Result<int> {
        if (!arguments.account_name.empty()) {
            TRY(print_keys(console, view, TRY(find_account(view, arguments.account_name))));
            return exit_good;
        }
        for (const auto& account : TRY(list_accounts(view)))
            TRY(print_keys(console, view, account));
        return exit_good;
    });
}

Result<int> revoke(AdminContext& context, Console& console, const Arguments& arguments) {
    const auto key = TRY(context.service.run_as_operator(
        [&](SystemContext& system) { return revoke_key(system, arguments.key_id); }));
    TRY(console.write(fmt::format("revoked {} ({}...)\n", key.id.hex(), key.hint)));
    return exit_good;
}

// What the address begins with: as the server says, unless it is told.
Result<std::string> base_of_dashboard(const SystemContext& system, std::string base) {
    if (base.empty())
        base = system.tools.settings.dashboard_url;
    if (base.empty())
        return refused("NoDashboard", "server",
                       "this server has no dashboard (--dashboard-listen off); start it with one");
    while (base.ends_with('/'))
        base.pop_back();
    if ((!base.starts_with("http://") && !base.starts_with("https://")) ||
        base.find_first_of("?# ") != base.npos)
        return refused("InvalidFormat", "base-url",
                       "--base-url must be an http or https address without a query");
    return base;
}

Result<int> show_sign_in_address(AdminContext& context, Console& console, const Arguments& arguments) {
    const auto address =
        TRY(context.service.run_as_operator([&](SystemContext& system) -> Result<std::string> {
            const auto account = TRY(find_account(system.txn, arguments.account_name));
            const auto base = TRY(base_of_dashboard(system, arguments.base_url));
            return sign_in_address(base, TRY(issue_sign_in_token(system, account.id, false)));
        }));
    TRY(console.write(address + "\n"));
    console.note("Open it in a browser within 15 minutes; it is good once.");
    return exit_good;
}

} // namespace

void add_account_commands(CLI::App& program, const OnCommand& on) {
    const auto arguments = std::make_shared<Arguments>();
    const auto bind = [arguments](auto function) -> Work {
        return [arguments, function](AdminContext& context, Console& console) {
            return function(context, console, *arguments);
        };
    };
    constexpr auto account_help = "A username or an account's id.";

    auto& accounts = *program.add_subcommand("account", "Make and show accounts.")->require_subcommand(1);
    auto& create_command = *accounts.add_subcommand("create", "Make an account with a workspace of its own.");
    create_command.add_option("USERNAME", arguments->account.username, "Unique, ignoring case.")->required();
    create_command.add_option("--email", arguments->account.email, "Where to reach the person.");
    create_command.add_option("--full-name", arguments->account.full_name, "Shown as a link's creator.");
    create_command.footer("Example: slashpost-admin account create ada --full-name \"Ada Lovelace\"");
    on(create_command, bind(create));
    on(*accounts.add_subcommand("list", "All accounts, oldest first."), list);
    auto& show_command = *accounts.add_subcommand("show", "One account with its workspaces and keys.");
    show_command.add_option("ACCOUNT", arguments->account_name, account_help)->required();
    on(show_command, bind(show));

    auto& sign_in =
        *program.add_subcommand("sign-in-address", "Make an address that signs a person in, once.");
    sign_in.add_option("ACCOUNT", arguments->account_name, account_help)->required();
    sign_in.add_option("--base-url", arguments->base_url,
                       "What it begins with. Default: where the running server has its dashboard, else "
                       "http://localhost:8082.");
    sign_in.footer("Whoever opens it is signed in and can choose a password.\n"
                   "Example: slashpost-admin sign-in-address ada");
    on(sign_in, bind(show_sign_in_address));

    auto& keys = *program.add_subcommand("key", "Make, list and revoke API keys.")->require_subcommand(1);
    auto& issue_command = *keys.add_subcommand("create", "Make a key and show it this once.");
    issue_command.add_option("--account", arguments->account_name, account_help)->required();
    issue_command.add_option("--name", arguments->key_name, "What the key is for.");
    issue_command.footer("Example: slashpost-admin key create --account ada --name laptop");
    on(issue_command, bind(issue_key));
    auto& list_command = *keys.add_subcommand("list", "Keys by their id and first characters.");
    list_command.add_option("--account", arguments->account_name, "Only those of this account.");
    on(list_command, bind(show_keys));
    auto& revoke_command = *keys.add_subcommand("revoke", "Refuse a key from now on.");
    revoke_command.add_option("KEY_ID", arguments->key_id, "As 'key list' shows it.")->required();
    on(revoke_command, bind(revoke));
}

} // namespace slashpost::admin
