// The folder's thread over a journal of files, with writers at work.
#include "tests/core/redirect/redirect_world.h"
#include "tests/support/wrapped_engine.h"

#include "core/clicks/click_aggregator.h"
#include "core/schema/rollups.h"
#include "storage/journal/journal.h"
#include "tests/support/temp_folder.h"

#include <atomic>
#include <thread>

using namespace slashpost;
using namespace slashpost::test;
using namespace slashpost::redirect;
using namespace std::chrono_literals;

namespace {

struct Fixture {
    TempFolder folder;
    std::unique_ptr<data::Engine> inner = storage::make_memory_engine(space::all);
    WrappedEngine engine{*inner};
    std::unique_ptr<data::Journal> journal = open();

    std::unique_ptr<data::Journal> open() {
        return storage::open_journal({.folder = folder.path().string(),
                                      .record_bytes = click_record_bytes,
                                      .segment_bytes = 64 * 1024})
            .value();
    }
    static bool click(data::JournalLane& lane) {
        const auto record = encode_click(
            {.link = link_id, .workspace = workspace_id, .domain = domain_id, .time = Timestamp{1'000}});
        return lane.append({record.data(), record.size()});
    }
    // For five seconds at most; what is checked next tells of the rest.
    static void wait_while(const auto& goes_on) {
        for (int waits = 0; waits < 5'000 && goes_on(); ++waits)
            std::this_thread::sleep_for(1ms);
    }
    std::int64_t clicks() {
        return inner->read([&](data::View& view) { return clicks_of_workspace(view, workspace_id); })
            .value()
            .clicks;
    }
};

} // namespace

TEST_CASE_METHOD(Fixture, "clicks of several writers are folded while they write, and all at the end",
                 "[clicks]") {
    constexpr int per_writer = 20'000;
    ClickAggregator clicks_folder(engine, *journal, {.fold_every = 2ms});
    REQUIRE(clicks_folder.start());
    std::vector<std::thread> writers;
    writers.reserve(3);
    std::atomic<int> refused = 0;
    for (std::uint32_t number = 0; number < 3; ++number)
        writers.emplace_back([&, lane = journal->lane(number).value()] {
            for (int i = 0; i < per_writer; ++i)
                refused += !click(*lane);
        });
    for (auto& writer : writers)
        writer.join();
    REQUIRE(clicks_folder.stop());
    CHECK(refused == 0);
    CHECK(clicks() == 3 * per_writer);
    CHECK(clicks_folder.figures().folded == 3 * per_writer);
    CHECK(clicks_folder.figures().failures == 0);
}

TEST_CASE_METHOD(Fixture, "what an earlier process left is folded at the start", "[clicks]") {
    REQUIRE(click(*journal->lane(5).value()));
    journal.reset();
    journal = open();
    ClickAggregator clicks_folder(engine, *journal, {});
    REQUIRE(clicks_folder.start());
    wait_while([&] { return clicks() == 0; });
    CHECK(clicks() == 1);
}

TEST_CASE_METHOD(Fixture,
                 "a store that does not take what an earlier process left does not hold up the start",
                 "[clicks]") {
    REQUIRE(click(*journal->lane(5).value()));
    engine.fails = WrappedEngine::Fails::to_go_on;
    ClickAggregator clicks_folder(engine, *journal, {});
    REQUIRE(clicks_folder.start());
    CHECK(clicks() == 0);
    engine.fails = WrappedEngine::Fails::never;
    REQUIRE(clicks_folder.stop());
    CHECK(clicks() == 1);
}

TEST_CASE_METHOD(Fixture, "a fold on request takes in everything recorded before", "[clicks]") {
    auto* lane = journal->lane(0).value();
    REQUIRE(click(*lane));
    ClickAggregator clicks_folder(engine, *journal, {.fold_every = 1h});
    REQUIRE(clicks_folder.start());
    wait_while([&] { return clicks_folder.figures().folded == 0; });
    REQUIRE(clicks_folder.figures().folded == 1); // for an hour the thread does nothing
    for (int i = 2; i <= 4; ++i) {
        REQUIRE(click(*lane));
        CHECK(clicks_folder.fold_now().value().clicks == 1);
        CHECK(clicks() == i);
    }
}

TEST_CASE_METHOD(Fixture, "a click is in totals and statistics at the same moment", "[clicks]") {
    auto* lane = journal->lane(0).value();
    ClickAggregator clicks_folder(engine, *journal, {.fold_every = 1ms});
    REQUIRE(clicks_folder.start());
    std::int64_t last = 0;
    for (int i = 0; i < 2'000; ++i) {
        REQUIRE(click(*lane));
        inner
            ->read([&](data::View& view) -> Result<void> {
                last = TRY(clicks_of_workspace(view, workspace_id)).clicks;
                RollupReader reader(view);
                CHECK(TRY(reader.lifetime(Subject::of(workspace_id))).sum(group::clicks) == last);
                CHECK(TRY(reader.lifetime(Subject::of(link_id, workspace_id))).sum(group::clicks) == last);
                CHECK(TRY(clicks_of_link(view, workspace_id, link_id)).clicks == last);
                return {};
            })
            .value();
    }
    wait_while([&] { return clicks() < 2'000; });
    CHECK(clicks() == 2'000);
}

TEST_CASE_METHOD(Fixture, "a store that takes no writes is told of once, and loses nothing", "[clicks]") {
    std::atomic<int> told = 0;
    ClickAggregator clicks_folder(engine, *journal,
                                  {.fold_every = 1ms, .on_trouble = [&](const Error& error) {
                                       told += error.kind == ErrorKind::unavailable ? 1 : 100;
                                   }});
    REQUIRE(clicks_folder.start());
    auto* lane = journal->lane(0).value();
    REQUIRE(clicks_folder.fold_now());
    engine.fails = WrappedEngine::Fails::before_commit;
    REQUIRE(click(*lane));
    wait_while([&] { return clicks_folder.figures().failures < 3; });
    CHECK(clicks_folder.figures().failures >= 3);
    CHECK(told == 1);
    engine.fails = WrappedEngine::Fails::never;
    wait_while([&] { return clicks() == 0; });
    CHECK(clicks() == 1);
    REQUIRE(clicks_folder.stop());
    REQUIRE(clicks_folder.stop());
}

TEST_CASE_METHOD(Fixture, "a store that takes no writes does not keep a server from starting", "[clicks]") {
    REQUIRE(click(*journal->lane(0).value()));
    std::atomic<int> told = 0;
    engine.fails = WrappedEngine::Fails::before_commit;
    ClickAggregator clicks_folder(engine, *journal,
                                  {.fold_every = 1h, .on_trouble = [&](const Error&) { ++told; }});
    REQUIRE(clicks_folder.start());
    wait_while([&] { return told == 0; });
    CHECK(told == 1);
    CHECK(clicks() == 0);
    engine.fails = WrappedEngine::Fails::never;
    REQUIRE(clicks_folder.stop());
    CHECK(clicks() == 1);
}
