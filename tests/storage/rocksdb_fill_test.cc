// Fills of a RocksDB store that are larger than the memory they sort in, and that are cut off.
#include "core/data/counts.h"
#include "core/data/fill.h"
#include "storage/open.h"
#include "tests/support/must.h"
#include "tests/support/temp_folder.h"

#include <catch2/catch.hpp>

#include <array>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <random>

namespace slashpost::storage {

namespace {

using data::Bytes;
using data::BytesView;
using data::Pattern;
using data::Space;
using data::Txn;
using test::must;

constexpr Space rows{1, "rows", Pattern::rows};
constexpr Space hot{2, "hot", Pattern::hot_lookup};
constexpr Space counted{3, "counted", Pattern::counts};
constexpr Space logged{4, "logged", Pattern::logs};
constexpr std::array spaces{rows, hot, counted, logged};

std::unique_ptr<data::Engine> open_small(const test::TempFolder& folder, bool scans_fill_cache = true) {
    return must(open("rocksdb:" + folder.path().string(), spaces,
                     {.scans_fill_cache = scans_fill_cache, .write_buffers_bytes = 8 << 20}));
}

} // namespace

TEST_CASE("a fill of many runs and many files holds what a plain map would", "[rocksdb]") {
    const test::TempFolder folder;
    const auto engine = open_small(folder);
    const auto fill = must(data::begin_fill(*engine));
    std::mt19937_64 random(1);
    std::map<Bytes, Bytes> model;
    std::map<Bytes, std::int64_t> sums;
    for (int batch = 0; batch < 200; ++batch)
        must(fill->write([&](Txn& txn) -> Result<void> {
            for (int i = 0; i < 50; ++i) {
                const auto key = fmt::format("{:016x}", random());
                const auto [at, is_new] = model.emplace(key, Bytes(random() % 10'000, 'x') + key);
                REQUIRE(is_new);
                TRY(txn.put(i % 2 == 0 ? rows : hot, key, at->second));
                const auto shared = fmt::format("{}", random() % 1000);
                ++sums[shared];
                TRY(txn.add(shared, 1));
                TRY(txn.add_counts(counted, shared, data::Counts::of({{"n", 1}})));
            }
            return {};
        }));
    must(fill->finish());

    must(engine->read([&](data::View& view) -> Result<void> {
        std::map<Bytes, Bytes> found;
        for (const auto& space : {rows, hot})
            TRY(view.scan(space, {}, data::Order::forward,
                          [&](BytesView key, BytesView value) { return found.emplace(key, value).second; }));
        CHECK((found == model));
        std::map<Bytes, std::int64_t> tallies, counts;
        TRY(view.scan_tallies({}, data::Order::forward, [&](BytesView key, std::int64_t sum) {
            return tallies.emplace(key, sum).second;
        }));
        TRY(view.scan(counted, {}, data::Order::forward, [&](BytesView key, BytesView value) {
            return counts.emplace(key, must(data::Counts::decode(value)).of("n")).second;
        }));
        CHECK((tallies == sums));
        CHECK((counts == sums));
        return {};
    }));
    must(engine->verify_checksums());
}

TEST_CASE("fills over what the store has end as a plain map would", "[rocksdb]") {
    const test::TempFolder folder;
    const auto engine = open_small(folder);
    std::mt19937_64 random(2);
    std::map<Bytes, Bytes> model, logs;
    // Keys with beginnings in common, some of which are the beginning of others, with zeroes behind it too.
    const auto some_key = [&] {
        auto key = Bytes(random() % 3, '\0') + fmt::format("{}", random() % 3000);
        return random() % 2 == 0 ? key : "a common beginning" + key + Bytes(random() % 12, '\0');
    };
    for (int round = 0; round < 3; ++round) {
        const auto fill = must(data::begin_fill(*engine));
        std::map<Bytes, std::optional<Bytes>> written;
        must(fill->write([&](Txn& txn) -> Result<void> { // all appends in one, so in order
            for (int i = 0; i < 4000; ++i) {
                const auto key = some_key();
                const auto value = Bytes(random() % 9'000, 'x') + fmt::format("{}", random());
                const auto log = fmt::format("{}", random() % 10);
                const auto more = fmt::format("{},", i);
                logs[log] += more;
                TRY(txn.append(logged, log, more));
                const bool erases = random() % 4 == 0;
                if (!written.emplace(key, erases ? std::nullopt : std::optional(value)).second)
                    continue;
                TRY(erases ? txn.erase(rows, key) : txn.put(rows, key, value));
            }
            return {};
        }));
        must(fill->finish());
        for (const auto& [key, value] : written)
            value ? void(model.insert_or_assign(key, *value)) : void(model.erase(key));
    }
    must(engine->read([&](data::View& view) -> Result<void> {
        const auto all_of = [&](const Space& space) {
            std::map<Bytes, Bytes> found;
            must(view.scan(space, {}, data::Order::forward,
                           [&](BytesView key, BytesView value) { return found.emplace(key, value).second; }));
            return found;
        };
        CHECK((all_of(rows) == model));
        CHECK((all_of(logged) == logs));
        return {};
    }));
    must(engine->verify_checksums());
}

TEST_CASE("all that is added to one key counts, however much of it a run has", "[rocksdb]") {
    const test::TempFolder folder;
    const auto engine = open_small(folder);
    const auto fill = must(data::begin_fill(*engine));
    Bytes log;
    must(
        fill->write([&](Txn& txn) -> Result<void> { // runs of several parts, all of which begin with that key
            for (int i = 0; i < 60'000; ++i) {
                const auto more = fmt::format("{:0100}", i);
                log += more;
                TRY(txn.append(logged, "log", more));
            }
            return {};
        }));
    must(fill->finish());
    CHECK((must(engine->get_now(logged, "log")) == log));
}

TEST_CASE("a key twice is found in whichever runs it is", "[rocksdb]") {
    const test::TempFolder folder;
    const auto engine = open_small(folder);
    const auto fill = must(data::begin_fill(*engine));
    for (int i = 0; i < 3000; ++i)
        must(fill->write(
            [&](Txn& txn) { return txn.put(rows, fmt::format("{}", i % 2999), Bytes(10'000, 'x')); }));
    CHECK_FALSE(fill->finish().has_value());
}

TEST_CASE("scans of who walks through a whole store need no memory for what they have passed", "[rocksdb]") {
    const test::TempFolder folder;
    {
        const auto engine = open_small(folder);
        const auto fill = must(data::begin_fill(*engine));
        must(fill->write([](Txn& txn) -> Result<void> {
            for (int i = 0; i < 1000; ++i)
                TRY(txn.put(rows, fmt::format("{}", i), Bytes(10'000, 'x')));
            return {};
        }));
        must(fill->finish());
    }
    const auto memory_after_scan = [&](bool scans_fill_cache) {
        const auto engine = open_small(folder, scans_fill_cache);
        int count = 0;
        must(engine->read([&](data::View& view) {
            return view.scan(rows, {}, data::Order::forward,
                             [&](BytesView, BytesView) { return ++count > 0; });
        }));
        CHECK(count == 1000);
        return engine->figures().memory_bytes;
    };
    CHECK(memory_after_scan(true) > 8'000'000);
    CHECK(memory_after_scan(false) < 2'000'000);
}

TEST_CASE("what a killed fill left in the folder goes when the store is opened", "[rocksdb]") {
    const test::TempFolder folder;
    open_small(folder);
    std::filesystem::create_directory(folder.path() / "fill");
    std::ofstream(folder.path() / "fill/0-1.sst") << "rest";
    const auto engine = open_small(folder);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "fill"));
}

} // namespace slashpost::storage
