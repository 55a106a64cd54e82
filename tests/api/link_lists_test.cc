// Lists and counts of links over the API (wire "Lists").
#include "tests/api/api_world.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// Five links a second apart, "l1" to "l5"; l2 and l4 are favourites, l3 lies on one.example.
struct ListWorld : ApiWorld {
    Domain one = domain("one.example");
    std::vector<std::string> ids;

    ListWorld() {
        for (int i = 1; i <= 5; ++i) {
            ids.push_back(link_id(fmt::format("l{}", i),
                                  fmt::format(R"(,"favourite":{},"domain":{{"fullName":"{}"}},"title":"T{}")",
                                              i % 2 == 0, i == 3 ? "one.example" : "go.example.com", 9 - i)));
            clock.advance_seconds(1);
        }
    }
    std::string slashtags(std::string_view query) {
        const auto answer = send(get("/links" + std::string(query)));
        return answer.status == 200 ? answer.column("slashtag") : answer.summary();
    }
    std::string count(std::string_view query) {
        const auto answer = send(get("/links/count" + std::string(query)));
        return answer.status == 200 ? answer.body : answer.summary();
    }
};

} // namespace

TEST_CASE("links are listed newest first unless asked otherwise", "[lists]") {
    ListWorld world;
    CHECK(world.slashtags("") == "l5 l4 l3 l2 l1");
    CHECK(world.slashtags("?orderDir=asc") == "l1 l2 l3 l4 l5");
    CHECK(world.slashtags("?orderBy=createdAt&orderDir=desc") == "l5 l4 l3 l2 l1");
    CHECK(world.slashtags("?orderBy=title&orderDir=asc") == "l5 l4 l3 l2 l1");
    CHECK(world.slashtags("?orderBy=slashtag") == "l5 l4 l3 l2 l1");
    for (const auto* order : {"updatedAt", "clicks", "lastClickAt"})
        CHECK(world.send(get(fmt::format("/links?orderBy={}", order))).status == 200);
}

TEST_CASE("every filter of the list is one of the count", "[lists]") {
    ListWorld world;
    const auto go = world.installed.domain.id.hex(), one = world.one.id.hex();
    const auto me = world.installed.account.id.hex();
    const std::string nobody = "00000000000000000000000000000001";
    const struct {
        std::string query;
        std::string_view slashtags;
        int count;
    } cases[] = {
        {"?domain.id=" + one, "l3", 1},
        {"?domain[id]=" + one, "l3", 1},
        {"?domain.id=" + one + "," + go, "l5 l4 l3 l2 l1", 5},
        {"?domain.id=" + nobody, "", 0},
        {"?domain.fullName=one.example", "l3", 1},
        {"?domain.fullName=none.example", "", 0},
        {"?slashtag=l4", "l4", 1},
        {"?slashtag=L4", "l4", 1},
        {"?slashtag=l", "", 0},
        {"?creator.id=" + me, "l5 l4 l3 l2 l1", 5},
        {"?creator.id=" + nobody + "," + me, "l5 l4 l3 l2 l1", 5},
        {"?creator.id=" + nobody, "", 0},
        {"?favourite=true", "l4 l2", 2},
        {"?favourite=1", "l4 l2", 2},
        {"?favourite=false", "l5 l3 l1", 3},
        {"?favourite=none", "l5 l4 l3 l2 l1", 5},
        {"?favourite=true&domain.id=" + go, "l4 l2", 2},
        {"?favourite=true&domain.id=" + one, "", 0},
        {"?status.active=true", "l5 l4 l3 l2 l1", 5},
        {"?status.active=false", "", 0},
        {"?dateFrom=2027-01-15", "l5 l4 l3 l2 l1", 5},
        {"?dateFrom=2027-01-16", "", 0},
        {"?dateTo=2027-01-15", "l5 l4 l3 l2 l1", 5},
        {"?dateTo=2027-01-14", "", 0},
        {"?dateFrom=2027-01-15&dateTo=2027-01-15", "l5 l4 l3 l2 l1", 5},
        {"?last=&orderBy=&orderDir=&limit=&offset=&favourite=&domain.id=&domain[fullName]=&slashtag=&creator."
         "id="
         "&status.active=&dateFrom=&dateTo=",
         "l5 l4 l3 l2 l1", 5},
        {"?unknown=1&apikey=&workspace=", "l5 l4 l3 l2 l1", 5},
        {"?favourite=true&favourite=false", "l5 l3 l1", 3},
    };
    for (const auto& [query, slashtags, count] : cases) {
        INFO(query);
        CHECK(world.slashtags(query) == slashtags);
        CHECK(world.count(query) == fmt::format(R"({{"count":{}}})", count));
    }
}

TEST_CASE("deleted links are listed only on request", "[lists]") {
    ListWorld world;
    REQUIRE(world.send(del("/links/" + world.ids[1])).status == 200);
    CHECK(world.slashtags("") == "l5 l4 l3 l1");
    CHECK(world.slashtags("?status.active=false") == "l2");
    CHECK(world.count("?status.active=false") == R"({"count":1})");
    CHECK(world.send(get("/links?status.active=false")).column("status") == "deleted");
}

