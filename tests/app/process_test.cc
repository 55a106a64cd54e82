#include "app/process.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <cstdio>
#include <sys/resource.h>

using namespace slashpost::app;

TEST_CASE("the figures of the process are those of this one", "[process]") {
    const auto first = process_figures();
    CHECK(first.resident_bytes > 1'000'000);
    CHECK(first.virtual_bytes >= first.resident_bytes);
    CHECK(first.open_files >= 3);
    rlimit limit{};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &limit) == 0);
    CHECK(first.files_max == limit.rlim_cur);

    const auto now =
        std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    CHECK(first.start_seconds <= now + 1);
    CHECK(first.start_seconds > now - 600);

    auto* file = std::fopen("/dev/null", "r");
    REQUIRE(file != nullptr);
    CHECK(process_figures().open_files == first.open_files + 1);
    std::fclose(file);
    CHECK(process_figures().open_files == first.open_files);
    CHECK(process_figures().start_seconds == first.start_seconds);
}

TEST_CASE("the processor time of the process grows while it works", "[process]") {
    const auto before = process_figures().cpu_seconds;
    while (process_figures().cpu_seconds < before + 0.02) {
    }
    CHECK(process_figures().cpu_seconds >= before + 0.02);
}
