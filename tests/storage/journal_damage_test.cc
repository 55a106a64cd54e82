// Flipped bits and lost sectors: what is a torn end, and what is damage.
#include "storage/crc32c.h"
#include "storage/journal/segment.h"
#include "tests/storage/journal_folder.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <random>

using namespace slashpost;
using namespace slashpost::test;

namespace {

const std::string first_segment = "0000-00000000000000000000.segment";
const std::string second_segment = "0000-00000000000000000004.segment";
const std::string given_up(record_bytes, '\0');

// Seven records, in two segments of four.
void fill(const Folder& folder) {
    auto journal = open_small(folder).value();
    auto* lane = journal->lane(0).value();
    for (std::uint64_t number = 0; number < 7; ++number)
        REQUIRE(lane->append(record(number)));
}

void flip(const std::string& path, std::size_t at, int bit) {
    auto byte = bytes_of(path).at(at);
    byte = static_cast<char>(byte ^ (1 << bit));
    overwrite(path, at, {&byte, 1});
}

std::vector<std::string> all_but(std::optional<std::uint64_t> lost) {
    std::vector<std::string> out;
    for (std::uint64_t number = 0; number < 7; ++number)
        out.push_back(number == lost ? given_up : record(number));
    return out;
}

// A segment of `slots` wide records, the third or a later one, as an older build left it: in the file of two
// segments before, whose records are still there where nothing was written since.
constexpr std::size_t wide_bytes = 40, wide_slot_bytes = wide_bytes + 4;

std::string wide(std::uint64_t number) { return fmt::format("{:.>40}", number); }

std::string as_taken_again(const std::string& name, std::string bytes, std::size_t slots) {
    const auto first = storage::parse_segment_name(name)->first;
    if (first < 2 * slots)
        return bytes;
    const auto put = [&](std::size_t at, std::uint32_t value) {
        for (std::size_t i = 0; i < 4; ++i)
            bytes[at + i] = static_cast<char>(value >> (8 * i) & 0xff);
    };
    put(8, 2);
    put(60, storage::crc32c(0, std::string_view(bytes).substr(0, 60)));
    for (std::uint64_t i = 0; i < slots; ++i) {
        const auto at = 64 + i * wide_slot_bytes;
        if (bytes.substr(at, wide_slot_bytes) != std::string(wide_slot_bytes, '\0'))
            continue;
        const auto number = first + i - 2 * slots;
        bytes.replace(at, wide_bytes, wide(number));
        put(at + wide_bytes, storage::crc32c(static_cast<std::uint32_t>(number), wide(number)));
    }
    return bytes;
}

} // namespace

TEST_CASE("a flipped bit before the last record is damage, wherever it is", "[journal]") {
    const auto bit = GENERATE(0, 7);
    for (const auto& [name, first] : {std::pair(first_segment, 0U), std::pair(second_segment, 4U)}) {
        for (std::size_t at = 0; at < 64 + 4 * slot_bytes; ++at) {
            const auto number = at < 64 ? std::nullopt : std::optional(first + (at - 64) / slot_bytes);
            if (number >= 6U)
                break; // nothing whole stands behind it
            CAPTURE(name, at, bit);
            const Folder folder;
            fill(folder);
            flip(folder.file(name), at, bit);
            const auto before = bytes_of(folder.file(name));

            const auto opened = open_small(folder);
            REQUIRE_FALSE(opened.has_value());
            CHECK(opened.error().code == "StoreDamaged");
            CHECK(opened.error().message.starts_with("The file " + folder.file(name) + " is damaged: "));
            CHECK(opened.error().message.find("--accept-loss") != std::string::npos);
            CHECK(folder.names() == std::vector{first_segment, second_segment});
            CHECK(bytes_of(folder.file(name)) == before);

            auto journal = open_lossy(folder).value();
            CHECK(records(*journal, 0) == all_but(number));
            CHECK(bytes_of(folder.file(name + ".damaged")) == before);
            REQUIRE(journal->lane(0).value()->append(record(7)));
            journal.reset();
            CHECK(open_small(folder).value()->end(0) == 8);
        }
    }
}

