#include "tests/admin/stocked_world.h"

using namespace slashpost;
using namespace slashpost::test;

namespace {

struct Outcome {
    int code = 0;
    std::string words;
};

Outcome verify(StockedWorld& world) {
    RememberingConsole console;
    const int code = must(admin::verify(world.plain.house, console));
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
    CHECK(must(admin::reindex(world.plain.house, console)) == admin::exit_good);
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

TEST_CASE("schema shows every table with what a row costs", "[verify]") {
    StockedWorld world;
    RememberingConsole console;
    CHECK(must(admin::show_schema(world.plain.house, console)) == admin::exit_good);
    schema().each_table([&](const auto& table) {
        CHECK_THAT(console.output, Catch::Contains("\n" + std::string(table.rows().name) + " "));
    });
    CHECK_THAT(console.output, Catch::Contains("by_expiry") && Catch::Contains("link_clicks"));
}
