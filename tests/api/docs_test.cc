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

} // namespace

TEST_CASE("the reference page is HTML that nobody needs a key for and no other site can use", "[docs]") {
    ApiWorld world;
    const auto answer = world.send(get("/docs").as("wrong"));
    CHECK(answer.status == 200);
    CHECK(answer.header("Content-Type") == "text/html; charset=utf-8");
    CHECK(answer.header("X-Content-Type-Options") == "nosniff");
    CHECK(answer.header("Content-Security-Policy").starts_with("default-src 'none'; style-src 'sha256-"));
    CHECK(answer.header("Content-Security-Policy").find("frame-ancestors 'none'") != std::string::npos);
    CHECK(world.send(head("/docs")).status == 200);
    CHECK(world.send(post("/docs", "{}")).status == 405);
}

TEST_CASE("the style is the one that the page's policy lets in", "[docs]") {
    ApiWorld world;
    const auto page = page_of(world);
    const auto begin = page.find("<style>") + 7;
    const auto style = page.substr(begin, page.find("</style>") - begin);
    // The hash again, from base64 to bytes, so that the encoder is checked as well.
    const auto policy = world.send(get("/docs")).header("Content-Security-Policy");
    const auto from = policy.find("sha256-") + 7;
    const auto text = policy.substr(from, policy.find('\'', from) - from);
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
    CHECK(bytes == sha256(style));
}

TEST_CASE("the page loads nothing and runs nothing", "[docs]") {
    ApiWorld world;
    const auto page = page_of(world);
    CHECK(all_of(page, R"re(<(script|img|link|iframe|form|object|base)\b)re").empty());
    CHECK(all_of(page, R"re(\s(on[a-z]+|style)=)re").empty());
    CHECK(page.find("url(") == std::string::npos);
    CHECK(page.find("@import") == std::string::npos);
    CHECK(all_of(page, R"re(\b(?:href|src)="([^#"][^"]*)")re") == std::set<std::string>{"/v1/openapi.json"});
    CHECK(page.size() < 600'000);
}

TEST_CASE("every link of the page leads to a place on it, and no two places have one name", "[docs]") {
    ApiWorld world;
    const auto page = page_of(world);
    const auto places = all_of(page, R"re(\bid="([^"]+)")re");
    std::size_t count = 0;
    for (auto at = page.find(" id=\""); at != std::string::npos; at = page.find(" id=\"", at + 1))
        ++count;
    CHECK(count == places.size());
    for (const auto& target : all_of(page, R"re(href="#([^"]+)")re")) {
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

TEST_CASE("nothing from the document becomes markup", "[docs]") {
    ApiWorld world;
    auto document = world.send(get("/openapi.json")).json.as_object();
    auto& operation = document.at("paths").at("/tags").at("post").as_object();
    operation["summary"] = "<script>alert(1)</script>";
    operation.at("requestBody").at("content").at("application/json").as_object()["example"] =
        json::object{{"name", "it's </pre><b>\"&"}};
    const auto page = api::docs_page(document);
    CHECK(page.find("<script>") == std::string::npos);
    CHECK(page.find("&lt;script&gt;alert(1)&lt;/script&gt;") != std::string::npos);
    CHECK(page.find("it'\\''s &lt;/pre&gt;&lt;b&gt;\\&quot;&amp;") != std::string::npos);
}
