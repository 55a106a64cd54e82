// The reference page: everything of the document is on it, and it needs nothing but itself.
#include "http/api/docs_page.h"

#include "core/base/secret.h"
#include "tests/api/api_world.h"
#include "tests/api/spec_lists.h"

#include <fmt/format.h>

#include <regex>
#include <set>

using namespace slashpost;
using namespace slashpost::test;
namespace json = boost::json;

namespace {

std::string page_of(ApiWorld& world) {
    const auto answer = world.send(get("/docs").anonymous());
    REQUIRE(answer.status == 200);
    return answer.body;
}

std::set<std::string> all_of(const std::string& page, const std::string& pattern) {
    const std::regex expression(pattern);
    std::set<std::string> out;
    for (std::sregex_iterator at(page.begin(), page.end(), expression), end; at != end; ++at)
        out.insert((*at)[1]);
    return out;
}

// From base64 to bytes, so that the encoder is checked as well.
std::string unpacked_base64(const std::string& text) {
    REQUIRE(text.size() == 44);
    CHECK(text.ends_with('='));
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned bits = 0, held = 0;
    for (const char c : text.substr(0, 43)) {
        held = held << 6U | static_cast<unsigned>(digits.find(c));
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes += static_cast<char>(held >> bits & 0xffU);
        }
    }
    return bytes;
}

// The part of the page with that id.
std::string section_of(const std::string& page, const std::string& id) {
    const auto begin = page.find("<section id=\"" + id + "\">");
    REQUIRE(begin != std::string::npos);
    return page.substr(begin, page.find("</section>", begin) - begin);
}

} // namespace

TEST_CASE("the reference page is HTML that nobody needs a key for and no other site can use", "[docs]") {
    ApiWorld world;
    const auto answer = world.send(get("/docs").as("wrong"));
    CHECK(answer.status == 200);
    CHECK(answer.header("Content-Type") == "text/html; charset=utf-8");
    CHECK(answer.header("X-Content-Type-Options") == "nosniff");
    CHECK(answer.header("Content-Security-Policy").starts_with("default-src 'none'; style-src 'sha256-"));
    CHECK(answer.header("Content-Security-Policy").find("unsafe") == std::string::npos);
    CHECK(answer.header("Content-Security-Policy").find("frame-ancestors 'none'") != std::string::npos);
    CHECK(world.send(head("/docs")).status == 200);
    CHECK(world.send(post("/docs", "{}")).status == 405);
}

TEST_CASE("the style and the script are those that the page's policy lets in", "[docs]") {
    ApiWorld world;
    const auto page = page_of(world);
    const auto policy = world.send(get("/docs")).header("Content-Security-Policy");
    for (const std::string name : {"style", "script"}) {
        INFO(name);
        const auto begin = page.find("<" + name + ">") + name.size() + 2;
        const auto text = page.substr(begin, page.find("</" + name + ">") - begin);
        const auto from = policy.find(name + "-src 'sha256-") + name.size() + 13;
        CHECK(unpacked_base64(policy.substr(from, policy.find('\'', from) - from)) == sha256(text));
    }
}

