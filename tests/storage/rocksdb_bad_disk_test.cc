// The store when its disk fails in other ways than by being full, and when it is full at the start.
#include "storage/open.h"
#include "tests/storage/small_disk.h"
#include "tests/support/child_process.h"
#include "tests/support/must.h"
#include "tests/support/temp_folder.h"

#include <catch2/catch.hpp>

#include <array>
#include <csignal>
#include <mutex>
#include <utility>

#include <sys/resource.h>

namespace slashpost::storage {

namespace {

namespace fs = std::filesystem;
using data::Bytes;
using data::Engine;
using data::Space;
using data::Txn;
using test::must;
using test::within_seconds;

constexpr std::array spaces{Space{1, "rows"}};
constexpr const Space& rows = spaces[0];

// What the store says of itself.
struct Told {
    std::mutex mutex;
    std::vector<std::string> notices;
    std::string trouble;
    std::atomic<int> opened_again = 0, gave_up = 0;

    Options options() {
        Options options;
        options.reserve_bytes = 4 << 20;
        options.notice = [this](std::string_view text) {
            const std::lock_guard lock(mutex);
            notices.emplace_back(text);
        };
        options.trouble = [this](std::string_view text) {
            const std::lock_guard lock(mutex);
            trouble = text;
        };
        options.opened_again = [this] { ++opened_again; };
        return options;
    }
    std::string trouble_now() {
        const std::lock_guard lock(mutex);
        return trouble;
    }
};

bool reserve_is_made(const fs::path& disk) {
    std::error_code absent;
    return fs::file_size(disk / "store" / "reserve", absent) == Told().options().reserve_bytes;
}

std::unique_ptr<Engine> must_open(const fs::path& disk, const Options& options) {
    return must(open("rocksdb:" + (disk / "store").string(), spaces, options));
}

Result<void> write_row(Engine& engine, int row) {
    const auto value = test::noise(64 << 10);
    return engine.transact([&](Txn& txn) { return txn.put(rows, std::to_string(row), value); });
}

// Until one is refused; answers that refusal.
Error write_until_refused(Engine& engine, int& written) {
    for (; written < 5000; ++written)
        if (const auto done = write_row(engine, written); !done)
            return done.error();
    FAIL("none of 5,000 writes was refused");
    std::unreachable();
}

bool has_rows(Engine& engine, int count) {
    for (int row = 0; row < count; ++row)
        if (const auto value = engine.get_now(rows, std::to_string(row)); !value || !*value)
            return false;
    return true;
}

void limit(int what, rlim_t most) {
    rlimit limit{};
    ::getrlimit(static_cast<__rlimit_resource>(what), &limit);
    limit.rlim_cur = std::min(most, limit.rlim_max);
    ::setrlimit(static_cast<__rlimit_resource>(what), &limit);
}

rlim_t open_files() {
    return static_cast<rlim_t>(std::distance(fs::directory_iterator("/proc/self/fd"), {}));
}

// Nobody writes meanwhile, so the store finds out by itself.
void check_that_it_recovers(Engine& engine, Told& told, int written) {
    CHECK(within_seconds(60, [&] { return engine.figures().writable && told.trouble_now().empty(); }));
    CHECK(told.notices.back() == "The store takes writes again.");
    CHECK(has_rows(engine, written));
    CHECK(write_row(engine, written).has_value());
    CHECK(has_rows(engine, written + 1));
}

void expect_good(const char* child_name) {
    const test::TempFolder folder;
    test::ChildProcess child(child_name, folder.path());
    std::string printed;
    for (std::string more = "?"; !more.empty();)
        printed += more = child.read();
    const int code = child.wait();
    if (code == test::exit_skipped) {
        WARN("skipped: this system does not let the test mount a small file system");
        return;
    }
    CAPTURE(printed);
    CHECK(code == 0);
}

} // namespace

TEST_CASE("child has no inodes left", "[.child]") {
    const fs::path disk = test::child_folder();
    if (!test::mount_small(disk, "size=256m,nr_inodes=60"))
        std::_Exit(test::exit_skipped);
    Told told;
    int written = 0;
    {
        auto engine = must_open(disk, told.options());
        std::ofstream file;
        int files = 0;
        do
            file = std::ofstream(disk / std::to_string(files++));
        while (file.is_open());
        const auto refused = write_until_refused(*engine, written);
        CHECK(refused.kind == ErrorKind::unavailable);
        CHECK(refused.message ==
              "The store takes no writes now, reading goes on: the disk is full; free some room "
              "on it, or inodes. Try again later.");
        CHECK(told.trouble_now() == "the disk is full; free some room on it, or inodes");
        CHECK(has_rows(*engine, written));
        for (int number = 0; number < files - 1; ++number)
            fs::remove(disk / std::to_string(number));
        check_that_it_recovers(*engine, told, written);
    }
    CHECK(has_rows(*must_open(disk, {}), written + 1));
}

TEST_CASE("child may open no more files", "[.child]") {
    const fs::path disk = test::child_folder();
    Told told;
    int written = 0;
    {
        auto engine = must_open(disk, told.options());
        CHECK(write_row(*engine, written++).has_value());
        limit(RLIMIT_NOFILE, open_files() - 1); // one of them was for looking
        const auto refused = write_until_refused(*engine, written);
        const auto trouble = told.trouble_now();
        const bool is_read = has_rows(*engine, 1);
        limit(RLIMIT_NOFILE, 1024); // sanitizers need descriptors, too, to look at what a check is about
        CHECK(refused.kind == ErrorKind::unavailable);
        CHECK(trouble.find("raise the limit (LimitNOFILE") != std::string::npos);
        CHECK(is_read);
        check_that_it_recovers(*engine, told, written);
        CHECK(told.opened_again == 1);
    }
    CHECK(has_rows(*must_open(disk, {}), written + 1));
}

// As an error of the disk in the middle of the log, of which RocksDB does not recover.
TEST_CASE("child cannot write its log", "[.child]") {
    const fs::path disk = test::child_folder();
    ::signal(SIGXFSZ, SIG_IGN);
    Told told;
    int written = 0;
    {
        auto engine = must_open(disk, told.options());
        REQUIRE(within_seconds(60, [&] { return reserve_is_made(disk); }));
        limit(RLIMIT_FSIZE, 1 << 20);
        const auto refused = write_until_refused(*engine, written);
        CHECK(refused.kind == ErrorKind::unavailable);
        CHECK(written > 5);
        CHECK(has_rows(*engine, written));
        CHECK(!write_row(*engine, written).has_value());
        limit(RLIMIT_FSIZE, RLIM_INFINITY);
        check_that_it_recovers(*engine, told, written);
        CHECK(told.opened_again == 1);
    }
    CHECK(has_rows(*must_open(disk, {}), written + 1));
}

TEST_CASE("child is to end when its disk fails", "[.child]") {
    const fs::path disk = test::child_folder();
    ::signal(SIGXFSZ, SIG_IGN);
    Told told;
    auto options = told.options();
    options.gives_up = [&] { ++told.gave_up; };
    int written = 0;
    auto engine = must_open(disk, options);
    limit(RLIMIT_FSIZE, 1 << 20);
    write_until_refused(*engine, written);
    CHECK(told.gave_up == 0);
    CHECK(within_seconds(60, [&] { return told.gave_up == 1; }));
    limit(RLIMIT_FSIZE, RLIM_INFINITY);
    std::this_thread::sleep_for(std::chrono::seconds(6));
    CHECK(told.gave_up == 1);
    CHECK(told.opened_again == 0);
}

TEST_CASE("child starts on a full disk", "[.child]") {
    const fs::path disk = test::child_folder();
    if (!test::mount_small(disk, "size=64m"))
        std::_Exit(test::exit_skipped);
    int written = 0;
    const auto fill_up = [&](const char* name) {
        std::ofstream filler(disk / name, std::ios::binary);
        while (filler.write("0123456789abcdef", 16).flush()) {
        }
    };
    {
        Told told;
        auto engine = must_open(disk, told.options());
        CHECK(within_seconds(30, [&] { return fs::exists(disk / "store" / "reserve"); }));
        for (; written < 20; ++written)
            REQUIRE(write_row(*engine, written).has_value());
        fill_up("filler");
        write_until_refused(*engine, written);
    }
    fill_up("more");
    {
        Told told; // with the room of the reserve
        auto engine = must_open(disk, told.options());
        CHECK(!fs::exists(disk / "store" / "reserve"));
        CHECK(has_rows(*engine, written));
    }
    for (const char* name : {"still more", "and more"}) {
        fill_up(name);
        Told told;
        auto engine = must_open(disk, told.options()); // now there is none, and again
        CHECK(has_rows(*engine, written));
        const auto refused = write_row(*engine, written);
        if (!refused.has_value()) {
            CHECK(refused.error().kind == ErrorKind::unavailable);
            CHECK(refused.error().message.find("the disk is full; free some room") != std::string::npos);
        }
    }
    fill_up("to the last");
    Told told;
    auto engine = must_open(disk, told.options());
    fs::remove(disk / "filler");
    check_that_it_recovers(*engine, told, written);
}

TEST_CASE("a store without inodes takes no writes, and takes them again when there are some", "[contract]") {
    expect_good("child has no inodes left");
}
TEST_CASE("a store that may open no more files opens itself again when it may", "[contract][descriptors]") {
    expect_good("child may open no more files");
}
TEST_CASE("a store whose log cannot be written opens itself again when the disk is well", "[contract]") {
    expect_good("child cannot write its log");
}
TEST_CASE("a store that is to end when its disk fails says so once, and is not opened again", "[contract]") {
    expect_good("child is to end when its disk fails");
}
TEST_CASE("a store on a full disk opens, is read, and is written when there is room", "[contract]") {
    expect_good("child starts on a full disk");
}

} // namespace slashpost::storage
