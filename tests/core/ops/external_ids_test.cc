// External ids of links: whose they are, who may have them, and that two calls at once make one link.
#include "core/ops/external_ids.h"

#include "core/ops/link_batches.h"
#include "core/ops/link_restore.h"
#include "core/work/retire.h"
#include "storage/open.h"
#include "tests/support/events.h"
#include "tests/support/labels.h"
#include "tests/support/people.h"
#include "tests/support/seed.h"
#include "tests/support/temp_folder.h"

#include <fmt/format.h>

#include <map>
#include <thread>

using namespace slashpost;
using namespace slashpost::test;

namespace {

NewLink link_with_id(std::string external_id) {
    return {.destination = "https://example.com/", .external_id = std::move(external_id)};
}

LinkChange to_id(std::string external_id) {
    return {.external_id = Change<std::string>::set(std::move(external_id))};
}

// "AlreadyExists externalId", or "none".
template <class T>
std::string fields_of(const Result<T>& result) {
    if (result.has_value())
        return "none";
    if (result.error().fields.empty())
        return result.error().code;
    std::string out;
    for (const auto& field : result.error().fields)
        out += fmt::format("{}{} {}", out.empty() ? "" : ", ", field.code, field.property);
    return out;
}

std::optional<LinkId> holder(World& world, std::string_view external_id) {
    const auto found =
        must(world.read([&](Context& ctx) { return find_link_by_external_id(ctx, external_id); }));
    return found ? std::optional(found->id) : std::nullopt;
}

Result<LinkDetails> take_back(World& world, LinkId link, EventId event) {
    return world.write(
        [&](Context& ctx) -> Result<LinkDetails> {
            return restore_link(ctx, TRY(find_link(ctx, link)), event.hex());
        },
        {.link = LinkState::any});
}

// Makes the link that has it, or gives that another title.
Result<LinkDetails> make_or_change(Context& ctx, const std::string& external_id) {
    if (const auto found = TRY(find_link_by_external_id(ctx, external_id)))
        return update_link(ctx, *found, {.title = Change<std::string>::set("Again")});
    return create_link(ctx, link_with_id(external_id));
}

std::unique_ptr<data::Engine> rocksdb_in(const TempFolder& folder) {
    return must(storage::open("rocksdb:" + folder.path().string(), space::all,
                              {.durability = data::Durability::relaxed}));
}

} // namespace

