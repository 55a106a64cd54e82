#include "app/admin/channel.h"

#include "app/admin/folder_lock.h"
#include "app/admin/terminal.h"
#include "tests/support/must.h"
#include "tests/support/temp_folder.h"

#include <fstream>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace slashpost;
using namespace slashpost::admin;
using slashpost::test::must;
using slashpost::test::TempFolder;

namespace {

struct Ends {
    int ends[2] = {-1, -1};
    Ends() { REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0); }
};

std::string contents(const std::filesystem::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

TEST_CASE("a frame is its type, its length and its payload", "[channel]") {
    const Ends pair;
    Channel channel(pair.ends[0]);
    must(channel.send(FrameType::output, "abc"));
    char bytes[16] = {};
    REQUIRE(::read(pair.ends[1], bytes, sizeof bytes) == 8);
    CHECK(std::string(bytes, 8) == std::string("O\0\0\0\3abc", 8));
    ::close(pair.ends[1]);
}

TEST_CASE("frames arrive as they were sent, also large and empty ones", "[channel]") {
    const Ends pair;
    Channel one(pair.ends[0]);
    Channel other(pair.ends[1]);
    const std::string large(frame_payload_max, 'x');
    std::thread sender([&] {
        static_cast<void>(one.send(FrameType::output, large));
        static_cast<void>(one.send(FrameType::note, ""));
    });
    const auto first = other.receive();
    const auto last = other.receive();
    sender.join();
    CHECK(must(first)->payload == large);
    CHECK(must(last)->type == FrameType::note);
    CHECK(must(last)->payload.empty());
}

TEST_CASE("a peer that closed between frames is an end, within a frame an error", "[channel]") {
    const Ends pair;
    Channel channel(pair.ends[0]);
    CHECK_FALSE(channel.peer_gone());
    REQUIRE(::write(pair.ends[1], "O\0\0\0\5abc", 8) == 8);
    ::close(pair.ends[1]);
    CHECK_FALSE(channel.receive().has_value());
    CHECK_FALSE(must(channel.receive()).has_value());
    CHECK(channel.peer_gone());
    CHECK_FALSE(channel.send(FrameType::note, "x").has_value());
}

TEST_CASE("a length beyond the bound is refused before anything is read", "[channel]") {
    const Ends pair;
    Channel channel(pair.ends[0]);
    REQUIRE(::write(pair.ends[1], "O\xff\xff\xff\xff", 5) == 5);
    const auto frame = channel.receive();
    REQUIRE_FALSE(frame.has_value());
    CHECK(frame.error().kind == ErrorKind::malformed);
    ::close(pair.ends[1]);
}

TEST_CASE("arguments keep spaces and empty ones; a cut list is none", "[channel]") {
    const std::vector<std::string> arguments{"domain", "a b", "", "--x"};
    CHECK(encode_arguments(arguments) == std::string("domain\0a b\0\0--x\0", 16));
    CHECK(decode_arguments(encode_arguments(arguments)) == arguments);
    CHECK(decode_arguments("") == std::vector<std::string>{});
    CHECK(decode_arguments("abc") == std::nullopt);
}

TEST_CASE("a folder's lock is one process's until it is given back", "[folder]") {
    const TempFolder folder;
    {
        auto lock = must(FolderLock::take(folder.path()));
        REQUIRE(lock.has_value());
        CHECK_FALSE(must(FolderLock::take(folder.path())).has_value());
        CHECK(lock_holder(folder.path()) == "process " + std::to_string(::getpid()));
        const FolderLock moved = std::move(*lock);
        lock.reset();
        CHECK_FALSE(must(FolderLock::take(folder.path())).has_value());
    }
    CHECK(must(FolderLock::take(folder.path())).has_value());
    const auto missing = FolderLock::take(folder.path() / "missing");
    REQUIRE_FALSE(missing.has_value());
    CHECK_THAT(missing.error().message, Catch::Contains("missing"));
}

TEST_CASE("a result file appears only when it is whole", "[terminal]") {
    const TempFolder folder;
    const auto file = folder.path() / "dump.jsonl";
    {
        const auto terminal = must(Terminal::into_file(file));
        must(terminal->write("half"));
    }
    CHECK(std::filesystem::is_empty(folder.path()));
    const auto terminal = must(Terminal::into_file(file));
    must(terminal->write("who"));
    must(terminal->write("le"));
    CHECK_FALSE(std::filesystem::exists(file));
    must(terminal->finish());
    CHECK(contents(file) == "whole");
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
    CHECK_FALSE(Terminal::into_file(folder.path() / "no" / "where").has_value());
}
