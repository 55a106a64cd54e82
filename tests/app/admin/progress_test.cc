#include "app/admin/progress.h"

#include "tests/app/admin/stocked_world.h"

#include <thread>

using namespace slashpost;
using namespace slashpost::test;

TEST_CASE("what is left is told in percent and in time", "[progress]") {
    using std::chrono::seconds;
    CHECK(admin::words_for_rest(0.0, seconds(3)) == "0 %");
    CHECK(admin::words_for_rest(0.5, seconds(30)) == "50 %, 30 s left");
    CHECK(admin::words_for_rest(0.25, seconds(30)) == "25 %, 1 min 30 s left");
    CHECK(admin::words_for_rest(0.01, seconds(100)) == "1 %, 2 h 45 min left");
    CHECK(admin::words_for_rest(1.0, seconds(9)) == "99 %, 0 s left");
    CHECK(admin::words_for_rest(7.0, seconds(9)) == "99 %, 0 s left");
}

TEST_CASE("a long command tells once a second how far it has come", "[progress]") {
    RememberingConsole console;
    admin::Progress progress(console, "restore", [] { return std::optional(0.5); });
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(1'200);
    std::uint64_t rows = 0;
    for (; std::chrono::steady_clock::now() < end; rows += 2'000)
        must(progress.step(2'000));
    REQUIRE(console.progressed.size() == 1);
    CHECK_THAT(console.progressed.front(),
               Catch::StartsWith("restore: ") && Catch::Contains(" rows/s, 50 %, 1 s left"));
    CHECK(progress.rows() == rows);
    admin::Progress no_rows(console, "restore, putting in place", [] { return std::optional(0.5); });
    std::this_thread::sleep_for(std::chrono::milliseconds(1'000));
    must(no_rows.look());
    REQUIRE(console.progressed.size() == 2);
    CHECK(console.progressed.back() == "restore, putting in place: 50 %, 1 s left");
    console.gone = true;
    CHECK_FALSE(no_rows.look().has_value());
    const auto next = progress.step(2'000);
    REQUIRE_FALSE(next.has_value());
    CHECK(next.error().message == "restore was stopped");
}
