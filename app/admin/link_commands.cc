#include "app/admin/link_commands.h"

#include "app/admin/commands.h"
#include "core/base/errors.h"
#include "core/ops/short_address.h"
#include "core/schema/schema.h"
#include "core/work/reset_statistics.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

namespace slashpost::admin {

namespace {

struct NamedLink {
    Link link;
    std::string short_url; // "go.example.com/sale"
};

// By its id, or by its short address. Not one that was deleted.
Result<NamedLink> find_named_link(data::View& view, const std::string& name) {
    std::optional<Link> link;
    if (const auto id = LinkId::parse(name))
        link = TRY(schema().links.find(view, id->view()));
    else if (const auto address = TRY(read_short_address(view, name)))
        link = TRY(
            schema().links.find_by(schema().links.short_url, view, address->domain, address->slashtag_key));
    if (!link || !link->holds_slashtag())
        return refused("NotFound", "link",
                       fmt::format("there is no link {}; give its short address or its id", name));
    const auto domain = TRY(schema().domains.find(view, link->domain.view()));
    auto short_url = fmt::format("{}/{}", domain ? domain->full_name : "-", link->slashtag);
    return NamedLink{.link = *std::move(link), .short_url = std::move(short_url)};
}

// Clicks that wait are counted first, so that they do not come back afterwards.
Result<int> reset(AdminContext& context, Console& console, const std::string& name) {
    TRY(context.fold_clicks());
    const auto named = TRY(context.service.run_as_operator([&](SystemContext& system) -> Result<NamedLink> {
        auto found = TRY(find_named_link(system.txn, name));
        TRY(reset_statistics(system, found.link));
        return found;
    }));
    TRY(console.write(fmt::format("{}: what was counted of it is forgotten\n", named.short_url)));
    return exit_good;
}

} // namespace

void add_link_commands(CLI::App& program, const OnCommand& on) {
    auto& links = *program.add_subcommand("link", "Work on one link.")->require_subcommand(1);
    const auto name = std::make_shared<std::string>();
    auto& command = *links.add_subcommand(
        "reset-statistics",
        "Forget what was counted of a link, for ever; its tags, domain and workspace keep their counts.");
    command.add_option("LINK", *name, "A short address, such as go.example.com/sale, or an id.")->required();
    command.footer("Example: slashpost-admin link reset-statistics go.example.com/sale");
    on(command, [name](AdminContext& context, Console& console) { return reset(context, console, *name); });
}

} // namespace slashpost::admin
