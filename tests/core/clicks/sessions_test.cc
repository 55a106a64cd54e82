#include "core/clicks/sessions.h"

#include "tests/core/redirect/redirect_world.h"

using namespace slashpost;
using namespace slashpost::test;
using namespace slashpost::redirect;

namespace {

constexpr std::uint32_t minute = 60, noon = 1'767'268'800;

struct Fixture {
    Sessions sessions{10};
    bool begins(std::uint32_t seconds, std::uint64_t visitor = 7) {
        return sessions.begins(Sessions::hash_of(link_id, visitor), seconds);
    }
};

} // namespace

TEST_CASE_METHOD(Fixture, "a session goes on as long as no half hour passes without a click", "[sessions]") {
    CHECK(begins(noon));
    CHECK_FALSE(begins(noon));
    CHECK_FALSE(begins(noon + 30 * minute));
    CHECK_FALSE(begins(noon + 60 * minute));
    CHECK(begins(noon + 90 * minute + 1));
    CHECK_FALSE(begins(noon + 91 * minute));
}

TEST_CASE_METHOD(Fixture, "each visitor has sessions of its own on each link", "[sessions]") {
    CHECK(begins(noon, 7));
    CHECK(begins(noon, 8));
    CHECK(sessions.begins(Sessions::hash_of(id_of<LinkId>(0xc2), 7), noon));
    CHECK_FALSE(begins(noon + 1, 7));
    CHECK_FALSE(begins(noon + 1, 8));
}

TEST_CASE_METHOD(Fixture, "clicks that come in the wrong order begin no second session", "[sessions]") {
    CHECK(begins(noon + 10 * minute));
    CHECK_FALSE(begins(noon));
    CHECK_FALSE(begins(noon + 39 * minute));
}

TEST_CASE_METHOD(Fixture, "a clock that was set back begins no session, and is believed from then on",
                 "[sessions]") {
    CHECK(begins(noon));
    CHECK_FALSE(begins(noon - 120 * minute));
    CHECK_FALSE(begins(noon - 100 * minute));
    CHECK(begins(noon - 60 * minute));
}

TEST_CASE_METHOD(Fixture, "what was decided for nothing is undone", "[sessions]") {
    CHECK(begins(noon));
    sessions.keep();
    CHECK_FALSE(begins(noon + 20 * minute));
    CHECK_FALSE(begins(noon + 40 * minute));
    CHECK(begins(noon, 8));
    sessions.undo();
    CHECK(begins(noon + 40 * minute));
    CHECK(begins(noon, 8));
    sessions.keep();
    sessions.undo();
    CHECK_FALSE(begins(noon + 41 * minute));
}

TEST_CASE_METHOD(Fixture, "a crowd makes the table forget those who came longest ago", "[sessions]") {
    int begun = 0;
    for (std::uint64_t visitor = 1; visitor <= 100'000; ++visitor)
        begun += begins(noon + static_cast<std::uint32_t>(visitor / 50), visitor) ? 1 : 0;
    CHECK(begun == 100'000);
    int known = 0;
    for (std::uint64_t visitor = 99'901; visitor <= 100'000; ++visitor)
        known += begins(noon + 2'001, visitor) ? 0 : 1;
    CHECK(known > 90); // of the last hundred; the table has room for 1,024
}

TEST_CASE_METHOD(Fixture, "times at both ends of what a record can say are no trouble", "[sessions]") {
    CHECK(begins(0));
    CHECK_FALSE(begins(1));
    CHECK(begins(UINT32_MAX));
    CHECK_FALSE(begins(UINT32_MAX));
    CHECK_FALSE(begins(0));
}
