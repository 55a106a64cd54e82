// The Model Context Protocol, over which assistants use the API.
#include "http/api/mcp.h"

#include "tests/api/api_world.h"
#include "tests/support/applications.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;
namespace json = boost::json;

namespace {

struct Assistant {
    ApiWorld world;
    api::Mcp mcp{world.api, "1.2.3"};
    std::string key = world.installed.key.key;

    http::Request message(std::string_view body) const {
        http::Request out{.method = http::Method::post,
                          .method_text = "POST",
                          .target = "/mcp",
                          .host = "go.example.com",
                          .headers = {{"Content-Type", "application/json"}},
                          .body = std::string(body),
                          .remote_address = "192.0.2.1"};
        if (!key.empty())
            out.headers.push_back({"Authorization", "Bearer " + key});
        return out;
    }
    http::Reply send(std::string_view body) const { return mcp.serve(message(body)); }
    json::value ask(std::string_view method, std::string_view parameters = "{}") const {
        const auto reply = send(R"({"jsonrpc":"2.0","id":7,"method":")" + std::string(method) +
                                R"(","params":)" + std::string(parameters) + "}");
        CHECK(reply.status == 200);
        auto answer = json::parse(reply.body);
        CHECK(answer.at("jsonrpc") == "2.0");
        CHECK(answer.at("id") == 7);
        return answer;
    }
    // What the tool's call was answered by the API.
    json::value use(std::string_view tool, std::string_view arguments, bool fails = false) const {
        const auto answer = ask("tools/call", R"({"name":")" + std::string(tool) + R"(","arguments":)" +
                                                  std::string(arguments) + "}");
        const auto& result = answer.at("result");
        CHECK(result.at("isError") == fails);
        CHECK(result.at("content").at(0).at("type") == "text");
        return json::parse(result.at("content").at(0).at("text").as_string());
    }
};

const json::object* find_tool(const json::value& tools, std::string_view name) {
    for (const auto& tool : tools.as_array())
        if (tool.at("name").as_string() == name)
            return &tool.as_object();
    return nullptr;
}

} // namespace

TEST_CASE("a client is told the revision that both know, and what there is", "[mcp]") {
    const Assistant assistant;
    const auto known = assistant.ask("initialize", R"({"protocolVersion":"2025-03-26","capabilities":{}})");
    CHECK(known.at_pointer("/result/protocolVersion") == "2025-03-26");
    CHECK(known.at_pointer("/result/serverInfo/name") == "slashpost");
    CHECK(known.at_pointer("/result/serverInfo/version") == "1.2.3");
    CHECK(known.at_pointer("/result/capabilities").as_object().contains("tools"));
    const auto unknown = assistant.ask("initialize", R"({"protocolVersion":"2099-01-01"})");
    CHECK(unknown.at_pointer("/result/protocolVersion") == "2025-06-18");
    CHECK(assistant.ask("ping").at("result").as_object().empty());
}

TEST_CASE("tools are operations of the API, with their arguments, each for itself", "[mcp]") {
    const Assistant assistant;
    const auto answer = assistant.ask("tools/list");
    const auto& tools = answer.at_pointer("/result/tools");
    CHECK(tools.as_array().size() == 25);
    CHECK(json::serialize(tools).find("$ref") == std::string::npos);
    const auto* create = find_tool(tools, "createLink");
    REQUIRE(create != nullptr);
    const auto& schema = create->at("inputSchema");
    CHECK(schema.at("type") == "object");
    CHECK(schema.at_pointer("/properties/destination/type") == "string");
    CHECK(schema.at_pointer("/properties/domain/anyOf/0/properties/fullName/type") == "string");
    CHECK(schema.at_pointer("/properties/workspace/type") == "string");
    CHECK(schema.at("required") == json::array{"destination"});
    CHECK(create->at("annotations").at("readOnlyHint") == false);
    const auto* update = find_tool(tools, "updateLink");
    CHECK(update->at("inputSchema").at("required") == json::array{"link_id"});
    CHECK(find_tool(tools, "getLinkStatistics")->at("annotations").at("readOnlyHint") == true);
    for (const auto* left_out : {"deleteLink", "createKey", "inviteTeammates", "deleteWorkspace"})
        CHECK(find_tool(tools, left_out) == nullptr);
}

