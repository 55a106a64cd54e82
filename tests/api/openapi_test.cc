// The generated document: reviewed once, then compared. After a wanted change accept it with
//     SLASHPOST_ACCEPT=1 ctest -R api_routes_tests
#include "core/base/text.h"
#include "tests/api/api_world.h"
#include "tests/api/document_check.h"
#include "tests/api/spec_lists.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

using namespace slashpost;
using namespace slashpost::test;
namespace json = boost::json;

namespace {

const char* const golden_path = SLASHPOST_TESTS_DIR "/golden/openapi.json";

// One line per value, so that a difference can be read.
void print(std::string& out, const json::value& value, const std::string& indent) {
    const auto inner = indent + "  ";
    std::string separator = "\n";
    if (const auto* object = value.if_object(); object != nullptr && !object->empty()) {
        out += '{';
        for (const auto& [key, item] : *object) {
            out += separator + inner + json::serialize(json::string(key)) + ": ";
            print(out, item, inner);
            separator = ",\n";
        }
        out += "\n" + indent + "}";
    } else if (const auto* array = value.if_array(); array != nullptr && !array->empty()) {
        out += '[';
        for (const auto& item : *array) {
            out += separator + inner;
            print(out, item, inner);
            separator = ",\n";
        }
        out += "\n" + indent + "]";
    } else {
        out += json::serialize(value);
    }
}

void collect_references(const json::value& value, std::vector<std::string>& out) {
    if (const auto* object = value.if_object())
        for (const auto& [key, item] : *object) {
            if (key == "$ref")
                out.emplace_back(item.get_string());
            collect_references(item, out);
        }
    if (const auto* array = value.if_array())
        for (const auto& item : *array)
            collect_references(item, out);
}

// The places of schemas that say what type something is, but not what it means.
void collect_undescribed(const json::value& node, const std::string& where, std::vector<std::string>& out) {
    const auto check = [&](const json::value& one, const std::string& place) {
        const auto* text = one.as_object().if_contains("description");
        if (text == nullptr || text->as_string().size() < 8 || !text->as_string().ends_with('.'))
            out.push_back(place);
    };
    if (const auto* array = node.if_array())
        for (std::size_t i = 0; i < array->size(); ++i)
            collect_undescribed((*array)[i], fmt::format("{}/{}", where, i), out);
    const auto* object = node.if_object();
    if (object == nullptr)
        return;
    for (const auto& [key, value] : *object) {
        if (key == "example" || key == "examples")
            continue;
        const auto place = where + "/" + std::string(key);
        if (key == "properties" || key == "headers")
            for (const auto& [name, one] : value.as_object())
                if (!(key == "headers" && one.as_object().contains("$ref")))
                    check(one, place + "/" + std::string(name));
        if (key == "parameters" && value.is_array())
            for (const auto& one : value.as_array())
                if (!one.as_object().contains("$ref"))
                    check(one, place + "/" + std::string(one.at("name").as_string()));
        collect_undescribed(value, place, out);
    }
}

} // namespace

TEST_CASE("every field and every parameter says what it means", "[openapi]") {
    ApiWorld world;
    const auto document = world.send(get("/openapi.json")).json;
    std::vector<std::string> undescribed;
    collect_undescribed(document, "", undescribed);
    CHECK(undescribed == std::vector<std::string>{});
    for (const auto& [name, parameter] : document.at("components").at("parameters").as_object())
        CHECK_FALSE(parameter.at("description").as_string().empty());
    // One of each kind, so that the walk is known to come by.
    const auto& schemas = document.at("components").at("schemas");
    CHECK(schemas.at("Link").at("properties").at("domain").at("description").as_string() ==
          "The domain on which the link is.");
    CHECK(schemas.at("Error")
              .at("properties")
              .at("errors")
              .at("items")
              .at("properties")
              .at("code")
              .at("description")
              .as_string() == "What is wrong with the field, in one word for programs.");
}

TEST_CASE("the document is the reviewed one", "[openapi]") {
    ApiWorld world;
    world.settings.dashboard_url = "https://links.example.com";
    const auto answer = world.send(get("/openapi.json").anonymous());
    REQUIRE(answer.status == 200);
    std::string printed;
    print(printed, answer.json, "");
    printed += '\n';
    if (std::getenv("SLASHPOST_ACCEPT") != nullptr) // NOLINT(concurrency-mt-unsafe): one thread here
        std::ofstream(golden_path) << printed;
    std::ifstream in(golden_path);
    const std::string golden(std::istreambuf_iterator<char>(in), {});
    CHECK(printed == golden);
}

