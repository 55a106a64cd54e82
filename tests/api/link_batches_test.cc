// Several links in one call over the API (interface 4.1, 4.6 and 8, wire "Link").
#include "tests/api/api_world.h"
#include "tests/support/workspaces.h"

#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

struct BatchWorld : ApiWorld {
    BatchWorld() {
        set_workspace([](Workspace& workspace) { workspace.type = WorkspaceType::extended; });
    }
    std::string count() { return send(get("/links/count")).at("count"); }
};

// An array of `count` links without slashtags.
std::string some_links(int count) {
    std::string out;
    for (int i = 0; i < count; ++i)
        out += fmt::format(R"({}{{"destination":"https://example.com/{}"}})", i == 0 ? "" : ",", i);
    return "[" + out + "]";
}

std::string deletion(const std::vector<std::string>& ids) {
    std::string out;
    for (const auto& id : ids)
        out += fmt::format("{}\"{}\"", out.empty() ? "" : ",", id);
    return fmt::format(R"({{"links":[{}]}})", out);
}

// Each way to make several links.
std::vector<Call> ways(std::string_view body) {
    return {post("/links/bulk", body), put("/links/bulk", body), put("/links", body)};
}

} // namespace

TEST_CASE("a bulk call makes links in its order and answers count and links", "[batches]") {
    for (const bool by_put : {false, true}) {
        BatchWorld world;
        const std::string body = R"([{"destination":"https://example.com/b","slashtag":"b","title":"B"},
                                     {"destination":"https://example.com/a","slashtag":"a","favourite":true},
                                     {"destination":"https://example.com/c"}])";
        const auto made = world.send(by_put ? put("/links/bulk", body) : post("/links/bulk", body));
        REQUIRE(made.status == 200);
        CHECK(made.at("count") == "3");
        CHECK(made.json.at("links").as_array().size() == 3);
        CHECK(made.at("links.0.slashtag") == "b");
        CHECK(made.at("links.0.title") == "B");
        CHECK(made.at("links.0.status") == "active");
        CHECK(made.at("links.1.shortUrl") == "go.example.com/a");
        CHECK(made.at("links.1.favourite") == "true");
        CHECK(made.at("links.2.destination") == "https://example.com/c");
        CHECK(made.at("links.2.slashtag").size() == 5);
        CHECK(world.send(get("/links/" + made.at("links.1.id"))).body ==
              boost::json::serialize(made.json.at("links").at(1)));
        CHECK(world.count() == "3");
        CHECK(world.inconsistency().empty());
    }
}

TEST_CASE("PUT /links answers a bare array in the order of the call, in any workspace", "[batches]") {
    for (const auto type : {WorkspaceType::classic, WorkspaceType::extended, WorkspaceType::gallery}) {
        ApiWorld world;
        world.set_workspace([&](Workspace& workspace) { workspace.type = type; });
        const auto made = world.send(put("/links", R"([{"destination":"https://example.com/","slashtag":"z"},
                                         {"destination":"https://example.com/","slashtag":"y"}])"));
        REQUIRE(made.status == 200);
        CHECK(made.column("slashtag") == "z y");
    }
}

