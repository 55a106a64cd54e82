#include "tests/app/admin/stocked_world.h"

using namespace slashpost;
using namespace slashpost::test;

namespace {

struct Outcome {
    int code = 0;
    std::string words;
};

Outcome verify(StockedWorld& world) {
    RememberingConsole console;
    const int code = must(admin::verify(world.plain.context, console));
    return {.code = code, .words = console.output};
}

// Verifies after `harm` was done to the store behind everybody's back.
template <class Harm>
Outcome verify_after(StockedWorld& world, const Harm& harm) {
    must(world.engine->transact([&](data::Txn& txn) -> Result<void> { return harm(txn); }));
    return verify(world);
}

} // namespace

TEST_CASE("verify finds nothing in a sound store", "[verify]") {
    StockedWorld world;
    const auto outcome = verify(world);
    CHECK(outcome.code == admin::exit_good);
    CHECK_THAT(outcome.words, Catch::Contains("all good"));
    CHECK(world.plain.folds == 1);
}

TEST_CASE("verify finds an index entry that is missing, and reindex mends it", "[verify]") {
    StockedWorld world;
    std::vector<data::Entry> entries;
    schema().links.by_title.append_entries(world.first_link, entries);
    const auto outcome = verify_after(
        world, [&](data::Txn& txn) { return txn.erase(*entries.front().space, entries.front().key); });
    CHECK(outcome.code == admin::exit_findings);
    CHECK_THAT(outcome.words, Catch::Contains("links.by_title") && Catch::Contains("is missing"));

    RememberingConsole console;
    CHECK(must(admin::reindex(world.plain.context, console)) == admin::exit_good);
    CHECK_THAT(console.output, Catch::Contains("links: 1 entries mended"));
    CHECK(verify(world).code == admin::exit_good);
}

TEST_CASE("verify finds an entry that belongs to no row, and one with other contents", "[verify]") {
    StockedWorld world;
    std::vector<data::Entry> entries;
    schema().links.short_url.append_entries(world.first_link, entries);
    const auto& entry = entries.front();
    const auto changed = verify_after(
        world, [&](data::Txn& txn) { return txn.put(*entry.space, entry.key, entry.value + "x"); });
    CHECK(changed.code == admin::exit_findings);
    CHECK_THAT(changed.words, Catch::Contains("other contents"));
    const auto stray = verify_after(
        world, [&](data::Txn& txn) { return txn.put(*entry.space, entry.key + "x", entry.value); });
    CHECK_THAT(stray.words, Catch::Contains("belongs to no row"));
}

TEST_CASE("verify finds a link that names a tag which is not there", "[verify]") {
    StockedWorld world;
    const auto outcome = verify_after(world, [&](data::Txn& txn) -> Result<void> {
        auto changed = TRY(schema().links.find(txn, world.first_link.id.view())).value();
        const auto was = changed;
        changed.tags.push_back(TagId(RawId::first_at({1})));
        return schema().links.update(txn, was, changed);
    });
    CHECK(outcome.code == admin::exit_findings);
    CHECK_THAT(outcome.words, Catch::Contains("which does not exist"));
}

TEST_CASE("verify finds parts of a link that is not there or was deleted", "[verify]") {
    StockedWorld world;
    const auto outcome = verify_after(world, [&](data::Txn& txn) -> Result<void> {
        const auto link = TRY(schema().links.find(txn, world.first_link.id.view())).value();
        auto deleted = link;
        deleted.status = LinkStatus::deleted;
        return schema().links.update(txn, link, deleted);
    });
    CHECK(outcome.code == admin::exit_findings);
    CHECK_THAT(outcome.words, Catch::Contains("belong to no link"));
}

TEST_CASE("verify finds a tally that is wrong", "[verify]") {
    StockedWorld world;
    const auto tally = schema().links.per_workspace.tallies_of(world.first_link).at(0);
    const auto outcome = verify_after(world, [&](data::Txn& txn) { return txn.add(tally, 5); });
    CHECK(outcome.code == admin::exit_findings);
    CHECK_THAT(outcome.words, Catch::Contains("links.per_workspace"));
}

TEST_CASE("verify finds a row that cannot be read", "[verify]") {
    StockedWorld world;
    const auto outcome = verify_after(world, [&](data::Txn& txn) {
        return txn.put(space::accounts, AccountTable::row_key(world.installed.account.id.view()),
                       "\x01garbage");
    });
    CHECK(outcome.code == admin::exit_findings);
    CHECK_THAT(outcome.words, Catch::Contains("accounts"));
}

TEST_CASE("verify finds a row that names one that does not exist", "[verify]") {
    StockedWorld world;
    const auto outcome = verify_after(world, [&](data::Txn& txn) {
        auto changed = world.first_link;
        changed.creator = world.ids.next<AccountId>();
        return schema().links.update(txn, world.first_link, changed);
    });
    CHECK(outcome.code == admin::exit_findings);
    CHECK_THAT(outcome.words, Catch::Contains("link " + world.first_link.id.hex() + " names account"));
}

TEST_CASE("verify finds click totals that disagree", "[verify]") {
    StockedWorld world;
    const auto& link = world.first_link;
    const auto of_link = verify_after(
        world, [&](data::Txn& txn) { return txn.add(link_clicks_tally(link.workspace, link.id), 1); });
    CHECK(of_link.code == admin::exit_findings);
    CHECK_THAT(of_link.words, Catch::Contains("should be 1 more") && Catch::Contains("the links 6"));
    const auto nobody = verify_after(world, [&](data::Txn& txn) {
        return txn.add(link_clicks_tally(link.workspace, world.ids.next<LinkId>()), 1);
    });
    CHECK_THAT(nobody.words, Catch::Contains("is not there") && Catch::Contains("no time of the last one"));
}

