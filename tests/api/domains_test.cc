// Domains over the wire (interface 3.3 and 4.4, wire "Domains").
#include "core/schema/click_totals.h"
#include "tests/api/api_world.h"
#include "tests/support/workspaces.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <set>

using namespace slashpost;
using namespace slashpost::test;

namespace {

Answer add(ApiWorld& world, const std::string& name) {
    return world.send(post("/domains", fmt::format(R"({{"fullName":"{}"}})", name)));
}

std::string added(ApiWorld& world, const std::string& name) {
    const auto answer = add(world, name);
    INFO(answer.body);
    REQUIRE(answer.status == 200);
    return answer.at("id");
}

// Registers it, sets its record in the DNS, and verifies it.
std::string verified(ApiWorld& world, const std::string& name) {
    const auto made = add(world, name);
    REQUIRE(made.status == 200);
    world.txt_records[made.at("verification.name")] = {made.at("verification.value")};
    REQUIRE(world.send(post("/domains/" + made.at("id") + "/verify")).at("verified") == "true");
    return made.at("id");
}

Call link_on(const std::string& id) {
    return post("/links", fmt::format(R"({{"destination":"https://example.com/","domainId":"{}"}})", id));
}

} // namespace

TEST_CASE("a domain is answered as the interface shows it", "[domains]") {
    ApiWorld world;
    const auto made = add(world, "Go.Mine.Example");
    const auto id = made.at("id"), owner = world.installed.account.id.hex();
    const auto head = fmt::format(
        R"({{"id":"{}","ref":"/domains/{}","fullName":"go.mine.example","topLevelDomain":"example","level":3,)"
        R"("subdomains":0,"type":"user","active":true,"verified":)",
        id, id);
    const auto middle = fmt::format(
        R"(,"revoked":false,"https":true,"managed":false,"createdAt":"2027-01-15T08:00:00.000Z",)"
        R"("updatedAt":"2027-01-15T08:00:00.000Z","creationDate":"2027-01-15T08:00:00.000Z","ownerId":"{}",)"
        R"("customHomepage":"","notFoundUrl":"","expiredUrl":"",)"
        R"("forwarding":{{"parameters":true,"onConflict":"destination"}},"redirectType":302,)"
        R"("slashtag":{{"minLength":1,"maxLength":40,"caseSensitive":false,"charset":"ascii"}},)"
        R"("branding":{{"name":"","color":"","logoUrl":"","homeText":""}},"aliases":[],"status":)",
        owner);
    CHECK(made.body == head + "false" + middle +
                           R"({"dns":"pending","encryption":"none"},"clicks":0,"sessions":0,)" +
                           R"("verification":{"type":"TXT","name":"_slashpost.go.mine.example",)" +
                           R"("value":"slashpost-verification=)" + id + R"("}})");
    CHECK(world.send(get("/domains/" + id)).body == made.body);
    world.txt_records["_slashpost.go.mine.example"] = {"slashpost-verification=" + id};
    const auto verified_body =
        head + "true" + middle + R"({"dns":"verified","encryption":"active"},"clicks":0,"sessions":0})";
    CHECK(world.send(post("/domains/" + id + "/verify")).body == verified_body);
    CHECK(world.send(get("/domains/" + id)).body == verified_body);
    CHECK(world.send(del("/domains/" + id)).body == verified_body);
    CHECK(world.send(get("/domains/" + id)).summary() == "404 NotFound domain");
    CHECK(world.send(get("/domains/" + id)).at("id") == id);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("encryption is active on a verified domain that a certificate covers, where this server ends TLS",
          "[domains]") {
    ApiWorld world;
    const auto pending = added(world, "pending.example"), bare = verified(world, "bare.example"),
               covered = verified(world, "covered.example");
    const auto with_port = world.domain("covered.example:8443").id.hex();
    const auto encryption = [&](const std::string& id) {
        const auto shown = world.send(get("/domains/" + id)).at("status.encryption");
        const auto in_workspace = get("/workspaces/" + world.workspace_id() + "/domains/" + id);
        CHECK(world.send(in_workspace).at("status.encryption") == shown);
        return shown;
    };
    CHECK(encryption(pending) == "none"); // somebody else's TLS, in front of this server
    CHECK(encryption(bare) == "active");
    std::set<std::string, std::less<>> certificates{"covered.example", "pending.example"};
    world.settings.has_certificate = [&](std::string_view host) { return certificates.contains(host); };
    CHECK(encryption(pending) == "none");
    CHECK(encryption(bare) == "none");
    CHECK(encryption(covered) == "active");
    CHECK(encryption(with_port) == "active");
    CHECK(world.send(patch("/domains/" + covered, "{}")).at("status.encryption") == "active");
    CHECK(world.send(get("/domains?orderBy=fullName&orderDir=asc&type=user")).column("status") ==
          R"({"dns":"verified","encryption":"none"} {"dns":"verified","encryption":"active"} )"
          R"({"dns":"pending","encryption":"none"})");
    certificates.clear(); // as when its folder goes
    CHECK(encryption(covered) == "none");
}

TEST_CASE("a domain of the installation is a service domain without an owner", "[domains]") {
    ApiWorld world;
    const auto answer = world.send(get("/domains/" + world.installed.domain.id.hex()));
    CHECK(answer.at("type") == "service");
    CHECK(answer.at("ownerId") == "(absent)");
    CHECK(answer.at("level") == "3");
    CHECK(answer.at("topLevelDomain") == "com");
    CHECK(answer.at("verification") == "(absent)");
    const auto other = world.domain("localhost:8080");
    CHECK(world.send(get("/domains/" + other.id.hex())).at("topLevelDomain") == "localhost");
    CHECK(world.send(get("/domains/" + other.id.hex())).at("level") == "1");
}

TEST_CASE("registering a domain refuses what is no name, and what is taken", "[domains]") {
    struct Scenario {
        std::string_view body;
        std::string_view summary;
    };
    ApiWorld world;
    const Scenario scenarios[] = {
        {"{}", "403 InvalidFormat domain: RequiredField fullName"},
        {R"({"fullName":""})", "403 InvalidFormat domain: RequiredField fullName"},
        {R"({"fullName":5})", "403 InvalidFormat domain: InvalidFormat fullName"},
        {R"({"fullName":"a b"})", "403 InvalidFormat domain: InvalidFormat fullName"},
        {R"({"fullName":"https://a.example/"})", "403 InvalidFormat domain: InvalidFormat fullName"},
        {R"({"fullName":"192.0.2.1"})", "403 InvalidFormat domain: InvalidFormat fullName"},
        {R"({"fullName":"GO.example.com"})", "403 InvalidFormat domain: AlreadyExists fullName"},
        {R"({"fullName":"a.example","verified":true,"type":"service","revoked":true,"active":false})", "200"},
        {R"({"fullName":"A.example."})", "403 InvalidFormat domain: AlreadyExists fullName"},
        {"[]", "400 InvalidFormat request"},
    };
    for (const auto& [body, summary] : scenarios) {
        INFO(body);
        CHECK(world.send(post("/domains", body)).summary() == summary);
    }
    const auto made = world.send(get("/domains?type=user"));
    CHECK(made.at("0.verified") == "false"); // what a caller may not set was ignored
    CHECK(made.at("0.active") == "true");
    CHECK(made.at("0.revoked") == "false");
    set_plan(world, {.domains = Change<std::int64_t>::set(1)});
    CHECK(add(world, "b.example").summary() == "403 LimitReached domain");
}

TEST_CASE("a domain is verified by the DNS, which is asked once and outside of any transaction",
          "[domains]") {
    ApiWorld world;
    const auto id = added(world, "mine.example");
    const auto verify = post("/domains/" + id + "/verify");
    const auto absent = world.send(verify);
    CHECK(absent.summary() == "403 InvalidFormat domain: NotFound verification");
    CHECK_THAT(absent.at("errors.0.message"),
               Catch::Contains("_slashpost.mine.example") && Catch::Contains("slashpost-verification=" + id));
    CHECK(world.looked_up == std::vector<std::string>{"_slashpost.mine.example"});
    world.dns_answers = false;
    const auto silent = world.send(verify);
    CHECK(silent.summary() == "503 Unavailable service");
    CHECK(silent.header("Retry-After") == "5");
    world.dns_answers = true;
    CHECK(world.send(link_on(id)).summary() == "403 InvalidFormat link: NotVerified domain");
    world.txt_records["_slashpost.mine.example"] = {"other", "slashpost-verification=" + id};
    CHECK(world.send(verify).at("status.dns") == "verified");
    CHECK(world.send(link_on(id)).summary() == "200");
    CHECK(world.looked_up.size() == 3);
    CHECK(world.send(verify).status == 200);
    CHECK(world.looked_up.size() == 3); // verified already
}

TEST_CASE("the DNS is asked for nobody who may not verify", "[domains]") {
    ApiWorld world;
    const auto id = added(world, "mine.example");
    const auto verify = [&](const std::string& which) {
        return post("/domains/" + which + "/verify").with("Workspace", world.workspace_id());
    };
    CHECK(world.send(verify(id).as(world.outsider().key)).summary() == "404 NotFound workspace");
    CHECK(world.send(verify(id).as(world.colleague(Role::user).key)).summary() == "403 Forbidden workspace");
    CHECK(world.send(post("/domains/" + id + "/verify").as(world.outsider().key)).summary() ==
          "404 NotFound domain");
    CHECK(world.send(verify("x")).summary() == "404 NotFound domain");
    CHECK(world.send(verify(world.installed.domain.id.hex())).summary() ==
          "403 InvalidFormat domain: NotShared domain");
    world.set_domain({.id = *DomainId::parse(id)}, {.revoked = Change<bool>::set(true)});
    CHECK(world.send(verify(id)).summary() == "403 RevokedDomain domain");
    CHECK(world.looked_up.empty());
}

TEST_CASE("a registration by somebody else blocks nobody, and the first to verify has the name",
          "[domains][threat-38]") {
    ApiWorld world;
    const auto squatter = world.outsider();
    const auto squatted = world.send(post("/domains", R"({"fullName":"mine.example"})").as(squatter.key));
    REQUIRE(squatted.status == 200);
    const auto id = verified(world, "mine.example");
    CHECK(world.send(link_on(id)).summary() == "200");
    world.txt_records["_slashpost.mine.example"].push_back(squatted.at("verification.value"));
    CHECK(world.send(post("/domains/" + squatted.at("id") + "/verify").as(squatter.key)).summary() ==
          "403 InvalidFormat domain: AlreadyExists fullName");
    CHECK(world.send(link_on(squatted.at("id")).as(squatter.key)).summary() ==
          "403 InvalidFormat link: NotVerified domain");
    CHECK(world.send(post("/domains", R"({"fullName":"mine.example"})").as(world.outsider().key)).summary() ==
          "403 InvalidFormat domain: AlreadyExists fullName");
}

TEST_CASE("the settings of a domain change one by one, and null takes an address away", "[domains]") {
    ApiWorld world;
    const auto id = verified(world, "mine.example");
    const auto set = [&](std::string_view json) { return world.send(patch("/domains/" + id, json)); };
    world.clock.advance_seconds(1);
    const auto changed =
        set(R"({"customHomepage":"https://example.com/","notFoundUrl":"https://example.com/lost",)"
            R"("redirectType":308,"slashtag":{"minLength":3,"maxLength":9,"caseSensitive":true}})");
    CHECK(changed.at("customHomepage") == "https://example.com/");
    CHECK(changed.at("notFoundUrl") == "https://example.com/lost");
    CHECK(changed.at("redirectType") == "308");
    CHECK(changed.at("slashtag") ==
          R"({"minLength":3,"maxLength":9,"caseSensitive":true,"charset":"ascii"})");
    CHECK(changed.at("updatedAt") == "2027-01-15T08:00:01.000Z");
    CHECK(world.listener.seen.back().domains == std::vector{*DomainId::parse(id)});
    CHECK(set("{}").at("redirectType") == "308");
    CHECK(set(changed.body).at("slashtag.maxLength") == "9"); // a client posts the whole object back
    CHECK(set(R"({"notFoundUrl":"https://example.com/{path}?from={domain}"})").at("notFoundUrl") ==
          "https://example.com/{path}?from={domain}");
    CHECK(set(R"({"notFoundUrl":"https://{domain}/lost"})").summary() ==
          "403 InvalidFormat domain: InvalidFormat notFoundUrl");
    set(R"({"notFoundUrl":"https://example.com/lost"})");
    const auto cleared = set(R"({"customHomepage":null,"notFoundUrl":""})");
    CHECK(cleared.at("customHomepage").empty());
    CHECK(cleared.at("notFoundUrl") == "https://example.com/lost"); // an empty text says nothing
    CHECK(set(R"({"active":false})").at("active") == "false");
    CHECK(world.send(link_on(id)).summary() == "403 InvalidFormat link: NotActive domain");
    CHECK(
        set(R"({"verified":false,"revoked":true,"type":"service","fullName":"x.example","clicks":5})").body ==
        world.send(get("/domains/" + id)).body);
    CHECK(world.send(get("/domains/" + id)).at("fullName") == "mine.example");
    CHECK(world.send(get("/domains/" + id)).at("verified") == "true");
    const auto by_form = Call{.method = http::Method::patch,
                              .target = "/v1/domains/" + id,
                              .body = "slashtag[minLength]=5&active=true",
                              .headers = {{"Content-Type", "application/x-www-form-urlencoded"}},
                              .key = {}};
    CHECK(world.send(by_form).at("slashtag.minLength") == "5");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("forwarding and expiredUrl of a domain change as its other settings do", "[domains]") {
    ApiWorld world;
    const auto id = verified(world, "mine.example");
    const auto set = [&](std::string_view json) { return world.send(patch("/domains/" + id, json)); };
    CHECK(set(R"({"forwarding":{"onConflict":"visitor"}})").at("forwarding") ==
          R"({"parameters":true,"onConflict":"visitor"})");
    const auto changed =
        set(R"({"forwarding":{"parameters":false},"expiredUrl":"https://example.com/{path}?at={domain}"})");
    CHECK(changed.at("forwarding") == R"({"parameters":false,"onConflict":"visitor"})");
    CHECK(changed.at("expiredUrl") == "https://example.com/{path}?at={domain}");
    CHECK(set(changed.body).body == world.send(get("/domains/" + id)).body);
    CHECK(set(R"({"forwarding":null,"expiredUrl":""})").at("forwarding") == changed.at("forwarding"));
    CHECK(set(R"({"expiredUrl":null})").at("expiredUrl").empty());
    CHECK(
        set(R"({"forwarding":{"parameters":"perhaps","onConflict":"mine"},"expiredUrl":"//x"})").summary() ==
        "403 InvalidFormat domain: InvalidFormat forwarding.parameters, InvalidFormat forwarding.onConflict, "
        "InvalidFormat expiredUrl");
    CHECK(set(R"({"expiredUrl":"https://{domain}/over"})").summary() ==
          "403 InvalidFormat domain: InvalidFormat expiredUrl");
    CHECK(set(R"({"expiredUrl":"https://mine.example/over"})").summary() ==
          "403 InvalidFormat domain: InvalidFormat expiredUrl");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("the branding of a domain changes field by field, and null takes it away", "[domains]") {
    ApiWorld world;
    const auto id = verified(world, "mine.example");
    const auto set = [&](std::string_view json) { return world.send(patch("/domains/" + id, json)); };
    CHECK(world.send(get("/domains/" + id)).at("branding") ==
          R"({"name":"","color":"","logoUrl":"","homeText":""})");
    const auto changed = set(R"({"branding":{"name":"Acme","color":"#FF8800",)"
                             R"("logoUrl":"https://cdn.example.com/l.svg","homeText":"Hello"}})");
    CHECK(changed.at("branding") ==
          R"({"name":"Acme","color":"ff8800","logoUrl":"https://cdn.example.com/l.svg","homeText":"Hello"})");
    CHECK(set(changed.body).body == world.send(get("/domains/" + id)).body);
    CHECK(set(R"({"branding":{"name":"New","homeText":null,"logoUrl":""}})").at("branding") ==
          R"({"name":"New","color":"ff8800","logoUrl":"https://cdn.example.com/l.svg","homeText":""})");
    CHECK(set(R"({"branding":{"color":"red","logoUrl":"http://a.example/l.png"}})").summary() ==
          "403 InvalidFormat domain: PatternMismatch branding.color, InvalidFormat branding.logoUrl");
    CHECK(set(R"({"branding":{"name":["x"],"color":"red","logoUrl":"//x"},"redirectType":1})").summary() ==
          "403 InvalidFormat domain: InvalidFormat branding.name, PatternMismatch branding.color, OutOfRange "
          "redirectType, InvalidFormat branding.logoUrl");
    CHECK(set(R"({"branding":null})").at("branding") ==
          R"({"name":"","color":"","logoUrl":"","homeText":""})");
    CHECK(world.send(get("/domains?term=mine")).body.find(R"("branding":{"name":"")") != std::string::npos);
}

TEST_CASE("further names of a domain are given together and verified one by one", "[domains]") {
    ApiWorld world;
    const auto id = verified(world, "mine.example");
    const auto set = [&](std::string_view json) { return world.send(patch("/domains/" + id, json)); };
    const auto verify = [&](const std::string& name) {
        return world.send(post("/domains/" + id + "/aliases/" + name + "/verify"));
    };
    const auto given =
        set(R"({"aliases":[{"fullName":"WWW.mine.example"},{"fullName":"links.example:8443"}]})");
    const std::string www = R"({"fullName":"www.mine.example","verified":true})";
    CHECK(given.at("aliases") == "[" + www + R"(,{"fullName":"links.example:8443","verified":false,)" +
                                     R"("verification":{"type":"TXT","name":"_slashpost.links.example",)" +
                                     R"("value":"slashpost-verification=)" + id + R"("}}])");
    CHECK(verify("links.example:8443").summary() == "403 InvalidFormat domain: NotFound verification");
    world.txt_records["_slashpost.links.example"] = {"slashpost-verification=" + id};
    const auto proved = verify("LINKS.example%3A8443");
    CHECK(proved.at("aliases") == "[" + www + R"(,{"fullName":"links.example:8443","verified":true}])");
    world.txt_records.clear();
    CHECK(verify("links.example:8443").body == proved.body);
    CHECK(set(proved.body).at("aliases") == proved.at("aliases")); // a client posts the whole object back
    CHECK(set("{}").at("aliases") == proved.at("aliases"));
    CHECK(verify("other.example").summary() == "404 NotFound alias");
    CHECK(verify("mine.example").summary() == "404 NotFound alias");
    CHECK(world.send(link_on(id)).at("domainName") == "mine.example");
    CHECK(set(R"({"aliases":[{"fullName":"www.mine.example"}]})").at("aliases") == "[" + www + "]");
    CHECK(set(R"({"aliases":[{"fullName":""},{"fullName":"a b"}]})").summary() ==
          "403 InvalidFormat domain: RequiredField aliases[0].fullName, InvalidFormat aliases[1]");
    CHECK(set(R"({"aliases":["",7,"a b"]})").summary() ==
          "403 InvalidFormat domain: RequiredField aliases[0], InvalidFormat aliases[1], InvalidFormat "
          "aliases[2]");
    CHECK(set(R"({"aliases":["WWW.mine.example",{"fullName":"b.example"}]})").at("aliases.1.fullName") ==
          "b.example");
    CHECK(set(R"({"aliases":[{"fullName":"a b"}]})").summary() ==
          "403 InvalidFormat domain: InvalidFormat aliases[0]");
    CHECK(set(R"({"aliases":null})").at("aliases") == "[]");
    const auto stranger = world.outsider();
    CHECK(
        world.send(post("/domains/" + id + "/aliases/www.mine.example/verify").as(stranger.key)).summary() ==
        "404 NotFound domain");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a link is made by any verified name of its domain", "[domains]") {
    ApiWorld world;
    const auto id = verified(world, "mine.example");
    world.send(patch("/domains/" + id, R"({"aliases":[{"fullName":"www.mine.example"}]})"));
    const auto made = world.send(
        post("/links", R"({"destination":"https://a.example/","domain":{"fullName":"WWW.mine.example"}})"));
    CHECK(made.at("domainId") == id);
    CHECK(made.at("domainName") == "mine.example");
    CHECK(world.send(get("/links?domain.fullName=www.mine.example")).column("id") == made.at("id"));
}

TEST_CASE("every broken setting of a domain is named, at its bounds", "[domains]") {
    struct Scenario {
        std::string_view body;
        std::string_view summary;
    };
    const Scenario scenarios[] = {
        {R"({"redirectType":301})", "200"},
        {R"({"redirectType":307})", "200"},
        {R"({"redirectType":303})", "403 InvalidFormat domain: OutOfRange redirectType"},
        {R"({"redirectType":"x"})", "403 InvalidFormat domain: InvalidFormat redirectType"},
        {R"({"slashtag":{"minLength":0}})", "403 InvalidFormat domain: OutOfRange slashtag.minLength"},
        {R"({"slashtag":{"minLength":40}})", "200"},
        {R"({"slashtag":{"minLength":41}})", "403 InvalidFormat domain: OutOfRange slashtag.minLength"},
        {R"({"slashtag":{"maxLength":255}})", "200"},
        {R"({"slashtag":{"maxLength":256}})", "403 InvalidFormat domain: OutOfRange slashtag.maxLength"},
        {R"({"customHomepage":"javascript:alert","notFoundUrl":"//x","active":"maybe"})",
         "403 InvalidFormat domain: InvalidFormat active, InvalidFormat customHomepage, InvalidFormat "
         "notFoundUrl"},
        {R"({"notFoundUrl":"https://mine.example/lost"})",
         "403 InvalidFormat domain: InvalidFormat notFoundUrl"},
    };
    for (const auto& [body, summary] : scenarios) {
        ApiWorld world;
        const auto id = verified(world, "mine.example");
        INFO(body);
        CHECK(world.send(patch("/domains/" + id, body)).summary() == summary);
    }
}

TEST_CASE("a domain with an active link stays", "[domains]") {
    ApiWorld world;
    const auto id = verified(world, "mine.example");
    const auto link = world.send(link_on(id)).at("id");
    CHECK(world.send(del("/domains/" + id)).summary() == "403 Conflict domain");
    REQUIRE(world.send(del("/links/" + link)).status == 200);
    CHECK(world.send(del("/domains/" + id)).summary() == "200");
    CHECK(world.send(link_on(id)).summary() == "404 NotFound domain");
    CHECK(world.send(del("/domains/" + id)).summary() == "404 NotFound domain");
}

TEST_CASE("domains are listed and counted with the filters of the interface", "[domains]") {
    ApiWorld world;
    world.clock.advance_seconds(1);
    verified(world, "b.example");
    world.clock.advance_seconds(1);
    const auto pending = added(world, "a.example");
    world.send(patch("/domains/" + pending, R"({"active":false})"));
    const auto names = [&](const std::string& query) {
        return world.send(get("/domains" + query)).column("fullName");
    };
    CHECK(names("") == "a.example b.example go.example.com");
    CHECK(names("?limit=2&orderBy=&last=&active=&verified=&type=&shared=&term=") == "a.example b.example");
    CHECK(names("?orderBy=fullName&orderDir=asc") == "a.example b.example go.example.com");
    CHECK(names("?orderBy=createdAt&orderDir=asc&offset=1") == "b.example a.example");
    CHECK(names("?last=" + pending) == "b.example go.example.com");
    CHECK(names("?active=false") == "a.example");
    CHECK(names("?verified=true") == "b.example go.example.com");
    CHECK(names("?type=service") == "go.example.com");
    CHECK(names("?type=user&verified=true") == "b.example");
    CHECK(names("?term=B.EX") == "b.example");
    CHECK(names("?limit=500") == "a.example b.example go.example.com");
    for (const auto& [query, count] : {std::pair{"", "3"},
                                       {"?active=true", "2"},
                                       {"?verified=false", "1"},
                                       {"?type=service", "1"},
                                       {"?shared=false", "0"}})
        CHECK(world.send(get(std::string("/domains/count") + query)).at("count") == count);
    CHECK(world.send(get("/domains?type=system")).summary() ==
          "403 InvalidFormat domain: InvalidFormat type");
    CHECK(world.send(get("/domains?orderBy=clicks")).summary() ==
          "403 InvalidFormat domain: InvalidFormat orderBy");
    CHECK(world.send(get("/domains?limit=0&last=x")).summary() ==
          "403 InvalidFormat domain: OutOfRange limit, InvalidFormat last");
    CHECK(world.send(get("/domains").as(world.outsider().key)).column("fullName") == "go.example.com");
}

TEST_CASE("a domain of the account is shared with a further workspace", "[domains]") {
    ApiWorld world;
    const auto id = verified(world, "mine.example");
    const auto second = make_workspace(world, "second").id.hex();
    const auto there = [&](Call call) { return world.send(std::move(call).with("Workspace", second)); };
    CHECK(there(link_on(id)).summary() == "404 NotFound domain");
    CHECK(there(get("/domains?shared=false")).column("fullName") == "mine.example");
    CHECK(there(get("/domains/" + id)).at("fullName") == "mine.example"); // one's own is seen anywhere
    CHECK(there(post("/domains/" + id)).at("id") == id);
    CHECK(there(post("/domains/" + id)).status == 200);
    CHECK(there(link_on(id)).summary() == "200");
    CHECK(there(get("/domains")).column("fullName") == "mine.example go.example.com");
    CHECK(there(post("/domains/x")).summary() == "404 NotFound domain");
    world.set_domain({.id = *DomainId::parse(id)}, {.revoked = Change<bool>::set(true)});
    CHECK(there(post("/domains/" + id)).summary() == "403 RevokedDomain domain");
    const auto stranger = world.outsider();
    CHECK(world.send(get("/domains/" + id).as(stranger.key)).summary() == "404 NotFound domain");
    CHECK(world.send(post("/domains/" + id).as(stranger.key)).summary() == "404 NotFound domain");
    CHECK(world.send(patch("/domains/" + id, "{}").as(stranger.key)).summary() == "404 NotFound domain");
    CHECK(world.send(del("/domains/" + id).as(stranger.key)).summary() == "404 NotFound domain");
}

TEST_CASE("a domain shows its clicks", "[domains]") {
    ApiWorld world;
    const auto workspace = world.installed.account.default_workspace;
    must(world.engine->transact([&](data::Txn& txn) {
        return txn.add(domain_clicks_tally(world.installed.domain.id, workspace), 3);
    }));
    CHECK(world.send(get("/domains")).at("0.clicks") == "3");
    CHECK(world.send(get("/domains").as(world.outsider().key)).at("0.clicks") == "0");
}

TEST_CASE("a domain has documents for the makers of telephones: JSON, and shown only where it was set",
          "[domains]") {
    ApiWorld world;
    const auto id = verified(world, "mine.example");
    const auto path = "/domains/" + id;
    const auto changed = world.send(
        patch(path, R"({"appleAppSiteAssociation":"{\"applinks\":{}}","assetLinks":"[{\"a\": 1}]"})"));
    CHECK(changed.at("appleAppSiteAssociation") == R"({"applinks":{}})");
    CHECK(changed.at("assetLinks") == R"([{"a": 1}])");
    const auto marked = world.send(patch(path, "{\"assetLinks\":\"\xEF\xBB\xBF[{\\\"a\\\": 1}]\"}"));
    CHECK(marked.at("assetLinks") == R"([{"a": 1}])"); // without the byte order mark that an editor wrote
    CHECK(world.send(get(path)).at("assetLinks") == R"([{"a": 1}])");
    CHECK(world.send(get("/domains?type=user")).at("0.assetLinks") == "(absent)");

    const auto kept = world.send(patch(path, R"({"redirectType":301,"assetLinks":""})"));
    CHECK(kept.at("assetLinks") == R"([{"a": 1}])");
    const auto cleared = world.send(patch(path, R"({"assetLinks":null})"));
    CHECK(cleared.at("assetLinks") == "(absent)");
    CHECK(cleared.at("appleAppSiteAssociation") == R"({"applinks":{}})");

    for (const auto* text : {"nothing", "1", "{", "{}}", "<script>"})
        CHECK(world
                  .send(patch(path,
                              fmt::format(R"({{"appleAppSiteAssociation":"{0}","assetLinks":"{0}"}})", text)))
                  .summary() ==
              "403 InvalidFormat domain: InvalidFormat appleAppSiteAssociation, InvalidFormat assetLinks");
    const auto sized = [&](std::size_t bytes) { // of an array with one text in it
        return world
            .send(patch(path, fmt::format(R"({{"assetLinks":"[\"{}\"]"}})", std::string(bytes - 4, 'a'))))
            .summary();
    };
    CHECK(sized(65'536) == "200");
    CHECK(sized(65'537) == "403 InvalidFormat domain: InvalidLength assetLinks");
    std::string wide; // 33,000 characters of two bytes each
    for (int i = 0; i < 33'000; ++i)
        wide += "\xc3\xbc";
    CHECK(world.send(patch(path, fmt::format(R"({{"assetLinks":"[\"{}\"]"}})", wide))).summary() ==
          "403 InvalidFormat domain: InvalidLength assetLinks");
    CHECK(world.inconsistency().empty());
}
