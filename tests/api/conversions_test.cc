// Conversions over the wire (interface 3.5).
#include "tests/api/api_world.h"
#include "tests/support/conversions.h"

#include <random>

using namespace slashpost;
using namespace slashpost::test;

namespace {

struct TrackingWorld : ApiWorld {
    TrackingWorld() {
        track_conversions(*this);
        link = link_id("sale");
    }
    [[nodiscard]] LinkId row() const { return *LinkId::parse(link); }
    std::string click() { return click_id(*this, installed.account.default_workspace, row()); }
    Answer report(std::string_view cause, std::string_view more) {
        return send(post("/conversions", fmt::format(R"({{{}{}}})", cause, more)));
    }
    std::string by_link(std::string_view more) {
        return report(fmt::format(R"("linkId":"{}")", link), more).summary();
    }
    std::string counted() { return converted(*this, Subject::of(row())); }
    std::string link;
};

} // namespace

TEST_CASE("a conversion is reported with the click id that the visitor carried", "[conversions]") {
    TrackingWorld world;
    const auto id = world.click();
    world.clock.advance_seconds(90);
    const auto answer = world.report(fmt::format(R"("clickId":"{}")", id),
                                     R"(,"event":"purchase","value":19.99,"currency":"eur")");
    CHECK(answer.status == 200);
    CHECK(answer.body ==
          fmt::format(R"({{"id":"{}","linkId":"{}","event":"purchase","value":1.999E1,"currency":"EUR",)"
                      R"("createdAt":"2027-01-15T08:01:30.000Z","clickedAt":"2027-01-15T08:00:00.000Z"}})",
                      answer.at("id"), world.link));
    const auto again = world.report(fmt::format(R"("clickId":"{}")", id),
                                    R"(,"event":"purchase","value":5,"currency":"USD")");
    CHECK(again.body == answer.body);
    CHECK(world.counted() == "vpurchase=1 mEUR=19990");
}

TEST_CASE("a conversion without a click id names the link, and need not have a value", "[conversions]") {
    TrackingWorld world;
    const auto answer =
        world.report(fmt::format(R"("linkId":"{}")", world.link), R"(,"event":"call.me_back-1")");
    CHECK(answer.body == fmt::format(R"({{"id":"{}","linkId":"{}","event":"call.me_back-1",)"
                                     R"("createdAt":"2027-01-15T08:00:00.000Z"}})",
                                     answer.at("id"), world.link));
    CHECK(world.counted() == "vcall.me_back-1=1");
}

TEST_CASE("a form reports a conversion as well as JSON does", "[conversions]") {
    TrackingWorld world;
    const auto answer = world.send(post_form(
        "/conversions", fmt::format("clickId={}&event=purchase&value=0.30&currency=EUR", world.click())));
    CHECK(answer.status == 200);
    CHECK(world.counted() == "vpurchase=1 mEUR=300");
}

TEST_CASE("either a click or a link is named, not both", "[conversions]") {
    TrackingWorld world;
    const auto event = R"("event":"e")";
    CHECK(world.report("", event).summary() == "403 InvalidFormat conversion: RequiredField clickId");
    CHECK(world.report(R"("clickId":"","linkId":"",)", event).summary() ==
          "403 InvalidFormat conversion: RequiredField clickId");
    CHECK(world.report(fmt::format(R"("clickId":"{}","linkId":"{}",)", world.click(), world.link), event)
              .summary() == "403 InvalidFormat conversion: InvalidFormat linkId");
    CHECK(world.report(R"("linkId":"x",)", event).summary() ==
          "403 InvalidFormat conversion: InvalidFormat linkId");
    CHECK(world.report(R"("clickId":5,)", event).summary() ==
          "403 InvalidFormat conversion: InvalidFormat clickId");
    CHECK(world.counted().empty());
}

TEST_CASE("all that is wrong with a conversion is told at once", "[conversions]") {
    TrackingWorld world;
    CHECK(world.report(R"("clickId":"x")", R"(,"value":-1,"currency":"ZZZ","event":"A B")").summary() ==
          "403 InvalidFormat conversion: PatternMismatch event, OutOfRange value, InvalidFormat clickId, "
          "InvalidFormat currency");
    CHECK(world.by_link("") == "403 InvalidFormat conversion: RequiredField event");
}

TEST_CASE("an event is a short name in lower case", "[conversions]") {
    TrackingWorld world;
    const auto with = [&](const std::string& event) {
        return world.by_link(fmt::format(R"(,"event":"{}")", event));
    };
    CHECK(with("a") == "200");
    CHECK(with(std::string(64, 'z')) == "200");
    CHECK(with("") == "403 InvalidFormat conversion: RequiredField event");
    for (const auto& event : {std::string(65, 'z'), std::string("Purchase"), std::string("a b"),
                              std::string("ü"), std::string("<b>"), std::string(R"(a\nb)")})
        CHECK(with(event) == "403 InvalidFormat conversion: PatternMismatch event");
}