TEST_CASE("a flipped bit in the last record or behind it is a torn end", "[journal]") {
    const auto at = GENERATE(range<std::size_t>(64 + 2 * slot_bytes, 64 + 4 * slot_bytes));
    const Folder folder;
    fill(folder);
    flip(folder.file(second_segment), at, 3);
    auto journal = open_small(folder).value();
    const bool in_last = at < 64 + 3 * slot_bytes;
    CHECK(journal->end(0) == (in_last ? 6 : 7));
    REQUIRE(journal->lane(0).value()->append(record(journal->end(0))));
    CHECK(records(*journal, 0, 6).front() == record(6));
}

TEST_CASE("several damaged records cost only themselves", "[journal]") {
    const Folder folder;
    fill(folder);
    for (const std::size_t slot : {1, 2, 3})
        flip(folder.file(first_segment), 64 + slot * slot_bytes + 1, 1);
    flip(folder.file(second_segment), 64 + 5, 1);
    const auto opened = open_small(folder);
    REQUIRE_FALSE(opened.has_value());
    CHECK(opened.error().message.find("3 of its records are broken, and whole ones stand behind them") !=
          std::string::npos);
    std::vector<std::string> told;
    auto journal = storage::open_journal({.folder = folder.path(),
                                          .record_bytes = record_bytes,
                                          .segment_bytes = 64 + 4 * slot_bytes,
                                          .accepts_loss = true,
                                          .notice = [&](std::string_view text) { told.emplace_back(text); },
                                          .has_thread = false})
                       .value();
    CHECK(records(*journal, 0) ==
          std::vector{record(0), given_up, given_up, given_up, given_up, record(5), record(6)});
    REQUIRE(told.size() == 2);
    CHECK(told[0] == "The damaged file " + folder.file(first_segment) + " is kept as " +
                         folder.file(first_segment) + ".damaged.");
}

// Files of several sectors, with records that lie across them.
TEST_CASE("sectors that a power cut took, in whatever order, are a torn end", "[journal]") {
    constexpr std::size_t slots = 400, file_bytes = 64 + slots * wide_slot_bytes;
    const auto open_wide = [&](const Folder& folder) {
        return storage::open_journal({.folder = folder.path(),
                                      .record_bytes = wide_bytes,
                                      .segment_bytes = file_bytes,
                                      .has_thread = false});
    };
    const bool taken_again = GENERATE(false, true);
    const std::size_t piece = taken_again ? 4096 : 512;
    std::mt19937 random(7);
    for (int round = 0; round < 60; ++round) {
        CAPTURE(round, taken_again);
        const Folder folder;
        const auto synced = (taken_again ? 2 * slots + 100U : 0U) + random() % 250;
        std::map<std::string, std::string> before;
        const auto keep = [&] {
            before.clear();
            for (const auto& name : folder.names())
                before[name] = bytes_of(folder.file(name));
        };
        {
            auto journal = open_wide(folder).value();
            auto* lane = journal->lane(0).value();
            std::uint64_t number = 0;
            for (; number < synced; ++number)
                REQUIRE(lane->append(wide(number)));
            REQUIRE(journal->sync());
            keep();
            for (const auto end = number + 1 + random() % 200; number < end; ++number)
                REQUIRE(lane->append(wide(number)));
        }
        if (taken_again)
            for (auto& [name, bytes] : before) {
                bytes = as_taken_again(name, bytes, slots);
                overwrite(folder.file(name), 0, as_taken_again(name, bytes_of(folder.file(name)), slots));
            }
        for (const auto& [name, bytes] : before) {
            auto now = bytes_of(folder.file(name));
            for (std::size_t at = 0; at < now.size(); at += piece)
                if (random() % 2 == 0)
                    now.replace(at, piece, bytes.substr(at, piece));
            overwrite(folder.file(name), 0, now);
        }
        const auto journal = open_wide(folder);
        REQUIRE(journal.has_value());
        CHECK((*journal)->end(0) >= synced);
        auto number = (*journal)->begin(0);
        for (const auto& bytes : records(**journal, 0, number))
            REQUIRE(bytes == wide(number++));
    }
}
