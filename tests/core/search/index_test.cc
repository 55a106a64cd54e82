// The search index of workspaces with many links: what it answers, always compared with a look at every link.
#include "tests/core/search/big_world.h"
#include "tests/support/counting_engine.h"
#include "tests/support/wrapped_engine.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

using Fails = WrappedEngine::Fails;

void compare_everything(BigWorld& big, int rounds) {
    for (int round = 0; round < rounds; ++round) {
        const auto filter = big.some_filter();
        big.compare_count(filter);
        big.compare_page(filter);
        const auto term = big.some_term();
        INFO("term " << term);
        big.compare_search(term, big.chance(2) ? filter : LinkFilter{});
    }
}

std::size_t marks(data::Engine& engine) {
    std::size_t count = 0;
    must(engine.read([&](data::View& view) {
        return view.scan(space::unindexed, {}, data::Order::forward, [&](data::BytesView, data::BytesView) {
            ++count;
            return true;
        });
    }));
    return count;
}

std::size_t entries(data::Engine& engine, const data::Space& space) {
    std::size_t count = 0;
    must(engine.read([&](data::View& view) {
        return view.scan(space, {}, data::Order::forward, [&](data::BytesView, data::BytesView) {
            ++count;
            return true;
        });
    }));
    return count;
}

} // namespace

