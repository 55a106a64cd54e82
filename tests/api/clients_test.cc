// What clients send that were written for this wire format by others, and what they need to find (wire
// "Transport", "Errors", "Link").
#include "tests/api/api_world.h"
#include "tests/support/workspaces.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

constexpr std::string_view nobody = "00000000000000000000000000000001";

// Links a and b are active, c is deleted; b and c are on another domain and carry a tag.
struct FilledWorld : ApiWorld {
    std::string domain_id = domain("other.example").id.hex();
    std::string tag = send(post("/tags", R"({"name":"print","color":"ff8800"})")).at("id");
    std::string me = installed.account.id.hex();
    std::string a = link_id("a");
    std::string b = link_id("b", fmt::format(R"(,"domain":"other.example","tags":["{}"])", tag));
    std::string c = link_id("c", fmt::format(R"(,"domain":"{}","tags":["{}"])", domain_id, tag));

    FilledWorld() { REQUIRE(send(del("/links/" + c)).status == 200); }

    // The slashtags of the list; checks that count and search say the same.
    std::string list(const std::string& query) {
        const auto listed = send(get("/links?orderBy=slashtag&orderDir=asc&" + query));
        INFO(query << " " << listed.body);
        REQUIRE(listed.status == 200);
        const auto size = listed.json.as_array().size();
        CHECK(send(get("/links/count?" + query)).at("count") == std::to_string(size));
        CHECK(send(get("/links/search?term=example&" + query)).json.as_array().size() == size);
        CHECK(send(get("/links/search/count?term=example&" + query)).at("count") == std::to_string(size));
        return listed.column("slashtag");
    }
};

} // namespace

TEST_CASE("a word where a nested filter is expected says what the filter says most often", "[clients]") {
    FilledWorld world;
    CHECK(world.list("status=active") == "a b");
    CHECK(world.list("status=trashed") == "c");
    CHECK(world.list("status=active,trashed") == "a b c");
    CHECK(world.list("status=trashed,active") == "a b c");
    CHECK(world.list("status=active&status=trashed") == "a b c");
    CHECK(world.list("status=") == "a b");
    CHECK(world.list("domain=" + world.domain_id) == "b");
    CHECK(world.list("domain=other.example") == "b");
    CHECK(world.list("domain=OTHER.example") == "b");
    CHECK(world.list("domain=other.example,go.example.com") == "a b");
    CHECK(world.list("domain=go.example.com," + world.domain_id + "&status=active,trashed") == "a b c");
    CHECK(world.list("creator=" + world.me) == "a b");
    CHECK(world.list("tag=" + world.tag) == "b");
    CHECK(world.list("tag=" + world.tag + "&status=active,trashed") == "b c");
    for (const auto* path :
         {"/links?", "/links/count?", "/links/search?term=example&", "/links/search/count?term=example&"}) {
        CHECK(world.send(get(path + std::string("status=gone"))).summary() ==
              "403 InvalidFormat link: InvalidFormat status");
        CHECK(world.send(get(path + std::string("creator=me"))).summary() ==
              "403 InvalidFormat link: InvalidFormat creator");
        CHECK(world.send(get(path + std::string("tag=print"))).summary() ==
              "403 InvalidFormat link: InvalidFormat tag");
    }
}

TEST_CASE("a filter by something that does not exist finds nothing", "[clients]") {
    FilledWorld world;
    for (const auto* name : {"domain.id", "domain", "creator.id", "creator", "tag.id", "tag"})
        CHECK(world.list(fmt::format("{}={}", name, nobody)).empty());
    CHECK(world.list("domain=nowhere.example").empty());
    CHECK(world.list("domain.fullName=nowhere.example").empty());
}

TEST_CASE("a parameter that comes twice means both values", "[clients]") {
    FilledWorld world;
    const auto own = world.installed.domain.id.hex();
    CHECK(world.list("domain.id=" + own + "&domain.id=" + world.domain_id) == "a b");
    CHECK(world.list("domain[id]=" + own + "&domain[id]=" + world.domain_id) == "a b");
    CHECK(world.list("domain=" + own + "&domain=other.example") == "a b");
    CHECK(world.list("domain.fullName=go.example.com&domain.fullName=other.example") == "a b");
    CHECK(world.list(fmt::format("domain.id={}&domain.id={}", world.domain_id, nobody)) == "b");
    CHECK(world.list(fmt::format("creator.id={}&creator.id={}", nobody, world.me)) == "a b");
    CHECK(world.list(fmt::format("tag.id={}&tag={}", nobody, world.tag)) == "b");
    CHECK(world.send(get("/links?limit=2&limit=1")).json.as_array().size() == 1); // of which there is one
}