TEST_CASE("a value has at most three decimals, is not negative and has a currency", "[conversions]") {
    TrackingWorld world;
    const auto with = [&](std::string_view value) {
        const auto answer = world.by_link(fmt::format(R"(,"event":"e","currency":"EUR","value":{})", value));
        return answer == "200" ? answer : answer.substr(answer.find(": ") + 2);
    };
    for (const auto* good : {"0", "0.001", "19.99", "\"19.99\"", "1e2", "9999999999.999", "0.1e1"})
        CHECK(with(good) == "200");
    for (const auto* bad : {"-1", "-0.001", "10000000000", "9999999999.9999999", "1e308",
                            "123456789012345678901234567890", "\"10000000000\""})
        CHECK(with(bad) == "OutOfRange value");
    for (const auto* bad : {"0.0001", "19.9901", "\"x\"", "\"1e2\"", "true", "[]", "{}", "\"1,50\""})
        CHECK(with(bad) == "InvalidFormat value");
    CHECK(world.by_link(R"(,"event":"e","value":5)") ==
          "403 InvalidFormat conversion: RequiredField currency");
    CHECK(world.by_link(R"(,"event":"e","currency":"EUR")") ==
          "403 InvalidFormat conversion: RequiredField value");
    for (const auto* code : {"EU", "EURO", "XXX", "DEM", "E\\u00dcR"})
        CHECK(world.by_link(fmt::format(R"(,"event":"e","value":5,"currency":"{}")", code)) ==
              "403 InvalidFormat conversion: InvalidFormat currency");
}

TEST_CASE("sums of values are exact", "[conversions]") {
    TrackingWorld world;
    for (int i = 0; i < 100; ++i)
        REQUIRE(world.by_link(R"(,"event":"e","value":0.1,"currency":"EUR")") == "200");
    REQUIRE(world.by_link(R"(,"event":"e","value":1.005,"currency":"KWD")") == "200");
    CHECK(world.counted() == "ve=101 mEUR=10000 mKWD=1005");
}

TEST_CASE("a click id that means nothing here is not found, an old one is refused", "[conversions]") {
    TrackingWorld world;
    const auto with = [&](const std::string& id) {
        return world.report(fmt::format(R"("clickId":"{}")", id), R"(,"event":"e")").summary();
    };
    const auto id = world.click();
    auto forged = id;
    forged[10] = forged[10] == 'A' ? 'B' : 'A';
    CHECK(with(forged) == "404 NotFound click");
    CHECK(with(id.substr(1)) == "403 InvalidFormat conversion: InvalidFormat clickId");
    CHECK(with(std::string(100'000, 'A')) == "403 InvalidFormat conversion: InvalidFormat clickId");

    const auto other = make_workspace(world, "other");
    const auto theirs = must(link_in(world, other.id, "there")).link;
    CHECK(with(click_id(world, theirs)) == "404 NotFound click");
    CHECK(world.send(post("/conversions", fmt::format(R"({{"linkId":"{}","event":"e"}})", theirs.id.hex())))
              .summary() == "404 NotFound link");

    world.clock.advance_seconds(30LL * 24 * 3600 + 1);
    CHECK(with(id) == "403 ExpiredClick click");
    CHECK(world.counted().empty());
    CHECK(converted(world, Subject::of(theirs.id)).empty());
}

TEST_CASE("conversions are refused where they are not tracked, before the body is looked at",
          "[conversions]") {
    TrackingWorld world;
    track_conversions(world, {}, false);
    CHECK(world.send(post("/conversions", "{}")).summary() == "403 ConversionTrackingDisabled workspace");
    set_plan(world, {.features = Change<std::vector<std::string>>::set({"links.tags"})});
    CHECK(world.send(post("/conversions", "{}")).summary() ==
          "403 FeatureNotIncluded extra.conversion_tracking");
}

TEST_CASE("whatever body comes in, the answer is a proper one and only sound conversions count",
          "[conversions]") {
    TrackingWorld world;
    std::mt19937 generator{20260104};
    const auto pick = [&](const auto& from) -> std::string {
        return std::string(
            from[std::uniform_int_distribution<std::size_t>(0, std::size(from) - 1)(generator)]);
    };
    const std::string link = '"' + world.link + '"';
    const std::vector<std::string> values{link,
                                          "null",
                                          "\"\"",
                                          "0",
                                          "-1",
                                          "1e400",
                                          "1.5",
                                          "true",
                                          "[]",
                                          "{}",
                                          "[{}]",
                                          R"("\u0000")",
                                          "\"\xff\"",
                                          "\"e\"",
                                          "\"EUR\"",
                                          "\"19.99\"",
                                          '"' + std::string(59, 'A') + '"',
                                          '"' + std::string(5'000, 'x') + '"',
                                          "99999999999999999999999999",
                                          R"("\ud800")"};
    const std::vector<std::string> names{"clickId",  "linkId",    "event", "value",
                                         "currency", "reference", "id",    "workspace"};
    std::int64_t sound = 0;
    for (int i = 0; i < 2'000; ++i) {
        std::string body = "{";
        for (int fields = std::uniform_int_distribution<int>(0, 5)(generator); fields > 0; --fields)
            body += fmt::format(R"({}"{}":{})", body.size() > 1 ? "," : "", pick(names), pick(values));
        if (i % 10 == 0)
            body = fmt::format(R"({{"linkId":{},"event":"e","reference":{})", link, pick(values));
        const auto answer = world.send(post("/conversions", body + "}"));
        const bool proper =
            answer.status == 200 || answer.status == 400 || answer.status == 403 || answer.status == 404;
        INFO(body);
        REQUIRE(proper);
        sound += answer.status == 200 ? 1 : 0;
    }
    CHECK(world.faults.empty());
    CHECK(sound > 0);
    const auto counted = must(world.engine->read(
        [&](data::View& view) { return RollupReader(view).lifetime(Subject::of(world.row())); }));
    CHECK(counted.sum('v') > 0);
    CHECK(counted.sum('v') <= sound); // what has the same reference counts once
    CHECK(world.inconsistency().empty());
}