TEST_CASE("the document says where applications ask for tokens, and which scopes there are",
          "[openapi][oauth]") {
    ApiWorld world;
    world.settings.dashboard_url = "https://links.example.com:8443";
    const auto document = world.send(get("/openapi.json")).json;
    const auto& schemes = document.at("components").at("securitySchemes").as_object();
    CHECK(schemes.at("oauth2").at("type").as_string() == "oauth2");
    const auto& flow = schemes.at("oauth2").at("flows").at("authorizationCode");
    CHECK(flow.at("authorizationUrl").as_string() == "https://links.example.com:8443/connect/authorize");
    CHECK(flow.at("tokenUrl").as_string() == "https://links.example.com:8443/connect/token");
    CHECK(flow.at("refreshUrl").as_string() == "https://links.example.com:8443/connect/token");
    std::string scopes;
    for (const auto& [name, note] : flow.at("scopes").as_object()) {
        INFO(name);
        CHECK(note.as_string().ends_with('.'));
        scopes += (scopes.empty() ? "" : " ") + std::string(name);
    }
    CHECK(scopes ==
          "rbapi offline_access links:read links:write tags:read tags:write scripts:read scripts:write "
          "domains:read domains:write workspaces:read workspaces:write teammates:read teammates:write "
          "stats:read conversions:write events:read webhooks:read webhooks:write");
    const auto& paths = document.at("paths").as_object();
    const auto security = [&](std::string_view path, std::string_view method) {
        const auto* found = paths.at(path).at(method).as_object().if_contains("security");
        return found == nullptr ? "as usual" : json::serialize(*found);
    };
    CHECK(json::serialize(document.at("security")) == R"([{"apikey":[]},{"bearer":[]}])");
    CHECK(security("/links", "get") == R"([{"apikey":[]},{"bearer":[]},{"oauth2":["links:read"]}])");
    CHECK(security("/links/{link_id}", "delete") ==
          R"([{"apikey":[]},{"bearer":[]},{"oauth2":["links:write"]}])");
    CHECK(security("/account", "get") == R"([{"apikey":[]},{"bearer":[]},{"oauth2":[]}])"); // any will do
    CHECK(security("/account/keys", "get") == "as usual");                                  // open to none
    CHECK(security("/docs", "get") == "[]");
}

TEST_CASE("without a dashboard there are no applications in the document", "[openapi][oauth]") {
    ApiWorld world;
    const auto document = world.send(get("/openapi.json")).json;
    CHECK_FALSE(document.at("components").at("securitySchemes").as_object().contains("oauth2"));
    for (const auto& [path, operations] : document.at("paths").as_object())
        for (const auto& [method, operation] : operations.as_object()) {
            INFO(method << " " << path);
            const auto* security = operation.as_object().if_contains("security");
            CHECK((security == nullptr || security->as_array().empty()));
        }
}

TEST_CASE("the document needs no key, even a wrong one does no harm", "[openapi]") {
    ApiWorld world;
    CHECK(world.send(get("/openapi.json").anonymous()).status == 200);
    CHECK(world.send(get("/openapi.json").as("wrong")).status == 200);
}

TEST_CASE("every reference in the document leads somewhere", "[openapi]") {
    ApiWorld world;
    const auto document = world.send(get("/openapi.json")).json;
    std::vector<std::string> references;
    collect_references(document, references);
    CHECK_FALSE(references.empty());
    for (const auto& reference : references) {
        INFO(reference);
        json::error_code error;
        document.find_pointer(reference.substr(1), error);
        CHECK_FALSE(error);
    }
}

TEST_CASE("every endpoint of the interface is in the document, and no other", "[openapi]") {
    ApiWorld world;
    const auto document = world.send(get("/openapi.json")).json;
    std::size_t count = 0;
    for (const auto& [path, operations] : document.at("paths").as_object())
        count += operations.as_object().size();
    const auto endpoints = spec_lines("endpoints.txt");
    CHECK(count == endpoints.size());
    for (const auto& words : endpoints) {
        INFO(words[1]);
        const auto method = lower_ascii(words[0]);
        CHECK(document.at("paths").as_object().at(words[1]).as_object().contains(method));
    }
}

TEST_CASE("every endpoint has an example of its body and of its answer, which fit what it says",
          "[openapi]") {
    ApiWorld world;
    const auto document = world.send(get("/openapi.json")).json;
    for (const auto& [path, operations] : document.at("paths").as_object())
        for (const auto& [name, operation] : operations.as_object()) {
            INFO(std::string_view(name) << " " << std::string_view(path));
            if (path == "/docs")
                continue;
            const auto& content = operation.at("responses").at("200").at("content").as_object();
            if (!content.contains("application/json")) { // a file
                for (const auto& [type, file] : content)
                    CHECK(file.at("example").is_string());
                continue;
            }
            const auto& answer = content.at("application/json");
            const auto method = name == "get"     ? http::Method::get
                                : name == "post"  ? http::Method::post
                                : name == "put"   ? http::Method::put
                                : name == "patch" ? http::Method::patch
                                                  : http::Method::del;
            CHECK(difference_from_document(document, method, "/v1" + std::string(path), 200,
                                           answer.at("example")) == "");
            if (const auto* body = operation.as_object().if_contains("requestBody"))
                CHECK_FALSE(body->at("content").at("application/json").at("example").is_null());
        }
}

TEST_CASE("every endpoint says who may call it and with what codes it refuses", "[openapi]") {
    ApiWorld world;
    const auto paths = world.send(get("/openapi.json")).json.at("paths").as_object();
    const auto& attach = paths.at("/links/{link_id}/tags/{tag_id}").at("post");
    CHECK(attach.at("description").as_string() ==
          "For members of the workspace from the role guest on. The plan of the workspace's owner has to "
          "include links.tags. Not in a revoked workspace. Only in a workspace of the type classic or "
          "gallery. Only on a domain that is shared with the workspace. Not while the domain is revoked.");
    CHECK(
        attach.at("x-error-codes") ==
        json::parse(
            R"({"403":["LimitedKey","Forbidden","FeatureNotIncluded","RevokedWorkspace","WrongWorkspaceType",)"
            R"("DeletedLink","RevokedDomain","InvalidFormat","LimitReached"],)"
            R"("404":["NotFound workspace","NotFound link","NotFound tag"]})"));
    const auto& hidden = paths.at("/workspaces/{workspace_id}/conversion-tracking").at("get");
    CHECK(hidden.at("x-error-codes") ==
          json::parse(
              R"({"403":["LimitedKey","FeatureNotIncluded","InvalidFormat"],"404":["NotFound workspace"]})"));
    CHECK(paths.at("/account").at("get").at("description").as_string() == "For every account.");
    CHECK(paths.at("/docs").at("get").at("security").as_array().empty());
}