TEST_CASE("links in every state are listed in one order, page after page", "[clients]") {
    ApiWorld world;
    std::vector<std::string> ids;
    for (int i = 0; i < 7; ++i) {
        ids.push_back(world.link_id(fmt::format("s{}", i), fmt::format(R"(,"title":"{}")", 9 - i)));
        world.clock.advance_seconds(1);
    }
    for (const std::size_t i : {1U, 2U, 6U})
        world.send(del("/links/" + ids[i]));
    const auto pages = [&](const std::string& query, std::size_t limit) {
        std::string out, last;
        while (true) {
            const auto page = world.send(
                get(fmt::format("/links?status=active,trashed&limit={}&last={}&{}", limit, last, query)));
            REQUIRE(page.status == 200);
            if (page.body == "[]")
                return out;
            CHECK(page.json.as_array().size() <= limit);
            out += page.column("slashtag") + " ";
            last = page.at(fmt::format("{}.id", page.json.as_array().size() - 1));
        }
    };
    for (const std::size_t limit : {1U, 2U, 3U, 25U}) {
        CHECK(pages("", limit) == "s6 s5 s4 s3 s2 s1 s0 ");
        CHECK(pages("orderDir=asc", limit) == "s0 s1 s2 s3 s4 s5 s6 ");
        CHECK(pages("orderBy=title&orderDir=asc", limit) == "s6 s5 s4 s3 s2 s1 s0 ");
        CHECK(pages("orderBy=slashtag", limit) == "s6 s5 s4 s3 s2 s1 s0 ");
        CHECK(pages("orderBy=clicks", limit) == "s6 s5 s4 s3 s2 s1 s0 ");
    }
    CHECK(world.send(get("/links?status=active,trashed&offset=2&limit=3")).column("slashtag") == "s4 s3 s2");
    CHECK(world.send(get("/links/search?term=s&status=active,trashed")).status == 403);
    CHECK(world.send(get("/links/search?term=example&status=active,trashed&offset=1&limit=2"))
              .column("slashtag") == "s5 s4");
    CHECK(world.send(get("/links/search?term=s2&status=active,trashed")).column("slashtag") == "s2");
}

TEST_CASE("tags are filtered by a word, too", "[clients]") {
    FilledWorld world;
    for (const auto& [word, names] :
         {std::pair("active", "print"), {"trashed", ""}, {"active,trashed", "print"}}) {
        CHECK(world.send(get(fmt::format("/tags?status={}", word))).column("name") == names);
        CHECK(world.send(get(fmt::format("/tags/count?status={}", word))).at("count") ==
              (*names == 0 ? "0" : "1"));
    }
    CHECK(world.send(get("/tags?status=gone")).summary() == "403 InvalidFormat tag: InvalidFormat status");
}

TEST_CASE("a body may name a domain, a tag and a creator by a text alone", "[clients]") {
    FilledWorld world;
    const auto search = [&](const std::string& more) {
        return world.send(post("/links/search", R"({"term":"example",)" + more + "}")).column("slashtag");
    };
    CHECK(search(R"("domain":"other.example")") == "b");
    CHECK(search(fmt::format(R"("domain":"{}")", world.domain_id)) == "b");
    CHECK(search(fmt::format(R"("tag":"{}")", world.tag)) == "b");
    CHECK(search(fmt::format(R"("creator":"{}")", world.me)) == "b a");
    CHECK(search(R"("status":"trashed")") == "c");
    CHECK(world.send(get("/links/new?destination=https://example.com/&domain=other.example"))
              .at("domainName") == "other.example");
    CHECK(world.send(post("/links/" + world.a, R"({"domain":"other.example"})")).at("domainName") ==
          "other.example");
    CHECK(world.send(post_form("/links/" + world.a, "domain=go.example.com")).at("domainName") ==
          "go.example.com");
}

