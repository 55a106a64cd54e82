// The two ways to a page of links under a filter (core/ops/indexed_page.cc), always compared with all rows.
#include "storage/open.h"
#include "tests/core/search/big_world.h"
#include "tests/support/counting_engine.h"
#include "tests/support/seed.h"
#include "tests/support/temp_folder.h"

#include <catch2/catch.hpp>
#include <thread>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// In one view: what a page shows, and what all rows say that it has to show.
Result<std::pair<std::vector<LinkId>, std::vector<LinkId>>>
page_and_rows(Context& ctx, const LinkFilter& filter, const PageRequest& page) {
    std::vector<LinkId> shown;
    for (const auto& row : TRY(list_links(ctx, filter, page)))
        shown.push_back(row.link.id);
    std::vector<std::tuple<std::string, std::int64_t, LinkId>> rows;
    TRY(schema().links.each(ctx.view(), [&](const Link& link) -> Result<bool> {
        if (!link.active() || (filter.favourite && link.favourite != *filter.favourite) ||
            (filter.created_from && link.created_at < *filter.created_from))
            return true;
        if (page.order_by == "title")
            rows.emplace_back(link.title, 0, link.id);
        else if (page.order_by == "updatedAt")
            rows.emplace_back("", link.updated_at.ms, link.id);
        else
            rows.emplace_back("", TRY(clicks_of_link(ctx.view(), link.workspace, link.id)).clicks, link.id);
        return true;
    }));
    std::ranges::sort(rows);
    if (page.direction == Direction::descending)
        std::ranges::reverse(rows);
    std::vector<LinkId> wanted;
    for (std::size_t i = page.offset; i < std::min<std::size_t>(rows.size(), page.offset + page.limit); ++i)
        wanted.push_back(std::get<LinkId>(rows[i]));
    return std::pair(std::move(shown), std::move(wanted));
}

std::vector<Link> all_links(BigWorld& big) {
    std::vector<Link> links;
    must(big.world.engine->read([&](data::View& view) {
        return schema().links.each(view, [&](const Link& link) -> Result<bool> {
            links.push_back(link);
            return true;
        });
    }));
    return links;
}

// 5,000 links, and what it takes to list some.
struct Fixture {
    std::unique_ptr<CountingEngine> counting =
        std::make_unique<CountingEngine>(storage::make_memory_engine(space::all));
    CountingEngine& engine = *counting;
    BigWorld big{5000, std::move(counting)};
    int rows_read = 0, steps = 0;

    Fixture() { big.index_all(); }
    // When the link of that number in the order of creation was made.
    Timestamp made(std::size_t number) { return all_links(big)[number].created_at; }
    void list(const LinkFilter& filter, const PageRequest& page) {
        const auto [shown, wanted] =
            must(big.world.read([&](Context& ctx) { return page_and_rows(ctx, filter, page); }));
        CHECK(shown == wanted);
        CHECK(shown.size() == 25);
        engine.take();
        must(big.world.list(filter, page));
        steps = engine.rows();
        rows_read = engine.take().gets["links"];
    }
};

} // namespace

TEST_CASE_METHOD(Fixture, "a page of links that stand anywhere in its order is walked to", "[search_index]") {
    list({.favourite = true}, {.limit = 25, .order_by = "title"}); // a fifteenth of all
    CHECK(rows_read > 200);                                        // so many are tested by their rows
    CHECK(rows_read <= 240);
    CHECK(steps < 1000);
}

TEST_CASE_METHOD(Fixture, "a walk to a page that goes too far is given up", "[search_index]") {
    // The oldest of those that were never clicked, two thirds of all, come first.
    list({.created_from = made(3500)}, {.limit = 25, .order_by = "clicks"});
    CHECK(rows_read <= 230);
    CHECK(steps < 1000);
}

TEST_CASE_METHOD(Fixture, "links that lie close together are sorted by rows that are read in a row",
                 "[search_index]") {
    list({.created_from = made(4800)}, {.limit = 25, .order_by = "updatedAt"});
    CHECK(rows_read <= 30);
    CHECK(steps > 180);
    CHECK(steps < 500);
}

TEST_CASE("pages under a filter are exact for every view while links are indexed beside", "[search_index]") {
    const TempFolder folder;
    BigWorld big(3000, must(storage::open("rocksdb:" + folder.path().string(), space::all,
                                          {.durability = data::Durability::relaxed,
                                           .write_buffers_bytes = 256ULL << 20}))); // nothing in files
    big.index_all();
    const auto links = all_links(big);
    const std::jthread writer([&](const std::stop_token& stopping) {
        std::mt19937 random{7};
        search::Indexer indexer(*big.world.engine, 1, 5);
        while (!stopping.stop_requested()) {
            const auto id = links[random() % links.size()].id;
            (void)big.world.engine->transact([&](data::Txn& txn) -> Result<void> {
                const auto was = TRY(schema().links.find(txn, id.view()));
                auto now = *was;
                now.title = "sale " + std::to_string(random() % 100);
                now.updated_at = now.updated_at.plus_seconds(1000);
                now.favourite = !now.favourite;
                return schema().links.update(txn, *was, now);
            });
            if (random() % 3 == 0)
                (void)indexer.run_batch();
        }
    });
    for (int round = 0; round < made_up(60); ++round) {
        LinkFilter filter{.favourite = true};
        if (big.chance(2))
            filter.created_from = links[big.below(links.size())].created_at;
        const auto [shown, wanted] = must(big.world.read([&](Context& ctx) {
            return page_and_rows(ctx, filter,
                                 {.limit = 25,
                                  .offset = static_cast<std::uint32_t>(big.below(3) * 20),
                                  .order_by = big.chance(2) ? "title" : "updatedAt",
                                  .direction = big.chance(2) ? Direction::ascending : Direction::descending});
        }));
        REQUIRE(shown == wanted);
    }
}
