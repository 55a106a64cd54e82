// Which events a commit leaves, and what they say.
#include "core/access/event_log.h"

#include "core/data/trail.h"
#include "core/ops/invites.h"
#include "core/ops/link_imports.h"
#include "core/ops/links.h"
#include "core/ops/open_graph.h"
#include "core/ops/teammates.h"
#include "core/ops/workspaces.h"
#include "tests/support/labels.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::string word_of(EventType type) {
    const auto* found = std::ranges::find(event_types, type, &std::pair<std::string_view, EventType>::second);
    return std::string(found->first);
}

// "link.updated go.example.com/a: title Link a -> New; tags  -> x, y"
std::string shown(const Event& event) {
    std::vector<std::string> changes;
    for (const auto& change : event.changes)
        changes.push_back(fmt::format("{} {} -> {}", change.name, fmt::join(change.before, ", "),
                                      fmt::join(change.after, ", ")));
    return fmt::format("{} {}{}{}", word_of(event.type), event.name, changes.empty() ? "" : ": ",
                       fmt::join(changes, "; "));
}

class EventWorld : public World {
  public:
    EventWorld() { news(); }
    // Those of the caller's workspace since the last call.
    std::vector<Event> events() {
        std::vector<Event> out;
        const auto workspace = installed.account.default_workspace;
        must(engine->read([&](data::View& view) {
            return schema().events.each(
                view,
                [&](const Event& event) -> Result<bool> {
                    if (event.workspace == workspace)
                        out.push_back(event);
                    seen_ = Event::primary_of(event);
                    return true;
                },
                seen_);
        }));
        return out;
    }
    std::vector<std::string> news() {
        std::vector<std::string> out;
        for (const auto& event : events())
            out.push_back(shown(event));
        return out;
    }

  private:
    data::Bytes seen_;
};

using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("a link that is made, changed and deleted leaves one event each, with what changed", "[events]") {
    EventWorld world;
    const auto link = make_link(world, "a");
    const auto domain = link.domain.hex();
    CHECK(world.news() == Texts{fmt::format("link.created go.example.com/a: slashtag  -> a; domainId  -> {}; "
                                            "destination  -> https://example.com/; title  -> Link a",
                                            domain)});
    must(world.update(link.id,
                      {.title = Change<std::string>::set("New"), .favourite = Change<bool>::set(true)}));
    CHECK(world.news() ==
          Texts{"link.updated go.example.com/a: title Link a -> New; favourite false -> true"});
    must(world.update(link.id, {.title = Change<std::string>::set("New")}));
    CHECK(world.news() == Texts{});
    must(world.remove(link.id));
    CHECK(world.news() == Texts{"link.deleted go.example.com/a: status active -> deleted"});
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an event says who did it, with which key, by which call and when", "[events]") {
    EventWorld world;
    world.caller.call = "createLink";
    make_link(world, "a");
    auto events = world.events();
    REQUIRE(events.size() == 1);
    CHECK(events[0].account == world.installed.account.id);
    CHECK(events[0].key == world.installed.key.row.id);
    CHECK(events[0].call == "createLink");
    CHECK(to_iso(events[0].at) == "2027-01-15T08:00:01.000Z");

    must(world.operate([&](SystemContext& system) -> Result<void> {
        return schema().tags.insert(system.txn, {.id = system.tools.ids.next<TagId>(),
                                                 .workspace = world.installed.account.default_workspace,
                                                 .name = "by the operator",
                                                 .color = "ff8800"});
    }));
    events = world.events();
    REQUIRE(events.size() == 1);
    CHECK(events[0].account.empty());
    CHECK(events[0].key.empty());
    CHECK(events[0].call.empty());
}

TEST_CASE("a workspace is not told the name of somebody who does not work there", "[events][threat-15]") {
    EventWorld world;
    const auto ann = world.stranger("ann");
    must(world.service.run(ann.caller, {}, {.access = Access::write}, [&](Context& ctx) -> Result<void> {
        return schema().tags.insert(ctx.txn(), {.id = ctx.ids.next<TagId>(),
                                                .workspace = world.installed.account.default_workspace,
                                                .name = "by a stranger",
                                                .color = "ff8800"});
    }));
    const auto events = world.events();
    REQUIRE(events.size() == 1);
    CHECK(events[0].account.empty());
    CHECK(events[0].key.empty());
}

TEST_CASE("what belongs to a link is told as a change of the link", "[events]") {
    EventWorld world;
    const auto tag = make_tag(world, "Spring");
    const auto link = make_link(world, "a");
    CHECK(world.news().front() == "tag.created Spring: name  -> Spring; color  -> ff8800");
    must(change_label(world, attach_tag, link.id, tag));
    CHECK(world.news() == Texts{"link.updated go.example.com/a: tags  -> " + tag.id.hex()});
    must(world.write([&](Context& ctx) -> Result<void> {
        TRY(change_open_graph(ctx, TRY(find_link(ctx, link.id)),
                              {.title = Change<std::string>::set("Shown")}));
        return {};
    }));
    const auto events = world.events();
    REQUIRE(events.size() == 1);
    CHECK(shown(events[0]) == "link.updated go.example.com/a: openGraph.title  -> Shown");
    CHECK(events[0].parts_changed);
    CHECK(events[0].parts_before.empty());
    CHECK(data::decode<Link>(events[0].link_before)->title == "Link a");
}

