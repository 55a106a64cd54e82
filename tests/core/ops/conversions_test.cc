#include "tests/support/conversions.h"
#include "tests/support/labels.h"

#include <atomic>
#include <map>
#include <random>
#include <set>
#include <thread>

using namespace slashpost;
using namespace slashpost::test;

namespace {

constexpr std::int64_t day = 24LL * 3600;

// A world that tracks conversions, with a link.
struct TrackingWorld : World {
    TrackingWorld() {
        track_conversions(*this);
        link = must(create({.destination = "https://example.com/", .slashtag = "sale"})).link;
    }
    Result<Conversion> by_click(const std::string& id, std::string event = "purchase") {
        return try_conversion(*this, {.click_id = id,
                                      .link = {},
                                      .event = std::move(event),
                                      .value = {},
                                      .currency = {},
                                      .reference = {}});
    }
    Result<Conversion> by_link(std::string reference = {}, std::string event = "purchase") {
        return try_conversion(*this, {.click_id = {},
                                      .link = link.id,
                                      .event = std::move(event),
                                      .value = {},
                                      .currency = {},
                                      .reference = std::move(reference)});
    }
    Link link;
};

} // namespace

TEST_CASE("a conversion counts for the link, its tags, its domain and the workspace", "[conversions]") {
    TrackingWorld world;
    const auto tag = make_tag(world, "print"), other = make_tag(world, "other");
    must(change_label(world, attach_tag, world.link.id, tag));
    const auto id = click_id(world, world.link);
    const auto clicked_at = world.clock.time;
    world.clock.advance_seconds(60);
    const auto made = must(try_conversion(world, {.click_id = id,
                                                  .link = {},
                                                  .event = "purchase",
                                                  .value = Amount{19'990},
                                                  .currency = "eur",
                                                  .reference = {}}));
    CHECK(made.link == world.link.id);
    CHECK(made.event == "purchase");
    CHECK(made.value_thousandths == 19'990);
    CHECK(made.currency == "EUR");
    CHECK(made.clicked_at == clicked_at);
    CHECK(made.created_at == world.clock.time);

    const auto workspace = world.installed.account.default_workspace;
    for (const auto& subject : {Subject::of(world.link.id), Subject::of(tag.id), Subject::of(workspace),
                                Subject::of(world.link.domain, workspace)})
        CHECK(converted(world, subject) == "vpurchase=1 mEUR=19990");
    CHECK(converted(world, Subject::of(other.id)).empty());
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a value is refused before a sum of money could overflow, in its currency only", "[conversions]") {
    TrackingWorld world;
    data::Counts counts;
    counts.add("mEUR", 8'999'999'999'999'999'000);
    must(world.operate([&](SystemContext& system) {
        return add_to_rollups(system.txn, Subject::of(world.installed.account.default_workspace), system.now,
                              counts);
    }));
    const auto report = [&](std::int64_t thousandths, std::string currency) {
        return try_conversion(world, {.click_id = {},
                                      .link = world.link.id,
                                      .event = "e",
                                      .value = Amount{thousandths},
                                      .currency = std::move(currency),
                                      .reference = {}});
    };
    const auto too_much = report(1'001, "EUR");
    REQUIRE_FALSE(too_much.has_value());
    CHECK(too_much.error().kind == ErrorKind::invalid);
    REQUIRE(too_much.error().fields.size() == 1);
    CHECK(too_much.error().fields.front().code == "OutOfRange");
    CHECK(too_much.error().fields.front().property == "value");
    CHECK(report(1'001, "USD").has_value());
    CHECK(report(1'000, "EUR").has_value());
    CHECK_FALSE(report(1, "EUR").has_value());
    CHECK(world.by_link().has_value()); // without a value
}

TEST_CASE("a conversion is found under its day and its hour", "[conversions]") {
    TrackingWorld world;
    const auto id = click_id(world, world.link);
    world.clock.advance_seconds(2 * day); // it counts when it happens, not when the click did
    must(world.by_click(id));
    for (const auto grain : {Grain::day, Grain::hour}) {
        const auto bucket = bucket_of(grain, world.clock.time);
        std::int64_t counted = 0;
        must(world.engine->read([&](data::View& view) {
            return RollupReader(view).each(Subject::of(world.link.id), grain, 0, bucket + 1,
                                           [&](std::uint32_t at, const data::Counts& counts) {
                                               CHECK(at == bucket);
                                               counted += counts.of("vpurchase");
                                               return true;
                                           });
        }));
        CHECK(counted == 1);
    }
}

TEST_CASE("the same event for the same click counts once, and is answered as the first time",
          "[conversions]") {
    TrackingWorld world;
    const auto id = click_id(world, world.link), second = click_id(world, world.link);
    const auto first = must(world.by_click(id));
    world.clock.advance_seconds(5);
    const auto again = must(try_conversion(world, {.click_id = id,
                                                   .link = {},
                                                   .event = "purchase",
                                                   .value = Amount{1'000},
                                                   .currency = "USD",
                                                   .reference = {}}));
    CHECK(again.id == first.id);
    CHECK(again.created_at == first.created_at);
    CHECK_FALSE(again.value_thousandths);
    CHECK(converted(world, Subject::of(world.link.id)) == "vpurchase=1");

    must(world.by_click(id, "signup"));
    must(world.by_click(second));
    CHECK(converted(world, Subject::of(world.link.id)) == "vpurchase=2 vsignup=1");
    CHECK(conversion_rows(world) == 3);
}

TEST_CASE("a reference of the reporter's tells conversions of one click or link apart", "[conversions]") {
    TrackingWorld world;
    const auto id = click_id(world, world.link);
    const auto report = [&](const std::string& reference) {
        return must(try_conversion(world, {.click_id = id,
                                           .link = {},
                                           .event = "purchase",
                                           .value = {},
                                           .currency = {},
                                           .reference = reference}))
            .id;
    };
    const auto one = report("order 1"), two = report("order 2");
    CHECK(one != two);
    CHECK(report("order 1") == one);
    CHECK(converted(world, Subject::of(world.link.id)) == "vpurchase=2");

    const auto of_link = must(world.by_link("order 1")).id;
    CHECK(of_link != one);
    CHECK(must(world.by_link("order 1")).id == of_link);
    CHECK(converted(world, Subject::of(world.link.id)) == "vpurchase=3");
}

TEST_CASE("a conversion of a link without a reference counts each time and leaves no row", "[conversions]") {
    TrackingWorld world;
    const auto first = must(world.by_link()), second = must(world.by_link());
    CHECK(first.id != second.id);
    CHECK_FALSE(first.clicked_at);
    CHECK(converted(world, Subject::of(world.link.id)) == "vpurchase=2");
    CHECK(conversion_rows(world) == 0);
}

TEST_CASE("of many that report the same conversion at once, one counts", "[conversions]") {
    TrackingWorld world;
    const auto id = click_id(world, world.link);
    std::vector<std::thread> threads;
    std::atomic<int> failures = 0;
    threads.reserve(8);
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] { failures += world.by_click(id).has_value() ? 0 : 1; });
    for (auto& thread : threads)
        thread.join();
    CHECK(failures == 0);
    CHECK(converted(world, Subject::of(world.link.id)) == "vpurchase=1");
}

TEST_CASE("where conversions are not tracked none is taken, whatever else is wrong", "[conversions]") {
    TrackingWorld world;
    const auto id = click_id(world, world.link);
    track_conversions(world, {}, false);
    CHECK(code_of(world.by_click(id)) == "ConversionTrackingDisabled");
    CHECK(code_of(world.by_click("nonsense")) == "ConversionTrackingDisabled");
    CHECK(code_of(world.by_link()) == "ConversionTrackingDisabled");
    CHECK(converted(world, Subject::of(world.link.id)).empty());
    track_conversions(world);
    CHECK(code_of(world.by_click(id)) == "none");
}

TEST_CASE("a click is worth something until the attribution window is over", "[conversions]") {
    TrackingWorld world;
    track_conversions(world, 2);
    const auto id = click_id(world, world.link), early = click_id(world, world.link);
    world.clock.advance_seconds(2 * day);
    CHECK(code_of(world.by_click(id)) == "none");
    world.clock.time.ms += 1;
    CHECK(code_of(world.by_click(early)) == "ExpiredClick");
    CHECK(conversion_rows(world) == 1);
    CHECK(converted(world, Subject::of(world.link.id)) == "vpurchase=1");
    CHECK(code_of(world.by_link()) == "none"); // there is no click whose age would matter
    track_conversions(world, 3);
    CHECK(code_of(world.by_click(early)) == "none");
}

TEST_CASE("a clock that jumps back makes no click id invalid and counts none twice", "[conversions]") {
    TrackingWorld world;
    world.clock.advance_seconds(10 * day);
    const auto id = click_id(world, world.link);
    world.clock.advance_seconds(-10 * day);
    must(world.by_click(id));
    must(world.by_click(id));
    // It stays valid for the longest window after its own time, and so does the trace of it.
    world.clock.advance_seconds(100 * day);
    CHECK(must(world.operate([](SystemContext& system) { return prune_conversions(system); })) == false);
    CHECK(conversion_rows(world) == 1);
    CHECK(converted(world, Subject::of(world.link.id)) == "vpurchase=1");
}

TEST_CASE("a forged click id is not found, nor is one of another workspace", "[conversions]") {
    TrackingWorld world;
    CHECK(code_of(world.by_click(std::string(58, 'B') + "A")) == "NotFound"); // before there is a key
    const auto other = make_workspace(world, "other");
    const auto link = must(link_in(world, other.id, "there")).link;
    const auto forged =
        redirect::ClickIds(std::string(32, 'k'))
            .make(world.link.workspace, {.link = world.link.id, .time = world.clock.time}, world.random);
    for (const auto& id :
         {click_id(world, link), std::string(forged->view()),
          click_id(world, world.link.workspace, link.id)}) { // the last one: a link of elsewhere
        const auto refused = world.by_click(id);
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.error().kind == ErrorKind::not_found);
    }
    CHECK(code_of(world.by_click("short")) == "InvalidFormat");
    CHECK(conversion_rows(world) == 0);
    CHECK(converted(world, Subject::of(link.id)).empty());
    CHECK(converted(world, Subject::of(world.link.id)).empty());
}

TEST_CASE("a deleted link converts no more", "[conversions]") {
    TrackingWorld world;
    const auto id = click_id(world, world.link);
    must(world.remove(world.link.id));
    CHECK(code_of(world.by_click(id)) == "DeletedLink");
    CHECK(code_of(world.by_link()) == "DeletedLink");
    CHECK(converted(world, Subject::of(world.link.id)).empty());
}

TEST_CASE("an erased tag counts nothing, though links still carry it", "[conversions]") {
    TrackingWorld world;
    const auto tag = make_tag(world, "print");
    must(change_label(world, attach_tag, world.link.id, tag));
    erase(world, tag);
    must(world.by_link());
    CHECK(converted(world, Subject::of(tag.id)).empty());
    CHECK(converted(world, Subject::of(world.link.id)) == "vpurchase=1");
}

TEST_CASE("what can be reported again is kept for a day longer than any window, then pruned in batches",
          "[conversions]") {
    TrackingWorld world;
    for (int i = 0; i < 501; ++i)
        must(world.by_link(std::to_string(i)));
    world.clock.advance_seconds(1);
    must(world.by_click(click_id(world, world.link)));
    const auto prune = [&] {
        return must(world.operate([](SystemContext& system) { return prune_conversions(system); }));
    };
    world.clock.advance_seconds(91 * day - 2);
    CHECK(prune() == false);
    CHECK(conversion_rows(world) == 502);
    world.clock.advance_seconds(1);
    CHECK(prune() == true);
    CHECK(conversion_rows(world) == 2);
    CHECK(prune() == false);
    CHECK(conversion_rows(world) == 1);
    CHECK(converted(world, Subject::of(world.link.id)) == "vpurchase=502"); // the figures stay
    CHECK(world.inconsistency().empty());
}

TEST_CASE("the conversions of a deleted workspace go with it", "[conversions]") {
    TrackingWorld world;
    must(world.by_link("mine"));
    const auto other = make_workspace(world, "other");
    const auto link = must(link_in(world, other.id, "there")).link;
    must(write_in(world, other.id, [&](Context& ctx) -> Result<void> {
        TRY(set_conversion_tracking(
            ctx, {.enabled = true, .attribution_window_days = {}, .click_id_parameter = {}}));
        for (int i = 0; i < 250; ++i)
            TRY(record_conversion(ctx, {.click_id = {},
                                        .link = link.id,
                                        .event = "e",
                                        .value = {},
                                        .currency = {},
                                        .reference = std::to_string(i)}));
        return {};
    }));
    CHECK(conversion_rows(world) == 251);
    must(remove_in(world, other.id, Removal::deleted));
    run_all_jobs(world);
    CHECK(conversion_rows(world) == 1);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("random reports, good and bad, count what a plain model says", "[conversions]") {
    TrackingWorld world;
    std::mt19937 generator{20260103};
    const auto below = [&](int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(generator); };
    std::vector<std::string> ids;
    std::vector<Timestamp> times;
    std::set<std::string> seen;
    std::map<std::string, std::int64_t> events;
    std::int64_t euros = 0;
    for (int i = 0; i < 600; ++i) {
        world.clock.advance_seconds(below(3) == 0 ? day : 1);
        ids.push_back(click_id(world, world.link));
        times.push_back(world.clock.time);
        const auto at = static_cast<std::size_t>(below(static_cast<int>(ids.size())));
        auto id = ids[at];
        const bool broken = below(5) == 0;
        if (broken)
            id[static_cast<std::size_t>(below(59))] = '!';
        const auto event = fmt::format("e{}", below(3));
        const auto value = below(2) == 0 ? std::optional(Amount{below(100'000)}) : std::nullopt;
        const auto answer = try_conversion(world, {.click_id = id,
                                                   .link = {},
                                                   .event = event,
                                                   .value = value,
                                                   .currency = value ? "EUR" : "",
                                                   .reference = {}});
        const bool in_time = world.clock.time <= times[at].plus_seconds(30 * day);
        REQUIRE(answer.has_value() == (!broken && in_time));
        if (answer.has_value() && seen.insert(ids[at] + event).second) {
            ++events[event];
            euros += value ? value->thousandths : 0;
        }
    }
    std::string expected;
    for (const auto& [event, count] : events)
        expected += fmt::format("v{}={} ", event, count);
    CHECK(converted(world, Subject::of(world.link.id)) == fmt::format("{}mEUR={}", expected, euros));
    CHECK(world.inconsistency().empty());
}
