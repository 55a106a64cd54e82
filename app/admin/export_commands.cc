#include "app/admin/export_commands.h"

#include "app/admin/commands.h"
#include "app/admin/progress.h"
#include "core/base/csv_text.h"
#include "core/ops/link_export.h"
#include "core/ops/link_lists.h"
#include "core/ops/workspaces.h"
#include "core/schema/rollups.h"
#include "core/schema/schema.h"

#include <CLI/CLI.hpp>
#include <boost/json.hpp>

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace slashpost::admin {

namespace {

namespace json = boost::json;

constexpr std::uint32_t page_links = 500, page_links_of_days = 20; // of one look at the store
constexpr Guard reading{.role = Role::viewer};
constexpr std::size_t day_length = std::string_view("2026-11-29").size();

constexpr auto export_footer =
    R"(Of all workspaces, or of the one that --workspace names; oldest links first, deleted ones left out. FILE appears when
it is whole; - is standard output. In a file of csv, a field that a spreadsheet would run as a formula begins with an
apostrophe; 'import' takes that away again.
  slashpost-admin export csv links.csv               a row for each link, which 'import' reads
  slashpost-admin export jsonl links.jsonl           the same as JSON, one link a line
  slashpost-admin export statistics days.csv         clicks, sessions and visits of bots, by link and day of UTC)";

using Page = std::vector<LinkDetails>;
// Of a page, what is to be written.
using WritePage = std::function<Result<void>(Context&, std::string& out, const Page&)>;

Result<std::vector<Workspace>> workspaces_named(AdminContext& context, const std::string& name) {
    return context.engine.read([&](data::View& view) -> Result<std::vector<Workspace>> {
        std::vector<Workspace> out;
        if (!name.empty()) {
            out.push_back(TRY(find_any_workspace(view, name)));
            return out;
        }
        TRY(schema().workspaces.each(view, [&](const Workspace& workspace) -> Result<bool> {
            if (!workspace.deleted_at)
                out.push_back(workspace);
            return true;
        }));
        return out;
    });
}

// A page is read in one look, so that nobody waits for a long file.
Result<int> write_links(AdminContext& context, Console& console, const std::string& workspace_name,
                        std::uint32_t at_once, const WritePage& write) {
    TRY(context.fold_clicks());
    Progress progress(console, "export");
    LinkFilter all;
    all.in_any_state = true;
    for (const auto& workspace : TRY(workspaces_named(context, workspace_name))) {
        PageRequest page{.limit = at_once, .direction = Direction::ascending, .last = {}};
        const Caller owner{.account = workspace.owner, .key = {}, .rate = {}, .limits = {}, .session = {}};
        for (bool more = true; more;) {
            std::string out;
            std::size_t count = 0;
            TRY(context.service.run(owner, workspace.id.hex(), reading, [&](Context& ctx) -> Result<void> {
                auto links = TRY(list_links(ctx, all, page));
                count = links.size();
                if (!links.empty())
                    page.last = links.back().link.id.hex();
                std::erase_if(links, [](const LinkDetails& details) {
                    return details.link.status == LinkStatus::deleted;
                });
                return write(ctx, out, links);
            }));
            more = count == at_once;
            TRY(console.write(out));
            TRY(progress.step(count));
        }
    }
    console.note(progress.summary());
    return exit_good;
}

Result<int> export_csv(AdminContext& context, Console& console, const std::string& workspace) {
    std::string header;
    append_export_header(header);
    TRY(console.write(header));
    return write_links(context, console, workspace, page_links,
                       [](Context&, std::string& out, const Page& links) -> Result<void> {
                           for (const auto& details : links)
                               append_export_row(out, details);
                           return {};
                       });
}

json::object object_of(const LinkDetails& details) {
    const auto& link = details.link;
    json::array tags;
    for (const auto& tag : details.tags)
        tags.emplace_back(tag.name);
    json::object out{{"id", link.id.hex()},
                     {"workspace", link.workspace.hex()},
                     {"domain", details.domain.full_name},
                     {"slashtag", link.slashtag},
                     {"destination", link.destination},
                     {"title", link.title},
                     {"description", link.description},
                     {"tags", std::move(tags)},
                     {"status", to_string(link.status)},
                     {"favourite", link.favourite},
                     {"passPath", link.pass_path},
                     {"createdAt", to_iso(link.created_at)},
                     {"clicks", details.clicks},
                     {"sessions", details.sessions}};
    if (link.expires_at)
        out["expiresAt"] = to_iso(*link.expires_at);
    if (details.last_click_at)
        out["lastClickAt"] = to_iso(*details.last_click_at);
    if (!link.external_id.empty())
        out["externalId"] = link.external_id;
    return out;
}

Result<int> export_jsonl(AdminContext& context, Console& console, const std::string& workspace) {
    return write_links(context, console, workspace, page_links,
                       [](Context&, std::string& out, const Page& links) -> Result<void> {
                           for (const auto& details : links)
                               out += json::serialize(object_of(details)) + '\n';
                           return {};
                       });
}

Result<int> export_statistics(AdminContext& context, Console& console, const std::string& workspace) {
    std::string header;
    append_csv_row(header, {"day", "domain", "slashtag", "id", "clicks", "sessions", "bots"});
    TRY(console.write(header));
    return write_links(
        context, console, workspace, page_links_of_days,
        [](Context& ctx, std::string& out, const Page& links) -> Result<void> {
            RollupReader rollups(ctx.view());
            for (const auto& details : links) {
                const auto& link = details.link;
                TRY(rollups.each(Subject::of(link.id, link.workspace), Grain::day, 0,
                                 std::numeric_limits<std::uint32_t>::max(),
                                 [&](std::uint32_t day, const data::Counts& counts) {
                                     append_csv_row(out,
                                                    {to_iso(begin_of(Grain::day, day)).substr(0, day_length),
                                                     details.domain.full_name, link.slashtag, link.id.hex(),
                                                     std::to_string(counts.sum(group::clicks)),
                                                     std::to_string(counts.sum(group::sessions)),
                                                     std::to_string(counts.sum(group::bots))});
                                     return true;
                                 }));
            }
            return {};
        });
}

} // namespace

void add_export_commands(CLI::App& program, const OnWriting& on) {
    struct Words {
        std::string file = "-", workspace;
    };
    auto& exports =
        *program.add_subcommand("export", "Write links or statistics to a file for other programs.");
    exports.require_subcommand(1);
    exports.footer(export_footer);
    const auto words = std::make_shared<Words>();
    const auto add = [&](const char* name, const char* help, auto work) {
        auto& command = *exports.add_subcommand(name, help);
        command.add_option("FILE", words->file, "Where to; - is standard output, and the default.");
        command
            .add_option("--workspace", words->workspace,
                        "An id, or a username for that account's default workspace. Default: all workspaces.")
            ->type_name("WORKSPACE");
        on(
            command, [words] { return words->file; },
            [words, work](AdminContext& context, Console& console) -> Result<int> {
                return work(context, console, words->workspace);
            });
    };
    add("csv", "Links with their totals, as comma-separated values.", export_csv);
    add("jsonl", "Links with their totals, as one JSON object a line.", export_jsonl);
    add("statistics", "What was counted of each link by day, as comma-separated values.", export_statistics);
}

} // namespace slashpost::admin