TEST_CASE("a tag that is deleted is told once, not once more for each link that carried it", "[events]") {
    EventWorld world;
    const auto tag = make_tag(world, "Spring");
    const auto link = make_link(world, "a");
    must(change_label(world, attach_tag, link.id, tag));
    world.news();
    erase(world, tag);
    run_jobs(world);
    CHECK(read_link(world, link.id).link.tags.empty());
    CHECK(world.news() == Texts{"tag.deleted Spring: name Spring -> ; color ff8800 -> "});
}

TEST_CASE("a link that expires is told as such, as done by nobody", "[events]") {
    EventWorld world;
    make_link(world, "a", {.ttl_seconds = 60});
    world.news();
    world.clock.advance_seconds(61);
    must(world.service.expire_links(world.clock.now()));
    const auto events = world.events();
    REQUIRE(events.size() == 1);
    CHECK(shown(events[0]) == "link.expired go.example.com/a: status active -> expired");
    CHECK(events[0].account.empty());
}

TEST_CASE("a call that fails leaves no event", "[events]") {
    EventWorld world;
    const auto failed = world.write([&](Context& ctx) -> Result<void> {
        TRY(create_link(ctx, {.destination = "https://example.com/", .slashtag = "a"}));
        return refused("Conflict", "link", "No.");
    });
    CHECK_FALSE(failed.has_value());
    CHECK(world.news() == Texts{});
}

TEST_CASE("people and invites leave events without the tokens that they were given", "[events]") {
    EventWorld world;
    const auto ann = world.stranger("ann");
    must(world.operate([&](SystemContext& system) -> Result<void> {
        return schema().members.insert(system.txn, {.workspace = world.installed.account.default_workspace,
                                                    .account = ann.account.id,
                                                    .role = Role::viewer,
                                                    .created_at = system.now});
    }));
    CHECK(world.news() == Texts{"teammate.added ann: role  -> viewer"});
}

TEST_CASE("a change of a workspace is told to it, and what nobody is shown is not", "[events]") {
    EventWorld world;
    const auto workspace = must(world.engine->read([&](data::View& view) {
        return schema().workspaces.find(view, world.installed.account.default_workspace.view());
    }));
    must(world.operate([&](SystemContext& system) -> Result<void> {
        auto changed = *workspace;
        changed.name = "Spring";
        changed.retiring_domains = {world.installed.domain.id};
        return schema().workspaces.update(system.txn, *workspace, changed);
    }));
    CHECK(world.news() == Texts{fmt::format("workspace.updated Spring: name {} -> Spring", workspace->name)});
    must(world.operate([&](SystemContext& system) -> Result<void> {
        auto changed = *workspace;
        changed.name = "Spring";
        auto again = changed;
        again.retiring_domains = {world.installed.domain.id};
        return schema().workspaces.update(system.txn, again, changed);
    }));
    CHECK(world.news() == Texts{});
}

TEST_CASE("a domain that is given to a workspace and taken from it is told there", "[events]") {
    EventWorld world;
    const auto domain = world.domain("two.example.com");
    CHECK(world.news() == Texts{"domain.shared two.example.com"});
    must(world.operate([&](SystemContext& system) {
        return unshare_domain(system, domain.id, world.installed.account.default_workspace, LinksLeft::keep,
                              UnsharedBy::others);
    }));
    CHECK(world.news() == Texts{"domain.unshared two.example.com"});
}

TEST_CASE("a long text is cut between two characters, and still told when its end changed", "[events]") {
    EventWorld world;
    std::string text;
    while (text.size() < 1200)
        text += "\xe2\x82\xac"; // of three bytes: 1,024 is in the middle of one
    const auto script = make_script(world, "s", text + "1");
    world.news();
    must(world.write([&](Context& ctx) {
        return update_script(ctx, script, {.value = Change<std::string>::set(text + "2")});
    }));
    const auto events = world.events();
    REQUIRE(events.size() == 1);
    REQUIRE(events[0].changes.size() == 1);
    CHECK(events[0].changes[0].name == "value");
    CHECK(events[0].changes[0].after.front() == text.substr(0, 1023) + "\xe2\x80\xa6");
}

TEST_CASE("events of one call have rising ids, and those of a later one higher ones", "[events]") {
    EventWorld world;
    must(world.write([&](Context& ctx) -> Result<void> {
        for (const auto* slashtag : {"a", "b"})
            TRY(create_link(ctx, {.destination = "https://example.com/", .slashtag = slashtag}));
        return {};
    }));
    make_link(world, "c");
    const auto events = world.events();
    REQUIRE(events.size() == 3);
    CHECK(events[0].name == "go.example.com/a");
    CHECK(events[1].name == "go.example.com/b");
    CHECK(events[0].id < events[1].id);
    CHECK(events[0].id.view().substr(0, 8) == events[1].id.view().substr(0, 8));
    CHECK(events[1].id.view().substr(0, 8) < events[2].id.view().substr(0, 8));
}
