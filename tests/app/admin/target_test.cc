#include "app/admin/terminal.h"

#include "tests/support/must.h"
#include "tests/support/temp_folder.h"

#include <array>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace slashpost;
using namespace slashpost::admin;
using namespace slashpost::test;

namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_to(const fs::path& file, std::string_view text) {
    const auto terminal = must(Terminal::into_file(file));
    must(terminal->write(text));
    must(terminal->finish());
}

std::string refusal_of(const fs::path& file) {
    const auto made = Terminal::into_file(file);
    return made.has_value() ? "" : made.error().message;
}

} // namespace

TEST_CASE("a result goes to where symbolic links lead, and they stay", "[target]") {
    const TempFolder folder;
    fs::create_directory(folder.path() / "disk");
    std::ofstream(folder.path() / "disk" / "today") << "old";
    fs::create_symlink("disk/today", folder.path() / "latest");
    fs::create_symlink(folder.path() / "latest", folder.path() / "alias");
    write_to(folder.path() / "alias", "new");
    CHECK(contents(folder.path() / "disk" / "today") == "new");
    CHECK(fs::is_symlink(folder.path() / "alias"));
    CHECK(fs::is_symlink(folder.path() / "latest"));
}

TEST_CASE("a result is written into a pipe and into a device", "[target]") {
    const TempFolder folder;
    const auto pipe = folder.path() / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    REQUIRE(reader >= 0);
    write_to(pipe, "through");
    std::array<char, 16> got{};
    CHECK(::read(reader, got.data(), got.size()) == 7);
    CHECK(std::string(got.data()) == "through");
    ::close(reader);
    CHECK(fs::is_fifo(pipe));

    fs::create_symlink("/dev/null", folder.path() / "away");
    write_to(folder.path() / "away", "gone");
    CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a result does not go into a folder, a socket, nowhere or round in circles", "[target]") {
    const TempFolder folder;
    CHECK(refusal_of(folder.path()) == "cannot write " + folder.path().string() + ": it is a folder");
    fs::create_symlink("missing", folder.path() / "dangling");
    CHECK(refusal_of(folder.path() / "dangling") ==
          "cannot write " + (folder.path() / "missing").string() + ": No such file or directory");
    fs::create_symlink("two", folder.path() / "one");
    fs::create_symlink("one", folder.path() / "two");
    CHECK_THAT(refusal_of(folder.path() / "one"), Catch::EndsWith("too many symbolic links"));
}

TEST_CASE("what somebody else put into a folder of everybody's is no target", "[target]") {
    if (::geteuid() != 0) // only root can make files of others
        return;
    constexpr uid_t nobody = 65534;
    const TempFolder folder;
    fs::permissions(folder.path(), fs::perms::all | fs::perms::sticky_bit);
    std::ofstream(folder.path() / "secret") << "old";
    fs::create_symlink("secret", folder.path() / "trap");
    REQUIRE(::lchown((folder.path() / "trap").c_str(), nobody, nobody) == 0);
    CHECK_THAT(refusal_of(folder.path() / "trap"), Catch::Contains("belongs to somebody else"));
    CHECK(contents(folder.path() / "secret") == "old");

    std::ofstream(folder.path() / "planted") << "old";
    REQUIRE(::chown((folder.path() / "planted").c_str(), nobody, nobody) == 0);
    fs::permissions(folder.path() / "planted", fs::perms::all);
    write_to(folder.path() / "planted", "new");
    struct stat about{};
    REQUIRE(::stat((folder.path() / "planted").c_str(), &about) == 0);
    CHECK(about.st_uid == 0);
    CHECK((about.st_mode & 0777U) == 0600U);
}
