#include "core/work/certificate_plan.h"

#include <catch2/catch.hpp>

using namespace slashpost;

namespace {

constexpr std::int64_t hour = 3600, day = 24 * hour;
constexpr Timestamp start{1'800'000'000'000};

HostCertificate row(std::string host) {
    HostCertificate made;
    made.host = std::move(host);
    return made;
}

} // namespace

TEST_CASE("after a failure it is an hour, then twice as long each time, up to a day", "[certificates]") {
    CHECK(seconds_before_next_order(1) == 3600);
    CHECK(seconds_before_next_order(2) == 7200);
    CHECK(seconds_before_next_order(3) == 14'400);
    CHECK(seconds_before_next_order(5) == 57'600);
    CHECK(seconds_before_next_order(6) == 86'400);
    CHECK(seconds_before_next_order(4'000'000'000) == 86'400);
    CHECK(seconds_before_next_order(0) == 3600);
}

TEST_CASE("an authority that cannot be reached is tried again in a minute, and later every hour",
          "[certificates]") {
    CHECK(seconds_before_next_call(1) == 60);
    CHECK(seconds_before_next_call(2) == 120);
    CHECK(seconds_before_next_call(6) == 1920);
    CHECK(seconds_before_next_call(7) == 3600);
    CHECK(seconds_before_next_call(100) == 3600);
}

TEST_CASE("a certificate is renewed after two thirds of its life, or when its authority wants it",
          "[certificates]") {
    auto one = row("go.example.com");
    one.not_before = start;
    one.not_after = start.plus_seconds(90 * day);
    CHECK(renewal_time(one, 0) == start.plus_seconds(60 * day));
    CHECK(renewal_time(one, 999) == start.plus_seconds(60 * day));
    one.not_after = start.plus_seconds(6 * day);
    CHECK(renewal_time(one, 0) == start.plus_seconds(4 * day));
    one.window_start = start.plus_seconds(2 * day);
    one.window_end = start.plus_seconds(3 * day);
    CHECK(renewal_time(one, 0) == start.plus_seconds(2 * day));
    CHECK(renewal_time(one, 500) == start.plus_seconds(2 * day + 12 * hour));
    CHECK(renewal_time(one, 999) < start.plus_seconds(3 * day));
    one.window_start = start.plus_seconds(-2 * day); // it was revoked, say
    one.window_end = start.plus_seconds(-1 * day);
    CHECK(renewal_time(one, 999) < start);
}

TEST_CASE("an authority is asked when to renew as it says, but not every minute and not never",
          "[certificates]") {
    CHECK(seconds_before_next_question(std::nullopt) == 6 * hour);
    CHECK(seconds_before_next_question(21'600) == 21'600);
    CHECK(seconds_before_next_question(1) == hour);
    CHECK(seconds_before_next_question(-5) == hour);
    CHECK(seconds_before_next_question(10 * day) == day);
}

TEST_CASE("a registered domain is two labels, or three below a country with short second labels",
          "[certificates]") {
    CHECK(registered_domain("example.com") == "example.com");
    CHECK(registered_domain("go.example.com") == "example.com");
    CHECK(registered_domain("a.b.go.example.com") == "example.com");
    CHECK(registered_domain("go.example.co.uk") == "example.co.uk");
    CHECK(registered_domain("example.co.uk") == "example.co.uk");
    CHECK(registered_domain("co.uk") == "co.uk");
    CHECK(registered_domain("go.firm.de") == "firm.de");
    CHECK(registered_domain("go.bit.ly") == "go.bit.ly");
    CHECK(registered_domain("localhost") == "localhost");
    CHECK(registered_domain("") == "");
}

TEST_CASE("four orders of a host fit into an hour", "[certificates]") {
    auto one = row("go.example.com");
    for (int i = 0; i < 4; ++i) {
        CHECK(may_order_from(one, {}, start.plus_seconds(i)) == start.plus_seconds(i));
        note_order(one, start.plus_seconds(i));
    }
    CHECK(may_order_from(one, {}, start.plus_seconds(4)) == start.plus_seconds(hour));
    CHECK(may_order_from(one, {}, start.plus_seconds(hour)) == start.plus_seconds(hour));
}

TEST_CASE("270 orders of all hosts fit into three hours", "[certificates]") {
    std::vector<HostCertificate> all;
    for (int i = 0; i < 270; ++i)
        note_order(all.emplace_back(row("h" + std::to_string(i) + ".example")), start.plus_seconds(i));
    const auto one = row("one.more.example");
    const auto now = start.plus_seconds(300);
    CHECK(may_order_from(one, all, now) == start.plus_seconds(3 * hour));
    all.pop_back();
    CHECK(may_order_from(one, all, now) == now);
}

TEST_CASE("45 certificates of a registered domain fit into a week, whatever others have", "[certificates]") {
    std::vector<HostCertificate> all;
    for (int i = 0; i < 45; ++i)
        all.emplace_back(row("h" + std::to_string(i) + ".example.com")).issued_at =
            start.plus_seconds(i * hour);
    const auto now = start.plus_seconds(50 * hour);
    CHECK(may_order_from(row("new.example.com"), all, now) == start.plus_seconds(7 * day));
    CHECK(may_order_from(row("new.example.net"), all, now) == now);
    CHECK(may_order_from(row("new.example.com"), all, start.plus_seconds(7 * day)) ==
          start.plus_seconds(7 * day));
}

TEST_CASE("orders that no budget counts any more are forgotten", "[certificates]") {
    auto one = row("go.example.com");
    note_order(one, start);
    note_order(one, start.plus_seconds(3 * hour));
    CHECK(one.orders == std::vector<Timestamp>{start.plus_seconds(3 * hour)});
}
