// Hosts that no domain answers, told once a minute each.
#include "core/redirect/unknown_hosts.h"

#include "tests/core/redirect/redirect_world.h"

using namespace slashpost;
using namespace slashpost::redirect;
using namespace slashpost::test;

TEST_CASE("a host that no domain has is told once a minute, with how often it was asked for", "[redirect]") {
    UnknownHosts hosts;
    Timestamp now{1'800'000'000'000};
    hosts.note("Other.example.com", HostIs::unknown);
    hosts.note("other.example.com", HostIs::unknown);
    const auto first = hosts.take(now);
    REQUIRE(first.size() == 1);
    CHECK(first.front().host == "other.example.com");
    CHECK(first.front().visits == 2);
    hosts.note("other.example.com", HostIs::unknown);
    CHECK(hosts.take(now.plus_seconds(59)).empty());
    const auto second = hosts.take(now.plus_seconds(60));
    REQUIRE(second.size() == 1);
    CHECK(second.front().visits == 1);
}

TEST_CASE("of hosts that no domain has twenty are told by name, and others together", "[redirect]") {
    UnknownHosts hosts;
    const Timestamp now{1'800'000'000'000};
    for (int i = 0; i < 25; ++i)
        hosts.note("h" + std::to_string(i) + ".example.com", HostIs::unknown);
    const auto news = hosts.take(now);
    REQUIRE(news.size() == 21);
    CHECK(news.back().host.empty());
    CHECK(news.back().visits == 5);
    CHECK(hosts.take(now.plus_seconds(60)).empty()); // and they are forgotten
    hosts.note("h24.example.com", HostIs::unknown);
    const auto later = hosts.take(now.plus_seconds(61));
    REQUIRE(later.size() == 1);
    CHECK(later.front().host == "h24.example.com");
}

TEST_CASE("a visit notes the host that no domain has, and one that is out of service", "[redirect]") {
    RedirectWorld world;
    UnknownHosts hosts;
    world.redirector = make_redirector({.directory = world.directory,
                                        .resolver = world.resolver,
                                        .engine = *world.engine,
                                        .clock = world.clock,
                                        .random = world.random,
                                        .figures = world.figures,
                                        .unknown_hosts = &hosts});
    Domain domain{.id = domain_id, .full_name = "go.example.com", .verified = true};
    domain.revoked = true;
    world.put(domain);
    world.visit({.path = "/sale"});
    world.visit({.host = "other.example.com", .path = "/sale"});
    const auto news = hosts.take(world.clock.time);
    REQUIRE(news.size() == 2);
    CHECK(news[0].host == "go.example.com");
    CHECK(news[0].what == HostIs::out_of_service);
    CHECK(news[1].host == "other.example.com");
    CHECK(news[1].what == HostIs::unknown);
}