TEST_CASE("verify finds rollups that disagree with each other", "[verify]") {
    struct Scenario {
        std::string_view name;
        Grain grain;
        std::uint32_t days_ago;
        std::string_view count;
        std::int64_t number;
        std::vector<std::string> words;
    };
    const Scenario scenarios[] = {
        {"a day too many", Grain::day, 0, "c", 1, {"3 clicks since ever, its days 4", "the day 4"}},
        {"sessions of a day", Grain::day, 0, "s", -1, {"3 sessions since ever, its days 2"}},
        {"arms since ever", Grain::all, 0, "aX", 1, {"2 clicks by arms since ever, its days 1"}},
        {"money since ever", Grain::all, 0, "mUSD", 5, {"thousandths of money since ever, its days"}},
        {"an hour too many", Grain::hour, 0, "c", 1, {"the hours of day 20833 have 4 clicks, the day 3"}},
        {"an hour less", Grain::hour, 0, "c", -1, {"the hours of day 20833 have 2 clicks, the day 3"}},
        {"an hour of long ago",
         Grain::hour,
         100,
         "c",
         2,
         {"the hours of day 20733 have 2 clicks, the day 0"}},
        {"below zero", Grain::day, 0, "Cfr", -1, {"a number is below zero"}},
        {"more sessions than clicks", Grain::hour, 0, "s", 9, {"more sessions than clicks"}},
        {"more countries than clicks", Grain::day, 0, "Cfr", 1, {"group C has more clicks"}},
        {"a rule and an arm for each", Grain::hour, 0, "rX", 2, {"rules and arms"}},
    };
    for (const auto& scenario : scenarios) {
        CAPTURE(scenario.name);
        StockedWorld world;
        const auto outcome = verify_after(world, [&](data::Txn& txn) {
            data::Counts delta;
            delta.add(scenario.count, scenario.number);
            const auto when = world.clock.now().plus_seconds(-86'400LL * scenario.days_ago);
            return txn.add_counts(
                space::rollups,
                rollup_key(Subject::of(world.first_link.id), scenario.grain, bucket_of(scenario.grain, when)),
                delta);
        });
        CHECK(outcome.code == admin::exit_findings);
        for (const auto& words : scenario.words)
            CHECK_THAT(outcome.words, Catch::Contains(words));
    }
}

TEST_CASE("verify finds rollups with more clicks than the totals or their workspace", "[verify]") {
    StockedWorld world;
    const auto& link = world.first_link;
    const auto outcome = verify_after(world, [&](data::Txn& txn) {
        data::Counts delta;
        delta.add("c", 10);
        return add_to_rollups(txn, Subject::of(link.id), world.clock.now(), delta);
    });
    CHECK(outcome.code == admin::exit_findings);
    CHECK_THAT(outcome.words, Catch::Contains("link " + link.id.hex() + " has 13 clicks, its total 3"));
    CHECK_THAT(outcome.words, Catch::Contains("the links of workspace " + link.workspace.hex() +
                                              " have 15 clicks, it has 5"));
}

TEST_CASE("verify takes hours that are not kept any more, and clicks of before there were rollups",
          "[verify]") {
    StockedWorld world;
    const auto& link = world.first_link;
    const auto long_ago = world.clock.now().plus_seconds(-91LL * 86'400);
    must(world.engine->transact([&](data::Txn& txn) -> Result<void> {
        data::Counts delta;
        delta.add("c", 4);
        for (const auto& subject :
             {Subject::of(link.id), Subject::of(link.workspace), Subject::of(link.domain, link.workspace)}) {
            TRY(add_to_rollups(txn, subject, long_ago, delta));
            TRY(txn.erase(space::rollups,
                          rollup_key(subject, Grain::hour, bucket_of(Grain::hour, long_ago))));
        }
        return {};
    }));
    world.click(link, 4);                                             // the totals of those
    must(world.engine->transact([&](data::Txn& txn) -> Result<void> { // folded before rollups began
        TRY(add_settled_clicks(txn, link.workspace, link.id, {.clicks = 9, .last_click_at = {}}));
        TRY(txn.add(workspace_clicks_tally(link.workspace), 9));
        return txn.add(domain_clicks_tally(link.domain, link.workspace), 9);
    }));
    const auto outcome = verify(world);
    CHECK_THAT(outcome.words, Catch::Contains("all good"));
}

TEST_CASE("verify finds rollups that cannot be read", "[verify]") {
    StockedWorld world;
    const auto key = rollup_key(Subject::of(world.first_link.id), Grain::day, 20'833);
    const auto outcome = verify_after(world, [&](data::Txn& txn) -> Result<void> {
        data::Counts delta;
        delta.add("c", 1);
        return txn.add_counts(space::rollups, key + "x", delta);
    });
    CHECK(outcome.code == admin::exit_findings);
    CHECK_THAT(outcome.words, Catch::Contains("rollups: the row") && Catch::Contains("cannot be read"));
}

TEST_CASE("schema shows every table with what a row costs", "[verify]") {
    StockedWorld world;
    RememberingConsole console;
    CHECK(must(admin::show_schema(world.plain.context, console)) == admin::exit_good);
    schema().each_table([&](const auto& table) {
        CHECK_THAT(console.output, Catch::Contains("\n" + std::string(table.rows().name) + " "));
    });
    CHECK_THAT(console.output, Catch::Contains("by_expiry") && Catch::Contains("link_clicks"));
    CHECK_THAT(console.output, Catch::Contains("\nrollups "));
}
