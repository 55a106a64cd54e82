// Making and reading links over the API (interface 2.1 and 4.1, wire "Link").
#include "core/schema/click_totals.h"
#include "tests/api/api_world.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <span>

using namespace slashpost;
using namespace slashpost::test;

namespace {

struct Scenario {
    std::string_view name;
    std::string body;
    std::string_view summary;
};

std::string with(std::string_view more) {
    return fmt::format(R"({{"destination":"https://example.com/a",{}}})", more);
}

std::string repeated(std::string_view text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i)
        out += text;
    return out;
}

// Posts each body as a new link.
void check_creations(ApiWorld& world, std::span<const Scenario> scenarios) {
    for (const auto& [name, body, summary] : scenarios) {
        INFO(name);
        CHECK(world.send(post("/links", body)).summary() == summary);
    }
    CHECK(world.inconsistency().empty());
}

} // namespace

TEST_CASE("a new link is answered with every field of the interface", "[links]") {
    ApiWorld world;
    const auto made = world.send(post("/links", with(R"("slashtag":"Sale","title":"Summer sale")")));
    REQUIRE(made.status == 200);
    const auto domain = world.installed.domain.id.hex();
    const auto creator = world.installed.account.id.hex();
    CHECK(made.body ==
          fmt::format(
              R"({{"id":"{}","title":"Summer sale","slashtag":"Sale","destination":"https://example.com/a",)"
              R"("shortUrl":"go.example.com/Sale","domainId":"{}","domainName":"go.example.com",)"
              R"("domain":{{"id":"{}","ref":"/domains/{}","fullName":"go.example.com",)"
              R"("sharing":{{"protocol":{{"allowed":["http","https"],"default":"https"}}}},"active":true}},)"
              R"("type":"standard","status":"active","favourite":false,"forwardParameters":true,)"
              R"("https":true,"isPublic":false,"integrated":false,"tags":[],"scripts":[],"clicks":0,)"
              R"("sessions":0,"createdAt":"2027-01-15T08:00:00.000Z",)"
              R"("updatedAt":"2027-01-15T08:00:00.000Z",)"
              R"("creator":{{"id":"{}","fullName":"{}","avatarUrl":""}}}})",
              made.at("id"), domain, domain, domain, creator, world.installed.account.full_name));
    CHECK(made.at("id").size() == 32);
    CHECK(world.send(get("/links/" + made.at("id"))).body == made.body);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("description and end of a link appear only when they are set", "[links]") {
    ApiWorld world;
    const auto made = world.link(with(R"("description":"For the fair","expiresAt":"2027-02-01T00:00:00Z")"));
    CHECK(made.at("description") == "For the fair");
    CHECK(made.at("expiresAt") == "2027-02-01T00:00:00.000Z");
    const auto bare = world.link(with(R"("title":"x")"));
    for (const auto* name : {"description", "expiresAt", "lastClickAt", "lastClickDate"})
        CHECK(bare.at(name) == "(absent)");
}

TEST_CASE("the last click shows under both its names", "[links]") {
    ApiWorld world;
    const auto id = world.link_id("sale");
    const auto clicked = world.operate([&](SystemContext& system) -> Result<void> {
        const auto workspace = world.installed.account.default_workspace;
        const auto link = *LinkId::parse(id);
        TRY(system.txn.add(link_clicks_tally(workspace, link), 3));
        return system.txn.put(space::last_clicks, last_click_key(workspace, link),
                              last_click_value({1'799'999'999'000}));
    });
    REQUIRE(clicked.has_value());
    const auto link = world.send(get("/links/" + id));
    CHECK(link.at("clicks") == "3");
    CHECK(link.at("lastClickAt") == "2027-01-15T07:59:59.000Z");
    CHECK(link.at("lastClickDate") == "2027-01-15T07:59:59.000Z");
}

TEST_CASE("a link without a title is called after its slashtag", "[links]") {
    ApiWorld world;
    CHECK(world.link(with(R"("slashtag":"sale")")).at("title") == "Link sale");
    CHECK(world.link(with(R"("slashtag":"sale2","title":"")")).at("title") == "Link sale2");
}

TEST_CASE("a link without a slashtag gets one that is unambiguous to read", "[links]") {
    ApiWorld world;
    for (const auto* body : {R"("title":"x")", R"("slashtag":"")", R"("slashtag":null)"}) {
        const auto slashtag = world.link(with(body)).at("slashtag");
        CHECK(slashtag.size() == 5);
        CHECK(slashtag.find_first_not_of("23456789abcdefghjkmnpqrstuvwxyz") == std::string::npos);
    }
}

TEST_CASE("what a new link's destination and texts must keep to", "[links]") {
    ApiWorld world;
    const auto far = repeated("a", 2048 - 20);
    const Scenario scenarios[] = {
        {"no body at all", "", "403 InvalidFormat link: RequiredField destination"},
        {"no destination", "{}", "403 InvalidFormat link: RequiredField destination"},
        {"an empty destination", R"({"destination":""})",
         "403 InvalidFormat link: RequiredField destination"},
        {"a null destination", R"({"destination":null})",
         "403 InvalidFormat link: RequiredField destination"},
        {"a blank destination", R"({"destination":"  "})",
         "403 InvalidFormat link: RequiredField destination"},
        {"a number as destination", R"({"destination":5})",
         "403 InvalidFormat link: InvalidFormat destination"},
        {"no URL", R"({"destination":"nope"})", "403 InvalidFormat link: InvalidFormat destination"},
        {"a script", R"({"destination":"javascript:alert"})",
         "403 InvalidFormat link: InvalidFormat destination"},
        {"a line break", R"({"destination":"https://a.example/\r\nx"})",
         "403 InvalidFormat link: InvalidFormat destination"},
        {"NUL", R"({"destination":"https://a.example/\u0000"})",
         "403 InvalidFormat link: InvalidFormat destination"},
        {"2,048 characters", fmt::format(R"({{"destination":"https://example.com/{}"}})", far), "200"},
        {"2,049 characters", fmt::format(R"({{"destination":"https://example.com/{}a"}})", far),
         "403 InvalidFormat link: InvalidLength destination"},
        {"a title of 255", with(fmt::format(R"("title":"{}")", repeated("ü", 255))), "200"},
        {"a title of 256", with(fmt::format(R"("title":"{}")", repeated("ü", 256))),
         "403 InvalidFormat link: InvalidLength title"},
        {"a description of 2", with(R"("description":"ab")"),
         "403 InvalidFormat link: InvalidLength description"},
        {"a description of 3", with(R"("description":"äbc")"), "200"},
        {"a description of 2,000", with(fmt::format(R"("description":"{}")", repeated("日", 2000))), "200"},
        {"a description of 2,001", with(fmt::format(R"("description":"{}")", repeated("日", 2001))),
         "403 InvalidFormat link: InvalidLength description"},
    };
    check_creations(world, scenarios);
}

TEST_CASE("what the other fields of a new link must keep to", "[links]") {
    ApiWorld world;
    world.link(with(R"("slashtag":"taken")"));
    const Scenario scenarios[] = {
        {"a slashtag of 1", with(R"("slashtag":"x")"), "200"},
        {"a slashtag of 40", with(fmt::format(R"("slashtag":"{}")", repeated("x", 40))), "200"},
        {"a slashtag of 41", with(fmt::format(R"("slashtag":"{}")", repeated("x", 41))),
         "403 InvalidFormat link: InvalidLength slashtag"},
        {"every kind of character", with(R"("slashtag":"aZ0_-")"), "200"},
        {"a slashtag with a space", with(R"("slashtag":"a b")"),
         "403 InvalidFormat link: PatternMismatch slashtag"},
        {"a slashtag with a slash", with(R"("slashtag":"a/b")"),
         "403 InvalidFormat link: PatternMismatch slashtag"},
        {"a slashtag with an umlaut", with(R"("slashtag":"ä")"),
         "403 InvalidFormat link: PatternMismatch slashtag"},
        {"a reserved slashtag", with(R"("slashtag":"V1")"), "403 InvalidFormat link: InvalidFormat slashtag"},
        {"a taken slashtag", with(R"("slashtag":"taken")"), "403 InvalidFormat link: AlreadyExists slashtag"},
        {"a taken slashtag in capitals", with(R"("slashtag":"TAKEN")"),
         "403 InvalidFormat link: AlreadyExists slashtag"},
        {"text for a boolean", with(R"("favourite":"yes")"),
         "403 InvalidFormat link: InvalidFormat favourite"},
        {"an unknown type", with(R"("type":"magic")"), "403 InvalidFormat link: InvalidFormat type"},
        {"a life of 59 seconds", with(R"("ttl":59)"), "403 InvalidFormat link: OutOfRange ttl"},
        {"a life of 60 seconds", with(R"("ttl":60)"), "200"},
        {"a life longer than times can say", with(R"("ttl":9223372036854775807)"),
         "403 InvalidFormat link: OutOfRange ttl"},
        {"an end that is no time", with(R"("expiresAt":"soon")"),
         "403 InvalidFormat link: InvalidFormat expiresAt"},
        {"an end in the past", with(R"("expiresAt":"2026-01-01T00:00:00Z")"),
         "403 InvalidFormat link: OutOfRange expiresAt"},
        {"a tag that is not there", with(R"("tags":["00000000000000000000000000000001"])"),
         "403 InvalidFormat link: NotFound tags[0]"},
        {"a script that is not there", with(R"("scripts":[{"id":"00000000000000000000000000000001"}])"),
         "403 InvalidFormat link: NotFound scripts[0]"},
        {"no tags and scripts", with(R"("tags":[],"scripts":[])"), "200"},
    };
    check_creations(world, scenarios);
}

TEST_CASE("every broken field is named at once, whether its form or its meaning is wrong", "[links]") {
    ApiWorld world;
    world.link(with(R"("slashtag":"taken")"));
    CHECK(world
              .send(post("/links", fmt::format(R"({{"destination":"nope","slashtag":"taken","title":"{}",)"
                                               R"("description":"a","favourite":7,"ttl":1}})",
                                               repeated("x", 256))))
              .summary() == "403 InvalidFormat link: InvalidLength title, InvalidLength description, "
                            "InvalidFormat favourite, OutOfRange ttl, AlreadyExists slashtag, "
                            "InvalidFormat destination");
    CHECK(
        world.send(post("/links", R"({"destination":"nope","slashtag":"a b","domain":{"id":"x"},"title":5})"))
            .summary() == "403 InvalidFormat link: InvalidFormat domain.id, PatternMismatch slashtag, "
                          "InvalidFormat title, InvalidFormat destination");
}

TEST_CASE("a validation error says what to change in full sentences", "[links]") {
    ApiWorld world;
    CHECK(world.send(post("/links", "{}")).body ==
          R"({"code":"InvalidFormat","message":"The link is not valid; 'errors' names each broken field.",)"
          R"("httpCode":403,"source":"link","errors":[{"code":"RequiredField","property":"destination",)"
          R"("message":"cannot be empty","verbose":"The property 'destination' cannot be empty."}]})");
}

TEST_CASE("empty strings mean not given, read-only and unknown keys are ignored", "[links][threat-19]") {
    ApiWorld world;
    const auto made =
        world.link(with(R"("slashtag":"","title":"","description":"","favourite":"","ttl":"",)"
                        R"("expiresAt":"","type":"","domainId":"","tags":"","scripts":"",)"
                        R"("domain":{"id":"","ref":"","fullName":""},"id":"mine","clicks":99,)"
                        R"("status":"deleted","createdAt":"2000-01-01","creator":{"id":"x"},"x":[{}])"));
    CHECK(made.at("id") != "mine");
    CHECK(made.at("clicks") == "0");
    CHECK(made.at("status") == "active");
    CHECK(made.at("createdAt") == "2027-01-15T08:00:00.000Z");
    CHECK(made.at("domainName") == "go.example.com");
}

TEST_CASE("a domain may be named in five ways, and the first of them counts", "[links]") {
    ApiWorld world;
    const auto one = world.domain("one.example").id.hex();
    const auto two = world.domain("two.example").id.hex();
    const std::pair<std::string, std::string_view> cases[] = {
        {R"("title":"default")", "go.example.com"},
        {fmt::format(R"("domainId":"{}")", one), "one.example"},
        {fmt::format(R"("domain":{{"id":"{}"}})", one), "one.example"},
        {fmt::format(R"("domain":{{"ref":"/domains/{}"}})", one), "one.example"},
        {R"("domain":{"fullName":"one.example"})", "one.example"},
        {R"("domain":{"fullName":"ONE.example"})", "one.example"},
        {R"("domain":"one.example")", "one.example"},
        {fmt::format(R"("domain":"{}")", one), "one.example"},
        {fmt::format(R"("domainId":"{}","domain":{{"id":"{}"}})", one, two), "one.example"},
        {fmt::format(R"("domain":{{"id":"{}","ref":"/domains/{}","fullName":"two.example"}})", one, two),
         "one.example"},
        {fmt::format(R"("domain":{{"id":"","ref":"/domains/{}","fullName":"one.example"}})", two),
         "one.example"},
    };
    for (const auto& [body, name] : cases) {
        INFO(body);
        CHECK(world.link(with(body)).at("domain.fullName") == name);
    }
}

TEST_CASE("a domain must be well named, shared, verified and in force", "[links]") {
    ApiWorld world;
    const auto revoked = world.domain("revoked.example");
    world.set_domain(revoked, {.revoked = Change<bool>::set(true)});
    const auto unverified = world.domain("unverified.example");
    world.set_domain(unverified, {.verified = Change<bool>::set(false)});
    const auto unshared = world.operate([](SystemContext& system) {
        return add_domain(system, {.full_name = "unshared.example", .owner = {}, .verified = true});
    });
    REQUIRE(unshared.has_value());
    const std::string unknown = "00000000000000000000000000000001";
    const Scenario scenarios[] = {
        {"no id", with(R"("domain":{"id":"x"})"), "403 InvalidFormat link: InvalidFormat domain.id"},
        {"no domainId", with(R"("domainId":"x")"), "403 InvalidFormat link: InvalidFormat domainId"},
        {"no reference", with(R"("domain":{"ref":"/domains/x"})"),
         "403 InvalidFormat link: InvalidFormat domain.ref"},
        {"no object", with(R"("domain":7)"), "403 InvalidFormat link: InvalidFormat domain"},
        {"unknown id", with(fmt::format(R"("domain":{{"id":"{}"}})", unknown)), "404 NotFound domain"},
        {"unknown name", with(R"("domain":{"fullName":"none.example"})"), "404 NotFound domain"},
        {"not shared", with(fmt::format(R"("domainId":"{}")", unshared->id.hex())), "404 NotFound domain"},
        {"not shared, by name", with(R"("domain":{"fullName":"unshared.example"})"), "404 NotFound domain"},
        {"not verified", with(R"("domain":{"fullName":"unverified.example"})"),
         "403 InvalidFormat link: NotVerified domain"},
        {"revoked", with(R"("domain":{"fullName":"revoked.example"})"), "403 RevokedDomain domain"},
    };
    for (const auto& [name, body, summary] : scenarios) {
        INFO(name);
        CHECK(world.send(post("/links", body)).summary() == summary);
    }
    const auto absent = world.send(post("/links", with(fmt::format(R"("domainId":"{}")", unknown))));
    CHECK(absent.at("id") == unknown);
    CHECK(absent.at("httpCode") == "404");
}

TEST_CASE("a domain's own rules for slashtags hold", "[links]") {
    ApiWorld world;
    world.domain("strict.example", {.length_min = 3, .length_max = 4, .case_sensitive = true});
    const auto on_strict = [](std::string_view slashtag) {
        return with(fmt::format(R"("domain":{{"fullName":"strict.example"}},"slashtag":"{}")", slashtag));
    };
    CHECK(world.send(post("/links", on_strict("ab"))).summary() ==
          "403 InvalidFormat link: InvalidLength slashtag");
    CHECK(world.send(post("/links", on_strict("abc"))).status == 200);
    CHECK(world.send(post("/links", on_strict("ABC"))).status == 200);
    CHECK(world.send(post("/links", on_strict("abcde"))).summary() ==
          "403 InvalidFormat link: InvalidLength slashtag");
}

TEST_CASE("a form makes a link as JSON does", "[links]") {
    ApiWorld world;
    const auto made =
        world.send(post_form("/links", "destination=https%3A%2F%2Fexample.com%2F%3Fq%3Da%2Bb&slashtag=sale"
                                       "&domain[fullName]=go.example.com&favourite=true&ttl=60&title=A+b"));
    REQUIRE(made.status == 200);
    CHECK(made.at("destination") == "https://example.com/?q=a+b");
    CHECK(made.at("slashtag") == "sale");
    CHECK(made.at("favourite") == "true");
    CHECK(made.at("title") == "A b");
    CHECK(made.at("expiresAt") == "2027-01-15T08:01:00.000Z");
    CHECK(world.send(post_form("/links", "destination=&title=x")).summary() ==
          "403 InvalidFormat link: RequiredField destination");
}

TEST_CASE("a link can be made from query parameters", "[links]") {
    ApiWorld world;
    const auto domain = world.domain("one.example").id.hex();
    const auto made =
        world.send(get("/links/new?destination=https://example.com/%3Fa%3D1&slashtag=sale&title=A%20b"
                       "&favourite=1&domain[id]=" +
                       domain));
    REQUIRE(made.status == 200);
    CHECK(made.at("destination") == "https://example.com/?a=1");
    CHECK(made.at("shortUrl") == "one.example/sale");
    CHECK(made.at("favourite") == "true");
    CHECK(
        world.send(get("/links/new?destination=https://example.com/&domain[fullName]=one.example&slashtag="))
            .at("domainName") == "one.example");
    CHECK(world.send(get("/links/new?slashtag=a%20b&destination=")).summary() ==
          "403 InvalidFormat link: RequiredField destination, PatternMismatch slashtag");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("HEAD never makes a link", "[links][threat-5]") {
    ApiWorld world;
    const auto answer = world.send(head("/links/new?destination=https://example.com/"));
    CHECK(answer.status == 405);
    CHECK(answer.header("Allow") == "GET, OPTIONS");
    CHECK(world.send(get("/links/count")).at("count") == "0");
}

TEST_CASE("a link that is not there, or not the caller's, is not found", "[links]") {
    ApiWorld world;
    const auto id = world.link_id("sale");
    const auto outsider = world.outsider();
    const auto theirs = world.send(post("/links", with(R"("slashtag":"theirs")")).as(outsider.key)).at("id");
    for (const auto& path : {std::string("00000000000000000000000000000001"), std::string("x"), theirs,
                             std::string("%2e%2e"), std::string(4000, 'a')}) {
        INFO(path);
        CHECK(world.send(get("/links/" + path)).summary() == "404 NotFound link");
        CHECK(world.send(post("/links/" + path, "{}")).summary() == "404 NotFound link");
        CHECK(world.send(del("/links/" + path)).summary() == "404 NotFound link");
        CHECK(world.send(post("/links/" + path + "/favourite", R"({"favourite":true})")).summary() ==
              "404 NotFound link");
    }
    CHECK(world.send(get("/links/" + id).as(outsider.key)).summary() == "404 NotFound link");
    CHECK(world.send(get("/links/x")).at("id") == "x");
}

TEST_CASE("a slashtag is read without the white space around it, wherever it is named", "[links]") {
    ApiWorld world;
    const auto made =
        world.link("{\"destination\":\"https://example.com/\",\"slashtag\":\" sale\\n\",\"title\":\"A\"}");
    CHECK(made.at("slashtag") == "sale");
    CHECK(world.send(get("/links?slashtag=%20sale%20")).column("title") == "A");
    CHECK(world.send(post("/links/" + made.at("id"), R"({"slashtag":"\tfair "})")).at("slashtag") == "fair");
    CHECK(world.send(post("/links/" + made.at("id"), R"({"slashtag":"  "})")).at("slashtag") == "fair");
    CHECK(world.send(get("/links/new?destination=https://example.com/&slashtag=+new+")).at("slashtag") ==
          "new");
    const auto many =
        world.send(put("/links", R"([{"destination":"https://example.com/","slashtag":" b "}])"));
    CHECK(many.at("0.slashtag") == "b");
}

TEST_CASE("an end without an offset from UTC is one of UTC", "[links]") {
    ApiWorld world;
    const auto path = "/links/" + world.link_id("sale", R"(,"expiresAt":"2027-02-01T09:00:00")");
    CHECK(world.send(get(path)).at("expiresAt") == "2027-02-01T09:00:00.000Z");
    CHECK(world.send(post(path, R"({"expiresAt":"2027-02-01 09:30"})")).at("expiresAt") ==
          "2027-02-01T09:30:00.000Z");
}

TEST_CASE("a life that is too long is told how long it may be", "[links]") {
    ApiWorld world;
    const auto answer =
        world.send(post("/links", R"({"destination":"https://example.com/","ttl":9223372036854775807})"));
    CHECK(answer.at("errors.0.message") == "must be between 60 and 3162240000");
}
