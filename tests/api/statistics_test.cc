// Statistics over the wire: what is asked for, what is answered, who may.
#include "core/schema/click_totals.h"
#include "tests/api/api_world.h"
#include "tests/support/labels.h"
#include "tests/support/parts.h"
#include "tests/support/rollups.h"
#include "tests/support/workspaces.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// The clock stands at 2027-01-15T08:00:00Z.
Timestamp at(std::string_view text) { return parse_iso(text).value(); }

LinkId id_of(const std::string& text) { return LinkId::parse(text).value(); }

constexpr std::string_view nothing =
    R"("clicks":0,"sessions":0,"bots":0,"conversions":0,"events":[],"revenue":[],)"
    R"("buckets":[{"from":"2026-12-17T00:00:00.000Z","clicks":0,"sessions":0,"bots":0,"conversions":0}]})";

} // namespace

TEST_CASE("statistics of a link are told by interval and by what is known of visitors", "[statistics]") {
    ApiWorld world;
    const auto id = world.link_id("x");
    const auto subject = Subject::of(id_of(id));
    happen(world, subject, at("2027-01-13T23:59Z"), {{"c", 70}});
    happen(world, subject, at("2027-01-14T10:00Z"),
           {{"c", 5}, {"s", 4}, {"b", 2}, {"Cde", 3}, {"Cat", 1}, {"Dmobile", 5}});
    happen(world, subject, at("2027-01-15T07:00Z"),
           {{"c", 2}, {"s", 1}, {"Cde", 2}, {"vpurchase", 1}, {"mEUR", 49'000}});
    const auto path = "/links/" + id + "/statistics";
    const auto asked = world.send(get(path + "?from=2027-01-14&to=2027-01-15&interval=day&by=country"));
    CHECK(
        asked.body ==
        R"({"from":"2027-01-14T00:00:00.000Z","to":"2027-01-16T00:00:00.000Z","timezone":"UTC","interval":"day",)"
        R"("by":"country","clicks":7,"sessions":5,"bots":2,"conversions":1,)"
        R"("events":[{"event":"purchase","conversions":1}],"revenue":[{"currency":"EUR","value":49}],)"
        R"("buckets":[{"from":"2027-01-14T00:00:00.000Z","clicks":5,"sessions":4,"bots":2,"conversions":0,)"
        R"("by":[{"value":"de","clicks":3},{"value":"at","clicks":1},{"value":"unknown","clicks":1}]},)"
        R"({"from":"2027-01-15T00:00:00.000Z","clicks":2,"sessions":1,"bots":0,"conversions":1,)"
        R"("by":[{"value":"de","clicks":2}]}]})");

    // What `to` answers may be sent back: a moment does not count itself, a day counts wholly.
    CHECK(world
              .send(get(path + "?from=2027-01-14T00:00:00.000Z&to=2027-01-16T00:00:00.000Z"
                               "&interval=day&by=country"))
              .body == asked.body);
    CHECK(world.send(get(path + "?from=2027-01-14&to=2027-01-14")).at("clicks") == "5");
    CHECK(world.send(get(path + "?to=2027-01-13")).at("clicks") == "70");
    CHECK(world.send(get(path)).at("clicks") == "77");
    CHECK(world.send(get(path + "?from=&to=&interval=&by=")).at("clicks") == "77");
    CHECK(world.send(get(path + "?from=2027-01-14T10:30Z&to=2027-01-14T11:00Z&interval=hour&by=device"))
              .at("buckets") ==
          R"([{"from":"2027-01-14T10:00:00.000Z","clicks":5,"sessions":4,"bots":2,"conversions":0,)"
          R"("by":[{"value":"mobile","clicks":5}]}])");
    CHECK(world.send(get(path + "?from=2027-01-15&interval=month")).at("buckets.0.from") ==
          "2027-01-15T00:00:00.000Z");
    CHECK(world.send(get(path + "?from=2027-01-15T02:00%2B03:00")).at("from") == "2027-01-14T00:00:00.000Z");
}

TEST_CASE("every interval and everything to tell clicks apart by has a name", "[statistics]") {
    ApiWorld world;
    const auto path = "/links/" + world.link_id("x") + "/statistics";
    for (const auto* interval : {"hour", "day", "week", "month"})
        CHECK(world.send(get(path + "?from=2027-01-01&interval=" + interval)).at("interval") == interval);
    for (const auto* by : {"country", "device", "os", "browser", "language", "referrer", "rule", "arm",
                           "utm_source", "utm_medium", "utm_campaign", "scan"}) {
        const auto answer = world.send(get(path + "?by=" + by));
        CHECK(answer.at("by") == by);
        CHECK(answer.at("buckets.0.by") == "[]");
    }
}

TEST_CASE("statistics of what was never clicked are zeros", "[statistics]") {
    ApiWorld world;
    const auto tag = make_tag(world, "t").id.hex();
    for (const auto& path :
         {"/links/" + world.link_id("x"), "/tags/" + tag, "/domains/" + world.installed.domain.id.hex(),
          "/workspaces/" + world.workspace_id()})
        CHECK(world.send(get(path + "/statistics")).body ==
              R"({"from":"2026-12-17T00:00:00.000Z","to":"2027-01-16T00:00:00.000Z","timezone":"UTC",)" +
                  std::string(nothing));
}

TEST_CASE("tags, domains and workspaces have statistics of their own", "[statistics]") {
    ApiWorld world;
    const auto tag = make_tag(world, "t");
    const auto workspace = world.installed.account.default_workspace;
    const auto domain = world.installed.domain.id;
    const auto second = make_workspace(world, "second");
    const auto now = world.clock.time;
    happen(world, Subject::of(tag.id), now, {{"c", 2}, {"s", 1}});
    happen(world, Subject::of(workspace), now, {{"c", 3}});
    happen(world, Subject::of(domain, workspace), now, {{"c", 4}});
    happen(world, Subject::of(domain, second.id), now, {{"c", 100}});
    CHECK(world.send(get("/tags/" + tag.id.hex() + "/statistics")).at("clicks") == "2");
    CHECK(world.send(get("/workspaces/" + world.workspace_id() + "/statistics")).at("clicks") == "3");
    const auto of_domain = "/domains/" + domain.hex() + "/statistics";
    CHECK(world.send(get(of_domain)).at("clicks") == "4"); // what other workspaces have there is theirs
}

TEST_CASE("every broken field of a statistics query is named", "[statistics]") {
    struct Scenario {
        std::string_view query, summary;
    };
    const Scenario scenarios[] = {
        {"from=yesterday&to=2026-13-01&interval=year&by=city",
         "403 InvalidFormat statistics: InvalidFormat from, InvalidFormat to, InvalidFormat interval, "
         "InvalidFormat by"},
        {"from=2027-01-10&to=2027-01-09", "403 InvalidFormat statistics: OutOfRange to"},
        {"from=2027-01-16", "403 InvalidFormat statistics: OutOfRange from"},
        {"from=2026-11-01&interval=hour", "403 InvalidFormat statistics: OutOfRange from"},
        {"from=2026-10-17&to=2026-10-20&interval=hour", "403 InvalidFormat statistics: OutOfRange from"},
        {"from=2024-01-01&interval=day&by=colour",
         "403 InvalidFormat statistics: InvalidFormat by, OutOfRange from"},
        {"from=1969-12-31", "403 InvalidFormat statistics: InvalidFormat from"},
        {"from=0&to=99999999999999999999",
         "403 InvalidFormat statistics: InvalidFormat from, InvalidFormat to"},
        {"from=%00", "403 InvalidFormat statistics: InvalidFormat from"},
        {"to=9999-12-31", "200"},
        {"unknown=key", "200"},
    };
    ApiWorld world;
    const auto id = world.link_id("x");
    for (const auto& [query, summary] : scenarios) {
        CAPTURE(query);
        CHECK(world.send(get("/links/" + id + "/statistics?" + std::string(query))).summary() == summary);
    }
    const auto too_long = world.send(get("/links/" + id + "/statistics?from=2026-11-01&interval=hour"));
    CHECK(too_long.at("errors.0.message") ==
          "must be at most 45 days before the end for an interval of hours");
}

TEST_CASE("what is not there, not the caller's or deleted has no statistics", "[statistics]") {
    ApiWorld world;
    const auto id = world.link_id("x");
    const auto tag = make_tag(world, "t");
    const auto outsider = world.outsider().key;
    const auto answer = [&](const std::string& path, const std::string& key = "") {
        return world.send(get(path + "/statistics").as(key)).summary();
    };
    CHECK(answer("/links/" + id, outsider) == "404 NotFound link");
    CHECK(answer("/tags/" + tag.id.hex(), outsider) == "404 NotFound tag");
    CHECK(answer("/workspaces/" + world.workspace_id(), outsider) == "404 NotFound workspace");
    CHECK(answer("/domains/" + std::string(32, '0')) == "404 NotFound domain");
    CHECK(answer("/links/nonsense") == "404 NotFound link");
    // A query that cannot be read does not tell whether something is there.
    CHECK(world.send(get("/links/" + id + "/statistics?interval=x").as(outsider)).summary() ==
          "404 NotFound link");
    CHECK(world
              .send(get("/links/" + id + "/statistics")
                        .as(world.colleague(Role::viewer).key)
                        .with("Workspace", world.workspace_id()))
              .status == 200);
    REQUIRE(world.send(del("/links/" + id)).status == 200);
    CHECK(answer("/links/" + id) == "404 NotFound link");
    erase(world, tag);
    CHECK(answer("/tags/" + tag.id.hex()) == "404 NotFound tag");
}

TEST_CASE("replies show sessions, last clicks, and the clicks of tags and arms", "[statistics]") {
    ApiWorld world;
    const auto tag = make_tag(world, "t");
    const auto tag_path = "/tags/" + tag.id.hex();
    const auto id = world.link_id("x", fmt::format(R"(,"type":"rotator","tags":["{}"])", tag.id.hex()));
    const auto arm = make_rotator_rule(world, id_of(id)), idle = make_rotator_rule(world, id_of(id));
    const auto workspace = world.installed.account.default_workspace;
    const auto domain = Subject::of(world.installed.domain.id, workspace);
    const auto now = world.clock.time;
    happen(world, Subject::of(id_of(id)), now, {{"c", 5}, {"s", 3}, {named('a', arm.id), 4}});
    happen(world, Subject::of(tag.id), now, {{"c", 6}, {"s", 2}});
    happen(world, domain, now, {{"c", 5}, {"s", 4}});
    happen(world, Subject::of(workspace), now, {{"c", 5}, {"s", 1}});
    happen(world, Subject::of(workspace), now.plus_seconds(-29 * 86'400), {{"c", 5}, {"s", 7}});
    happen(world, Subject::of(workspace), now.plus_seconds(-30 * 86'400), {{"c", 5}, {"s", 9}});
    must(world.operate([&](SystemContext& system) -> Result<void> {
        for (const auto& subject : {Subject::of(tag.id), domain})
            TRY(system.txn.put_blind(space::last_clicks, last_click_key(subject), last_click_value(now)));
        return {};
    }));

    const auto link = world.send(get("/links/" + id));
    CHECK(link.at("sessions") == "3");
    CHECK(link.at("tags.0.clicks") == "6");
    CHECK(world.send(get("/links")).at("0.sessions") == "3");
    CHECK(world.send(get("/links/" + id + "/rotator")).column("clicks") == "4 0");
    CHECK(world.send(get("/links/" + id + "/rotator/" + arm.id.hex())).at("clicks") == "4");
    CHECK(world.send(get("/links/" + id + "/rotator/" + idle.id.hex())).at("clicks") == "0");
    CHECK(world.send(post("/links/" + id + "/rotator/" + arm.id.hex(), R"({"weight":3})")).at("clicks") ==
          "4");
    CHECK(world
              .send(put("/links/" + id + "/rotator",
                        fmt::format(R"([{{"destination":"https://example.com/new"}},)"
                                    R"({{"id":"{}","destination":"https://example.com/"}}])",
                                    arm.id.hex())))
              .column("clicks") == "0 4");
    for (const auto& shown : {world.send(get(tag_path)), world.send(post(tag_path, R"({"name":"u"})"))}) {
        CHECK(shown.at("clicks") == "6");
        CHECK(shown.at("sessions") == "2");
        CHECK(shown.at("lastClickAt") == "2027-01-15T08:00:00.000Z");
    }
    CHECK(world.send(get("/tags")).at("0.clicks") == "6");
    CHECK(world.send(get("/links/" + id + "/tags")).at("0.sessions") == "2");
    const auto shown_domain = world.send(get("/domains/" + world.installed.domain.id.hex()));
    CHECK(shown_domain.at("sessions") == "4");
    CHECK(shown_domain.at("lastClickAt") == "2027-01-15T08:00:00.000Z");
    const auto shown_workspace = world.send(get("/workspaces/" + world.workspace_id()));
    CHECK(shown_workspace.at("sessions") == "17");
    CHECK(shown_workspace.at("statistics.sessions") == "17");
    CHECK(shown_workspace.at("statistics.today.sessions") == "1");
    CHECK(shown_workspace.at("statistics.last30days.sessions") == "8");
    CHECK(world.send(get("/account")).at("sessions") == "17");
    CHECK(world.send(get("/account").as(world.outsider().key)).at("sessions") == "0");
}

TEST_CASE("days are those of the zone that is asked for, or else of the workspace", "[statistics]") {
    ApiWorld world;
    const auto id = world.link_id("x");
    happen(world, Subject::of(id_of(id)), at("2027-01-13T22:59Z"), {{"c", 1}});
    happen(world, Subject::of(id_of(id)), at("2027-01-13T23:00Z"), {{"c", 2}});
    const auto path = "/links/" + id + "/statistics?from=2027-01-14&to=2027-01-14";
    CHECK(world.send(get(path)).at("clicks") == "0");
    const auto berlin = world.send(get(path + "&timezone=Europe/Berlin"));
    CHECK(berlin.at("clicks") == "2");
    CHECK(berlin.at("timezone") == "Europe/Berlin");
    CHECK(berlin.at("from") == "2027-01-13T23:00:00.000Z");
    CHECK(berlin.at("to") == "2027-01-14T23:00:00.000Z");
    CHECK(berlin.at("utcUntil") == "(absent)");
    CHECK(world.send(get("/links/" + id + "/statistics?from=2026-01-01&timezone=Europe/Berlin"))
              .at("utcUntil") == "2026-10-18T00:00:00.000Z");
    // A time without an offset is one of the zone, one with it is that instant.
    const auto hours = "/links/" + id + "/statistics?interval=hour&timezone=Europe/Berlin";
    CHECK(world.send(get(hours + std::string("&from=2027-01-14T00:00&to=2027-01-14T01:00"))).at("clicks") ==
          "2");
    CHECK(world.send(get(hours + std::string("&from=2027-01-14T00:00Z&to=2027-01-14T01:00Z"))).at("clicks") ==
          "0");

    const auto home = "/workspaces/" + world.workspace_id();
    CHECK(world.send(post(home, R"({"timezone":"Europe/Berlin"})")).at("timezone") == "Europe/Berlin");
    CHECK(world.send(get(path)).body == berlin.body);
    CHECK(world.send(get(path + "&timezone=UTC")).at("clicks") == "0");
    CHECK(world.send(get(path + "&timezone=Europe/Atlantis")).summary() ==
          "403 InvalidFormat statistics: InvalidFormat timezone");
}
