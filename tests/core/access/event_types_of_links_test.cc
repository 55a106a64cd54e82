// Each type of event is told by what makes it true: once, by whom it was done, and not by what fails or
// changes nothing. Here those of links and of what they lie on and carry; the others: event_types_test.cc.
// What events say: event_log_test.cc.
#include "core/access/event_log.h"

#include "core/ops/link_restore.h"
#include "core/work/click_events.h"
#include "tests/core/access/event_types.h"
#include "tests/support/domains.h"
#include "tests/support/hooks.h"
#include "tests/support/labels.h"
#include "tests/support/parts.h"

#include <catch2/catch.hpp>

namespace slashpost::test {

Types links_tell() {
    Office office;
    const auto link = must(office.create({.destination = "https://example.com/", .slashtag = "a"})).link;
    const auto told = [&](std::string_view type) { return office.told(type, link.id, "go.example.com/a"); };
    CHECK(office.news() == told("link.created"));
    CHECK_FALSE(office.create({.destination = "https://example.com/", .slashtag = "a"}).has_value());
    CHECK_FALSE(office.create({.destination = "javascript:1"}).has_value());
    CHECK(office.news() == Texts{});

    const LinkChange renaming{.title = Change<std::string>::set("New")};
    must(office.update(link.id, renaming));
    CHECK(office.news() == told("link.updated"));
    must(office.update(link.id, renaming));
    CHECK_FALSE(
        office.update(link.id, {.destination = Change<std::string>::set("javascript:1")}).has_value());
    CHECK(office.news() == Texts{});

    must(office.remove(link.id));
    CHECK(office.news() == told("link.deleted"));
    const auto deletion = office.last.id;
    CHECK_FALSE(office.remove(link.id).has_value());
    CHECK(office.news() == Texts{});

    const auto restore = [&](const std::string& event) {
        return office.write(
            [&](Context& ctx) -> Result<LinkDetails> {
                return restore_link(ctx, TRY(find_link(ctx, link.id)), event);
            },
            {.link = LinkState::any});
    };
    CHECK_FALSE(restore(link.id.hex()).has_value());
    CHECK(office.news() == Texts{});
    must(restore(deletion.hex()));
    CHECK(office.news() == told("link.restored"));
    must(restore(deletion.hex())); // is what it was already
    CHECK(office.news() == Texts{});
    CHECK(office.inconsistency().empty());
    return office.types;
}

namespace {

// What belongs to a link is told as a change of the link.
Types parts_tell() {
    Office office;
    const auto link = make_link(office, "a");
    const auto tag = make_tag(office, "Spring");
    office.news();
    office.types.clear();
    const auto told = office.told("link.updated", link.id, "go.example.com/a");
    const auto rule = make_rule(office, link.id);
    CHECK(office.news() == told);
    make_rotator_rule(office, link.id);
    CHECK(office.news() == told);
    const auto change = [&](const auto& operation) { must(change_parts(office, link.id, operation)); };
    const auto add_preview = [](Context& ctx, const Link& row) -> Result<void> {
        TRY(change_open_graph(ctx, row, {.title = Change<std::string>::set("Shown")}));
        return {};
    };
    const auto add_deep_link = [](Context& ctx, const Link& row) -> Result<void> {
        TRY(set_deep_link(ctx, row, *find_known_app("x"), {.path = "a"}));
        return {};
    };
    const auto attach = [&](Context& ctx, const Link& row) { return attach_tag(ctx, row, tag); };
    const auto drop_rules = [](Context& ctx, const Link& row) { return delete_all_rules(ctx, row); };
    change(add_preview);
    CHECK(office.news() == told);
    change(add_deep_link);
    CHECK(office.news() == told);
    change(attach);
    CHECK(office.news() == told);
    change(add_preview); // this and the next two are so already
    change(add_deep_link);
    change(attach);
    const auto refused = change_parts(office, link.id, [&](Context& ctx, const Link& row) {
        return update_rule(ctx, row, rule, {.destination = "javascript:1"});
    });
    CHECK_FALSE(refused.has_value());
    CHECK(office.news() == Texts{});
    change(drop_rules);
    CHECK(office.news() == told);
    CHECK(office.inconsistency().empty());
    return office.types;
}

} // namespace

Types time_tells() {
    Office office;
    const auto link =
        must(office.create({.destination = "https://example.com/", .slashtag = "a", .ttl_seconds = 60})).link;
    office.news();
    office.types.clear();
    const auto wait = [&](std::int64_t seconds) {
        office.clock.advance_seconds(seconds);
        must(office.service.expire_links(office.clock.now()));
    };
    wait(59);
    CHECK(office.news() == Texts{});
    wait(2);
    CHECK(office.news() == Texts{line("link.expired", link.id, "go.example.com/a", office.home, nobody())});
    wait(3600);
    CHECK(office.news() == Texts{});
    CHECK(office.inconsistency().empty());
    return office.types;
}

Types clicks_tell() {
    Office office;
    const auto link = make_link(office, "a");
    office.news();
    office.types.clear();
    ClickEvents events(office.service, *office.engine);
    const auto fold = [&](int clicks, bool counts, bool fails) {
        if (!must(events.begin()))
            return;
        for (int i = 0; i < clicks; ++i)
            events.hear({.link = link.id,
                         .workspace = link.workspace,
                         .domain = link.domain,
                         .time = office.clock.now(),
                         .counts = counts});
        const auto done = events.commit([&](data::Txn&) -> Result<void> {
            return fails ? refused("Conflict", "store", "No.") : Result<void>();
        });
        CHECK(done.has_value() != fails);
    };
    make_webhook(office); // of all types, which leaves clicks out
    fold(2, true, false);
    make_webhook(office, {EventType::link_clicked});
    fold(0, true, false);
    fold(2, false, false); // of bots
    fold(2, true, true);
    CHECK(office.news() == Texts{});
    fold(2, true, false);
    const auto workspace = must(office.engine->read(
        [&](data::View& view) { return schema().workspaces.find(view, office.home.view()); }));
    CHECK(office.news() ==
          Texts{line("link.clicked", office.home, workspace.value().name, office.home, nobody())});
    CHECK(office.last.clicks.size() == 2);
    CHECK(office.inconsistency().empty());
    return office.types;
}

Types domains_tell() {
    Office office;
    const Seat here(office);
    const auto domain = must(here.add("mine.example"));
    const auto told = [&](std::string_view type) { return office.told(type, domain.id, "mine.example"); };
    CHECK(office.news() == told("domain.created")); // and not that it is shared there
    CHECK_FALSE(here.add("mine.example").has_value());
    CHECK_FALSE(here.verify(domain.id, {"v=spf1 -all"}).has_value());
    CHECK(office.news() == Texts{});

    must(here.prove(domain));
    CHECK(office.news() == told("domain.updated"));
    must(here.prove(domain));
    CHECK(office.news() == Texts{});
    must(here.set(domain.id, {.redirect_type = Change<std::uint32_t>::set(307)}));
    CHECK(office.news() == told("domain.updated"));
    must(here.set(domain.id, {.redirect_type = Change<std::uint32_t>::set(307)}));
    CHECK_FALSE(here.set(domain.id, {.redirect_type = Change<std::uint32_t>::set(200)}).has_value());
    CHECK(office.news() == Texts{});

    const auto other = make_workspace(office, "Other");
    office.news();
    const Seat there(office, office.caller, other.id.hex());
    const auto told_there = [&](std::string_view type) {
        return line(type, domain.id, "mine.example", other.id, office.caller);
    };
    must(there.share(domain.id));
    CHECK(office.news() == Texts{told_there("domain.shared")});
    must(there.share(domain.id));
    CHECK(office.news() == Texts{});
    must(there.unshare(domain.id));
    CHECK(office.news() == Texts{told_there("domain.unshared")});
    CHECK_FALSE(there.unshare(domain.id).has_value());
    CHECK(office.news() == Texts{});

    must(there.share(domain.id));
    const auto link = must(here.link(domain.id, "x")).link;
    office.news();
    CHECK_FALSE(here.remove(domain.id).has_value()); // it has a link
    CHECK(office.news() == Texts{});
    must(office.remove(link.id));
    office.news();
    must(here.remove(domain.id));
    CHECK(office.news() == Texts{told("domain.deleted").front(), told_there("domain.unshared")});
    CHECK_FALSE(here.remove(domain.id).has_value());
    run_jobs(office);
    CHECK(office.news() == Texts{});
    CHECK(office.inconsistency().empty());
    return office.types;
}

Types tags_tell() {
    Office office;
    const auto tag = make_tag(office, "Spring");
    const auto told = [&](std::string_view type) { return office.told(type, tag.id, "Spring"); };
    CHECK(office.news() == told("tag.created"));
    const auto twice =
        office.write([](Context& ctx) { return create_tag(ctx, {.name = "SPRING", .color = {}}); });
    CHECK_FALSE(twice.has_value());
    CHECK(office.news() == Texts{});
    const auto update = [&](const TagChange& change) {
        return office.write([&](Context& ctx) -> Result<Tag> {
            return update_tag(ctx, TRY(find_tag(ctx, tag.id.hex())), change);
        });
    };
    must(update({.color = Change<std::string>::set("00708f")}));
    CHECK(office.news() == told("tag.updated"));
    must(update({.color = Change<std::string>::set("00708f")}));
    CHECK(office.news() == Texts{});
    make_tag(office, "Summer");
    office.news();
    CHECK_FALSE(update({.name = Change<std::string>::set("Summer")}).has_value());
    CHECK(office.news() == Texts{});
    const auto remove = [&] {
        return office.write(
            [&](Context& ctx) -> Result<Tag> { return delete_tag(ctx, TRY(find_tag(ctx, tag.id.hex()))); });
    };
    must(remove());
    CHECK(office.news() == told("tag.deleted"));
    CHECK_FALSE(remove().has_value());
    run_jobs(office);
    CHECK(office.news() == Texts{});
    CHECK(office.inconsistency().empty());
    return office.types;
}

Types scripts_tell() {
    Office office;
    const auto script = make_script(office, "Pixel");
    const auto told = [&](std::string_view type) { return office.told(type, script.id, "Pixel"); };
    CHECK(office.news() == told("script.created"));
    const auto empty = office.write(
        [](Context& ctx) { return create_script(ctx, {.name = "Empty", .value = {}, .uri = {}}); });
    CHECK_FALSE(empty.has_value());
    CHECK(office.news() == Texts{});
    const auto update = [&](const ScriptChange& change) {
        return office.write([&](Context& ctx) -> Result<Script> {
            return update_script(ctx, TRY(find_script(ctx, script.id.hex())), change);
        });
    };
    must(update({.value = Change<std::string>::set("<script>1</script>")}));
    CHECK(office.news() == told("script.updated"));
    must(update({.value = Change<std::string>::set("<script>1</script>")}));
    CHECK_FALSE(update({.value = Change<std::string>::clear()}).has_value()); // nothing would be left
    CHECK(office.news() == Texts{});
    const auto remove = [&] {
        return office.write([&](Context& ctx) -> Result<Script> {
            return delete_script(ctx, TRY(find_script(ctx, script.id.hex())));
        });
    };
    must(remove());
    CHECK(office.news() == told("script.deleted"));
    CHECK_FALSE(remove().has_value());
    run_jobs(office);
    CHECK(office.news() == Texts{});
    CHECK(office.inconsistency().empty());
    return office.types;
}

} // namespace slashpost::test

using namespace slashpost::test;

TEST_CASE("links tell when they are made, changed, deleted and restored", "[events]") {
    CHECK(links_tell() == Types{"link.created", "link.deleted", "link.restored", "link.updated"});
    CHECK(parts_tell() == Types{"link.updated"});
}

TEST_CASE("a link that ends tells so once, when it does", "[events]") {
    CHECK(time_tells() == Types{"link.expired"});
}

TEST_CASE("clicks that count are told once a fold, where somebody asked for them", "[events]") {
    CHECK(clicks_tell() == Types{"link.clicked"});
}

TEST_CASE("domains tell when they are registered, changed, shared and removed", "[events]") {
    CHECK(domains_tell() == Types{"domain.created", "domain.deleted", "domain.shared", "domain.unshared",
                                  "domain.updated", "link.created", "link.deleted", "workspace.created"});
}

TEST_CASE("tags and scripts tell when they are made, changed and deleted", "[events]") {
    CHECK(tags_tell() == Types{"tag.created", "tag.deleted", "tag.updated"});
    CHECK(scripts_tell() == Types{"script.created", "script.deleted", "script.updated"});
}
