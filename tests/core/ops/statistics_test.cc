// Statistics over time, from rollups as folding leaves them.
#include "core/base/time.h"
#include "core/ops/statistics.h"
#include "core/ops/workspaces.h"
#include "tests/support/counting_engine.h"
#include "tests/support/labels.h"
#include "tests/support/rollups.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// The clock stands at 2027-01-15T08:00:00Z.
Timestamp at(std::string_view text) { return parse_iso(text).value(); }

struct Site : World {
    using World::World;
    Link link = make_link(*this, "x");

    void happen_on_link(std::string_view time, const Happened& counts) {
        happen(*this, Subject::of(link.id), at(time), counts);
    }
    Result<Statistics> ask(const StatisticsQuery& query) {
        return read([&](Context& ctx) { return statistics_of_link(ctx, link, query); });
    }
};

// "2027-01-14 3 2 1" for clicks, sessions and bots of each bucket in which something happened.
std::string told(const Statistics& statistics) {
    std::string out;
    for (const auto& bucket : statistics.buckets)
        if (bucket.happened != Happenings{})
            out += fmt::format("{}{} {} {} {}", out.empty() ? "" : ", ", to_iso(bucket.from).substr(0, 13),
                               bucket.happened.clicks, bucket.happened.sessions, bucket.happened.bots);
    return out;
}

std::string told(const std::vector<ValueClicks>& values) {
    std::string out;
    for (const auto& [value, clicks] : values)
        out += fmt::format("{}{}={}", out.empty() ? "" : " ", value, clicks);
    return out;
}

std::int64_t sum_of(const std::vector<ValueClicks>& values) {
    std::int64_t sum = 0;
    for (const auto& [value, clicks] : values)
        sum += clicks;
    return sum;
}

// "OutOfRange from" of every broken field.
std::string problems_of(const Result<Statistics>& result) {
    std::string out;
    if (!result.has_value())
        for (const auto& field : result.error().fields)
            out += (out.empty() ? "" : ", ") + field.code + " " + field.property;
    return out;
}

} // namespace

TEST_CASE("the clicks of a span stand in the buckets of its days, without gaps", "[statistics]") {
    Site site;
    site.happen_on_link("2027-01-09T23:59:59.999Z", {{"c", 50}});
    site.happen_on_link("2027-01-10T00:00Z", {{"c", 3}, {"s", 2}, {"b", 1}});
    site.happen_on_link("2027-01-12T12:00Z", {{"c", 4}, {"s", 4}});
    site.happen_on_link("2027-01-12T23:00Z", {{"c", 1}, {"s", 1}});
    site.happen_on_link("2027-01-13T00:00Z", {{"c", 60}});
    const auto found = must(
        site.ask({.from = at("2027-01-10"), .until = at("2027-01-13"), .interval = Interval::day, .by = {}}));
    CHECK(to_iso(found.from) == "2027-01-10T00:00:00.000Z");
    CHECK(to_iso(found.until) == "2027-01-13T00:00:00.000Z");
    CHECK(told(found) == "2027-01-10T00 3 2 1, 2027-01-12T00 5 5 0");
    REQUIRE(found.buckets.size() == 3);
    CHECK(to_iso(found.buckets[1].from) == "2027-01-11T00:00:00.000Z");
    CHECK(found.buckets[1].happened == Happenings{});
    CHECK(found.happened == Happenings{.clicks = 8, .sessions = 7, .bots = 1, .conversions = 0});
}

TEST_CASE("without an interval a span is one bucket, and without a span it is the last 30 days",
          "[statistics]") {
    Site site;
    site.happen_on_link("2026-12-16T23:00Z", {{"c", 50}});
    site.happen_on_link("2026-12-17T00:00Z", {{"c", 1}});
    site.happen_on_link("2027-01-15T08:00Z", {{"c", 2}});
    const auto found = must(site.ask({}));
    CHECK(to_iso(found.from) == "2026-12-17T00:00:00.000Z");
    CHECK(to_iso(found.until) == "2027-01-16T00:00:00.000Z");
    CHECK(told(found) == "2026-12-17T00 3 0 0");
    CHECK(found.buckets.size() == 1);
}

