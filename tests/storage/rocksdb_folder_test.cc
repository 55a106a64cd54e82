// What happens around a store's folder: opening again, refusing, peeking, damage.
#include "core/base/errors.h"
#include "core/data/measured.h"
#include "core/data/merging.h"
#include "storage/open.h"
#include "tests/support/must.h"
#include "tests/support/temp_folder.h"

#include <catch2/catch.hpp>

#include <array>
#include <fstream>
#include <map>
#include <vector>

namespace slashpost::storage {

namespace {

namespace fs = std::filesystem;
using data::Bytes;
using data::Engine;
using data::Pattern;
using data::Space;
using data::Txn;
using data::View;
using test::must;
using Maybe = std::optional<Bytes>;

constexpr Space rows{1, "rows", Pattern::rows};
constexpr Space hot{2, "hot", Pattern::hot_lookup};
constexpr std::array both{rows, hot};
constexpr std::array only_rows{rows};

std::string where(const test::TempFolder& folder) { return "rocksdb:" + (folder.path() / "store").string(); }

std::unique_ptr<Engine> must_open(const std::string& name, std::span<const Space> spaces = both) {
    return must(open(name, spaces));
}

void put(Engine& engine, const Space& space, std::string_view key, std::string_view value) {
    must(engine.transact([&](Txn& txn) { return txn.put(space, key, value); }));
}

// Every file with its bytes: to see that nothing was touched.
std::map<std::string, Bytes> contents(const fs::path& folder) {
    std::map<std::string, Bytes> files;
    for (const auto& file : fs::directory_iterator(folder)) {
        std::ifstream in(file.path(), std::ios::binary);
        files[file.path().filename()] = Bytes(std::istreambuf_iterator<char>(in), {});
    }
    return files;
}

// Turns over the bits of one byte in the middle of each file that has `part` in its name.
int damage(const fs::path& folder, std::string_view part) {
    int damaged = 0;
    for (const auto& file : fs::directory_iterator(folder))
        if (file.path().filename().string().find(part) != std::string::npos) {
            std::fstream bytes(file.path(), std::ios::in | std::ios::out | std::ios::binary);
            const auto place = static_cast<std::streamoff>(file.file_size() / 2);
            bytes.seekg(place);
            const int byte = bytes.get();
            bytes.seekp(place);
            bytes.put(static_cast<char>(~byte));
            ++damaged;
        }
    return damaged;
}

} // namespace

TEST_CASE("a store that is opened again holds everything", "[contract]") {
    const test::TempFolder folder;
    for (int start = 0; start < 3; ++start) {
        auto engine = must_open(where(folder));
        for (int before = 0; before < start; ++before)
            CHECK(must(engine->get_now(hot, std::to_string(before))) == "value");
        put(*engine, hot, std::to_string(start), "value");
        REQUIRE(engine->transact([](Txn& txn) { return txn.add("starts", 2); }).has_value());
        CHECK(must(engine->read([](View& view) { return view.sum("starts"); })) == 2 * (start + 1));
        CHECK(engine->verify_checksums().has_value());
        CHECK(engine->figures().writable);
        CHECK(engine->figures().disk_bytes > 0);
    }
}

TEST_CASE("a store written relaxed keeps everything over an orderly end", "[contract]") {
    const test::TempFolder folder;
    {
        auto engine = open(where(folder), both, {.durability = data::Durability::relaxed});
        REQUIRE(engine.has_value());
        put(**engine, rows, "k", "v");
    }
    CHECK(must(must_open(where(folder))->get_now(rows, "k")) == "v");
}

TEST_CASE("an orderly end leaves nothing in the log for the next start to read", "[contract]") {
    const test::TempFolder folder;
    const auto in_log = [&] {
        std::uintmax_t bytes = 0;
        for (const auto& file : fs::directory_iterator(folder.path() / "store"))
            bytes += file.path().extension() == ".log" ? file.file_size() : 0;
        return bytes;
    };
    auto engine = must_open(where(folder));
    put(*engine, rows, "k", "v");
    put(*engine, hot, "k", "w");
    CHECK(in_log() > 0);
    engine.reset();
    CHECK(in_log() == 0);
    engine = must_open(where(folder));
    CHECK(must(engine->get_now(rows, "k")) == "v");
    CHECK(must(engine->get_now(hot, "k")) == "w");
}

TEST_CASE("a space that is new is added to an old store", "[contract]") {
    const test::TempFolder folder;
    put(*must_open(where(folder), only_rows), rows, "k", "v");
    auto engine = must_open(where(folder), both);
    put(*engine, hot, "k", "w");
    CHECK(must(engine->get_now(rows, "k")) == "v");
}

TEST_CASE("a folder in use is refused, and peeking into it too", "[contract]") {
    const test::TempFolder folder;
    auto engine = must_open(where(folder));
    put(*engine, rows, "k", "v");
    const auto before = contents(folder.path() / "store");
    const auto path = fs::canonical(folder.path() / "store").string();
    for (const auto& name : {where(folder), where(folder) + "/../store/"}) {
        const auto second = open(name, both);
        REQUIRE(!second.has_value());
        CHECK(second.error().code == "StoreInUse");
        CHECK(second.error().message == "The folder " + path + " is in use by another slashpost process.");
        CHECK(peek(name, rows, "k").error().code == "StoreInUse");
    }
    CHECK(contents(folder.path() / "store") == before);
    put(*engine, rows, "k", "w");
}

TEST_CASE("a store with a space of a newer version is refused untouched", "[contract]") {
    const test::TempFolder folder;
    put(*must_open(where(folder), both), hot, "k", "v");
    const auto before = contents(folder.path() / "store");
    const auto opened = open(where(folder), only_rows);
    REQUIRE(!opened.has_value());
    CHECK(opened.error().code == "StoreNewer");
    CHECK(opened.error().message.find("has a space 'hot' that this version does not know") !=
          std::string::npos);
    CHECK(contents(folder.path() / "store") == before);
    CHECK(must(must_open(where(folder))->get_now(hot, "k")) == "v");
}

TEST_CASE("peeking reads one value of a closed store and changes nothing", "[contract]") {
    const test::TempFolder folder;
    const Maybe nothing;
    CHECK(must(peek(where(folder), rows, "k")) == nothing); // missing
    CHECK(!fs::exists(folder.path() / "store"));
    fs::create_directory(folder.path() / "store");
    CHECK(must(peek(where(folder), rows, "k")) == nothing); // empty
    CHECK(fs::is_empty(folder.path() / "store"));

    put(*must_open(where(folder), only_rows), rows, "k", "v");
    const auto before = contents(folder.path() / "store");
    CHECK(must(peek(where(folder), rows, "k")) == "v");
    CHECK(must(peek(where(folder), rows, "other")) == nothing);
    CHECK(must(peek(where(folder), hot, "k")) == nothing); // a space that the store does not have yet
    CHECK(contents(folder.path() / "store") == before);
}

TEST_CASE("a damaged store is refused in clear words", "[contract]") {
    const test::TempFolder folder;
    const auto path = folder.path() / "store";
    put(*must_open(where(folder)), rows, "k", "v");

    SECTION("without its file CURRENT, and nothing is deleted") {
        fs::remove(path / "CURRENT");
        const auto before = contents(path);
        CHECK(open(where(folder), both).error().code == "StoreDamaged");
        CHECK(peek(where(folder), rows, "k").error().code == "StoreDamaged");
        CHECK(contents(path) == before);
    }
    SECTION("with a broken list of files") {
        REQUIRE(damage(path, "MANIFEST") == 1);
        const auto opened = open(where(folder), both);
        REQUIRE(!opened.has_value());
        CHECK(opened.error().kind == ErrorKind::refused);
        CHECK(opened.error().message.starts_with("The store in "));
    }
    SECTION("without a data file") {
        bool removed = false;
        for (const auto& file : fs::directory_iterator(path))
            if (file.path().extension() == ".sst")
                removed = fs::remove(file.path());
        REQUIRE(removed);
        const auto opened = open(where(folder), both);
        REQUIRE(!opened.has_value());
        CHECK(opened.error().code == "StoreDamaged");
    }
    SECTION("on a path that is a file") {
        const auto opened = open("rocksdb:" + (path / "CURRENT").string(), both);
        REQUIRE(!opened.has_value());
        CHECK(opened.error().code == "StoreUnusable");
    }
}

TEST_CASE("a changed byte in a data file is found", "[contract]") {
    const test::TempFolder folder;
    {
        auto engine = must_open(where(folder), only_rows);
        for (int i = 0; i < 200; ++i)
            put(*engine, rows, std::to_string(i), Bytes(500, static_cast<char>('a' + i % 26)));
    }
    {
        auto engine = must_open(where(folder), only_rows);
        CHECK(engine->verify_checksums().has_value());
        auto& measured = dynamic_cast<data::Measured&>(*engine);
        std::vector<double> told;
        CHECK(measured
                  .verify_files([&](double fraction) -> Result<void> {
                      told.push_back(fraction);
                      return {};
                  })
                  .has_value());
        CHECK(told == std::vector{1.0}); // one file
        CHECK_FALSE(
            measured.verify_files([](double) { return conflict("the caller has gone"); }).has_value());
    }
    REQUIRE(damage(folder.path() / "store", ".sst") == 1);
    auto engine = must_open(where(folder), only_rows);
    const auto verified = engine->verify_checksums();
    REQUIRE(!verified.has_value());
    CHECK(verified.error().kind == ErrorKind::fault);
    // Reading it is a fault, never wrong bytes.
    const auto read = engine->read([](View& view) {
        return view.scan(rows, {}, data::Order::forward, [](auto, auto) { return true; });
    });
    REQUIRE(!read.has_value());
    CHECK(read.error().kind == ErrorKind::fault);
}

TEST_CASE("a folder where a creation was cut off is taken as new", "[contract]") {
    const test::TempFolder folder;
    fs::create_directory(folder.path() / "store");
    std::ofstream(folder.path() / "store" / "LOG") << "a start that did not come far\n";
    std::ofstream(folder.path() / "store" / "MANIFEST-000001") << "half";
    put(*must_open(where(folder)), rows, "k", "v");
}

TEST_CASE("a sum on disk is eight bytes, little-endian, two's complement", "[contract]") {
    CHECK(data::encode_sum(0) == Bytes("\0\0\0\0\0\0\0\0", 8));
    CHECK(data::encode_sum(258) == Bytes("\x02\x01\0\0\0\0\0\0", 8));
    CHECK(data::encode_sum(-2) == Bytes("\xfe\xff\xff\xff\xff\xff\xff\xff", 8));
    CHECK(data::decode_sum(Bytes("\xff\xff\xff\xff\xff\xff\xff\x7f", 8)) == INT64_MAX);
    CHECK(data::decode_sum(Bytes("\0\0\0\0\0\0\0\x80", 8)) == INT64_MIN);
    CHECK(data::decode_sum("") == std::nullopt);
    CHECK(data::decode_sum("123456789") == std::nullopt);
}

TEST_CASE("scans of who walks through a whole store need no memory for what they have passed", "[contract]") {
    const test::TempFolder folder;
    {
        const auto engine = must_open(where(folder));
        must(engine->transact([](Txn& txn) -> Result<void> {
            for (int i = 0; i < 1000; ++i)
                TRY(txn.put(rows, std::to_string(i), Bytes(10'000, 'x')));
            return {};
        }));
    }
    const auto memory_after_scan = [&](bool scans_fill_cache) {
        const auto engine = must(open(where(folder), both, {.scans_fill_cache = scans_fill_cache}));
        int count = 0;
        must(engine->read([&](View& view) {
            return view.scan(rows, {}, data::Order::forward,
                             [&](data::BytesView, data::BytesView) { return ++count > 0; });
        }));
        CHECK(count == 1000);
        return engine->figures().memory_bytes;
    };
    CHECK(memory_after_scan(true) > 8'000'000);
    CHECK(memory_after_scan(false) < 2'000'000);
}

} // namespace slashpost::storage
