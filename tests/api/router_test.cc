#include "http/api/router.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::api;
using http::Method;

namespace {

const RouteList things{
    "thing",
    {
        {Method::get, "/things", "list", {}, {}, ""},
        {Method::post, "/things", "create", {.access = Access::write}, {}, ""},
        {Method::get, "/things/count", "count", {}, {}, ""},
        {Method::get, "/things/new", "make", {.access = Access::write}, {}, ""},
        {Method::get, "/things/{thing_id}", "read", {}, {}, ""},
        {Method::del, "/things/{thing_id}/parts/{part_id}", "drop", {.access = Access::write}, {}, ""},
    }};

// "read thing_id=7", "405 GET HEAD POST", or "404".
std::string found(Method method, std::string_view path) {
    static const std::array lists{&things};
    static const Router router(lists);
    const auto match = router.match(method, path);
    if (match.methods.empty())
        return "404";
    std::string out = match.route == nullptr ? "405" : std::string(match.route->operation_id);
    if (match.route == nullptr)
        for (const auto allowed : match.methods)
            out += " " + std::string(to_string(allowed));
    for (const auto& [name, value] : match.path)
        out += " " + std::string(name) + "=" + value;
    return out;
}

} // namespace

TEST_CASE("a path and a method find their route", "[router]") {
    CHECK(found(Method::get, "/things") == "list");
    CHECK(found(Method::post, "/things") == "create");
    CHECK(found(Method::get, "/things/") == "list");
    CHECK(found(Method::get, "/things/7") == "read thing_id=7");
    CHECK(found(Method::del, "/things/7/parts/8/") == "drop thing_id=7 part_id=8");
}

TEST_CASE("a fixed segment wins over a parameter", "[router]") {
    CHECK(found(Method::get, "/things/count") == "count");
    CHECK(found(Method::get, "/things/Count") == "read thing_id=Count");
}

TEST_CASE("HEAD finds what GET finds, unless that changes something", "[router]") {
    CHECK(found(Method::head, "/things") == "list");
    CHECK(found(Method::head, "/things/7") == "read thing_id=7");
    CHECK(found(Method::head, "/things/new") == "405 GET");
    CHECK(found(Method::head, "/things/7/parts/8") == "405 DELETE thing_id=7 part_id=8");
}

TEST_CASE("another method is refused with those that there are", "[router]") {
    CHECK(found(Method::put, "/things") == "405 GET HEAD POST");
    CHECK(found(Method::other, "/things/count") == "405 GET HEAD");
}

TEST_CASE("another path is not found", "[router]") {
    for (const auto* path :
         {"", "/", "//", "/thing", "/things//", "//things", "/things//parts/8", "/things/7/parts",
          "/things/count/parts/8", "things", "/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r"}) {
        INFO(path);
        CHECK(found(Method::get, path) == "404");
    }
}

TEST_CASE("segments are percent-decoded once, after the path was split", "[router]") {
    CHECK(found(Method::get, "/%74hings/a%20b") == "read thing_id=a b");
    CHECK(found(Method::get, "/things/a%2Fb") == "read thing_id=a/b");
    CHECK(found(Method::get, "/things/%2541") == "read thing_id=%41");
    CHECK(found(Method::get, "/things/%zz%") == "read thing_id=%zz%");
    CHECK(found(Method::get, "/things%2F7") == "404");
}
