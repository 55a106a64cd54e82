// Several links made or deleted at once: all or none, and everything that was wrong told together.
#include "core/ops/link_batches.h"

#include "core/schema/recent_rollups.h"
#include "core/schema/rollups.h"
#include "storage/open.h"
#include "tests/support/labels.h"
#include "tests/support/temp_folder.h"
#include "tests/support/workspaces.h"

#include <fmt/format.h>

#include <atomic>
#include <thread>

using namespace slashpost;
using namespace slashpost::test;

namespace {

constexpr std::size_t many = 1000;

NewLink link_called(std::string slashtag) {
    return {.destination = "https://example.com/", .slashtag = std::move(slashtag)};
}

std::vector<LinkDraft> drafts(const std::vector<std::string>& slashtags) {
    std::vector<LinkDraft> out;
    out.reserve(slashtags.size());
    for (const auto& slashtag : slashtags)
        out.push_back({.link = link_called(slashtag), .problems = {}});
    return out;
}

Result<std::vector<LinkDetails>> create(World& world, const std::vector<LinkDraft>& in,
                                        std::size_t count_max = many) {
    return world.write([&](Context& ctx) { return create_links(ctx, in, count_max); });
}

Result<std::int64_t> remove(World& world, const std::vector<std::string>& ids) {
    return world.write([&](Context& ctx) { return delete_links(ctx, ids); }, {.link = LinkState::live});
}

// "invalid InvalidFormat: AlreadyExists [1].slashtag", or "none".
template <class T>
std::string failure(const Result<T>& result) {
    if (result.has_value())
        return "none";
    std::string out = result.error().code;
    for (const auto& field : result.error().fields)
        out += fmt::format("{} {} {}", &field == result.error().fields.data() ? ":" : ",", field.code,
                           field.property);
    return out;
}

std::int64_t links(World& world) { return must(world.count({})); }

} // namespace