TEST_CASE("the name of a field counts in any case", "[clients]") {
    FilledWorld world;
    CHECK(world.list("domain[FullName]=other.example") == "b");
    CHECK(world.list("domain.fullname=other.example") == "b");
    CHECK(world
              .send(post("/links",
                         R"({"Destination":"https://example.com/","domain":{"FullName":"other.example"}})"))
              .at("domainName") == "other.example");
}

TEST_CASE("a domain's ref is looked at when nothing else names it, with and without its slash", "[clients]") {
    FilledWorld world;
    const auto made = [&](const std::string& domain) {
        const auto answer =
            world.send(post("/links", R"({"destination":"https://example.com/","domain":)" + domain + "}"));
        return answer.status == 200 ? answer.at("domainName") : answer.summary();
    };
    CHECK(made(fmt::format(R"({{"ref":"/domains/{}"}})", world.domain_id)) == "other.example");
    CHECK(made(fmt::format(R"({{"ref":"domains/{}"}})", world.domain_id)) == "other.example");
    CHECK(made(fmt::format(R"({{"ref":"{}"}})", world.domain_id)) == "other.example");
    CHECK(made(R"({"ref":"/domains/x"})") == "403 InvalidFormat link: InvalidFormat domain.ref");
    CHECK(made(fmt::format(R"({{"ref":"/domains/{}","fullName":"go.example.com"}})", world.domain_id)) ==
          "go.example.com");
    CHECK(made(R"({"ref":"nonsense","fullName":"other.example"})") == "other.example");
    CHECK(made(fmt::format(R"({{"ref":"nonsense","id":"{}"}})", world.domain_id)) == "other.example");
}

TEST_CASE("a new workspace has no domain, and the default one only when it is shared", "[clients]") {
    ApiWorld world;
    const auto space = world.send(post("/workspaces", R"({"name":"Spring"})"));
    REQUIRE(space.status == 200);
    CHECK(space.at("domains") == "0");
    const auto there = [&](Call call) {
        return world.send(std::move(call).with("Workspace", space.at("id")));
    };
    const auto* const link = R"({"destination":"https://example.com/"})";
    CHECK(there(get("/domains")).body == "[]");
    CHECK(there(post("/links", link)).summary() == "404 NotFound domain");
    CHECK(world.send(post("/links", link)).status == 200);
    CHECK(there(post("/domains/" + world.installed.domain.id.hex())).status == 200);
    CHECK(there(post("/links", link)).at("domainName") == "go.example.com");
}

TEST_CASE("of the workspaces that a person works in, the own main one is the default", "[clients]") {
    ApiWorld world;
    const auto colleague = world.colleague(Role::admin);
    world.send(post("/workspaces", R"({"name":"Spring"})").as(colleague.key));
    const auto theirs = colleague.account.default_workspace.hex();
    for (const auto* path : {"/workspaces", "/account/workspaces", "/account/teams"}) {
        const auto listed = world.send(get(path).as(colleague.key));
        REQUIRE(listed.json.as_array().size() == 3);
        for (const auto& one : listed.json.as_array())
            CHECK(one.at("default").as_bool() == (std::string_view(one.at("id").as_string()) == theirs));
    }
    CHECK(world.send(get("/workspaces/" + world.workspace_id()).as(colleague.key)).at("default") == "false");
    CHECK(world.send(get("/workspaces/" + world.workspace_id())).at("default") == "true");
}

TEST_CASE("a bearer's key is a key", "[clients]") {
    ApiWorld world;
    const auto& key = world.installed.key.key;
    const auto bearer = [&](const std::string& value) {
        return world.send(get("/links").anonymous().with("Authorization", value)).status;
    };
    CHECK(bearer("Bearer " + key) == 200);
    CHECK(bearer("bearer   " + key) == 200);
    CHECK(bearer("BEARER " + key) == 200);
    for (const auto& value : {std::string("Bearer"), std::string("Bearer "), "Bearer" + key, "Bearer x" + key,
                              "Basic " + key, key})
        CHECK(bearer(value) == 401);
    CHECK(world.send(get("/links").with("Authorization", "Bearer " + key)).status == 200);
    CHECK(world.send(get("/links").with("Authorization", "Basic YTpi")).status == 200); // a proxy's
    CHECK(world.send(get("/links").with("Authorization", "Bearer wrong")).status == 401);
    CHECK(world.send(get("/links").as("wrong").with("Authorization", "Bearer " + key)).status == 401);
    CHECK(world.send(get("/links?apikey=wrong").anonymous().with("Authorization", "Bearer " + key)).status ==
          200);
    CHECK(world.admit_body(post("/links").anonymous().with("Authorization", "Bearer " + key)).status == 100);
}

TEST_CASE("a body may bring the key and the workspace", "[clients]") {
    ApiWorld world;
    const auto& key = world.installed.key.key;
    const auto colleague = world.colleague(Role::guest);
    const auto link = [](const std::string& more) {
        return R"({"destination":"https://example.com/")" + more + "}";
    };
    CHECK(world.send(post("/links", link(R"(,"apikey":")" + key + '"')).anonymous()).status == 200);
    CHECK(world.send(post_form("/links", "destination=https://example.com/&apikey=" + key).anonymous())
              .status == 200);
    CHECK(world.send(post("/links", link(R"(,"apikey":"wrong")")).anonymous()).status == 401);
    CHECK(world.send(post("/links", link(R"(,"apikey":"wrong")"))).status == 200); // the header counts
    CHECK(world.send(post("/links", "{").anonymous()).status == 401);
    CHECK(world.send(post("/links", "[]").anonymous()).status == 401);

    const auto id = world.workspace_id();
    const auto theirs = [&](const std::string& more) {
        return world.send(post("/links", link(more)).as(colleague.key));
    };
    const auto count = [&] { return world.send(get("/links/count")).at("count"); };
    CHECK(count() == "3");
    CHECK(theirs(fmt::format(R"(,"workspace":{{"id":"{}"}})", id)).status == 200);
    CHECK(theirs(fmt::format(R"(,"workspace":"{}")", id)).status == 200);
    CHECK(count() == "5");
    CHECK(theirs(R"(,"workspace":{"id":"","name":"x"})").status == 200);
    CHECK(count() == "5");
    CHECK(theirs(fmt::format(R"(,"workspace":{{"id":"{}"}})", nobody)).summary() == "404 NotFound workspace");
    CHECK(world.send(post("/links", link(fmt::format(R"(,"workspace":"{}")", nobody))).with("Workspace", id))
              .summary() == "403 InvalidFormat workspace: InvalidFormat workspace");
}

TEST_CASE("a short body is waited for to see whether it has a key, unless its sender guesses", "[clients]") {
    ApiWorld world({}, {.requests = 2, .period_seconds = 60});
    const auto admit = [&](const std::string& length) {
        return world.admit_body(post("/links").anonymous().with("Content-Length", length)).status;
    };
    CHECK(admit("16384") == 100);
    CHECK(admit("16385") == 401);
    CHECK(admit("x") == 401);
    CHECK(admit("10") == 429);
    CHECK(world.admit_body(post("/links").as("guess").with("Content-Length", "10")).status == 429);
    CHECK(world.admit_body(post("/links").with("Content-Length", "10")).status == 100);
}

TEST_CASE("who is not let in and asks for no JSON is told so in plain text", "[clients]") {
    ApiWorld world;
    for (const auto* accept : {"", "*/*", "text/html", "text/plain, */*"}) {
        const auto answer = world.send(get("/links").anonymous().accepting(accept));
        CHECK(answer.status == 401);
        CHECK(answer.body == "Unauthorized");
        CHECK(answer.header("Content-Type") == "text/plain; charset=utf-8");
        CHECK(answer.header("X-RateLimit-Limit") == "6000");
    }
    for (const auto& [accept, type] : {std::pair{"application/json", "application/json; charset=utf-8"},
                                       {"Application/JSON;q=0.5, */*", "application/json; charset=utf-8"},
                                       {"application/problem+json", "application/problem+json"}}) {
        const auto answer = world.send(get("/links").as("wrong").accepting(accept));
        CHECK(answer.summary() == "401 Unauthorized apikey");
        CHECK(answer.header("Content-Type") == type);
    }
    CHECK(world.send(get("/nothing").accepting("")).at("code") == "NotFound"); // nothing else is
    CHECK(world.send(get("/links").accepting("")).status == 200);
}

TEST_CASE("a tag and a script of a link are read by their ids", "[clients]") {
    ApiWorld world;
    const auto id = world.link_id("a");
    const auto tag = world.send(post("/tags", R"({"name":"print","color":"ff8800"})")).at("id");
    const auto script = world.send(post("/scripts", R"({"name":"pixel","value":"<p>"})")).at("id");
    for (const auto& [kind, label] : {std::pair("tags", tag), {"scripts", script}}) {
        const auto path = fmt::format("/links/{}/{}/{}", id, kind, label);
        const auto absent = world.send(get(path));
        CHECK(absent.status == 404);
        CHECK(absent.at("message") == "Not found");
        CHECK(absent.at("id") == label);
        CHECK(world.send(post(path)).status == 200);
        CHECK(world.send(get(path)).body == world.send(get(fmt::format("/{}/{}", kind, label))).body);
        CHECK(world.send(get(fmt::format("/links/{}/{}/{}", id, kind, nobody))).status == 404);
        CHECK(world.send(get(fmt::format("/links/{}/{}/{}", nobody, kind, label))).status == 404);
    }
    world.send(del("/links/" + id));
    CHECK(world.send(get(fmt::format("/links/{}/tags/{}", id, tag))).summary() == "403 DeletedLink link");
}

TEST_CASE("a tag without a colour gets one by its name", "[clients]") {
    ApiWorld world;
    const auto make = [&](const char* name) {
        return world.send(post("/tags", fmt::format(R"({{"name":"{}"}})", name))).at("color");
    };
    CHECK(make("print") == "b3261e");
    CHECK(make("Summer sale") == "1565c0");
    CHECK(world.send(post("/tags", R"({"name":"x","color":""})")).status == 200);
    CHECK(world.send(post("/tags", R"({"name":"y","color":"red"})")).summary() ==
          "403 InvalidFormat tag: PatternMismatch color");
}

TEST_CASE("a domain is active for whoever asks for one to make links on", "[clients]") {
    ApiWorld world;
    const auto domain = world.domain("new.example");
    const auto id = world.link_id("a", R"(,"domain":"new.example")");
    const auto is_active = [&] {
        const bool listed =
            world.send(get("/domains?active=true&orderBy=fullName")).body.find("new.example") !=
            std::string::npos;
        const bool other =
            world.send(get("/domains?active=false")).body.find("new.example") != std::string::npos;
        CHECK(listed != other);
        CHECK(world.send(get("/domains/count?active=true")).at("count") == (listed ? "2" : "1"));
        CHECK(world.send(get("/links/" + id)).at("domain.active") == (listed ? "true" : "false"));
        return listed;
    };
    const auto set = [](bool value) { return Change<bool>::set(value); };
    CHECK(is_active());
    world.set_domain(domain, {.verified = set(false)});
    CHECK_FALSE(is_active());
    world.set_domain(domain, {.verified = set(true), .revoked = set(true)});
    CHECK_FALSE(is_active());
    world.set_domain(domain, {.active = set(false), .revoked = set(false)});
    CHECK_FALSE(is_active());
    world.set_domain(domain, {.active = set(true)});
    CHECK(is_active());
}

TEST_CASE("a time to live and an end say the same, or both are refused", "[clients]") {
    ApiWorld world; // at 2027-01-15T08:00:00Z
    const auto make = [&](const std::string& more) {
        const auto answer =
            world.send(post("/links", R"({"destination":"https://example.com/",)" + more + "}"));
        return answer.status == 200 ? answer.at("expiresAt") : answer.summary();
    };
    const std::string refused = "403 InvalidFormat link: InvalidFormat ttl, InvalidFormat expiresAt";
    CHECK(make(R"("ttl":3600,"expiresAt":"2027-01-15T09:00:00Z")") == "2027-01-15T09:00:00.000Z");
    CHECK(make(R"("ttl":3600,"expiresAt":"2027-01-15T09:00:00.999Z")") == "2027-01-15T09:00:00.999Z");
    CHECK(make(R"("ttl":3600,"expiresAt":"2027-01-15T09:00:01Z")") == refused);
    CHECK(make(R"("ttl":3600,"expiresAt":"2027-01-15T08:59:59Z")") == refused);
    const auto id = world.link_id("a", R"(,"expiresAt":"2027-02-01T00:00:00Z")");
    const auto change = [&](const std::string& body) {
        const auto answer = world.send(post("/links/" + id, body));
        return answer.status == 200 ? answer.at("expiresAt") : answer.summary();
    };
    CHECK(change(R"({"ttl":3600,"expiresAt":"2027-03-01T00:00:00Z"})") == refused);
    CHECK(change(R"({"ttl":3600,"expiresAt":"2027-02-01T00:00:00.000Z"})") ==
          "2027-01-15T09:00:00.000Z"); // as it was
}

TEST_CASE("numbers and truths are read as clients of other languages write them", "[clients]") {
    ApiWorld world;
    const auto made = world.send(post(
        "/links",
        R"({"destination":"https://example.com/","favourite":"True","forwardParameters":"FALSE","ttl":"60.0"})"));
    CHECK(made.at("favourite") == "true");
    CHECK(made.at("forwardParameters") == "false");
    CHECK(made.at("expiresAt") == "2027-01-15T08:01:00.000Z");
    CHECK(world.send(get("/links/count?favourite=True")).at("count") == "1");
    CHECK(world.send(get("/links?limit=10.0")).status == 200);
    CHECK(world.send(post("/links", R"({"destination":"https://example.com/","ttl":"60.5"})")).summary() ==
          "403 InvalidFormat link: InvalidFormat ttl");
}
