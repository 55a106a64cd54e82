#include "core/schema/click_ranking.h"
#include "core/schema/ranking_cache.h"
#include "core/schema/spaces.h"
#include "storage/memory/engine.h"
#include "tests/support/must.h"

#include <algorithm>
#include <random>
#include <thread>

using namespace slashpost;
using namespace slashpost::test;
using data::Order;

namespace {

template <class I>
I id_of(std::uint64_t number) {
    I id;
    for (std::size_t i = 0; i < 8; ++i)
        id.bytes[7 - i] = static_cast<std::uint8_t>(number >> (8 * i));
    return id;
}

const auto main_workspace = id_of<WorkspaceId>(1);

// A ranking of a workspace without links and clicks.
ClickRanking empty_ranking(RankedBy by, WorkspaceId workspace = main_workspace) {
    const auto engine = storage::make_memory_engine(space::all);
    return must(engine->read(
        [&](data::View& view) { return ClickRanking::read(view, workspace, by, id_of<LinkId>(1)); }));
}

struct Folded {
    std::vector<FoldedLink> links;
    FoldedClicks clicks;

    Folded(std::uint64_t before, std::vector<FoldedLink> given)
        : links(std::move(given)),
          clicks{.before = before, .after = before + 1, .links = links} {}
    Folded(const Folded&) = delete;
    Folded& operator=(const Folded&) = delete;
};

// A fold that clicks the first so many links of a workspace once each.
std::vector<FoldedLink> clicks_on(std::uint64_t links, WorkspaceId workspace = main_workspace) {
    std::vector<FoldedLink> out;
    out.reserve(links);
    for (std::uint64_t i = 0; i < links; ++i)
        out.push_back(
            {.workspace = workspace, .link = id_of<LinkId>(i + 1), .clicks = 1, .last = Timestamp{7}});
    return out;
}

std::vector<RankedLink> walked(const ClickRanking& ranking, Order order,
                               const std::optional<RankedLink>& after, const std::vector<LinkId>& others) {
    std::vector<RankedLink> out;
    must(ranking.walk(order, after, others, [&](const RankedLink& place) -> Result<bool> {
        out.push_back(place);
        return true;
    }));
    return out;
}

} // namespace

TEST_CASE("a ranking after any folds is what sorting all links gives", "[ranking]") {
    std::mt19937 random(20261121);
    const auto below = [&](std::uint64_t bound) { return random() % bound; };
    for (const auto by : {RankedBy::clicks, RankedBy::last_click}) {
        auto ranking = empty_ranking(by);
        std::map<LinkId, std::int64_t> model; // what each is ranked by
        std::uint64_t horizon = 1;            // ids below it were told of
        for (std::uint64_t round = 0; round < 60; ++round) {
            std::map<LinkId, FoldedLink> links;
            for (auto count = below(round % 9 == 0 ? 3000 : 40); count > 0; --count) {
                const auto link = id_of<LinkId>(1 + below(6000));
                links[link] = {.workspace = main_workspace,
                               .link = link,
                               .clicks = static_cast<std::int64_t>(1 + below(3)),
                               .last = Timestamp{static_cast<std::int64_t>(1 + below(5000))}};
            }
            std::vector<FoldedLink> given;
            given.reserve(links.size());
            for (const auto& [link, folded] : links)
                given.push_back(folded);
            Folded fold(round, given);
            fold.clicks.keeps_later = below(2) == 0;
            ranking = ranking.folded(fold.clicks, fold.links);
            for (const auto& folded : given) {
                auto& value = model[folded.link];
                if (by == RankedBy::clicks)
                    value += folded.clicks;
                else
                    value = fold.clicks.keeps_later ? std::max(value, folded.last.ms) : folded.last.ms;
            }
            if (below(3) == 0) {
                std::vector<LinkId> settled;
                const auto until = horizon + below(300);
                for (; horizon < until; ++horizon) {
                    settled.push_back(id_of<LinkId>(horizon));
                    model.try_emplace(settled.back());
                }
                ranking = ranking.grown(settled, id_of<LinkId>(horizon));
            }
            CHECK(ranking.epoch() == round + 1);
            CHECK(ranking.links() == static_cast<std::int64_t>(horizon - 1));

            std::vector<RankedLink> expected;
            expected.reserve(model.size());
            for (const auto& [link, value] : model)
                expected.push_back({.value = value, .link = link});
            std::vector<LinkId> others; // that a reader adds
            for (auto id = horizon; id < horizon + 5; ++id)
                if (!model.contains(id_of<LinkId>(id))) {
                    others.push_back(id_of<LinkId>(id));
                    expected.push_back({.value = 0, .link = others.back()});
                    CHECK_FALSE(ranking.value_of(others.back()));
                }
            std::ranges::sort(expected);
            CHECK(walked(ranking, Order::forward, std::nullopt, others) == expected);
            if (expected.empty())
                continue;
            const auto at = static_cast<std::ptrdiff_t>(below(expected.size()));
            const auto after = expected[static_cast<std::size_t>(at)];
            CHECK(ranking.value_of(after.link).value_or(0) == after.value);
            CHECK(walked(ranking, Order::forward, after, others) ==
                  std::vector(expected.begin() + at + 1, expected.end()));
            std::vector before(expected.begin(), expected.begin() + at);
            std::ranges::reverse(before);
            CHECK(walked(ranking, Order::backward, after, others) == before);
        }
    }
}