TEST_CASE("a batch makes its links in the order of the call", "[batches]") {
    World world;
    const auto made = must(create(world, drafts({"c", "a", "", "b"})));
    REQUIRE(made.size() == 4);
    CHECK(made[0].link.slashtag == "c");
    CHECK(made[1].link.slashtag == "a");
    CHECK(made[2].link.slashtag.size() == 5);
    CHECK(made[3].link.slashtag == "b");
    CHECK(made[0].link.id < made[1].link.id);
    CHECK(made[2].link.id < made[3].link.id);
    CHECK(made[3].domain.full_name == "go.example.com");
    CHECK(links(world) == 4);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a batch does not run again because clicks are counted and their hour ends meanwhile",
          "[batches]") {
    World world;
    const auto tag = make_tag(world, "summer");
    auto in = drafts({"a", "b"});
    in.front().link.tags = {tag.id};
    const auto hour = bucket_of(Grain::hour, world.clock.now());
    int runs = 0;
    const auto made = must(world.write([&](Context& ctx) -> Result<std::vector<LinkDetails>> {
        auto out = TRY(create_links(ctx, in, many));
        if (++runs > 1)
            return out;
        must(world.engine->transact([&](data::Txn& fold) -> Result<void> {
            return add_hour(fold, TRY(settled_hours(fold)), Subject::of(tag.id), hour,
                            data::Counts::of({{.name = "c", .number = 1}}));
        }));
        must(close_all_hours(*world.engine));
        return out;
    }));
    CHECK(made.size() == 2);
    CHECK(runs == 1);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("after a batch the redirect path is told of every address", "[batches]") {
    World world;
    const auto told = [&] {
        std::string out;
        for (const auto& address : world.listener.seen.back().addresses)
            out += address.slashtag_key + " ";
        return out;
    };
    const auto made = must(create(world, drafts({"a", "B", "c"})));
    CHECK(told() == "a b c ");
    must(remove(world, {made[2].link.id.hex(), made[0].link.id.hex()}));
    CHECK(told() == "c a ");
}

TEST_CASE("one broken item refuses the whole batch, and all that is broken is named", "[batches]") {
    World world;
    must(world.create(link_called("taken")));
    auto in = drafts({"a", "TAKEN", "b c", "d"});
    in[0].link.destination = "javascript:1";
    in[3].problems.add(invalid_format("title", "must be a string"));
    const auto refused = create(world, in);
    CHECK(failure(refused) == "InvalidFormat: InvalidFormat [0].destination, AlreadyExists [1].slashtag, "
                              "PatternMismatch [2].slashtag, InvalidFormat [3].title");
    CHECK(refused.error().kind == ErrorKind::invalid);
    CHECK(refused.error().source == "link");
    CHECK(links(world) == 1);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("what an item takes is taken for those behind it", "[batches]") {
    World world;
    const auto strict = world.domain("strict.example.com", {.case_sensitive = true});
    CHECK(failure(create(world, drafts({"a", "b", "A"}))) == "InvalidFormat: AlreadyExists [2].slashtag");
    auto in = drafts({"a", "A", "a"});
    in[0].link.domain.id = in[1].link.domain.id = strict.id;
    CHECK(failure(create(world, in)) == "none");

    auto round = drafts({"to", "fro"});
    round[0].link.destination = "https://go.example.com/fro";
    round[1].link.destination = "https://go.example.com/to";
    CHECK(failure(create(world, round)) == "InvalidFormat: InvalidFormat [1].destination");
    CHECK(links(world) == 3);
}

TEST_CASE("a batch has at least one item and at most as many as told", "[batches]") {
    World world;
    CHECK(failure(create(world, {}, 3)) == "InvalidFormat: RequiredField ");
    CHECK(failure(create(world, drafts({"a", "b", "c", "d"}), 3)) == "InvalidFormat: OutOfRange ");
    CHECK(links(world) == 0);
    CHECK(failure(create(world, drafts({"a", "b", "c"}), 3)) == "none");
}

TEST_CASE("an item's domain may be unknown or revoked, which weighs more than broken fields", "[batches]") {
    World world;
    const auto revoked = world.domain("revoked.example");
    must(world.operate([&](SystemContext& system) -> Result<Domain> {
        return change_domain(system, TRY(find_any_domain(system.txn, revoked.id.hex())),
                             {.revoked = Change<bool>::set(true)});
    }));
    auto in = drafts({"-/-", "b", "c", "d"});
    in[1].link.domain.id = revoked.id;
    const auto refused = create(world, in);
    CHECK(failure(refused) == "RevokedDomain: PatternMismatch [0].slashtag, RevokedDomain [1].domain");
    CHECK(refused.error().kind == ErrorKind::refused);

    in[2].link.domain.full_name = "nowhere.example";
    in[3].link.domain.full_name = "neither.example";
    const auto absent = create(world, in);
    CHECK(failure(absent) == "NotFound: PatternMismatch [0].slashtag, RevokedDomain [1].domain, "
                             "NotFound [2].domain, NotFound [3].domain");
    CHECK(absent.error().kind == ErrorKind::not_found);
    CHECK(absent.error().source == "domain");
    CHECK(absent.error().id == "nowhere.example");
    CHECK(links(world) == 0);
}

TEST_CASE("a plan's limit counts with the whole batch", "[batches]") {
    World world;
    set_plan(world, {.links = Change<std::int64_t>::set(5)});
    CHECK(failure(create(world, drafts({"a", "b", "c"}))) == "none");
    const auto refused = create(world, drafts({"d", "e", "f"}));
    CHECK(failure(refused) == "LimitReached");
    CHECK(refused.error().message == "The plan includes 5 of these, and 3 are used.");
    CHECK(links(world) == 3);
    CHECK(failure(create(world, drafts({"d", "/", "f"}))) == "InvalidFormat: PatternMismatch [1].slashtag");
    CHECK(failure(create(world, drafts({"d", "e"}))) == "none");
    CHECK(failure(world.create(link_called("f"))) == "LimitReached");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("batches at the same time neither pass a limit nor share a slashtag", "[batches]") {
    constexpr int links_max = 25;
    constexpr int threads_count = 6;
    const TempFolder folder;
    World world(must(storage::open("rocksdb:" + folder.path().string(), space::all,
                                   {.durability = data::Durability::relaxed})));
    set_plan(world, {.links = Change<std::int64_t>::set(links_max)});
    struct NobodyListens final : ChangeListener {
        void changed(const Changes&) override {}
    } listener;
    Service service(*world.engine, world.clock, Tools{world.ids, world.random, world.settings}, listener);
    std::atomic<int> free_made = 0, same_made = 0, limited = 0, others = 0;
    const auto attempt = [&](const std::vector<std::string>& slashtags, std::atomic<int>& made) {
        const auto one = service.run(world.caller, {}, {.access = Access::write}, [&](Context& ctx) {
            return create_links(ctx, drafts(slashtags), many);
        });
        if (one.has_value())
            ++made;
        else if (one.error().code == "LimitReached")
            ++limited;
        else
            ++others;
    };
    {
        std::vector<std::jthread> threads;
        threads.reserve(threads_count);
        for (int i = 0; i < threads_count; ++i)
            threads.emplace_back([&] { attempt({"", "same", "", "", ""}, same_made); });
    }
    CHECK(same_made == 1);
    CHECK(others == threads_count - 1);
    {
        std::vector<std::jthread> threads;
        threads.reserve(threads_count);
        for (int i = 0; i < threads_count; ++i)
            threads.emplace_back([&] { attempt({"", "", "", "", ""}, free_made); });
    }
    CHECK(free_made == links_max / 5 - 1);
    CHECK(limited == threads_count - free_made);
    CHECK(links(world) == links_max);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("links are deleted together, one that is named twice counts once", "[batches]") {
    World world;
    std::vector<std::string> ids;
    for (const auto& details : must(create(world, drafts({"a", "b", "c"}))))
        ids.push_back(details.link.id.hex());
    CHECK(must(remove(world, {ids[0], ids[2], ids[0]})) == 2);
    CHECK(links(world) == 1);
    CHECK(failure(world.create(link_called("a"))) == "none"); // free again at once
    CHECK(world.inconsistency().empty());
}

TEST_CASE("deleting is refused as a whole, and tells which are absent; those deleted before do not count",
          "[batches]") {
    World world;
    const auto other = world.stranger("other");
    const auto foreign =
        must(world.service.run(other.caller, {}, {.access = Access::write},
                               [](Context& ctx) { return create_link(ctx, link_called("x")); }));
    std::vector<std::string> ids;
    for (const auto& details : must(create(world, drafts({"a", "b", "c"}))))
        ids.push_back(details.link.id.hex());
    must(remove(world, {ids[1]}));

    const auto absent = remove(world, {ids[0], ids[1], foreign.link.id.hex(), "nonsense"});
    CHECK(failure(absent) == "NotFound: NotFound links[2], NotFound links[3]");
    CHECK(absent.error().source == "link");
    CHECK(absent.error().id == foreign.link.id.hex());
    CHECK(failure(remove(world, {})) == "InvalidFormat: RequiredField links");
    CHECK(failure(remove(world, std::vector<std::string>(101, ids[0]))) == "InvalidFormat: OutOfRange links");
    CHECK(links(world) == 2);
    CHECK(failure(remove(world, std::vector<std::string>(100, ids[0]))) == "none");
    CHECK(links(world) == 1);
}

TEST_CASE("a guest deletes none of a batch that holds links of others", "[batches]") {
    World world;
    const auto guest = world.stranger("guest");
    const auto home = world.installed.account.default_workspace;
    add_member(world, home, guest.account.id, Role::guest);
    const auto as_guest = [&](auto work) {
        return world.service.run(guest.caller, home.hex(),
                                 {.access = Access::write, .role = Role::guest, .link = LinkState::live},
                                 work);
    };
    const auto own =
        must(as_guest([](Context& ctx) { return create_link(ctx, link_called("own")); })).link.id;
    const auto alien = must(world.create(link_called("alien"))).link.id;
    const auto refused = as_guest([&](Context& ctx) { return delete_links(ctx, {own.hex(), alien.hex()}); });
    CHECK(failure(refused) == "Forbidden: Forbidden links[1]");
    CHECK(links(world) == 2);
    CHECK(must(as_guest([&](Context& ctx) { return delete_links(ctx, {own.hex()}); })) == 1);
}
