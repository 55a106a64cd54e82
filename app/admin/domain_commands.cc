#include "app/admin/domain_commands.h"

#include "app/admin/commands.h"
#include "core/base/text.h"
#include "core/ops/account_domains.h"
#include "core/ops/accounts.h"
#include "core/ops/default_domain.h"
#include "core/ops/domains.h"
#include "core/schema/schema.h"
#include "core/schema/store.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/json.hpp>
#include <fmt/format.h>
#include <memory>
#include <span>

namespace slashpost::admin {

namespace {

struct Arguments {
    std::string domain;
    std::string account;
    std::string workspace;
    bool verified = false;
    bool case_sensitive = false;
    bool retires = false; // links that are left
    DomainChange change;
};

constexpr std::size_t shares_per_transaction = 1000;

std::string_view or_dash(std::string_view text) { return text.empty() ? "-" : text; }
std::string_view yes_or_no(bool value) { return value ? "yes" : "no"; }

// A workspace's id, or a username for that account's default workspace.
Result<WorkspaceId> find_workspace(data::View& view, std::string_view name) {
    if (const auto id = WorkspaceId::parse(name))
        return *id;
    return TRY(find_account(view, name)).default_workspace;
}

// "www.go.example.com, links.example.net (not verified)"
std::string names_of(const Domain& domain) {
    std::string out;
    for (const auto& alias : domain.aliases)
        out += fmt::format("{}{}{}", out.empty() ? "" : ", ", alias.full_name,
                           alias.verified ? "" : " (not verified)");
    return out;
}

Result<void> print_line(Console& console, const Domain& domain) {
    return console.write(
        fmt::format("{}  {:<32} {:<8} verified {:<3}  active {:<3}  revoked {}\n", domain.id.hex(),
                    domain.full_name, domain.type == DomainType::service ? "service" : "user",
                    yes_or_no(domain.verified), yes_or_no(domain.active), yes_or_no(domain.revoked)));
}

Result<int> add(AdminContext& context, Console& console, const Arguments& in) {
    const auto domain = TRY(context.service.run_as_operator([&](SystemContext& system) -> Result<Domain> {
        NewDomain fresh{.full_name = in.domain, .verified = in.verified};
        fresh.slashtag.case_sensitive = in.case_sensitive;
        if (!in.account.empty()) {
            fresh.type = DomainType::user;
            fresh.owner = TRY(find_account(system.txn, in.account)).id;
        }
        return add_domain(system, fresh);
    }));
    TRY(print_line(console, domain));
    console.note(fmt::format("next: slashpost-admin domain share {} USERNAME", domain.full_name));
    return exit_good;
}

Result<int> list(AdminContext& context, Console& console) {
    return context.engine.read([&](data::View& view) -> Result<int> {
        for (const auto& domain : TRY(list_domains(view)))
            TRY(print_line(console, domain));
        return exit_good;
    });
}

Result<int> show(AdminContext& context, Console& console, const Arguments& in) {
    return context.engine.read([&](data::View& view) -> Result<int> {
        const auto domain = TRY(find_any_domain(view, in.domain));
        TRY(print_line(console, domain));
        const auto is_default = TRY(default_domain(view)) == domain.id;
        const auto owner = TRY(schema().accounts.find(view, domain.owner.view()));
        const auto record = verification_record(domain);
        TRY(console.write(fmt::format(
            "owner: {}\nverified by: TXT {} {}\ndefault: {}\nlinks: {}\ncreated: {}\nredirect type: {}\n"
            "home page: {}\nnot found: {}\nexpired: {}\nparameters forwarded: {}, on conflict {}\n"
            "slashtags: {} to {} characters, {}, {}\n"
            "apple app site association: {}\nasset links: {}\nbrand name: {}\nbrand color: {}\nlogo: {}\n"
            "home text: {}\naliases: {}\nshared with:\n",
            owner ? owner->username : "-", record.name, record.value, yes_or_no(is_default),
            TRY(schema().links.per_domain.count(view, domain.id)), to_iso(domain.created_at),
            domain.redirect_type, or_dash(domain.custom_homepage), or_dash(shown_place(domain.not_found_url)),
            or_dash(shown_place(domain.expired_url)), yes_or_no(domain.forwarding.parameters),
            word_of(domain.forwarding.on_conflict), domain.slashtag.length_min, domain.slashtag.length_max,
            domain.slashtag.case_sensitive ? "case matters" : "case is ignored",
            word_of(domain.slashtag.charset), or_dash(domain.apple_app_site_association),
            or_dash(domain.asset_links), or_dash(domain.branding.name), or_dash(domain.branding.color),
            or_dash(domain.branding.logo_url), or_dash(domain.branding.home_text),
            or_dash(names_of(domain)))));
        for (const auto id : TRY(workspaces_sharing(view, domain.id))) {
            const auto workspace = TRY(schema().workspaces.find(view, id.view()));
            TRY(console.write(fmt::format("{}  {}\n", id.hex(), workspace ? workspace->name : "-")));
        }
        return exit_good;
    });
}

Result<int> change(AdminContext& context, Console& console, const std::string& name,
                   const DomainChange& what) {
    const auto domain = TRY(context.service.run_as_operator([&](SystemContext& system) -> Result<Domain> {
        return change_domain(system, TRY(find_any_domain(system.txn, name)), what);
    }));
    TRY(print_line(console, domain));
    return exit_good;
}

Result<int> trust(AdminContext& context, Console& console, const Arguments& in) {
    const auto domain = TRY(context.service.run_as_operator([&](SystemContext& system) -> Result<Domain> {
        const auto found = TRY(find_any_domain(system.txn, in.domain));
        DomainChange change{.verified = Change<bool>::set(true)};
        for (const auto& alias : found.aliases)
            change.proved_aliases.push_back(alias.full_name);
        return change_domain(system, found, change);
    }));
    TRY(print_line(console, domain));
    return exit_good;
}

// Runs `what(system, domain)` in one transaction and says `done`.
template <class What>
Result<int> with_domain(AdminContext& context, Console& console, const Arguments& in, std::string_view done,
                        What what) {
    const auto domain = TRY(context.service.run_as_operator([&](SystemContext& system) -> Result<Domain> {
        auto found = TRY(find_any_domain(system.txn, in.domain));
        TRY(what(system, found));
        return found;
    }));
    TRY(console.write(fmt::format("{}: {}\n", domain.full_name, done)));
    return exit_good;
}

// Shared first, so that nobody finds a default that they may not use; the same command ends what was cut off.
Result<int> make_default(AdminContext& context, Console& console, const Arguments& in) {
    const auto domain =
        TRY(context.engine.read([&](data::View& view) { return find_any_domain(view, in.domain); }));
    const auto workspaces =
        TRY(context.engine.read([&](data::View& view) { return workspaces_for_default(view, domain); }));
    for (std::size_t begin = 0; begin < workspaces.size(); begin += shares_per_transaction)
        TRY(context.service.run_as_operator([&](SystemContext& system) -> Result<void> {
            const auto rest = std::span(workspaces).subspan(begin);
            for (const auto workspace : rest.first(std::min(rest.size(), shares_per_transaction)))
                TRY(share_domain(system, domain.id, workspace));
            return {};
        }));
    const auto done = fmt::format(
        "links that name no domain are made here; it is shared with the {} workspaces that make such",
        workspaces.size());
    return with_domain(context, console, in, done, [](SystemContext& system, const Domain& d) {
        return set_default_domain(system.txn, d.id);
    });
}

Result<int> remove(AdminContext& context, Console& console, const Arguments& in) {
    return with_domain(context, console, in, "removed",
                       [](SystemContext& system, const Domain& d) { return remove_domain(system, d); });
}

Result<int> share(AdminContext& context, Console& console, const Arguments& in) {
    return with_domain(context, console, in, "shared",
                       [&](SystemContext& system, const Domain& d) -> Result<void> {
                           return share_domain(system, d.id, TRY(find_workspace(system.txn, in.workspace)));
                       });
}

Result<int> unshare(AdminContext& context, Console& console, const Arguments& in) {
    return with_domain(context, console, in, "no longer shared",
                       [&](SystemContext& system, const Domain& d) -> Result<void> {
                           return unshare_domain(system, d.id, TRY(find_workspace(system.txn, in.workspace)),
                                                 in.retires ? LinksLeft::retire : LinksLeft::keep);
                       });
}

template <class T>
void change_option(CLI::App& command, const char* name, Change<T>& field, const char* help) {
    command.add_option_function<T>(name, [&field](const T& value) { field = Change<T>::set(value); }, help);
}

void yes_no_option(CLI::App& command, const char* name, Change<bool>& field, const char* help) {
    command
        .add_option_function<std::string>(
            name, [&field](const std::string& word) { field = Change<bool>::set(word == "yes"); }, help)
        ->check(CLI::IsMember({"yes", "no"}))
        ->type_name("yes|no");
}

void on_conflict_option(CLI::App& command, Change<OnConflict>& field) {
    command
        .add_option_function<std::string>(
            "--on-conflict",
            [&field](const std::string& word) {
                if (const auto wins = on_conflict_of(word))
                    field = Change<OnConflict>::set(*wins);
            },
            "Whose parameter visitors are sent on with where both have one of that name.")
        ->check(CLI::IsMember({"destination", "visitor", "both"}))
        ->type_name("destination|visitor|both");
}

void charset_option(CLI::App& command, Change<SlashtagCharset>& field) {
    command
        .add_option_function<std::string>(
            "--slashtag-charset",
            [&field](const std::string& word) {
                using enum SlashtagCharset;
                field = Change<SlashtagCharset>::set(word == word_of(unicode) ? unicode : ascii);
            },
            "unicode: slashtags may have letters of all scripts, and slashes. Back to ascii only without "
            "links.")
        ->check(CLI::IsMember({"ascii", "unicode"}))
        ->type_name("ascii|unicode");
}

// "none" takes the text away.
void text_option(CLI::App& command, const char* name, Change<std::string>& field, const char* help) {
    command.add_option_function<std::string>(
        name,
        [&field](const std::string& text) {
            field = text == "none" ? Change<std::string>::clear() : Change<std::string>::set(text);
        },
        help);
}

void document_option(CLI::App& command, const char* name, Change<std::string>& field, const char* help) {
    command
        .add_option_function<std::string>(
            name,
            [&field](const std::string& text) {
                field = text == "none" ? Change<std::string>::clear() : Change<std::string>::set(text);
            },
            help)
        ->check([](const std::string& text) {
            boost::system::error_code error;
            boost::json::parse(text == "none" ? "{}" : without_byte_order_mark(text), error);
            return error ? "not a JSON document: " + error.message() : std::string();
        })
        ->type_name("JSON|none");
}

// The operator's word is proof enough.
void aliases_option(CLI::App& command, DomainChange& change) {
    using Names = std::vector<std::string>;
    command
        .add_option_function<Names>(
            "--aliases",
            [&change](const Names& names) {
                change.proved_aliases = names == Names{"none"} ? Names() : names;
                change.aliases = Change<Names>::set(change.proved_aliases);
            },
            "All of its further names, with commas, which lead here too; or none.")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("NAMES");
}

void add_settings(CLI::App& command, DomainChange& change) {
    change_option(command, "--slashtag-min", change.slashtag_length_min, "The shortest slashtag, 1 up.");
    change_option(command, "--slashtag-max", change.slashtag_length_max, "The longest slashtag, up to 255.");
    yes_no_option(command, "--case-sensitive", change.slashtag_case_sensitive,
                  "Whether Sale and sale are two slashtags. Only on a domain without links.");
    charset_option(command, change.slashtag_charset);
    change_option(command, "--redirect-type", change.redirect_type, "301, 302, 307 or 308.");
    text_option(command, "--homepage", change.custom_homepage, "Where / leads; none for a plain page.");
    text_option(
        command, "--not-found", change.not_found_url,
        "Where unknown slashtags lead, with {path} and {domain} for what was asked for; none for a plain "
        "page.");
    text_option(
        command, "--expired", change.expired_url,
        "Where links lead that have expired or are paused, likewise; none for where unknown slashtags "
        "do.");
    yes_no_option(command, "--forward-parameters", change.forward_parameters,
                  "Whether the visitor's query goes along to these, and to where links lead that say nothing "
                  "of it.");
    on_conflict_option(command, change.on_conflict);
    yes_no_option(command, "--active", change.active, "Whether the domain answers at all.");
    document_option(command, "--apple-app-site-association", change.apple_app_site_association,
                    "What iOS asks of the domain, the document itself, so that your app opens its links.");
    document_option(command, "--asset-links", change.asset_links,
                    "The same for Android. Example: --asset-links \"$(cat assetlinks.json)\"");
    text_option(command, "--brand-name", change.branding.name,
                "What stands at the head of its plain pages; none for its host name alone.");
    text_option(command, "--brand-color", change.branding.color, "Their colour, such as ff8800, or none.");
    text_option(command, "--logo", change.branding.logo_url,
                "Address of a picture at their head, https, or none.");
    text_option(command, "--home-text", change.branding.home_text,
                "What the plain page at / says, or none for the usual sentence.");
    aliases_option(command, change);
}

} // namespace

void add_domain_commands(CLI::App& program, const OnCommand& on) {
    const auto arguments = std::make_shared<Arguments>();
    auto& domains =
        *program.add_subcommand("domain", "Make, set and share short domains.")->require_subcommand(1);
    const auto command = [&](const char* name, const char* help) -> CLI::App& {
        auto& made = *domains.add_subcommand(name, help);
        made.add_option("DOMAIN", arguments->domain, "A host name (with its port, if it has one) or an id.")
            ->required();
        return made;
    };
    const auto bind = [arguments](auto function) -> Work {
        return [arguments, function](AdminContext& context, Console& console) {
            return function(context, console, *arguments);
        };
    };
    const auto flag = [&](const char* name, const char* help, const DomainChange& what) {
        on(command(name, help), [arguments, what](AdminContext& context, Console& console) {
            return change(context, console, arguments->domain, what);
        });
    };

    auto& add_command = command("add", "Register a domain: of the installation, or of an account.");
    add_command.add_option("--account", arguments->account, "Its owner. Without one it is a service domain.");
    add_command.add_flag("--verified", arguments->verified, "Trust that the domain leads here.");
    add_command.add_flag("--case-sensitive", arguments->case_sensitive, "Sale and sale are two slashtags.");
    add_command.footer("Example: slashpost-admin domain add go.example.com --verified");
    on(add_command, bind(add));
    on(*domains.add_subcommand("list", "All domains, oldest first."), list);
    on(command("show", "One domain with its settings and sharing."), bind(show));
    on(command("verify", "Trust that the domain and its further names lead here."), bind(trust));
    flag("revoke", "Stop its redirects and changes of its links.", {.revoked = Change<bool>::set(true)});
    flag("restore", "Take 'revoke' back.", {.revoked = Change<bool>::set(false)});

    auto& set_command = command("set", "Change a domain's settings.");
    add_settings(set_command, arguments->change);
    set_command.footer(
        "Example: slashpost-admin domain set go.example.com --redirect-type 301 --not-found none");
    on(set_command, [arguments](AdminContext& context, Console& console) {
        return change(context, console, arguments->domain, arguments->change);
    });
    on(command("default", "Make links here when they name no domain, and share it with who makes such."),
       bind(make_default));
    on(command("remove", "Remove a domain without active links."), bind(remove));
    auto& share_command = command("share", "Let a workspace make links on it.");
    share_command
        .add_option("WORKSPACE", arguments->workspace, "An id, or a username for the default workspace.")
        ->required();
    on(share_command, bind(share));
    auto& unshare_command = command("unshare", "Let a workspace make and change no more links on it.");
    unshare_command.add_option("WORKSPACE", arguments->workspace, "An id or a username.")->required();
    unshare_command.add_flag("--retire-links", arguments->retires,
                             "Delete the links that it has there; otherwise they go on until somebody does.");
    on(unshare_command, bind(unshare));
}

} // namespace slashpost::admin
