// Search over the API (interface 4.1, wire "Lists").
#include "tests/api/api_world.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// Links in which "sale" occurs, a second apart, named by how; "tagged" lies on one.example and has a tag.
struct SearchWorld : ApiWorld {
    Domain one = domain("one.example");
    std::string tag = send(post("/tags", R"({"name":"red","color":"ff0000"})")).at("id");

    SearchWorld() {
        add("to", R"("destination":"https://example.com/sale","title":"-")");
        add("tagged", fmt::format(R"("destination":"https://example.com/","title":"Big Sale","tags":["{}"],)"
                                  R"("domain":{{"fullName":"one.example"}})",
                                  tag));
        add("wholesale", R"("destination":"https://example.com/","favourite":true)");
        add("sale", R"("destination":"https://example.com/")");
        add("other", R"("destination":"https://example.com/")");
        add("Sale2", R"("destination":"https://example.com/")");
    }
    void add(std::string_view slashtag, std::string_view more) {
        link(fmt::format(R"({{"slashtag":"{}",{}}})", slashtag, more));
        clock.advance_seconds(1);
    }
    // The slashtags found by a GET; the same by a POST with these names in its body.
    std::string found(const std::string& query, const std::string& body) {
        const auto by_query = send(get("/links/search?" + query));
        const auto by_body = send(post("/links/search", body));
        CHECK(by_query.body == by_body.body);
        return by_query.status == 200 ? by_query.column("slashtag") : by_query.summary();
    }
    std::string count(const std::string& query, const std::string& body) {
        const auto by_query = send(get("/links/search/count?" + query));
        const auto by_body = send(post("/links/search/count", body));
        CHECK(by_query.body == by_body.body);
        return by_query.status == 200 ? by_query.body : by_query.summary();
    }
};

} // namespace

TEST_CASE("a search answers links, the best first", "[search]") {
    SearchWorld world;
    const auto by_query = world.send(get("/links/search?term=SALE"));
    REQUIRE(by_query.status == 200);
    CHECK(by_query.column("slashtag") == "sale Sale2 wholesale tagged to");
    CHECK(by_query.at("3.tags.0.name") == "red");
    CHECK(boost::json::serialize(by_query.json.at(0)) ==
          world.send(get("/links/" + by_query.at("0.id"))).body);
    CHECK(world.send(post("/links/search", R"({"term":"SALE"})")).body == by_query.body);
    CHECK(world.send(post_form("/links/search", "term=SALE")).body == by_query.body);
    CHECK(world.count("term=sale", R"({"term":"sale"})") == R"({"count":5})");
    CHECK(world.found("term=nowhere", R"({"term":"nowhere"})").empty());
    CHECK(world.send(get("/links/search?term=nowhere")).body == "[]");
}

TEST_CASE("a search takes every filter of the list, and so does its count", "[search]") {
    SearchWorld world;
    const auto one = world.one.id.hex(), go = world.installed.domain.id.hex();
    const auto me = world.installed.account.id.hex();
    const std::string nobody = "00000000000000000000000000000001";
    const struct {
        std::string query;
        std::string body;
        std::string_view slashtags;
        int count;
    } cases[] = {
        {"domain.id=" + one, fmt::format(R"("domain":{{"id":"{}"}})", one), "tagged", 1},
        {"domain.id=" + one + "," + go, fmt::format(R"("domain":{{"id":"{},{}"}})", one, go),
         "sale Sale2 wholesale tagged to", 5},
        {"domain.id=" + go, fmt::format(R"("domain":{{"id":["{}"]}})", go), "sale Sale2 wholesale to", 4},
        {"domain.fullName=one.example", R"("domain":{"fullName":"one.example"})", "tagged", 1},
        {"tag.id=" + world.tag, fmt::format(R"("tag":{{"id":"{}"}})", world.tag), "tagged", 1},
        {"tag.id=" + nobody, fmt::format(R"("tag":{{"id":"{}"}})", nobody), "", 0},
        {"tag.id=" + world.tag + "&domain.id=" + go,
         fmt::format(R"("tag":{{"id":"{}"}},"domain":{{"id":"{}"}})", world.tag, go), "", 0},
        {"creator.id=" + me, fmt::format(R"("creator":{{"id":"{}"}})", me), "sale Sale2 wholesale tagged to",
         5},
        {"favourite=true", R"("favourite":true)", "wholesale", 1},
        {"slashtag=sale2", R"("slashtag":"sale2")", "Sale2", 1},
        {"status.active=false", R"("status":{"active":false})", "", 0},
        {"dateFrom=2027-01-16", R"("dateFrom":"2027-01-16")", "", 0},
        {"dateTo=2027-01-15", R"("dateTo":"2027-01-15")", "sale Sale2 wholesale tagged to", 5},
        {"domain.id=&tag.id=&limit=&last=&favourite=",
         R"("domain":{"id":""},"tag":{"id":""},"limit":"","last":"")", "sale Sale2 wholesale tagged to", 5},
        {"orderBy=nonsense&unknown=1", R"("unknown":1)", "sale Sale2 wholesale tagged to", 5},
    };
    for (const auto& [query, body, slashtags, count] : cases) {
        INFO(query);
        const auto whole = fmt::format(R"({{"term":"sale",{}}})", body);
        CHECK(world.found("term=sale&" + query, whole) == slashtags);
        CHECK(world.count("term=sale&" + query, whole) == fmt::format(R"({{"count":{}}})", count));
    }
}

TEST_CASE("ids in the body of a search are one text, with commas or not, or an array", "[search]") {
    SearchWorld world;
    const std::pair<std::string_view, std::string_view> cases[] = {
        {R"("x")", "403 InvalidFormat link: InvalidFormat domain.id"},
        {R"("x,y")", "403 InvalidFormat link: InvalidFormat domain.id, InvalidFormat domain.id"},
        {R"(["x"])", "403 InvalidFormat link: InvalidFormat domain.id[0]"},
        {"5", "403 InvalidFormat link: InvalidFormat domain.id"},
        {R"(",")", "200"},
    };
    for (const auto& [id, summary] : cases)
        CHECK(world.send(post("/links/search", fmt::format(R"({{"term":"sale","domain":{{"id":{}}}}})", id)))
                  .summary() == summary);
}

TEST_CASE("a term has 2 to 255 characters, of any kind", "[search]") {
    SearchWorld world;
    world.link(R"({"destination":"https://example.com/","slashtag":"eu","title":"€€"})");
    const std::string long_enough(255, 'a'), too_long(256, 'a');
    const std::pair<std::string, std::string_view> cases[] = {
        {"", "403 InvalidFormat link: RequiredField term"},
        {"s", "403 InvalidFormat link: InvalidLength term"},
        {"€", "403 InvalidFormat link: InvalidLength term"},
        {"€€", "eu"},
        {long_enough, ""},
        {too_long, "403 InvalidFormat link: InvalidLength term"},
    };
    for (const auto& [term, expected] : cases) {
        const auto body = fmt::format(R"({{"term":"{}"}})", term);
        CHECK(world.found("term=" + term, body) == expected);
        if (expected.starts_with("403"))
            CHECK(world.count("term=" + term, body) == expected);
    }
    CHECK(world.found("", "{}") == "403 InvalidFormat link: RequiredField term");
    CHECK(world.send(get("/links/search?term=%ff%ff")).summary() ==
          "403 InvalidFormat link: InvalidFormat term");
    CHECK(world.found("term=s&limit=0&last=x&domain.id=x",
                      R"({"term":"s","limit":0,"last":"x","domain":{"id":"x"}})") ==
          "403 InvalidFormat link: InvalidLength term, InvalidFormat domain.id, OutOfRange limit, "
          "InvalidFormat last");
}

TEST_CASE("a search is paged by the id of its last link", "[search]") {
    SearchWorld world;
    std::string joined, last;
    for (int page = 0; page < 4; ++page) {
        const auto answer = world.send(
            post("/links/search", fmt::format(R"({{"term":"sale","limit":2,"last":"{}"}})", last)));
        REQUIRE(answer.status == 200);
        joined += answer.column("slashtag") + "|";
        last = answer.json.as_array().empty()
                   ? ""
                   : std::string(answer.json.as_array().back().at("id").as_string());
        if (last.empty())
            break;
    }
    CHECK(joined == "sale Sale2|wholesale tagged|to||");
    CHECK(world.found("term=sale&limit=2&offset=3", R"({"term":"sale","limit":2,"offset":3})") ==
          "tagged to");
    const auto outsider = world.outsider();
    const auto theirs =
        world.send(post("/links", R"({"destination":"https://example.com/sale"})").as(outsider.key)).at("id");
    CHECK(world.found("term=sale&last=" + theirs, fmt::format(R"({{"term":"sale","last":"{}"}})", theirs)) ==
          "403 InvalidFormat link: InvalidFormat last");
    CHECK(world.send(get("/links/search?term=sale").as(outsider.key)).column("id") == theirs);
}

TEST_CASE("a search finds 25 links unless told otherwise, and at most 100", "[search]") {
    ApiWorld world;
    for (int i = 0; i < 101; ++i)
        world.link_id(fmt::format("sale{}", i));
    const auto size = [&](std::string_view query) {
        return world.send(get("/links/search?term=sale" + std::string(query))).json.as_array().size();
    };
    CHECK(size("") == 25);
    CHECK(size("&limit=100") == 100);
    CHECK(size("&limit=101") == 100);
    CHECK(world.send(get("/links/search/count?term=sale")).body == R"({"count":101})");
}

TEST_CASE("the term of every list has at most 255 characters", "[search]") {
    ApiWorld world;
    const std::string long_enough(255, 'a'), too_long(256, 'a');
    for (const auto& list :
         std::vector<std::string>{"/tags", "/scripts", "/domains", "/workspaces", "/account/workspaces",
                                  "/workspaces/" + world.workspace_id() + "/teammates"}) {
        INFO(list);
        CHECK(world.send(get(list + "?term=" + long_enough)).status == 200);
        CHECK(world.send(get(list + "?term=" + too_long)).summary().ends_with(": InvalidLength term"));
    }
}
