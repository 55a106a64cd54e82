#include "app/admin/plan_commands.h"

#include "app/admin/commands.h"
#include "core/access/features.h"
#include "core/ops/accounts.h"
#include "core/ops/operators.h"
#include "core/ops/plans.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace slashpost::admin {

namespace {

struct Arguments {
    std::string plan;
    std::string account;
    PlanChange change;
    AccountPlanChange account_change;
    AccountState account_state;
};

constexpr std::string_view none = "none";
constexpr std::string_view all = "all";
constexpr std::string_view unlimited = "unlimited";
constexpr std::string_view as_installed = "default";

std::vector<std::string> names_in(std::string_view list) {
    std::vector<std::string> out;
    while (!list.empty()) {
        const auto name = list.substr(0, list.find(','));
        list.remove_prefix(std::min(list.size(), name.size() + 1));
        if (!name.empty())
            out.emplace_back(name);
    }
    return out;
}

std::string text_of(const std::vector<std::string>& names) {
    return names.empty() ? std::string(none) : fmt::format("{}", fmt::join(names, ","));
}

template <class N>
std::string text_of(const std::optional<N>& number, std::string_view otherwise) {
    return number ? fmt::to_string(*number) : std::string(otherwise);
}

Result<void> print_plan(Console& console, const Plan& plan) {
    const auto& limits = plan.limits;
    return console.write(fmt::format(
        "{}: category {}\n  features: {}\n"
        "  links {}  workspaces {}  domains {}  teammates {}  tags {}  scripts {}  invites {}\n"
        "  rate: {} requests in {} seconds\n",
        plan.name, plan.shown_category(), plan.everything ? std::string(all) : text_of(plan.features),
        text_of(limits.links, unlimited), text_of(limits.workspaces, unlimited),
        text_of(limits.domains, unlimited), text_of(limits.teammates, unlimited),
        text_of(limits.tags, unlimited), text_of(limits.scripts, unlimited),
        text_of(limits.invites_per_day, as_installed), text_of(plan.rate_requests, as_installed),
        text_of(plan.rate_period_seconds, as_installed)));
}

Result<int> list(AdminContext& context, Console& console) {
    return context.engine.read([&](data::View& view) -> Result<int> {
        for (const auto& plan : TRY(list_plans(view)))
            TRY(print_plan(console, plan));
        return exit_good;
    });
}

Result<int> show(AdminContext& context, Console& console, const Arguments& in) {
    return context.engine.read([&](data::View& view) -> Result<int> {
        TRY(print_plan(console, TRY(find_plan(view, in.plan))));
        return exit_good;
    });
}

Result<int> create(AdminContext& context, Console& console, const Arguments& in) {
    TRY(print_plan(console, TRY(context.service.run_as_operator([&](SystemContext& system) {
                       return create_plan(system, in.plan, in.change);
                   }))));
    console.note(fmt::format("next: slashpost-admin account set USERNAME --plan {}", in.plan));
    return exit_good;
}

Result<int> set(AdminContext& context, Console& console, const Arguments& in) {
    TRY(print_plan(console, TRY(context.service.run_as_operator([&](SystemContext& system) -> Result<Plan> {
                       return change_plan(system, TRY(find_plan(system.txn, in.plan)), in.change);
                   }))));
    return exit_good;
}

Result<int> set_account(AdminContext& context, Console& console, const Arguments& in) {
    const auto account = TRY(context.service.run_as_operator([&](SystemContext& system) -> Result<Account> {
        const auto found = TRY(find_account(system.txn, in.account));
        return change_account_plan(system, TRY(set_account_state(system, found, in.account_state)),
                                   in.account_change);
    }));
    TRY(console.write(fmt::format("{}  {}  plan {}  granted {}  revoked {}{}{}\n", account.id.hex(),
                                  account.username, account.plan.empty() ? Plan::default_name : account.plan,
                                  text_of(account.granted_features), text_of(account.revoked_features),
                                  account.is_operator ? "  operator" : "",
                                  account.suspended_at ? "  suspended" : "")));
    return exit_good;
}

// A number, or the word that stands for none.
template <class N>
void number_option(CLI::App& command, const char* name, Change<N>& field, std::string_view word,
                   const char* help) {
    command
        .add_option_function<std::string>(
            name,
            [&field, word](const std::string& text) {
                N number{};
                std::from_chars(text.data(), text.data() + text.size(), number); // checked below
                field = text == word ? Change<N>::clear() : Change<N>::set(number);
            },
            help)
        ->type_name(fmt::format("N|{}", word))
        ->check([word](const std::string& text) {
            N number{};
            const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
            const bool good = read.ec == std::errc() && read.ptr == text.data() + text.size();
            return good || text == word ? std::string() : fmt::format("must be a number or '{}'", word);
        });
}

// Names with commas, or the word that clears.
void names_option(CLI::App& command, const char* name, Change<std::vector<std::string>>& field,
                  std::string_view word, const char* help) {
    using Names = Change<std::vector<std::string>>;
    command
        .add_option_function<std::string>(
            name,
            [&field, word](const std::string& text) {
                field = text == word   ? Names::clear()
                        : text == none ? Names::set({})
                                       : Names::set(names_in(text));
            },
            help)
        ->type_name("NAMES");
}

void text_option(CLI::App& command, const char* name, Change<std::string>& field, const char* help) {
    command.add_option_function<std::string>(
        name, [&field](const std::string& text) { field = Change<std::string>::set(text); }, help);
}

void yes_option(CLI::App& command, const char* name, Change<bool>& field, const char* help) {
    command
        .add_option_function<std::string>(
            name, [&field](const std::string& text) { field = Change<bool>::set(text == "yes"); }, help)
        ->check(CLI::IsMember({"yes", "no"}));
}

std::string features_help() {
    std::string out = "Features:";
    for (const auto feature : all_features)
        out += fmt::format(" {}", to_string(feature));
    return out;
}

void add_plan_options(CLI::App& command, PlanChange& change) {
    text_option(command, "--category", change.category, "What users see as their subscription's category.");
    names_option(command, "--features", change.features, all, "Names with commas; all; none.");
    number_option(command, "--links", change.links, unlimited, "Links that are not deleted.");
    number_option(command, "--workspaces", change.workspaces, unlimited, "The default one counts.");
    number_option(command, "--domains", change.domains, unlimited, "Domains registered by the account.");
    number_option(command, "--teammates", change.teammates, unlimited, "People in all its workspaces.");
    number_option(command, "--tags", change.tags, unlimited, "Tags in all its workspaces.");
    number_option(command, "--scripts", change.scripts, unlimited, "Scripts in all its workspaces.");
    number_option(command, "--invites", change.invites_per_day, as_installed, "Invites a day; default: 100.");
    number_option(command, "--rate", change.rate_requests, as_installed,
                  "API requests per key and period; 0: no limit.");
    number_option(command, "--period", change.rate_period_seconds, as_installed, "The period in seconds.");
    command.footer(features_help());
}

} // namespace