TEST_CASE("an external id is one link's among those of its workspace, until that is deleted",
          "[external ids]") {
    World world;
    const auto link = must(world.create(link_with_id("4711"))).link;
    CHECK(link.external_id == "4711");
    CHECK(holder(world, "4711") == link.id);
    CHECK(fields_of(world.create(link_with_id("4711"))) == "AlreadyExists externalId");
    CHECK(fields_of(world.create(link_with_id(""))) == "none");
    CHECK(fields_of(world.create(link_with_id(""))) == "none"); // none is nobody's

    const auto other = world.stranger("other");
    const auto theirs = must(world.service.run(other.caller, {}, {.access = Access::write}, [](Context& ctx) {
                            return create_link(ctx, link_with_id("4711"));
                        })).link;
    CHECK(holder(world, "4711") == link.id);

    CHECK(must(world.remove(link.id)).link.external_id == "4711"); // for who reads what it was
    CHECK_FALSE(holder(world, "4711"));
    const auto next = must(world.create(link_with_id("4711"))).link;
    CHECK(holder(world, "4711") == next.id);
    CHECK(next.id != theirs.id);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("external ids are told apart by case, white space and every other character", "[external ids]") {
    World world;
    for (const auto* text : {"a", "A", " a", "a ", "a/b", "a%2Fb", "\xc3\xa4", "a\xcc\x88", "NULL"})
        CHECK(fields_of(world.create(link_with_id(text))) == "none");
    CHECK(must(world.count({})) == 9);
    CHECK_FALSE(holder(world, "b"));
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an external id has at most 255 characters, none of them a control character", "[external ids]") {
    World world;
    std::string wide; // 255 characters of four bytes
    for (int i = 0; i < 255; ++i)
        wide += "\xf0\x9f\x98\x80";
    const auto link = must(world.create(link_with_id(wide))).link;
    CHECK(holder(world, wide) == link.id);
    CHECK(fields_of(world.create(link_with_id(std::string(255, 'a')))) == "none");
    CHECK(fields_of(world.create(link_with_id(std::string(256, 'a')))) == "InvalidLength externalId");
    for (const auto& text : {std::string("a\nb"), std::string(1, '\0'), std::string("\x7f"),
                             std::string("\xc2\x85"), std::string("\xff")}) {
        CHECK(fields_of(world.create(link_with_id(text))) == "InvalidFormat externalId");
        CHECK(fields_of(world.update(link.id, to_id(text))) == "InvalidFormat externalId");
    }
    CHECK(fields_of(world.create({.destination = "javascript:x", .external_id = "a\tb"})) ==
          "InvalidFormat externalId, InvalidFormat destination");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a change gives a link another external id, or none, and frees the old one", "[external ids]") {
    World world;
    const auto first = must(world.create(link_with_id("a"))).link.id;
    const auto second = must(world.create(link_with_id("b"))).link.id;
    CHECK(fields_of(world.update(second, to_id("a"))) == "AlreadyExists externalId");
    CHECK(must(world.update(second, to_id("b"))).link.external_id == "b"); // its own
    must(world.update(first, to_id("c")));
    CHECK_FALSE(holder(world, "a"));
    CHECK(holder(world, "c") == first);
    must(world.update(second, to_id("a")));
    CHECK(holder(world, "a") == second);
    must(world.update(second, {.external_id = Change<std::string>::clear()}));
    CHECK_FALSE(holder(world, "a"));
    must(world.update(first, {.title = Change<std::string>::set("T")}));
    CHECK(holder(world, "c") == first);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a link keeps its external id on another domain, and when it is paused or expires",
          "[external ids]") {
    World world;
    const auto second = world.domain("second.example");
    auto in = link_with_id("a");
    in.ttl_seconds = 60;
    const auto link = must(world.create(in)).link.id;
    must(world.update(link, {.domain = {.id = second.id}}));
    CHECK(holder(world, "a") == link);
    must(world.update(link, {.active = Change<bool>::set(false)}));
    CHECK(holder(world, "a") == link);
    must(world.update(link, {.active = Change<bool>::set(true)}));
    world.clock.advance_seconds(61);
    must(world.service.expire_links(world.clock.time));
    CHECK(holder(world, "a") == link);
    CHECK(fields_of(world.create(link_with_id("a"))) == "AlreadyExists externalId");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("what an item of a batch is called is taken for those behind it", "[external ids]") {
    World world;
    const std::vector<LinkDraft> drafts{{.link = link_with_id("a"), .problems = {}},
                                        {.link = link_with_id(""), .problems = {}},
                                        {.link = link_with_id("a"), .problems = {}}};
    CHECK(fields_of(world.write([&](Context& ctx) { return create_links(ctx, drafts, 10); })) ==
          "AlreadyExists [2].externalId");
    CHECK(must(world.count({})) == 0);
    CHECK_FALSE(holder(world, "a"));
}

TEST_CASE("a link on a domain that was taken away gives its external id up at once", "[external ids]") {
    World world;
    const auto second = world.domain("second.example");
    auto in = link_with_id("a");
    in.domain = {.id = second.id};
    const auto gone = must(world.create(in)).link.id;
    must(world.operate([&](SystemContext& system) {
        return begin_to_retire(system, second.id, world.installed.account.default_workspace);
    }));
    CHECK_FALSE(holder(world, "a"));
    const auto next = must(world.create(link_with_id("a"))).link.id; // before the job comes to it
    CHECK(holder(world, "a") == next);
    run_jobs(world);
    CHECK(holder(world, "a") == next);
    CHECK(must(world.engine->read([&](data::View& view) {
              return schema().links.find(view, gone.view());
          }))->status == LinkStatus::deleted);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a link is put back with what it was called, unless another one is called so by now",
          "[external ids]") {
    World world;
    const auto link = must(world.create(link_with_id("a"))).link.id;
    world.clock.advance_seconds(1);
    must(world.update(link, to_id("b")));
    const auto renamed = last_event_of(world, link);
    CHECK(must(take_back(world, link, renamed)).link.external_id == "a");
    CHECK(holder(world, "a") == link);
    CHECK_FALSE(holder(world, "b"));

    world.clock.advance_seconds(1);
    must(world.remove(link));
    const auto deleted = last_event_of(world, link);
    const auto other = must(world.create(link_with_id("a"))).link.id;
    const auto refused = take_back(world, link, deleted);
    CHECK(fields_of(refused) == "AlreadyExists externalId");
    CHECK(holder(world, "a") == other);
    must(world.update(other, {.external_id = Change<std::string>::clear()}));
    CHECK(must(take_back(world, link, deleted)).link.external_id == "a");
    CHECK(holder(world, "a") == link);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("many that make or change the link with an external id at the same time make one",
          "[external ids]") {
    constexpr int threads_count = 6;
    const TempFolder folder;
    for (const bool on_disk : {false, true}) {
        INFO(on_disk);
        World world(on_disk ? rocksdb_in(folder) : nullptr);
        struct NobodyListens final : ChangeListener {
            void changed(const Changes&) override {}
        } listener;
        Service service(*world.engine, world.clock, Tools{world.ids, world.random, world.settings}, listener);
        std::vector<std::string> seen(threads_count);
        {
            std::vector<std::jthread> threads;
            threads.reserve(threads_count);
            for (int i = 0; i < threads_count; ++i)
                threads.emplace_back([&, i] {
                    const auto done = service.run(world.caller, {}, {.access = Access::write},
                                                  [](Context& ctx) { return make_or_change(ctx, "a"); });
                    seen[static_cast<std::size_t>(i)] =
                        done.has_value() ? done->link.id.hex() : done.error().code;
                });
        }
        CHECK(must(world.count({})) == 1);
        const auto made = holder(world, "a");
        REQUIRE(made);
        CHECK(seen == std::vector<std::string>(threads_count, made->hex()));
        CHECK(world.inconsistency().empty());
    }
}

TEST_CASE("external ids after many random changes are those of a plain model", "[external ids]") {
    World world;
    std::mt19937 random(new_seed("external ids"));
    const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
    const std::vector<std::string> names{"", "a", "A", "b", "b ", "c"};
    std::map<std::string, LinkId> model;      // who has what
    std::vector<std::optional<LinkId>> links; // that are there
    const auto is_free = [&](const std::string& name, const std::optional<LinkId>& but) {
        const auto found = model.find(name);
        return name.empty() || found == model.end() || (but && found->second == *but);
    };
    const auto give = [&](LinkId link, const std::string& name) {
        std::erase_if(model, [&](const auto& one) { return one.second == link; });
        if (!name.empty())
            model.insert_or_assign(name, link);
    };
    for (int step = 0; step < made_up(2000); ++step) {
        const auto& name = names[below(names.size())];
        auto* const some = links.empty() ? nullptr : &links[below(links.size())];
        if (below(3) == 0 || some == nullptr || !*some) {
            const auto made = world.create(link_with_id(name));
            REQUIRE(fields_of(made) == (is_free(name, {}) ? "none" : "AlreadyExists externalId"));
            if (made.has_value()) {
                give(made->link.id, name);
                links.emplace_back(made->link.id);
            }
        } else if (below(3) == 0) {
            must(world.remove(**some));
            give(**some, "");
            some->reset();
        } else {
            const auto changed = world.update(
                **some, name.empty() ? LinkChange{.external_id = Change<std::string>::clear()} : to_id(name));
            REQUIRE(fields_of(changed) == (is_free(name, *some) ? "none" : "AlreadyExists externalId"));
            if (changed.has_value())
                give(**some, name);
        }
        for (const auto& one : names)
            REQUIRE(holder(world, one) ==
                    (model.contains(one) ? std::optional(model.at(one)) : std::nullopt));
    }
    CHECK(world.inconsistency().empty());
}