TEST_CASE("hours are whole hours, and a span is rounded outwards to them", "[statistics]") {
    Site site;
    site.happen_on_link("2027-01-15T05:30Z", {{"c", 1}});
    site.happen_on_link("2027-01-15T07:59Z", {{"c", 2}});
    site.happen_on_link("2027-01-15T08:00Z", {{"c", 9}});
    const auto found = must(site.ask({.from = at("2027-01-15T05:45Z"),
                                      .until = at("2027-01-15T07:01Z"),
                                      .interval = Interval::hour,
                                      .by = {}}));
    CHECK(to_iso(found.from) == "2027-01-15T05:00:00.000Z");
    CHECK(to_iso(found.until) == "2027-01-15T08:00:00.000Z");
    CHECK(told(found) == "2027-01-15T05 1 0 0, 2027-01-15T07 2 0 0");
    CHECK(found.buckets.size() == 3);
    const auto until_now = must(site.ask({.from = at("2027-01-15"), .interval = Interval::hour}));
    CHECK(to_iso(until_now.until) == "2027-01-15T09:00:00.000Z");
    CHECK(until_now.happened.clicks == 12);
}

TEST_CASE("months are those of the calendar, the first and the last cut to the span", "[statistics]") {
    Site site;
    site.happen_on_link("2025-12-30T00:00Z", {{"c", 9}});
    site.happen_on_link("2025-12-31T00:00Z", {{"c", 1}});
    site.happen_on_link("2026-02-28T12:00Z", {{"c", 2}});
    site.happen_on_link("2026-03-01T00:00Z", {{"c", 4}});
    site.happen_on_link("2026-03-02T00:00Z", {{"c", 9}});
    const auto found = must(site.ask(
        {.from = at("2025-12-31"), .until = at("2026-03-02"), .interval = Interval::month, .by = {}}));
    CHECK(told(found) == "2025-12-31T00 1 0 0, 2026-02-01T00 2 0 0, 2026-03-01T00 4 0 0");
    CHECK(found.buckets.size() == 4);
    CHECK(found.happened.clicks == 7);
}

TEST_CASE("values stand by their clicks, then by name; all of them are the bucket's clicks", "[statistics]") {
    Site site;
    site.happen_on_link("2027-01-14T10:00Z",
                        {{"c", 20}, {"Cde", 4}, {"Cat", 4}, {"Cfr", 7}, {std::string("C\xff"), 2}});
    site.happen_on_link("2027-01-15T01:00Z", {{"c", 5}, {"Cde", 5}, {"Dmobile", 3}});
    const auto days =
        must(site.ask({.from = at("2027-01-14"), .interval = Interval::day, .by = Dimension::country}));
    REQUIRE(days.buckets.size() == 2);
    CHECK(told(days.buckets[0].values) == "fr=7 at=4 de=4 unknown=3 other=2");
    CHECK(told(days.buckets[1].values) == "de=5");
    const auto one = must(site.ask({.from = at("2027-01-14"), .by = Dimension::country}));
    CHECK(told(one.buckets.at(0).values) == "de=9 fr=7 at=4 unknown=3 other=2");
    CHECK(told(must(site.ask({.by = Dimension::device})).buckets.at(0).values) == "unknown=22 mobile=3");
    CHECK(must(site.ask({.from = at("2027-01-13"), .until = at("2027-01-14"), .by = Dimension::os}))
              .buckets.at(0)
              .values.empty());
}

TEST_CASE("a referrer that calls itself unknown or other only joins those", "[statistics]") {
    Site site;
    site.happen_on_link("2027-01-15T01:00Z",
                        {{"c", 10}, {"Runknown", 1}, {"Rother", 2}, {std::string("R\xff"), 3}});
    const auto found = must(site.ask({.by = Dimension::referrer}));
    CHECK(told(found.buckets.at(0).values) == "other=5 unknown=5");
}

TEST_CASE("rules and arms go by their ids, and none of them by that word", "[statistics]") {
    Site site;
    const auto rule = RuleId::parse("000000000000000000000000000000aa").value();
    const auto arm = RotatorRuleId::parse("000000000000000000000000000000bb").value();
    site.happen_on_link("2027-01-15T01:00Z", {{"c", 10}, {named('r', rule), 4}, {named('a', arm), 1}});
    CHECK(told(must(site.ask({.by = Dimension::rule})).buckets.at(0).values) ==
          "none=6 000000000000000000000000000000aa=4");
    CHECK(told(must(site.ask({.by = Dimension::arm})).buckets.at(0).values) ==
          "none=9 000000000000000000000000000000bb=1");
}