void add_plan_commands(CLI::App& program, CLI::App& accounts, const OnCommand& on) {
    const auto arguments = std::make_shared<Arguments>();
    const auto bind = [arguments](auto function) -> Work {
        return [arguments, function](AdminContext& context, Console& console) {
            return function(context, console, *arguments);
        };
    };
    auto& plans = *program.add_subcommand("plan", "Make and change plans: features, limits, request rates.")
                       ->require_subcommand(1);
    const auto command = [&](const char* name, const char* help) -> CLI::App& {
        auto& made = *plans.add_subcommand(name, help);
        made.add_option("PLAN", arguments->plan, "Its name: a-z, 0-9, - and _.")->required();
        return made;
    };
    on(*plans.add_subcommand("list", "All plans. Accounts without one have 'default'."), list);
    on(command("show", "One plan."), bind(show));
    auto& create_command = command("create", "Make a plan; what is not said has no bound.");
    add_plan_options(create_command, arguments->change);
    on(create_command, bind(create));
    auto& set_command = command("set", "Change a plan, for all accounts that have it, at once.");
    add_plan_options(set_command, arguments->change);
    on(set_command, bind(set));

    auto& account = *accounts.add_subcommand(
        "set", "Give an account a plan or single features; make it an operator; suspend it.");
    account.add_option("ACCOUNT", arguments->account, "A username or an account's id.")->required();
    auto& change = arguments->account_change;
    text_option(account, "--plan", change.plan, "Its name; default for the default plan.");
    names_option(account, "--grant", change.granted_features, none, "Features besides those of the plan.");
    names_option(account, "--revoke", change.revoked_features, none, "Features taken away.");
    auto& state = arguments->account_state;
    text_option(account, "--email", state.email, "Where to reach the person.");
    yes_option(account, "--operator", state.is_operator,
               "Whether it runs the installation in the dashboard.");
    yes_option(account, "--suspended", state.suspended, "Nobody is let in by it then; its links go on.");
    account.footer(features_help() +
                   "\nExample: slashpost-admin account set ada --plan basic --grant links.bulk");
    on(account, bind(set_account));
}

} // namespace slashpost::admin
