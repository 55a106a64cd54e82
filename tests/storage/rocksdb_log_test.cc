// The store's log when bits flip in it, and when it is cut off or full of holes.
#include "storage/open.h"
#include "storage/rocksdb/log_files.h"
#include "tests/support/must.h"
#include "tests/support/temp_folder.h"

#include <catch2/catch.hpp>

#include <array>
#include <fstream>
#include <random>

namespace slashpost::storage {

namespace {

namespace fs = std::filesystem;
using data::Bytes;
using data::Space;
using data::Txn;
using test::must;

constexpr std::array spaces{Space{1, "rows"}};
constexpr int rows_written = 12;

// Row 5 fills more than two blocks of the log.
Bytes value_of(int row) {
    std::mt19937 random(static_cast<unsigned>(row));
    Bytes value(row == 5 ? 70'000 : 100, '\0');
    for (char& byte : value)
        byte = static_cast<char>(random() % 255 + 1);
    return value;
}

Bytes bytes_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return Bytes(std::istreambuf_iterator<char>(in), {});
}

void write(const fs::path& file, std::string_view bytes) {
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// A store whose process was killed when it had written the rows.
struct Killed {
    Killed() {
        auto engine = must(open("rocksdb:" + (folder.path() / "first").string(), spaces));
        for (int row = 0; row < rows_written; ++row)
            must(engine->transact(
                [&](Txn& txn) { return txn.put(spaces[0], std::to_string(row), value_of(row)); }));
        fs::copy(folder.path() / "first", store);
        for (const auto& file : fs::directory_iterator(store))
            if (file.path().extension() == ".log")
                log = file.path();
        bytes = bytes_of(log);
        REQUIRE(bytes.size() > 70'000);
    }
    test::TempFolder folder;
    const fs::path store = folder.path() / "killed";
    fs::path log;
    Bytes bytes;

    [[nodiscard]] Bytes flipped(std::size_t at, int bit) const {
        auto copy = bytes;
        copy[at] = static_cast<char>(copy[at] ^ (1 << bit));
        return copy;
    }
    [[nodiscard]] Result<bool> check(std::string_view changed) const {
        write(log, changed);
        return check_logs(store.string(), false, {});
    }
    // How many of the rows a store with this log has, from the first.
    [[nodiscard]] Result<int> open_with(std::string_view changed, bool accepts_loss) const {
        const auto copy = folder.path() / "copy";
        fs::remove_all(copy);
        fs::copy(store, copy);
        write(copy / log.filename(), changed);
        auto engine = TRY(open("rocksdb:" + copy.string(), spaces, {.accepts_loss = accepts_loss}));
        int found = 0;
        while (TRY(engine->get_now(spaces[0], std::to_string(found))) == value_of(found))
            ++found;
        for (int row = found; row < rows_written; ++row)
            CHECK(!TRY(engine->get_now(spaces[0], std::to_string(row))));
        return found;
    }
};

} // namespace

TEST_CASE("a log as a killed process leaves it is whole", "[contract]") {
    const Killed killed;
    CHECK(must(killed.check(killed.bytes)) == false);
    CHECK(must(killed.open_with(killed.bytes, false)) == rows_written);
}

TEST_CASE("a flipped bit in the log is damage, wherever it is", "[contract]") {
    const Killed killed;
    const auto last_header = killed.bytes.size() - 140; // hardly longer than the last record
    for (std::size_t at = 0; at < last_header; at += at < 300 || at > 70'900 ? 1 : 211)
        for (const int bit : {0, 7}) {
            const auto checked = killed.check(killed.flipped(at, bit));
            CAPTURE(at, bit);
            REQUIRE(!checked.has_value());
            REQUIRE(checked.error().code == "StoreDamaged");
        }
}

TEST_CASE("a damaged log is refused untouched, and given up with a copy when loss is accepted",
          "[contract]") {
    const Killed killed;
    const auto at = GENERATE(as<std::size_t>(), 5, 300, 20'000, 50'000, 71'000);
    const auto changed = killed.flipped(at, 4);
    const auto refused = killed.open_with(changed, false);
    REQUIRE(!refused.has_value());
    CHECK(refused.error().code == "StoreDamaged");
    CHECK(refused.error().message.find("--accept-loss") != std::string::npos);
    const auto copy = killed.folder.path() / "copy" / killed.log.filename();
    CHECK(bytes_of(copy) == changed);

    const int found = must(killed.open_with(changed, true));
    CHECK(found < rows_written);
    CHECK(found >= (at < 1'000 ? 0 : 5));
    CHECK(bytes_of(copy.string() + ".damaged") == changed);
}

TEST_CASE("a log that is cut off anywhere is a torn end", "[contract]") {
    const Killed killed;
    for (std::size_t length = 0; length < killed.bytes.size(); length += length < 300 ? 1 : 211) {
        CAPTURE(length);
        REQUIRE(must(killed.check(std::string_view(killed.bytes).substr(0, length))) == false);
    }
    for (const std::size_t length : {0, 3, 200, 1'000, 40'000})
        CHECK(must(killed.open_with(std::string_view(killed.bytes).substr(0, length), false)) < rows_written);
}

TEST_CASE("sectors that a power cut took from the log are a torn end", "[contract]") {
    const Killed killed;
    std::mt19937 random(11);
    for (int round = 0; round < 100; ++round) {
        const auto synced = random() % killed.bytes.size();
        auto changed = killed.bytes;
        for (std::size_t at = synced / 512 * 512; at < changed.size(); at += 512)
            if (random() % 2 == 0)
                for (auto i = std::max(at, synced); i < std::min(at + 512, changed.size()); ++i)
                    changed[i] = '\0';
        CAPTURE(round, synced);
        const auto checked = killed.check(changed);
        if (!checked.has_value()) // a record was cut so near to a sector's end that it hardly lacks a byte
            CHECK(synced % 512 > 512 - 64);
    }
}

TEST_CASE("without logs there is nothing to check", "[contract]") {
    const test::TempFolder folder;
    CHECK(must(check_logs((folder.path() / "none").string(), false, {})) == false);
    CHECK(must(check_logs(folder.path().string(), false, {})) == false);
}

} // namespace slashpost::storage