TEST_CASE("conversions are told by event, and what they were worth by currency", "[statistics]") {
    Site site;
    site.happen_on_link("2027-01-14T01:00Z", {{"c", 9}, {"vsignup", 2}, {"vpurchase", 1}, {"meur", 12'500}});
    site.happen_on_link("2027-01-15T01:00Z", {{"vpurchase", 3}, {"meur", 250}, {"musd", 20'000}});
    const auto found = must(site.ask({.from = at("2027-01-14"), .interval = Interval::day}));
    CHECK(found.happened.conversions == 6);
    CHECK(found.buckets.at(0).happened.conversions == 3);
    CHECK(found.events == std::vector<EventConversions>{{.event = "purchase", .conversions = 4},
                                                        {.event = "signup", .conversions = 2}});
    CHECK(found.revenue == std::vector<Revenue>{{.currency = "usd", .thousandths = 20'000},
                                                {.currency = "eur", .thousandths = 12'750}});
}

TEST_CASE("a span that cannot be answered is refused with the field to blame", "[statistics]") {
    struct Scenario {
        std::string_view from, until;
        std::optional<Interval> interval;
        std::string_view problems;
    };
    using enum Interval;
    const Scenario scenarios[] = {
        {"2027-01-10", "2027-01-10", day, "OutOfRange to"},
        {"2027-01-10", "2027-01-09", {}, "OutOfRange to"},
        {"2027-01-15T07:00Z", "2027-01-15T07:00Z", hour, "OutOfRange to"},
        {"2027-01-15T07:00Z", "2027-01-15T07:00:00.001Z", hour, ""},
        {"", "1970-01-01", {}, "OutOfRange to"},
        {"2027-01-15T08:00:01.001Z", "", {}, "OutOfRange from"},
        {"2027-01-15T08:00:01Z", "", {}, ""},
        {"2027-02-01", "2027-02-02", {}, ""}, // nothing happened there yet
        // 45 days of hours, of the last 90 days.
        {"2026-12-01", "2027-01-15", hour, ""},
        {"2026-12-01", "2027-01-15T00:01Z", hour, "OutOfRange from"},
        {"2026-10-18", "2026-10-19", hour, ""},
        {"2026-10-17T23:59Z", "2026-10-19", hour, "OutOfRange from"},
        {"", "2026-10-19", hour, "OutOfRange to"},
        {"2020-01-01", "2027-01-01", hour, "OutOfRange from, OutOfRange from"},
        {"2024-01-01", "2027-01-05", day, ""}, // 1,100 days
        {"2024-01-01", "2027-01-06", day, "OutOfRange from"},
        {"1970-01-01", "2061-09-01", month, ""}, // 1,100 months
        {"1970-01-01", "2061-09-02", month, "OutOfRange from"},
        {"1970-01-01", "9999-12-31", {}, ""},
    };
    Site site;
    for (const auto& [from, until, interval, problems] : scenarios) {
        CAPTURE(from, until);
        const auto found =
            site.ask({.from = parse_iso(from), .until = parse_iso(until), .interval = interval, .by = {}});
        CHECK(problems_of(found) == problems);
    }
    const auto last = must(site.ask({.from = at("9999-01-01"), .until = at("9999-12-31T23:00Z")}));
    CHECK(to_iso(last.until) == "9999-12-31T00:00:00.000Z");
}

TEST_CASE("every bucket that an interval may have is there", "[statistics]") {
    Site site;
    const auto size = [&](std::string_view from, std::string_view until, Interval interval) {
        return must(site.ask({.from = at(from), .until = at(until), .interval = interval, .by = {}}))
            .buckets.size();
    };
    CHECK(size("2026-12-01", "2027-01-15", Interval::hour) == 1080);
    CHECK(size("2024-01-01", "2027-01-05", Interval::day) == 1100);
    CHECK(size("1970-01-01", "2061-09-01", Interval::month) == 1100);
}

TEST_CASE("a flood of referrers leaves the most clicked ones, and sums that are exact",
          "[statistics][threat-29]") {
    Site site;
    std::int64_t clicks = 0;
    for (int day = 0; day < 100; ++day) {
        Happened counts{{"c", 260}, {"Rfriend.example", 4}};
        for (int host = 0; host < 250; ++host)
            counts.emplace_back(fmt::format("Rh{}.example", day * 250 + host), 1);
        site.happen_on_link(to_iso(at("2026-10-01").plus_seconds(day * 86'400LL)), counts);
        clicks += 260;
    }
    const auto one = must(site.ask({.from = at("2026-10-01"), .by = Dimension::referrer}));
    CHECK(one.happened.clicks == clicks);
    const auto& values = one.buckets.at(0).values;
    CHECK(values.size() == 1001); // with the others
    CHECK(values.at(0).value == "other");
    CHECK(values.at(1) == ValueClicks{.value = "unknown", .clicks = 600});
    CHECK(values.at(2) == ValueClicks{.value = "friend.example", .clicks = 400});
    CHECK(sum_of(values) == clicks);

    std::size_t shown = 0;
    const auto many = must(site.ask({.from = at("2024-02-01"),
                                     .until = at("2027-01-15"),
                                     .interval = Interval::day,
                                     .by = Dimension::referrer}));
    for (const auto& bucket : many.buckets) {
        CHECK(sum_of(bucket.values) == bucket.happened.clicks);
        shown = std::max(shown, bucket.values.size());
    }
    CHECK(shown == 50'000 / 1079 + 1);
}

TEST_CASE("each subject has its own figures, a domain those of one workspace", "[statistics]") {
    Site site;
    const auto tag = make_tag(site, "t");
    const auto workspace = site.installed.account.default_workspace;
    const auto& domain = site.installed.domain;
    const auto now = site.clock.time;
    happen(site, Subject::of(site.link.id), now, {{"c", 1}});
    happen(site, Subject::of(tag.id), now, {{"c", 2}});
    happen(site, Subject::of(domain.id, workspace), now, {{"c", 3}});
    happen(site, Subject::of(domain.id, site.ids.next<WorkspaceId>()), now, {{"c", 100}});
    happen(site, Subject::of(workspace), now, {{"c", 4}});
    const auto clicks = [&](const auto& ask) { return must(site.read(ask)).happened.clicks; };
    CHECK(clicks([&](Context& ctx) { return statistics_of_link(ctx, site.link, {}); }) == 1);
    CHECK(clicks([&](Context& ctx) { return statistics_of_tag(ctx, tag, {}); }) == 2);
    CHECK(clicks([&](Context& ctx) { return statistics_of_domain(ctx, domain, {}); }) == 3);
    CHECK(clicks([&](Context& ctx) { return statistics_of_workspace(ctx, {}); }) == 4);
}

TEST_CASE("a month by day by country of ten million clicks is the rows of its days", "[statistics]") {
    auto owned = std::make_unique<CountingEngine>(storage::make_memory_engine(space::all));
    auto& engine = *owned;
    Site site(std::move(owned));
    const auto first = at("2026-12-01");
    for (int day = 0; day < 31; ++day)
        for (int hour = 0; hour < 24; ++hour)
            site.happen_on_link(to_iso(first.plus_seconds(day * 86'400LL + hour * 3600LL)),
                                {{"c", 13'441}, {"Cde", 10'000}, {"Cfr", 3'000}});
    const auto ask = [&](std::optional<Interval> interval) {
        static_cast<void>(engine.take());
        return must(site.ask({.from = first,
                              .until = at("2027-01-01"),
                              .interval = interval,
                              .by = Dimension::country}))
            .happened.clicks;
    };
    CHECK(ask(Interval::day) == 31 * 24 * 13'441); // 10,000,104
    const int rows = engine.rows();
    const auto look_ups = engine.take();
    CHECK(rows == 31);
    CHECK(look_ups.scans == 3); // whether an hour goes on (two), and the days
    CHECK(look_ups.sums == 0);
    CHECK(!look_ups.gets.contains("rollups"));
    CHECK(ask(std::nullopt) == 31 * 24 * 13'441);
    CHECK(engine.rows() == 31);
}

TEST_CASE("days and weeks are those of the zone that is asked for", "[statistics]") {
    Site site;
    site.happen_on_link("2027-01-10T22:00Z", {{"c", 1}}); // a Sunday, 23:00 in Berlin
    site.happen_on_link("2027-01-10T23:00Z", {{"c", 2}}); // Monday there
    site.happen_on_link("2027-01-11T22:00Z", {{"c", 4}});
    site.happen_on_link("2027-01-11T23:00Z", {{"c", 8}});
    const auto ask = [&](Interval interval) {
        return must(site.ask({.from = AskedTime(at("2027-01-10"), true),
                              .until = AskedTime(at("2027-01-12"), true),
                              .interval = interval,
                              .by = {},
                              .time_zone = "Europe/Berlin"}));
    };
    const auto days = ask(Interval::day);
    CHECK(days.time_zone == "Europe/Berlin");
    CHECK_FALSE(days.utc_until);
    CHECK(to_iso(days.from) == "2027-01-09T23:00:00.000Z");
    CHECK(to_iso(days.until) == "2027-01-11T23:00:00.000Z");
    CHECK(days.buckets.size() == 2);
    CHECK(told(days) == "2027-01-09T23 1 0 0, 2027-01-10T23 6 0 0");
    CHECK(told(ask(Interval::week)) == "2027-01-09T23 1 0 0, 2027-01-10T23 6 0 0");
    CHECK(told(ask(Interval::month)) == "2027-01-09T23 7 0 0");
}

TEST_CASE("a moment is the same in every zone, and a span is rounded to days of the zone", "[statistics]") {
    Site site;
    const auto found = must(site.ask({.from = at("2027-01-10T12:00Z"),
                                      .until = at("2027-01-11T23:00Z"),
                                      .interval = Interval::day,
                                      .by = {},
                                      .time_zone = "Europe/Berlin"}));
    CHECK(to_iso(found.from) == "2027-01-09T23:00:00.000Z");
    CHECK(to_iso(found.until) == "2027-01-11T23:00:00.000Z");
}

TEST_CASE("before hours are kept the days of a zone are those of UTC, and the answer says so",
          "[statistics]") {
    Site site; // today is 2027-01-15, so hours are kept since 2026-10-18
    site.happen_on_link("2026-10-17T23:30Z", {{"c", 1}});
    site.happen_on_link("2026-10-18T03:30Z", {{"c", 2}});
    site.happen_on_link("2026-10-18T04:30Z", {{"c", 4}});
    site.happen_on_link("2026-10-19T03:30Z", {{"c", 8}});
    const auto found = must(site.ask({.from = AskedTime(at("2026-10-17"), true),
                                      .until = AskedTime(at("2026-10-19"), true),
                                      .interval = Interval::day,
                                      .by = {},
                                      .time_zone = "America/New_York"}));
    CHECK(found.utc_until == at("2026-10-18"));
    CHECK(told(found) == "2026-10-17T00 1 0 0, 2026-10-18T00 2 0 0, 2026-10-18T04 12 0 0");
    CHECK(found.buckets.size() == 3);
}

TEST_CASE("without a zone in the question it is the workspace's, and without one there it is UTC",
          "[statistics]") {
    Site site;
    CHECK(must(site.ask({})).time_zone == "UTC");
    must(site.write([](Context& ctx) {
        return update_workspace(ctx, {.time_zone = Change<std::string>::set("Asia/Tokyo")});
    }));
    const auto found = must(site.ask({}));
    CHECK(found.time_zone == "Asia/Tokyo");
    CHECK(to_iso(found.until) == "2027-01-15T15:00:00.000Z");
    CHECK(to_iso(found.from) == "2026-12-16T15:00:00.000Z");
    CHECK(must(site.ask({.time_zone = "UTC"})).time_zone == "UTC");
    CHECK(problems_of(site.ask({.time_zone = "Europe/Atlantis"})) == "InvalidFormat timezone");
}

TEST_CASE("what no campaign named and no code showed is none", "[statistics]") {
    Site site;
    site.happen_on_link("2027-01-15T01:00Z",
                        {{"c", 9}, {"Snews", 4}, {"Memail", 3}, {"Nspring", 2}, {"qqr", 5}});
    const auto by = [&](Dimension dimension) {
        return told(must(site.ask({.by = dimension})).buckets.at(0).values);
    };
    CHECK(by(Dimension::utm_source) == "none=5 news=4");
    CHECK(by(Dimension::utm_medium) == "none=6 email=3");
    CHECK(by(Dimension::utm_campaign) == "none=7 spring=2");
    CHECK(by(Dimension::scan) == "qr=5 none=4");
}