TEST_CASE("a ranking takes 28 bytes a link, and a fold copies little of it", "[ranking]") {
    const Folded many(0, clicks_on(100'000));
    const auto ranking = empty_ranking(RankedBy::clicks).folded(many.clicks, many.links);
    CHECK(ranking.bytes_besides(nullptr) >= 2'800'000);
    CHECK(ranking.bytes_besides(nullptr) < 2'810'000);
    const Folded few(1, clicks_on(100));
    const auto next = ranking.folded(few.clicks, few.links);
    CHECK(next.bytes_besides(&ranking) < 4'000);
}

TEST_CASE("a ranking is made once and follows the folds", "[ranking]") {
    RankingCache cache;
    int made = 0;
    const auto make = [&]() -> Result<ClickRanking> {
        ++made;
        return empty_ranking(RankedBy::clicks);
    };
    const auto get = [&](std::uint64_t epoch) {
        return must(cache.get(main_workspace, RankedBy::clicks, epoch, make));
    };
    CHECK_FALSE(cache.in_use());
    CHECK_FALSE(cache.find(main_workspace, RankedBy::clicks, 0));
    get(0);
    get(0);
    CHECK(made == 1);
    CHECK(cache.in_use());

    const Folded first(0, clicks_on(2));
    {
        RankingCache::Fold fold(cache, first.clicks);
        CHECK(get(1)->value_of(id_of<LinkId>(2)) == 1); // others see the commit before it returns
        CHECK(get(0)->value_of(id_of<LinkId>(2)) == std::nullopt);
        fold.committed();
    }
    CHECK(get(1)->value_of(id_of<LinkId>(2)) == 1);
    CHECK(get(0)->value_of(id_of<LinkId>(2)) == std::nullopt);
    CHECK(made == 1);

    const Folded lost(1, clicks_on(5));
    {
        const RankingCache::Fold fold(cache, lost.clicks);
    } // failed
    CHECK_FALSE(cache.find(main_workspace, RankedBy::clicks, 2));
    CHECK(get(1)->value_of(id_of<LinkId>(5)) == std::nullopt);
    CHECK(made == 1);
}

TEST_CASE("a ranking that missed a fold is not given out any more", "[ranking]") {
    RankingCache cache;
    const auto make = [] { return Result<ClickRanking>(empty_ranking(RankedBy::clicks)); };
    must(cache.get(main_workspace, RankedBy::clicks, 0, make));
    CHECK_FALSE(cache.find(main_workspace, RankedBy::clicks, 1));
    const Folded second(1, clicks_on(1));
    RankingCache::Fold fold(cache, second.clicks);
    fold.committed();
    CHECK_FALSE(cache.find(main_workspace, RankedBy::clicks, 0));
    CHECK_FALSE(cache.find(main_workspace, RankedBy::clicks, 2));
    CHECK(cache.figures().rankings == 0);
}

TEST_CASE("folds that are committed while a ranking is read are in it afterwards", "[ranking]") {
    RankingCache cache;
    const Folded first(0, clicks_on(3)), second(1, clicks_on(2));
    const auto ranking = must(cache.get(main_workspace, RankedBy::clicks, 0, [&]() -> Result<ClickRanking> {
        for (const auto* folded : {&first, &second}) {
            RankingCache::Fold fold(cache, folded->clicks);
            fold.committed();
        }
        return empty_ranking(RankedBy::clicks);
    }));
    CHECK(ranking->epoch() == 0);
    const auto latest = cache.find(main_workspace, RankedBy::clicks, 2);
    REQUIRE(latest);
    CHECK(latest->value_of(id_of<LinkId>(1)) == 2);
    CHECK(latest->value_of(id_of<LinkId>(3)) == 1);
    CHECK(cache.find(main_workspace, RankedBy::clicks, 1)->value_of(id_of<LinkId>(1)) == 1);
}

TEST_CASE("of several that ask for a ranking at once, one reads it", "[ranking]") {
    RankingCache cache;
    std::atomic<int> made = 0;
    std::vector<std::jthread> threads;
    threads.reserve(4);
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            const auto got = cache.get(main_workspace, RankedBy::clicks, 0, [&]() -> Result<ClickRanking> {
                ++made;
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
                return empty_ranking(RankedBy::clicks);
            });
            if (!got.has_value() || (*got)->epoch() != 0)
                made += 100;
        });
    threads.clear();
    CHECK(made == 1);
}

TEST_CASE("a ranking that cannot be read leaves nothing behind", "[ranking]") {
    RankingCache cache;
    const auto got = cache.get(main_workspace, RankedBy::clicks, 0, [] {
        return Result<ClickRanking>(std::unexpected(Error{.kind = ErrorKind::fault}));
    });
    CHECK_FALSE(got.has_value());
    CHECK_FALSE(cache.in_use());
    CHECK(cache.figures().rankings == 0);
}

TEST_CASE("rankings need no more memory than they may; the one not asked for longest goes", "[ranking]") {
    RankingCache cache({.bytes_max = 100'000, .slots_max = 6});
    const auto ask = [&](std::uint64_t workspace, std::uint64_t links) {
        must(cache.get(id_of<WorkspaceId>(workspace), RankedBy::clicks, 1, [&]() -> Result<ClickRanking> {
            const Folded folded(0, clicks_on(links));
            return empty_ranking(RankedBy::clicks).folded(folded.clicks, folded.links);
        }));
    };
    const auto is_kept = [&](std::uint64_t workspace) {
        return cache.find(id_of<WorkspaceId>(workspace), RankedBy::clicks, 1) != nullptr;
    };
    ask(1, 1500); // 42 000 bytes
    ask(2, 1500);
    CHECK(is_kept(1));
    ask(3, 1500);
    CHECK_FALSE(is_kept(2));
    CHECK(is_kept(1));
    CHECK(is_kept(3));
    CHECK(cache.figures().bytes < 100'000);
    ask(4, 5000); // more than there may be
    CHECK_FALSE(is_kept(4));
    CHECK(cache.figures().bytes < 100'000);
    for (std::uint64_t workspace = 10; workspace < 30; ++workspace)
        ask(workspace, 1);
    CHECK(cache.figures().rankings == 6);
    CHECK(is_kept(29));
}

TEST_CASE("a ranking that grows too large with the folds goes", "[ranking]") {
    RankingCache cache({.bytes_max = 100'000});
    must(cache.get(main_workspace, RankedBy::clicks, 0,
                   [] { return Result<ClickRanking>(empty_ranking(RankedBy::clicks)); }));
    const Folded many(0, clicks_on(10'000));
    RankingCache::Fold fold(cache, many.clicks);
    fold.committed();
    CHECK(cache.figures().bytes == 0);
    CHECK_FALSE(cache.in_use());
}

TEST_CASE("a ranking that nobody asks for goes", "[ranking]") {
    RankingCache cache({.unused_max = std::chrono::milliseconds(0)});
    must(cache.get(main_workspace, RankedBy::clicks, 0,
                   [] { return Result<ClickRanking>(empty_ranking(RankedBy::clicks)); }));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK_FALSE(cache.in_use());
    CHECK(cache.figures().rankings == 0);
}