TEST_CASE("the page loads nothing, and runs nothing but its own script", "[docs]") {
    ApiWorld world;
    const auto page = page_of(world);
    CHECK(all_of(page, R"re(<(img|link|iframe|object|base)\b)re").empty());
    CHECK(page.find("<script>") == page.rfind("<script"));
    CHECK(all_of(page, R"re(\s(on[a-z]+|style|src|action)=")re").empty());
    CHECK(page.find("url(") == std::string::npos);
    CHECK(page.find("@import") == std::string::npos);
    CHECK(all_of(page, R"re(\bhref="([^#"][^"]*)")re") == std::set<std::string>{"/v1/openapi.json"});
    CHECK(page.size() < 900'000);
}

TEST_CASE("every link of the page leads to a place on it, and no two places have one name", "[docs]") {
    ApiWorld world;
    const auto page = page_of(world);
    const auto places = all_of(page, R"re(\bid="([^"]+)")re");
    std::size_t count = 0;
    for (auto at = page.find(" id=\""); at != std::string::npos; at = page.find(" id=\"", at + 1))
        ++count;
    CHECK(count == places.size());
    for (const auto& target : all_of(page, R"re(href="#([^"$]+)")re")) {
        INFO(target);
        CHECK(places.contains(target));
    }
}

TEST_CASE("every endpoint, shape, parameter and code of the document is on the page", "[docs]") {
    ApiWorld world;
    const auto page = page_of(world);
    const auto document = world.send(get("/openapi.json")).json;
    const auto has = [&](const std::string& text) {
        INFO(text);
        CHECK(page.find(text) != std::string::npos);
    };
    for (const auto& [path, operations] : document.at("paths").as_object())
        for (const auto& [method, operation] : operations.as_object()) {
            has(fmt::format("<section id=\"{}\">",
                            std::string_view(operation.at("operationId").as_string())));
            has(fmt::format("<code>/v1{}</code>", std::string_view(path)));
            if (const auto* parameters = operation.as_object().if_contains("parameters"))
                for (const auto& parameter : parameters->as_array())
                    if (const auto* name = parameter.as_object().if_contains("name"))
                        has(fmt::format("<code>{}</code>", std::string_view(name->as_string())));
        }
    for (const auto& [name, schema] : document.at("components").at("schemas").as_object())
        has(fmt::format("<section id=\"shape-{}\">", std::string_view(name)));
    for (const std::string text : {"FeatureNotIncluded", "links.tags", "RevokedWorkspace", "DeletedLink",
                                   "X-RateLimit-Remaining", "curl -X DELETE", "role: guest"})
        has(text);
}

TEST_CASE("nothing from the document becomes markup", "[docs][threat-7]") {
    ApiWorld world;
    auto document = world.send(get("/openapi.json")).json.as_object();
    auto& operation = document.at("paths").at("/tags").at("post").as_object();
    operation["summary"] = "<script>alert(1)</script>";
    operation.at("requestBody").at("content").at("application/json").as_object()["example"] =
        json::object{{"name", "it's </pre><b>\"&"}};
    operation.at("requestBody").at("content").at("application/json").at("schema").as_object()["$ref"] =
        "#/components/schemas/X";
    document.at("components").at("schemas").as_object()["X"] = json::parse(
        R"({"properties":{"<x1>":{"type":"<x2>","description":"<x3>","examples":["<x4>"],"pattern":"<x5>"}}})");
    const auto page = api::docs_page(document, "<x6>");
    CHECK(page.find("<script>alert") == std::string::npos);
    for (const std::string text : {"<x1>", "<x2>", "<x3>", "<x4>", "<x5>", "<x6>"})
        CHECK(page.find(text) == std::string::npos);
    CHECK(page.find("&lt;script&gt;alert(1)&lt;/script&gt;") != std::string::npos);
    CHECK(page.find("it'\\''s &lt;/pre&gt;&lt;b&gt;\\&quot;&amp;") != std::string::npos);
}

TEST_CASE("what a request may hold stands at the request", "[docs]") {
    ApiWorld world;
    const auto page = page_of(world);
    const auto create = section_of(page, "createLink");
    const auto has = [](const std::string& in, const std::string& text) {
        INFO(text);
        CHECK(in.find(text) != std::string::npos);
    };
    has(create, "<h4>Header</h4>");
    has(create, "<h4>Body</h4>");
    has(create, "<dt><code>destination</code> <span>string, uri</span> <b>required</b></dt>");
    has(create, "<dt><code>domain.fullName</code> <span>string</span></dt>");
    has(create, "<p>Seconds until the link expires.");
    has(create, "at least 60");
    has(create, "for example <code>https://example.com/a?b=c</code>");
    const auto rule = section_of(page, "createRule");
    has(rule, "<h4>Path</h4>");
    has(rule, "<code>link_id</code>");
    has(rule, "<code>condition.and[].property</code>");
    has(rule, "<code>conditions[].type</code>");
    const auto several = section_of(page, "createLinks");
    has(several, "<code>[].destination</code>");
    has(section_of(page, "listLinks"), "<h4>Query</h4>");
    has(section_of(page, "listLinks"), "one of createdAt, updatedAt, title, slashtag, clicks, lastClickAt");
}

TEST_CASE("the page names the interface and the program that serves it", "[docs]") {
    ApiWorld world;
    const auto document = world.send(get("/openapi.json")).json.as_object();
    CHECK(api::docs_page(document, "slashpost 1.2.3").find("Interface 7.0.2, served by slashpost 1.2.3.") !=
          std::string::npos);
    CHECK(page_of(world).find("served by slashpost 0.") != std::string::npos);
}

TEST_CASE("who asks at the door of the API is told where it is described", "[docs]") {
    ApiWorld world;
    for (const auto* path : {"", "/"}) {
        const auto answer = world.send(get(path).anonymous());
        CHECK(answer.status == 200);
        CHECK(answer.at("docs") == "/v1/docs");
        CHECK(answer.at("openapi") == "/v1/openapi.json");
        CHECK(answer.at("interface") == "7.0.2");
    }
    CHECK(world.send(post("/", "{}")).status == 405);
}
