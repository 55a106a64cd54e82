#include "tests/storage/journal_folder.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <thread>

using namespace slashpost;
using namespace slashpost::test;
using namespace std::string_literals;

TEST_CASE("a segment file looks as its header's comment draws it", "[journal]") {
    const Folder folder;
    auto journal = open_small(folder, 3).value();
    auto* lane = journal->lane(2).value();
    REQUIRE(lane->append("hello world!"));
    REQUIRE(lane->append("hello world!"));

    REQUIRE(folder.names() == std::vector{"0002-00000000000000000000.segment"s});
    const auto bytes = bytes_of(folder.file("0002-00000000000000000000.segment"));
    CHECK(bytes == "SPJOURNL"         // magic
                   "\x01\0\0\0"       // format
                   "\x02\0\0\0"       // lane
                   "\0\0\0\0\0\0\0\0" // first record
                   "\x0c\0\0\0"       // record bytes
                   "\x03\0\0\0"       // slots
                   "\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                   "\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                   "\xf3\xce\xae\x9a"             // checksum
                   "hello world!\x77\x57\xcb\x49" // record 0
                   "hello world!\x47\x83\xba\x78" // record 1: another checksum, as its number is another
                   "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"s);
}

TEST_CASE("a lane numbers its records from 0 and gives them back in order, across segments", "[journal]") {
    const Folder folder;
    auto journal = open_small(folder).value();
    auto* lane = journal->lane(0).value();
    std::vector<std::string> expected;
    for (std::uint64_t i = 0; i < 11; ++i) {
        CHECK(journal->end(0) == i);
        REQUIRE(lane->append(record(i)));
        expected.push_back(record(i));
    }
    CHECK(journal->record_bytes() == record_bytes);
    CHECK(journal->begin(0) == 0);
    CHECK(records(*journal, 0) == expected);
    CHECK(records(*journal, 0, 9) == std::vector{record(9), record(10)});
    CHECK(records(*journal, 0, 11).empty());
    CHECK(folder.names() == std::vector{"0000-00000000000000000000.segment"s,
                                        "0000-00000000000000000004.segment"s,
                                        "0000-00000000000000000008.segment"s});
}

TEST_CASE("a visit that answers false ends the reading", "[journal]") {
    const Folder folder;
    auto journal = open_small(folder).value();
    auto* lane = journal->lane(0).value();
    for (std::uint64_t i = 0; i < 9; ++i)
        REQUIRE(lane->append(record(i)));
    int seen = 0;
    REQUIRE(journal->read(0, 2, [&](data::BytesView) { return ++seen < 5; }));
    CHECK(seen == 5);
}

TEST_CASE("lanes are apart, and one that nobody writes to any more is still there", "[journal]") {
    const Folder folder;
    {
        auto journal = open_small(folder).value();
        REQUIRE(journal->lane(0).value()->append(record(7)));
        REQUIRE(journal->lane(3).value()->append(record(8)));
        CHECK(journal->lane_count() == 4);
        CHECK(journal->end(1) == 0);
        CHECK(records(*journal, 1).empty());
    }
    auto journal = open_small(folder).value();
    CHECK(journal->lane_count() == 4);
    CHECK(records(*journal, 0) == std::vector{record(7)});
    CHECK(records(*journal, 3) == std::vector{record(8)});
    CHECK(journal->end(9) == 0);
    CHECK_FALSE(journal->lane(storage::journal_lanes_max).has_value());
}

TEST_CASE("a reopened journal goes on where it stopped", "[journal]") {
    const Folder folder;
    for (std::uint64_t i = 0; i < 10; ++i) { // a stop after every record, so also at each segment's end
        auto journal = open_small(folder).value();
        REQUIRE(journal->end(0) == i);
        REQUIRE(journal->lane(0).value()->append(record(i)));
        REQUIRE(records(*journal, 0, i) == std::vector{record(i)});
    }
    auto journal = open_small(folder).value();
    CHECK(records(*journal, 0).size() == 10);
}

TEST_CASE("released records give their files back, the last segment stays", "[journal]") {
    const Folder folder;
    auto journal = open_small(folder).value();
    auto* lane = journal->lane(0).value();
    for (std::uint64_t i = 0; i < 9; ++i)
        REQUIRE(lane->append(record(i)));

    REQUIRE(journal->release(0, 7));
    CHECK(journal->begin(0) == 4);
    CHECK(records(*journal, 0, 7) == std::vector{record(7), record(8)});
    REQUIRE(journal->release(0, 9));
    CHECK(journal->begin(0) == 8);
    CHECK(folder.names() == std::vector{"0000-00000000000000000008.segment"s});

    journal.reset();
    journal = open_small(folder).value();
    CHECK(journal->end(0) == 9);
    CHECK(journal->begin(0) == 8);
}

TEST_CASE("a file that somebody reads is not written to again", "[journal]") {
    const Folder folder;
    auto journal = open_small(folder, 4).value();
    auto* lane = journal->lane(0).value();
    for (std::uint64_t number = 0; number < 9; ++number)
        REQUIRE(lane->append(record(number)));
    std::vector<std::string> seen;
    REQUIRE(journal->read(0, 0, [&](data::BytesView bytes) {
        if (seen.empty()) {
            REQUIRE(journal->release(0, 8));
            for (std::uint64_t number = 9; number < 30; ++number)
                REQUIRE(lane->append(record(number)));
        }
        seen.emplace_back(bytes);
        return seen.size() < 8;
    }));
    CHECK(seen == std::vector{record(0), record(1), record(2), record(3), record(4), record(5), record(6),
                              record(7)});
}

