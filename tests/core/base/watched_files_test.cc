#include "core/base/watched_files.h"
#include "tests/support/temp_folder.h"

#include <catch2/catch.hpp>

#include <fstream>

using namespace slashpost;
using Patience = WatchedFiles::Patience;

namespace {

struct Fixture {
    test::TempFolder folder;
    std::filesystem::path chain = folder.path() / "chain", key = folder.path() / "key";
    WatchedFiles files{{chain, key}};

    static void write(const std::filesystem::path& file, std::string_view text) {
        std::ofstream(file) << text;
    }
};

} // namespace

TEST_CASE_METHOD(Fixture, "files are read once, and again when one of them is another") {
    write(chain, "1");
    write(key, "1");
    CHECK(files.is_due(Patience::none));
    CHECK(files.take());
    CHECK_FALSE(files.is_due(Patience::one_look));
    CHECK_FALSE(files.is_due(Patience::none));
    write(key, "22");
    CHECK(files.is_due(Patience::one_look));
    CHECK(files.take());
    CHECK_FALSE(files.is_due(Patience::one_look));
}

TEST_CASE_METHOD(Fixture, "what cannot be read is told of at the second look, and once") {
    write(chain, "half");
    REQUIRE(files.is_due(Patience::one_look));
    CHECK_FALSE(files.refuse());
    REQUIRE(files.is_due(Patience::one_look));
    CHECK(files.refuse());
    CHECK_FALSE(files.is_due(Patience::one_look));
    write(chain, "half again");
    REQUIRE(files.is_due(Patience::one_look));
    CHECK_FALSE(files.refuse());
}

TEST_CASE_METHOD(Fixture, "whoever asks to look now hears at once, and again") {
    write(chain, "broken");
    for (int i = 0; i < 2; ++i) {
        REQUIRE(files.is_due(Patience::none));
        CHECK(files.refuse());
    }
}

TEST_CASE_METHOD(Fixture, "files that changed while they were read are read again") {
    write(chain, "1");
    write(key, "1");
    REQUIRE(files.is_due(Patience::one_look));
    write(key, "22");
    CHECK_FALSE(files.take());
    CHECK(files.is_due(Patience::one_look));
    CHECK(files.take());
}

TEST_CASE_METHOD(Fixture, "what was good before may come back") {
    write(chain, "1");
    write(key, "1");
    REQUIRE(files.is_due(Patience::none));
    REQUIRE(files.take());
    const auto changed = std::filesystem::last_write_time(key);
    std::filesystem::rename(key, folder.path() / "aside");
    REQUIRE(files.is_due(Patience::one_look));
    CHECK_FALSE(files.refuse());
    CHECK_FALSE(files.are_missing());
    std::filesystem::rename(folder.path() / "aside", key);
    REQUIRE(std::filesystem::last_write_time(key) == changed);
    CHECK_FALSE(files.is_due(Patience::one_look));
}

TEST_CASE_METHOD(Fixture, "files may be missing from the beginning") {
    REQUIRE(files.is_due(Patience::none));
    CHECK(files.are_missing());
    CHECK(files.refuse());
    write(chain, "1");
    CHECK(files.is_due(Patience::one_look));
    CHECK_FALSE(files.are_missing());
}
