// Which visitors carry a click id to the destination, and where it stands there.
#include "core/clicks/click_ids.h"
#include "core/redirect/location.h"
#include "tests/core/redirect/redirect_world.h"

using namespace slashpost;
using namespace slashpost::test;
using namespace slashpost::redirect;

namespace {

constexpr std::string_view browser = "Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0";

struct TrackingWorld : RedirectWorld {
    TrackingWorld() { track({.id = workspace_id, .conversion_enabled = true}); }
    void track(const Workspace& workspace) { put(workspace); }

    const ClickIds ids{std::string(32, 'k')};
    std::unique_ptr<Redirector> tracking = make_redirector({.directory = directory,
                                                            .resolver = resolver,
                                                            .engine = *engine,
                                                            .clock = clock,
                                                            .random = random,
                                                            .figures = figures,
                                                            .click_ids = &ids});

    std::string follow(Visit visit) {
        visit.host = "go.example.com";
        if (visit.user_agent.empty())
            visit.user_agent = browser;
        tracking->answer(visit, lane, answer);
        return answer.location;
    }
    // The location, with "<id>" for a click id of the link at the clock's time.
    std::string masked(const Visit& visit) {
        auto location = follow(visit);
        for (std::size_t at = 0; at + click_id_characters <= location.size(); ++at)
            if (ids.open(workspace_id, std::string_view(location).substr(at, click_id_characters)) ==
                ClickOrigin{.link = link_id, .time = clock.time})
                location.replace(at, click_id_characters, "<id>");
        return location;
    }
};

std::string forwarded(std::string_view destination, std::string_view query, const OwnParameter& own) {
    std::string out;
    append_forwarded(out, destination, query, OnConflict::destination, &own);
    return out;
}

} // namespace

TEST_CASE("an own parameter comes last in the query and in front of the fragment", "[click_forwarding]") {
    const OwnParameter own{.name = "c", .value = "1"};
    CHECK(forwarded("https://a.example", "", own) == "https://a.example?c=1");
    CHECK(forwarded("https://a.example/?", "", own) == "https://a.example/?c=1");
    CHECK(forwarded("https://a.example/?x=1&", "", own) == "https://a.example/?x=1&c=1");
    CHECK(forwarded("https://a.example/?x=1#f?c=2", "y=2", own) == "https://a.example/?x=1&y=2&c=1#f?c=2");
    CHECK(forwarded("https://a.example/#c=3", "", own) == "https://a.example/?c=1#c=3");
}

TEST_CASE("an own parameter takes the place of the destination's and of the visitor's",
          "[click_forwarding]") {
    const OwnParameter own{.name = "c", .value = "1"};
    CHECK(forwarded("https://a.example/?c=old", "", own) == "https://a.example/?c=1");
    CHECK(forwarded("https://a.example/?c=old&x=2&%63=older&c&C=3#f", "", own) ==
          "https://a.example/?x=2&C=3&c=1#f");
    CHECK(forwarded("https://a.example/", "c=mine&x=1&%63=mine&c", own) == "https://a.example/?x=1&c=1");
    CHECK(forwarded("https://a.example/?c=old", "c=mine", own) == "https://a.example/?c=1");
    CHECK(forwarded("https://a.example/?cc=1", "ccc=2", own) == "https://a.example/?cc=1&ccc=2&c=1");

    const OwnParameter none{.name = "c", .value = ""};
    CHECK(forwarded("https://a.example/?c=old", "c=mine&x=1", none) == "https://a.example/?c=old&x=1");
    CHECK(forwarded("https://a.example/", "c=mine", none) == "https://a.example/");
}

TEST_CASE("a person carries a click id where conversions are tracked, and nowhere else",
          "[click_forwarding]") {
    TrackingWorld world;
    world.put(RedirectWorld::link("sale", "https://a.example/"));
    CHECK(world.masked({.path = "/sale"}) == "https://a.example/?sp_click=<id>");
    CHECK(world.masked({.path = "/sale", .query = "x=1"}) == "https://a.example/?x=1&sp_click=<id>");
    CHECK(world.follow({.path = "/sale"}) != world.follow({.path = "/sale"}));

    world.track({.id = workspace_id, .conversion_enabled = false});
    CHECK(world.follow({.path = "/sale", .query = "sp_click=x"}) == "https://a.example/?sp_click=x");
    world.track({.id = workspace_id});
    CHECK(world.follow({.path = "/sale"}) == "https://a.example/");
    world.track({.id = workspace_id, .trashed = true, .conversion_enabled = true});
    CHECK(world.follow({.path = "/sale"}).empty());
}

TEST_CASE("the time in a click id is that of the click that is counted", "[click_forwarding]") {
    TrackingWorld world;
    world.put(RedirectWorld::link("sale", "https://a.example/"));
    world.clock.time = {1'767'225'600'123};
    CHECK(world.masked({.path = "/sale"}) == "https://a.example/?sp_click=<id>");
    CHECK(decode_click(world.lane.records.back())->time == Timestamp{1'767'225'600'123});
}

TEST_CASE("bots, HEAD and prefetches carry no click id, and no one else's", "[click_forwarding]") {
    TrackingWorld world;
    world.put(RedirectWorld::link("sale", "https://a.example/?sp_click=fixed"));
    CHECK(world.follow({.path = "/sale", .query = "sp_click=x&y=1", .user_agent = "Twitterbot/1.0"}) ==
          "https://a.example/?sp_click=fixed&y=1");
    CHECK(world.follow({.path = "/sale", .query = "sp_click=x", .counts = false}) ==
          "https://a.example/?sp_click=fixed");
    CHECK(world.masked({.path = "/sale", .query = "sp_click=x"}) == "https://a.example/?sp_click=<id>");
}

TEST_CASE("a click id is carried also where the visitor's own query is not", "[click_forwarding]") {
    TrackingWorld world;
    auto link = RedirectWorld::link("sale", "https://a.example/?x=1#f");
    link.forward(false);
    world.put(link);
    CHECK(world.masked({.path = "/sale", .query = "y=2"}) == "https://a.example/?x=1&sp_click=<id>#f");
}

TEST_CASE("only web addresses get a click id", "[click_forwarding]") {
    TrackingWorld world;
    for (const auto& [destination, expected] : {std::pair{"mailto:a@example.com", "mailto:a@example.com"},
                                                {"shop://item/5", "shop://item/5"},
                                                {"httpsx://item/5", "httpsx://item/5"},
                                                {"HTTPS://a.example/", "HTTPS://a.example/?sp_click=<id>"},
                                                {"http://a.example/", "http://a.example/?sp_click=<id>"}}) {
        world.put(RedirectWorld::link("sale", destination));
        CHECK(world.masked({.path = "/sale"}) == expected);
    }
}

TEST_CASE("a workspace may name the parameter of its click ids", "[click_forwarding]") {
    TrackingWorld world;
    world.put(RedirectWorld::link("sale", "https://a.example/?sp_click=fixed"));
    world.track({.id = workspace_id, .conversion_enabled = true, .click_id_parameter = "cid"});
    CHECK(world.masked({.path = "/sale", .query = "cid=x&sp_click=y&z=1"}) ==
          "https://a.example/?sp_click=fixed&z=1&cid=<id>");
}