TEST_CASE("a filter that cannot be read is refused, all of them at once", "[lists]") {
    ListWorld world;
    const std::pair<std::string_view, std::string_view> cases[] = {
        {"?domain.id=x", "403 InvalidFormat link: InvalidFormat domain.id"},
        {"?creator.id=x", "403 InvalidFormat link: InvalidFormat creator.id"},
        {"?favourite=maybe", "403 InvalidFormat link: InvalidFormat favourite"},
        {"?status.active=maybe", "403 InvalidFormat link: InvalidFormat status.active"},
        {"?dateFrom=yesterday", "403 InvalidFormat link: InvalidFormat dateFrom"},
        {"?dateTo=2027-02-30", "403 InvalidFormat link: InvalidFormat dateTo"},
        {"?slashtag=%ff", "403 InvalidFormat link: InvalidFormat slashtag"},
        {"?favourite=maybe&domain.id=x,y",
         "403 InvalidFormat link: InvalidFormat domain.id, InvalidFormat domain.id, InvalidFormat favourite"},
    };
    for (const auto& [query, summary] : cases) {
        INFO(query);
        CHECK(world.slashtags(query) == summary);
        CHECK(world.count(query) == summary);
    }
}

TEST_CASE("page parameters have their bounds", "[lists][threat-34]") {
    ListWorld world;
    const std::pair<std::string_view, std::string_view> cases[] = {
        {"?limit=0", "403 InvalidFormat link: OutOfRange limit"},
        {"?limit=-1", "403 InvalidFormat link: OutOfRange limit"},
        {"?limit=ten", "403 InvalidFormat link: InvalidFormat limit"},
        {"?limit=1.5", "403 InvalidFormat link: InvalidFormat limit"},
        {"?limit=2", "l5 l4"},
        {"?limit=1", "l5"},
        {"?limit=1000000", "l5 l4 l3 l2 l1"},
        {"?limit=99999999999999999999999", "l5 l4 l3 l2 l1"},
        {"?offset=0", "l5 l4 l3 l2 l1"},
        {"?offset=3", "l2 l1"},
        {"?offset=5", ""},
        {"?offset=10000", ""},
        {"?offset=10001", "403 InvalidFormat link: OutOfRange offset"},
        {"?offset=-1", "403 InvalidFormat link: OutOfRange offset"},
        {"?orderBy=magic", "403 InvalidFormat link: InvalidFormat orderBy"},
        {"?orderBy=CREATEDAT", "403 InvalidFormat link: InvalidFormat orderBy"},
        {"?orderDir=up", "403 InvalidFormat link: InvalidFormat orderDir"},
        {"?last=x", "403 InvalidFormat link: InvalidFormat last"},
        {"?last=00000000000000000000000000000001", "403 InvalidFormat link: InvalidFormat last"},
        {"?limit=0&orderBy=magic&last=x&orderDir=up",
         "403 InvalidFormat link: OutOfRange limit, InvalidFormat orderDir, InvalidFormat orderBy, "
         "InvalidFormat last"},
    };
    for (const auto& [query, expected] : cases) {
        INFO(query);
        CHECK(world.slashtags(query) == expected);
    }
}

TEST_CASE("a limit above 100 is 100 and without one it is 25", "[lists]") {
    ApiWorld world;
    for (int i = 0; i < 101; ++i)
        world.link_id(fmt::format("n{}", i));
    CHECK(world.send(get("/links")).json.as_array().size() == 25);
    CHECK(world.send(get("/links?limit=100")).json.as_array().size() == 100);
    CHECK(world.send(get("/links?limit=101")).json.as_array().size() == 100);
    CHECK(world.send(get("/links/count")).body == R"({"count":101})");
}

TEST_CASE("pages follow one another by the id of the last item, to an empty one", "[lists]") {
    ListWorld world;
    CHECK(world.slashtags("?limit=2&last=" + world.ids[3]) == "l3 l2");
    CHECK(world.slashtags("?limit=2&last=" + world.ids[1]) == "l1");
    CHECK(world.slashtags("?last=" + world.ids[0]) == "");
    CHECK(world.send(get("/links?last=" + world.ids[0])).body == "[]");
    CHECK(world.slashtags("?orderBy=title&orderDir=asc&limit=2&last=" + world.ids[4]) == "l4 l3");
}

TEST_CASE("a cursor stays good when its link was deleted or changed since", "[lists]") {
    ListWorld world;
    REQUIRE(world.send(del("/links/" + world.ids[3])).status == 200);
    CHECK(world.slashtags("?limit=2&last=" + world.ids[3]) == "l3 l2");
    REQUIRE(world.send(post("/links/" + world.ids[2], R"({"title":"zzz"})")).status == 200);
    CHECK(world.slashtags("?limit=2&last=" + world.ids[2]) == "l2 l1");
}

TEST_CASE("a cursor of another workspace is unknown", "[lists][threat-34]") {
    ListWorld world;
    const auto outsider = world.outsider();
    const auto theirs =
        world.send(post("/links", R"({"destination":"https://example.com/"})").as(outsider.key)).at("id");
    CHECK(world.slashtags("?last=" + theirs) == "403 InvalidFormat link: InvalidFormat last");
    CHECK(world.send(get("/links").as(outsider.key)).column("id") == theirs);
}