TEST_CASE("an assistant makes a link, finds it, changes it and reads its figures", "[mcp]") {
    const Assistant assistant;
    const auto made =
        assistant.use("createLink", R"({"destination":"https://example.com/spring","slashtag":"spring"})");
    const std::string id(made.at("id").as_string());
    CHECK(made.at("shortUrl") == "go.example.com/spring");
    CHECK(assistant.use("searchLinks", R"({"term":"spring","limit":5})").as_array().size() == 1);
    CHECK(assistant.use("listLinks", R"({"slashtag":"none of these"})").as_array().empty());
    CHECK(assistant.use("updateLink", R"({"link_id":")" + id + R"(","title":"Spring","favourite":true})")
              .at("title") == "Spring");
    CHECK(assistant.use("getLink", R"({"link_id":")" + id + R"("})").at("favourite") == true);
    CHECK(
        assistant.use("getLinkStatistics", R"({"link_id":")" + id + R"(","interval":"day"})").at("clicks") ==
        0);
}

TEST_CASE("a refusal of the API is told to the assistant with all that is wrong", "[mcp]") {
    const Assistant assistant;
    const auto refused = assistant.use("createLink", R"({"slashtag":"a b"})", true);
    CHECK(refused.at("code") == "InvalidFormat");
    CHECK(refused.at("errors").as_array().size() == 2);
    CHECK(assistant.use("getLink", R"({"link_id":"../../account"})", true).at("code") == "NotFound");
}

TEST_CASE("a tool may be used in another workspace of the caller", "[mcp]") {
    Assistant assistant;
    const auto other = assistant.world.send(post("/workspaces", R"({"name":"Other"})")).at("id");
    assistant.world.link_id("here");
    CHECK(assistant.use("countLinks", "{}").at("count") == 1);
    CHECK(assistant.use("countLinks", R"({"workspace":")" + other + R"("})").at("count") == 0);
    CHECK(assistant.use("countLinks", R"({"workspace":"none"})", true).at("code") == "NotFound");
}

TEST_CASE("without a good key no tool does anything, and a limited key does no more than it may",
          "[mcp][threat-17]") {
    Assistant assistant;
    for (const auto* key : {"", "wrong"}) {
        assistant.key = key;
        const auto refused =
            assistant.send(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"listLinks"}})");
        CHECK(refused.status == 401);
        CHECK(std::ranges::any_of(refused.headers, [](const auto& header) {
            return header.name == "WWW-Authenticate" && header.value == "Bearer";
        }));
    }
    assistant.key = assistant.world.send(post("/account/keys", R"({"name":"r","readOnly":true})")).at("key");
    CHECK(assistant.use("countLinks", "{}").at("count") == 0);
    CHECK(assistant.use("createLink", R"({"destination":"https://example.com/"})", true).at("code") ==
          "LimitedKey");
}

TEST_CASE("a tool that the token's scopes are not enough for is refused with the scope to ask for",
          "[mcp][oauth][threat-18]") {
    Assistant assistant;
    auto& world = assistant.world;
    world.settings.api_url = "https://go.example.com/v1";
    world.settings.dashboard_url = "https://links.example.com";
    assistant.key = allow(world, make_application(world), {AppScope::links_read});
    const auto call = [&](std::string_view tool, std::string_view arguments) {
        return assistant.send(fmt::format(
            R"({{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{}","arguments":{}}}}})",
            tool, arguments));
    };
    const auto challenges = [](const http::Reply& reply) {
        std::vector<std::string> out;
        for (const auto& header : reply.headers)
            if (header.name == "WWW-Authenticate")
                out.push_back(header.value);
        return out;
    };
    const auto refused = call("createLink", R"({"destination":"https://example.com/"})");
    CHECK(refused.status == 403);
    CHECK(challenges(refused) ==
          std::vector<std::string>{
              R"(Bearer error="insufficient_scope", scope="links:write", )"
              R"(resource_metadata="https://go.example.com/.well-known/oauth-protected-resource/mcp")"});
    CHECK(json::parse(refused.body).at("code") == "LimitedKey");
    CHECK(call("countLinks", "{}").status == 200);
    assistant.key = allow(world, make_application(world), {AppScope::links_write});
    const auto wrong = call("createLink", R"({"destination":"javascript:1"})"); // another 403 is a result
    CHECK(wrong.status == 200);
    CHECK(challenges(wrong).empty());
    CHECK(json::parse(wrong.body).at("result").at("isError") == true);
}

TEST_CASE("what is no message, no method, no tool or lacks an argument is told as JSON-RPC has it", "[mcp]") {
    const Assistant assistant;
    for (const auto& [body, code] : {std::pair{"{", -32700},
                                     {"[]", -32600},
                                     {R"({"id":1,"method":"ping"})", -32600},
                                     {R"({"jsonrpc":"2.0","id":{},"method":"ping"})", -32600},
                                     {R"({"jsonrpc":"2.0","id":1})", -32600}}) {
        const auto reply = assistant.send(body);
        CHECK(reply.status == 400);
        CHECK(json::parse(reply.body).at_pointer("/error/code") == code);
    }
    CHECK(assistant.ask("resources/list").at_pointer("/error/code") == -32601);
    CHECK(assistant.ask("tools/call", R"({"name":"deleteLink"})").at_pointer("/error/code") == -32602);
    CHECK(assistant.ask("tools/call", R"({"name":"getLink"})").at_pointer("/error/message") ==
          "The argument link_id is missing.");
}

TEST_CASE("messages are posted; there is no stream and no session to end", "[mcp]") {
    const Assistant assistant;
    for (const auto method : {http::Method::get, http::Method::del}) {
        auto request = assistant.message("");
        request.method = method;
        const auto reply = assistant.mcp.serve(request);
        CHECK(reply.status == 405);
        CHECK(std::ranges::any_of(reply.headers, [](const auto& header) {
            return header.name == "Allow" && header.value == "POST";
        }));
    }
}

TEST_CASE("a call that is sent again with its Idempotency-Key is made once", "[mcp]") {
    Assistant assistant;
    auto request = assistant.message(
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"createTag","arguments":{"name":"x"}}})");
    request.headers.push_back({"Idempotency-Key", "one"});
    const auto first = assistant.mcp.serve(request);
    CHECK(first.status == 200);
    CHECK(assistant.mcp.serve(request).body == first.body);
    CHECK(assistant.use("listTags", "{}").as_array().size() == 1);
}

TEST_CASE("a notification is taken without an answer", "[mcp]") {
    const Assistant assistant;
    const auto reply = assistant.send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    CHECK(reply.status == 202);
    CHECK(reply.body.empty());
}

TEST_CASE("a message's body is waited for as that of any call", "[mcp]") {
    Assistant assistant;
    auto head = assistant.message("");
    CHECK(assistant.mcp.admit_body(head).status == 100);
    assistant.key = "wrong";
    CHECK(assistant.mcp.admit_body(assistant.message("")).status == 401);
}