TEST_CASE("one broken item refuses the whole call and every broken field has its place",
          "[batches][threat-35]") {
    BatchWorld world;
    world.link_id("taken");
    for (const auto& call : ways(R"([{"destination":"https://example.com/","slashtag":"fine"},
                                     {"slashtag":"a b","domain":{"id":"x"}},
                                     "https://example.com/",
                                     {"destination":"https://example.com/","slashtag":"Taken","title":5},
                                     null,
                                     {"destination":"","ttl":5},
                                     {"destination":"https://example.com/","slashtag":"FINE"}])")) {
        const auto refused = world.send(call);
        CHECK(refused.summary() ==
              "403 InvalidFormat link: RequiredField [1].destination, InvalidFormat [1].domain.id, "
              "PatternMismatch [1].slashtag, InvalidFormat [2], InvalidFormat [3].title, "
              "AlreadyExists [3].slashtag, RequiredField [4], RequiredField [5].destination, "
              "OutOfRange [5].ttl, AlreadyExists [6].slashtag");
        CHECK(refused.at("errors.0.verbose") == "The property '[1].destination' cannot be empty.");
    }
    CHECK(world.count() == "1");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("POST takes at most 10 links, PUT 100", "[batches][threat-35]") {
    BatchWorld world;
    CHECK(world.send(post("/links/bulk", some_links(10))).at("count") == "10");
    CHECK(world.send(put("/links/bulk", some_links(11))).at("count") == "11");
    CHECK(world.send(put("/links/bulk", some_links(100))).at("count") == "100");
    CHECK(world.send(put("/links", some_links(100))).json.as_array().size() == 100);
    CHECK(world.count() == "221");
    const std::pair<Call, std::string_view> refused[] = {
        {post("/links/bulk", some_links(11)), "must have at most 10 items"},
        {put("/links/bulk", some_links(101)), "must have at most 100 items"},
        {put("/links", some_links(101)), "must have at most 100 items"},
        {post("/links/bulk", some_links(1001)), "must have at most 1000 items"},
    };
    for (const auto& [call, message] : refused) {
        const auto answer = world.send(call);
        CHECK(answer.summary() == "403 InvalidFormat link: OutOfRange ");
        CHECK(answer.at("errors.0.message") == message);
        CHECK(answer.at("errors.0.verbose") == fmt::format("The body {}.", message));
    }
    CHECK(world.count() == "221");
}

TEST_CASE("the operator says how many links a bulk call may have", "[batches]") {
    BatchWorld world;
    world.settings.bulk_links_max = 1;
    CHECK(world.send(post("/links/bulk", some_links(1))).status == 200);
    CHECK(world.send(post("/links/bulk", some_links(2))).status == 403);
    CHECK(world.send(put("/links/bulk", some_links(100))).status == 200);
    world.settings.bulk_links_max = 1000;
    CHECK(world.send(post("/links/bulk", some_links(1000))).at("count") == "1000");
    CHECK(world.send(put("/links", some_links(101))).status == 200);
}

TEST_CASE("a bulk call needs an array with something in it", "[batches]") {
    BatchWorld world;
    for (const auto& call : ways("[]"))
        CHECK(world.send(call).summary() == "403 InvalidFormat link: RequiredField ");
    for (const auto* body : {"", "{}", R"({"links":[]})", R"("x")", "null"})
        for (const auto& call : ways(body))
            CHECK(world.send(call).summary() == "400 InvalidFormat request");
    auto form = put("/links", "destination=https://example.com/");
    form.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
    CHECK(world.send(form).status == 400);
    CHECK(world.count() == "0");
}

TEST_CASE("a bulk call needs the feature, then a workspace in force, then one that is extended",
          "[batches]") {
    ApiWorld world;
    const auto one = deletion({world.link_id("a")});
    const auto summaries = [&] {
        std::vector<std::string> out;
        for (const auto& call : ways(some_links(1)))
            out.push_back(world.send(call).summary());
        out.push_back(world.send(del("/links", one)).summary());
        return out;
    };
    using Texts = std::vector<std::string>;
    set_plan(world, {.features = Change<Texts>::set({"links.tags"})});
    world.set_workspace([](Workspace& workspace) { workspace.revoked = true; });
    CHECK(summaries() == Texts(4, "403 FeatureNotIncluded links.bulk"));
    must(world.operate([&](SystemContext& system) -> Result<Account> {
        return change_account_plan(system, TRY(find_account(system.txn, "admin")),
                                   {.granted_features = Change<Texts>::set({"links.bulk"})});
    }));
    CHECK(summaries() == Texts(4, "403 RevokedWorkspace workspace"));
    world.set_workspace([](Workspace& workspace) { workspace.revoked = false; });
    CHECK(summaries() ==
          Texts{"403 WrongWorkspaceType workspace", "403 WrongWorkspaceType workspace", "200", "200"});
}

TEST_CASE("an item's unknown domain is not found, and told by its place", "[batches]") {
    BatchWorld world;
    const auto refused = world.send(post("/links/bulk", R"([{"destination":"https://example.com/"},
        {"destination":"https://example.com/","domain":{"fullName":"none.example"}}])"));
    CHECK(refused.summary() == "404 NotFound domain");
    CHECK(refused.at("id") == "none.example");
    CHECK(refused.at("verbose") == "The domain was not found. The property '[1].domain' does not exist.");
}