TEST_CASE("a large index answers what a look at all links answers", "[search_index][long][volume]") {
    BigWorld big(66'000); // more than a chunk
    big.index_all();
    CHECK(marks(*big.world.engine) == 0);
    compare_everything(big, 25);
    for (const auto* term :
         {"sale", "https://www.", ".com/", "www", "le", "sale-1", "wholesale", ".html", "-65999"})
        big.compare_search(term, {});
    for (int i = 0; i < 400; ++i)
        big.change_one();
    compare_everything(big, 10); // the index is behind
    big.index_all();
    compare_everything(big, 10);
}

TEST_CASE("an indexed workspace is counted, listed and searched with few look-ups", "[search_index]") {
    auto counting = std::make_unique<CountingEngine>(storage::make_memory_engine(space::all));
    auto& engine = *counting;
    BigWorld big(5000, std::move(counting));
    big.index_all();
    const auto looked = [&](auto work) {
        engine.take();
        must(big.world.read(work));
        const int rows = engine.rows();
        auto seen = engine.take();
        return std::tuple(seen.gets["links"], seen.gets["postings"], rows);
    };
    const LinkFilter filter{
        .creators = {big.world.installed.account.id}, .favourite = false, .active = false};
    {
        const auto [links, postings, rows] = looked([&](Context& ctx) { return count_links(ctx, filter); });
        CHECK(links == 0);
        CHECK(postings == 4); // active, any, creator, favourite
        CHECK(rows < 10);
    }
    {
        const auto [links, postings, rows] =
            looked([&](Context& ctx) { return list_links(ctx, filter, {.limit = 25}); });
        CHECK(links <= 26);
        CHECK(postings < 20);
        CHECK(rows < 120); // of the scripts, tags and so on that details are made of
    }
    for (const auto* term : {"sale", "wholesale", "ttps://", "-4999", "nowhere"}) {
        INFO(term);
        const auto [links, postings, rows] = looked(
            [&](Context& ctx) { return search_links(ctx, {.term = term, .filter = {}}, {.limit = 25}); });
        CHECK(links <= 50);
        CHECK(postings < 200);
        CHECK(rows < 300);
    }
}

TEST_CASE("a small workspace gets no index, and one that grows does", "[search_index]") {
    BigWorld big(999);
    search::Indexer indexer(*big.world.engine);
    CHECK(must(indexer.run_batch()) == std::nullopt);
    CHECK(entries(*big.world.engine, space::documents) == 0);
    CHECK(big.index_findings().empty());
    compare_everything(big, 3);
    make_link(big.world, "one-more");
    CHECK(must(indexer.run_batch()) == 1000);
    CHECK(must(indexer.run_batch()) == std::nullopt);
    CHECK(marks(*big.world.engine) == 0);
    CHECK(big.index_findings().empty());
}

TEST_CASE("the indexer may fail anywhere and be thrown away", "[search_index]") {
    BigWorld big(600);
    WrappedEngine engine(*big.world.engine);
    for (int round = 0; round < 200; ++round) {
        for (auto changes = big.below(8); changes > 0; --changes)
            big.change_one();
        search::Indexer indexer(engine, 1, 1 + big.below(100));
        for (auto batches = big.below(4); batches > 0; --batches) {
            engine.fails = std::array{Fails::never, Fails::before_commit, Fails::after_commit,
                                      Fails::and_runs_again}[big.below(4)];
            (void)indexer.run_batch();
        }
        compare_everything(big, 2);
        if (round % 20 == 0) {
            compare_everything(big, 2);
            CHECK(big.index_findings().empty());
        }
    }
    big.index_all();
    compare_everything(big, 10);
}

TEST_CASE("a link that changes while it is indexed is indexed again", "[search_index]") {
    BigWorld big(50);
    search::Indexer indexer(*big.world.engine, 1);
    int runs = 0;
    WrappedEngine engine(*big.world.engine);
    engine.meanwhile = [&] {
        if (++runs == 1)
            big.change_one();
    };
    search::Indexer late(engine, 1);
    CHECK(must(late.run_batch()) == 50);
    CHECK(runs == 2);
    CHECK(big.index_findings().empty());
    compare_everything(big, 5);
}

TEST_CASE("an index that is discarded is made anew", "[search_index]") {
    BigWorld big(1200);
    big.index_all();
    must(mark_links(*big.world.engine));
    CHECK(must(search::discard_indexes(*big.world.engine)) == 1);
    compare_everything(big, 3);
    big.index_all();
    CHECK(marks(*big.world.engine) == 0);
    compare_everything(big, 3);
}

TEST_CASE("a change of text over and over does not make the index grow for ever", "[search_index]") {
    BigWorld big(64);
    big.index_all();
    const auto link = make_link(big.world, "often");
    std::size_t largest = 0;
    for (int i = 0; i < 300; ++i) {
        must(big.world.update(
            link.id, {.title = Change<std::string>::set(std::string(100, 'x') + std::to_string(i))}));
        search::Indexer indexer(*big.world.engine, 1);
        must(indexer.run_batch());
        must(big.world.engine->read([&](data::View& view) {
            return view.scan(space::postings, {}, data::Order::forward,
                             [&](data::BytesView, data::BytesView value) {
                                 largest = std::max(largest, value.size());
                                 return true;
                             });
        }));
    }
    CHECK(largest < 20'000); // 65 texts, of which 64 have some 80 bytes
    CHECK(big.index_findings().empty());
}

TEST_CASE("the check of the index finds what is wrong with it", "[search_index]") {
    BigWorld big(300);
    big.index_all();
    auto& engine = *big.world.engine;
    const auto workspace = big.world.installed.account.default_workspace;
    const auto damaged = [&](const data::Space& space, const data::Bytes& key, const data::Bytes& value) {
        const auto before = must(engine.get_now(space, key));
        must(engine.transact([&](data::Txn& txn) {
            return value.empty() ? txn.erase(space, key) : txn.put(space, key, value);
        }));
        const auto found = big.index_findings();
        must(engine.transact(
            [&](data::Txn& txn) { return before ? txn.put(space, key, *before) : txn.erase(space, key); }));
        return found;
    };
    const auto posting = search::posting_key(workspace, 0, search::gram_term(search::gram_of("sal")));
    CHECK(damaged(space::postings, posting, "").find("postings, not") != std::string::npos);
    CHECK(damaged(space::postings, posting, "\x10").find("is wrong") != std::string::npos);
    CHECK(!damaged(space::postings,
                   search::posting_key(workspace, 0, search::gram_term(search::gram_of("~~~"))),
                   std::string("\x00\x05", 2))
               .empty());
    CHECK(!damaged(space::postings, search::texts_key(workspace, 1), "").empty());
    CHECK(!damaged(space::postings, search::ids_key(workspace, 0), "").empty());
    CHECK(!damaged(space::documents, search::spans_key(workspace, 0), std::string(64, '\0')).empty());
    CHECK(!damaged(space::documents,
                   search::number_key(workspace, LinkId(*RawId::parse(std::string(32, 'f')))),
                   data::encode(search::IndexedLink{.number = 3}))
               .empty());
    CHECK(!damaged(space::documents, search::head_key(workspace), "").empty());
    CHECK(big.index_findings().empty());
}
