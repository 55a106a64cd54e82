#include "app/admin/new_file.h"

#include "tests/support/must.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void put(const fs::path& file, std::string_view text) { std::ofstream(file, std::ios::binary) << text; }

std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
}

unsigned mode_of(const fs::path& file) {
    struct stat about{};
    REQUIRE(::stat(file.c_str(), &about) == 0);
    return about.st_mode & 07777U;
}

} // namespace

TEST_CASE("a new file is under its name when it is whole, and for its owner only", "[new file]") {
    const TempFolder folder;
    const auto path = folder.path() / "keys";
    const auto before = ::umask(0);
    {
        auto file = must(NewFile::begin(path));
        must(file.write("one "));
        must(file.write("two"));
        CHECK_FALSE(fs::exists(path));
        must(file.finish());
    }
    ::umask(before);
    CHECK(contents(path) == "one two");
    CHECK(mode_of(path) == 0600U);
    CHECK(names_in(folder.path()) == std::vector<std::string>{"keys"});
}

TEST_CASE("a new file takes the place of an old one, and keeps neither its mode nor its other names",
          "[new file]") {
    const TempFolder folder;
    const auto path = folder.path() / "keys", other = folder.path() / "other";
    put(path, "old");
    fs::create_hard_link(path, other);
    fs::permissions(path, fs::perms::all);
    auto file = must(NewFile::begin(path));
    must(file.write("new"));
    CHECK(contents(path) == "old");
    must(file.finish());
    CHECK(contents(path) == "new");
    CHECK(mode_of(path) == 0600U);
    CHECK(contents(other) == "old");
}

TEST_CASE("a new file that is given up leaves nothing", "[new file]") {
    const TempFolder folder;
    const auto path = folder.path() / "keys";
    put(path, "old");
    {
        auto file = must(NewFile::begin(path));
        must(file.write("half"));
    }
    CHECK(contents(path) == "old");
    CHECK(names_in(folder.path()) == std::vector<std::string>{"keys"});
}

TEST_CASE("what is written meanwhile has a name that nobody knows before", "[new file]") {
    const TempFolder folder;
    const auto name_of_part = [&] {
        const auto file = must(NewFile::begin(folder.path() / "keys"));
        return names_in(folder.path()).front();
    };
    const auto one = name_of_part(), other = name_of_part();
    CHECK(one != other);
    CHECK(one.size() == std::string("keys.0123456789abcdef.part").size());
}

TEST_CASE("a part that a killed program left is removed, one that is being written is not", "[new file]") {
    const TempFolder folder;
    put(folder.path() / "keys.0123456789abcdef.part", "left");
    put(folder.path() / "keys.0123456789abcdeg.part", "no such name");
    put(folder.path() / "keys.part", "neither");
    put(folder.path() / "other.0123456789abcdef.part", "of another file");
    fs::create_symlink(folder.path() / "keys.part", folder.path() / "keys.0123456789abcde0.part");
    auto first = must(NewFile::begin(folder.path() / "keys"));
    auto second = must(NewFile::begin(folder.path() / "keys"));
    auto names = names_in(folder.path());
    CHECK(std::ranges::count_if(names, [](const auto& name) { return name.starts_with("keys."); }) == 5);
    CHECK(std::ranges::find(names, "keys.0123456789abcdef.part") == names.end());
    must(first.write("one"));
    must(first.finish());
    must(second.write("two"));
    must(second.finish());
    CHECK(contents(folder.path() / "keys") == "two");
    CHECK(names_in(folder.path()) == std::vector<std::string>{"keys", "keys.0123456789abcde0.part",
                                                              "keys.0123456789abcdeg.part", "keys.part",
                                                              "other.0123456789abcdef.part"});
}

TEST_CASE("a file that cannot be made is a sentence with its name and the reason", "[new file]") {
    const TempFolder folder;
    const auto made = NewFile::begin(folder.path() / "no" / "where");
    REQUIRE_FALSE(made.has_value());
    CHECK(made.error().message ==
          "cannot write " + (folder.path() / "no" / "where").string() + ": No such file or directory");
    fs::create_directory(folder.path() / "taken");
    auto over_a_folder = must(NewFile::begin(folder.path() / "taken"));
    const auto finished = over_a_folder.finish();
    REQUIRE_FALSE(finished.has_value());
    CHECK(finished.error().message ==
          "cannot write " + (folder.path() / "taken").string() + ": Is a directory");
}