TEST_CASE("links of a plan's limit are counted with the whole call", "[batches]") {
    BatchWorld world;
    set_plan(world, {.links = Change<std::int64_t>::set(3)});
    CHECK(world.send(post("/links/bulk", some_links(4))).summary() == "403 LimitReached link");
    CHECK(world.send(get("/account")).at("subscription.limits.links.used") == "0");
    CHECK(world.send(post("/links/bulk", some_links(3))).status == 200);
    CHECK(world.send(get("/account")).at("subscription.limits.links.used") == "3");
    CHECK(world.send(post("/links/bulk", some_links(1))).summary() == "403 LimitReached link");
}

TEST_CASE("several links are deleted by their ids, all or none", "[batches]") {
    ApiWorld world;
    const auto a = world.link_id("a"), b = world.link_id("b"), c = world.link_id("c");
    const auto unknown = world.send(del("/links", deletion({a, "x"})));
    CHECK(unknown.summary() == "404 NotFound link");
    CHECK(unknown.at("verbose") == "The link was not found. The property 'links[1]' does not exist.");
    CHECK(world.send(del("/links", deletion({a, b, a}))).body == R"({"count":2})");
    CHECK(world.send(get("/links/" + a)).status == 404);
    CHECK(world.send(get("/links")).column("id") == c);
    CHECK(world.send(del("/links", deletion({a, b}))).body == R"({"count":0})");
    CHECK(world.send(del("/links", deletion({b, c}))).body == R"({"count":1})");
    CHECK(world.send(del("/links", deletion({c, "x"}))).status == 404);
    CHECK(world.send(del("/links", fmt::format(R"({{"links":[{{"id":"{}"}}]}})", c))).body ==
          R"({"count":0})");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("at most 100 links are deleted by one call, and at least one", "[batches]") {
    ApiWorld world;
    std::vector<std::string> ids;
    ids.reserve(100);
    for (int i = 0; i < 100; ++i)
        ids.push_back(world.link_id(fmt::format("n{}", i)));
    auto too_many = ids;
    too_many.push_back(ids[0]);
    CHECK(world.send(del("/links", deletion(too_many))).summary() ==
          "403 InvalidFormat link: OutOfRange links");
    const std::pair<std::string_view, std::string_view> refused[] = {
        {"", "403 InvalidFormat link: RequiredField links"},
        {"{}", "403 InvalidFormat link: RequiredField links"},
        {R"({"links":[]})", "403 InvalidFormat link: RequiredField links"},
        {R"({"links":"x"})", "403 InvalidFormat link: InvalidFormat links"},
        {R"({"links":[5,""]})", "403 InvalidFormat link: InvalidFormat links[0], RequiredField links[1]"},
        {"[]", "400 InvalidFormat request"},
    };
    for (const auto& [body, summary] : refused)
        CHECK(world.send(del("/links", body)).summary() == summary);
    CHECK(world.send(del("/links", deletion(ids))).body == R"({"count":100})");
    CHECK(world.send(get("/links/count")).at("count") == "0");
}

TEST_CASE("a guest makes several links and deletes several of its own", "[batches]") {
    ApiWorld world;
    const auto guest = world.colleague(Role::guest);
    const auto as_guest = [&](Call call) {
        return world.send(std::move(call).with("Workspace", world.workspace_id()).as(guest.key));
    };
    const auto alien = world.link_id("alien");
    const auto made = as_guest(put("/links", some_links(2)));
    REQUIRE(made.status == 200);
    CHECK(as_guest(del("/links", deletion({made.at("0.id"), alien}))).summary() ==
          "403 Forbidden link: Forbidden links[1]");
    CHECK(as_guest(del("/links", deletion({made.at("0.id"), made.at("1.id")}))).body == R"({"count":2})");
}

TEST_CASE("a body full of mistakes has an answer of bounded size", "[batches]") {
    ApiWorld world;
    std::string body;
    for (int i = 0; i < 100; ++i)
        body += R"(,{"tags":["","","","","","","","","","","","","","",""]})";
    body.front() = '[';
    const auto refused = world.send(put("/links", body + "]"));
    CHECK(refused.status == 403);
    CHECK(refused.json.at("errors").as_array().size() == 1000);
}