TEST_CASE("the next segment is prepared ahead by whoever releases or syncs", "[journal]") {
    const Folder folder;
    auto journal = open_small(folder).value();
    auto* lane = journal->lane(0).value();
    REQUIRE(lane->append(record(0)));
    REQUIRE(journal->sync());
    CHECK(folder.names().size() == 1);
    REQUIRE(lane->append(record(1)));
    REQUIRE(journal->sync());
    CHECK(folder.names().back() == "0000-00000000000000000004.segment");

    // A prepared segment that was never used is no trouble for the next process.
    journal.reset();
    journal = open_small(folder).value();
    lane = journal->lane(0).value();
    for (std::uint64_t i = 2; i < 9; ++i)
        REQUIRE(lane->append(record(i)));
    CHECK(records(*journal, 0).size() == 9);
}

TEST_CASE("a journal with a thread makes the next segment while the writer is in the middle of one",
          "[journal]") {
    const Folder folder;
    auto journal =
        storage::open_journal(
            {.folder = folder.path(), .record_bytes = record_bytes, .segment_bytes = 64 + 4 * slot_bytes})
            .value();
    auto* lane = journal->lane(0).value();
    for (std::uint64_t middle = 2; middle < 40; middle += 4) {
        while (journal->end(0) <= middle)
            REQUIRE(lane->append(record(journal->end(0))));
        const auto next = fmt::format("0000-{:020}.segment", middle + 2);
        const auto is_there = [&] { return std::ranges::count(folder.names(), next) == 1; };
        for (int tries = 0; tries < 2000 && !is_there(); ++tries)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        CHECK(is_there());
    }
    CHECK(records(*journal, 0).size() == 39);
}

TEST_CASE("a position beyond the end moves the end up to it", "[journal]") {
    const Folder folder;
    auto journal = open_small(folder).value();
    REQUIRE(journal->lane(0).value()->append(record(0)));
    journal.reset();

    journal = open_small(folder).value();
    REQUIRE(journal->release(0, 100));
    REQUIRE(journal->release(5, 40)); // a lane of which no file is left at all
    CHECK(journal->begin(0) == 100);
    CHECK(journal->end(0) == 100);
    CHECK(journal->lane_count() == 6);
    REQUIRE(journal->lane(0).value()->append(record(100)));
    REQUIRE(journal->lane(5).value()->append(record(40)));
    CHECK(records(*journal, 0, 100) == std::vector{record(100)});
    CHECK(folder.names() ==
          std::vector{"0000-00000000000000000100.segment"s, "0005-00000000000000000040.segment"s});

    journal.reset();
    journal = open_small(folder).value();
    CHECK(journal->end(0) == 101);
    CHECK(records(*journal, 5, 40) == std::vector{record(40)});
}

TEST_CASE("records of an older build keep their size", "[journal]") {
    const Folder folder;
    {
        auto journal = open_small(folder).value();
        auto* lane = journal->lane(0).value();
        for (std::uint64_t i = 0; i < 5; ++i)
            REQUIRE(lane->append(record(i)));
    }
    const auto open_wider = [&] {
        return storage::open_journal({.folder = folder.path(), .record_bytes = 20, .segment_bytes = 200})
            .value();
    };
    const std::string wide(20, 'w');
    auto journal = open_wider();
    REQUIRE(journal->lane(0).value()->append(wide));
    CHECK(records(*journal, 0, 3) == std::vector{record(3), record(4), wide});
    REQUIRE(journal->release(0, 5));
    CHECK(journal->begin(0) == 5);

    journal.reset();
    journal = open_small(folder).value(); // and back, from a segment that is not full
    REQUIRE(journal->lane(0).value()->append(record(6)));
    CHECK(records(*journal, 0, 5) == std::vector{wide, record(6)});
}

TEST_CASE("a reader beside the writer sees a whole prefix of what was written", "[journal]") {
    const Folder folder;
    constexpr std::uint64_t total = 50'000;
    auto journal = open_small(folder, 1000).value();
    auto* lane = journal->lane(0).value();
    std::thread writer([&] {
        for (std::uint64_t i = 0; i < total; ++i)
            if (!lane->append(record(i)))
                return;
    });
    std::uint64_t position = 0, wrong = 0;
    while (position < total) {
        const auto end = journal->end(0);
        const auto from = position;
        REQUIRE(journal->read(0, from, [&](data::BytesView bytes) {
            wrong += bytes != record(position);
            ++position;
            return true;
        }));
        wrong += position < end;
        REQUIRE(journal->release(0, position));
        REQUIRE(journal->sync());
    }
    writer.join();
    CHECK(wrong == 0);
    CHECK(position == total);
    CHECK(folder.names().size() <= 2);
}

TEST_CASE("a folder that another journal has open is refused", "[journal]") {
    const Folder folder;
    const auto journal = open_small(folder).value();
    const auto second = open_small(folder);
    REQUIRE_FALSE(second.has_value());
    CHECK(second.error().kind == ErrorKind::unavailable);
}
