// Pages under filters that are read off ordinals (core/search/ordinals.h), always compared with all rows.
#include "storage/open.h"
#include "tests/core/search/big_world.h"
#include "tests/support/counting_engine.h"
#include "tests/support/temp_folder.h"
#include "tests/support/wrapped_engine.h"

#include <catch2/catch.hpp>
#include <thread>

using namespace slashpost;
using namespace slashpost::test;

namespace {

using Fails = WrappedEngine::Fails;

// In one view: what a page shows, and what all rows say that it has to show.
Result<std::pair<std::vector<LinkId>, std::vector<LinkId>>>
page_and_rows(Context& ctx, std::string order, Direction direction, std::uint32_t offset) {
    const PageRequest page{.offset = offset, .order_by = std::move(order), .direction = direction};
    std::vector<LinkId> shown;
    for (const auto& row : TRY(list_links(ctx, {.favourite = true}, page)))
        shown.push_back(row.link.id);
    std::vector<Link> rows;
    TRY(schema().links.each(ctx.view(), [&](const Link& link) -> Result<bool> {
        if (link.favourite && link.active())
            rows.push_back(link);
        return true;
    }));
    const auto place = [&](const Link& link) {
        return page.order_by == "title" ? std::tuple(link.title, Timestamp{}, link.id)
                                        : std::tuple(std::string(), link.updated_at, link.id);
    };
    std::ranges::sort(rows, {}, place);
    if (direction == Direction::descending)
        std::ranges::reverse(rows);
    std::vector<LinkId> wanted;
    for (std::size_t i = offset; i < std::min<std::size_t>(rows.size(), offset + page.limit); ++i)
        wanted.push_back(rows[i].id);
    return std::pair(std::move(shown), std::move(wanted));
}

} // namespace

TEST_CASE("a page in any order under a filter reads few rows the second time",
          "[search_index][long][volume]") {
    auto counting = std::make_unique<CountingEngine>(storage::make_memory_engine(space::all));
    auto& engine = *counting;
    BigWorld big(5000, std::move(counting));
    big.index_all();
    for (const auto* order : {"updatedAt", "title", "slashtag"}) {
        const auto rows_read = [&](const std::string& last) {
            engine.take();
            must(big.world.list({.favourite = true}, {.order_by = order, .last = last}));
            return engine.take().gets["links"];
        };
        CHECK(rows_read("") > 200); // a fifteenth of all
        CHECK(rows_read("") <= 26);
        const auto page = must(big.world.list({.favourite = true}, {.order_by = order}));
        CHECK(rows_read(page.back().link.id.hex()) <= 27);
        for (int i = 0; i < 3; ++i)
            big.change_one();
        CHECK(rows_read("") <= 40); // and those that are marked
        big.index_all();
        CHECK(rows_read("") <= 40);
    }
    CHECK(big.world.columns.figures().columns == 4); // with the ids
}

TEST_CASE("ordinals are exact while links change, the indexer fails and others index",
          "[search_index][long][volume]") {
    BigWorld big(1500);
    big.index_all();
    WrappedEngine engine(*big.world.engine);
    std::size_t columns = 0;
    for (int round = 0; round < 400; ++round) {
        for (auto changes = big.below(6); changes > 0; --changes)
            big.change_one();
        engine.fails = std::array{Fails::never, Fails::never, Fails::before_commit, Fails::after_commit,
                                  Fails::and_runs_again}[big.below(5)];
        search::Indexer indexer(engine, big.chance(10) ? nullptr : &big.world.columns, 1, 1 + big.below(20));
        for (auto batches = big.below(3); batches > 0; --batches)
            (void)indexer.run_batch();
        if (big.chance(80)) {
            must(mark_links(*big.world.engine));
            must(search::discard_indexes(*big.world.engine));
            big.index_all();
        }
        for (int i = 0; i < 4; ++i)
            big.compare_page(big.some_filter());
        columns = std::max(columns, big.world.columns.figures().columns);
    }
    CHECK(columns >= 4);
}

TEST_CASE("ordinals are exact for every view while links are indexed beside", "[search_index]") {
    const TempFolder folder;
    BigWorld big(3000, must(storage::open("rocksdb:" + folder.path().string(), space::all,
                                          {.durability = data::Durability::relaxed,
                                           .write_buffers_bytes = 256ULL << 20}))); // nothing in files
    big.index_all();
    std::vector<LinkId> ids;
    must(big.world.engine->read([&](data::View& view) {
        return schema().links.each(view, [&](const Link& link) -> Result<bool> {
            ids.push_back(link.id);
            return true;
        });
    }));
    const std::jthread writer([&](const std::stop_token& stopping) {
        std::mt19937 random{7};
        search::Indexer indexer(*big.world.engine, &big.world.columns, 1, 5);
        while (!stopping.stop_requested()) {
            const auto id = ids[random() % ids.size()];
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
    std::size_t columns = 0;
    for (int round = 0; round < 60; ++round) {
        const auto [shown, wanted] = must(big.world.read([&](Context& ctx) {
            return page_and_rows(ctx, big.chance(2) ? "title" : "updatedAt",
                                 big.chance(2) ? Direction::ascending : Direction::descending,
                                 static_cast<std::uint32_t>(big.below(3) * 20));
        }));
        REQUIRE(shown == wanted);
        columns = std::max(columns, big.world.columns.figures().columns);
    }
    CHECK(columns >= 3);
}

TEST_CASE("columns go when they need too much memory or nobody asks", "[search_index]") {
    using search::ColumnCache;
    const WorkspaceId one(*RawId::parse(std::string(32, '1'))), other(*RawId::parse(std::string(32, '2')));
    const auto ids = std::make_shared<const data::Bytes>(1000, 'x');
    ColumnCache columns({.bytes_max = 2000, .slots_max = 2, .unused_max = std::chrono::milliseconds(0)});
    columns.keep_ids(one, 1, ids);
    columns.keep_ids(other, 1, ids);
    CHECK(columns.ids(other, 2) == ids);
    CHECK(columns.ids(other, std::uint64_t{1} << 32) == nullptr); // of another index
    CHECK(columns.figures().columns == 1);
    columns.drop_unused();
    CHECK(columns.figures().columns == 0);
}
