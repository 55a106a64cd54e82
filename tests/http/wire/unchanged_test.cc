#include "http/wire/unchanged.h"

#include "tests/http/wire/sample_shapes.h"

#include <boost/json.hpp>
#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::wire;

namespace {

constexpr std::string_view shown =
    R"({"id":"7","name":"cup","color":"ff8800","heavy":true,"count":3,)"
    R"("owner":{"id":"1","name":"Eva","clicks":5},"ids":["a","b"],"note":null})";

std::string left_of(const Result<Tree>& input) {
    return boost::json::serialize(without_unchanged(*input, type_of<Thing>(), shown).value());
}

} // namespace

TEST_CASE("of an input is left what differs from what was shown, and what is required", "[unchanged]") {
    CHECK(left_of(parse_json(shown)) == R"({"id":"7","name":"cup"})");
    CHECK(left_of(parse_json(R"({"owner":{"id":"1","name":"Eva","clicks":6}})")) ==
          R"({"owner":{"clicks":6}})");
    CHECK(left_of(parse_json(R"({"name":"mug","color":"FF8800","heavy":false,"count":3})")) ==
          R"({"name":"mug","color":"FF8800","heavy":false})");
    CHECK(left_of(parse_json(R"({"owner":{"id":"1","name":"Tom"},"ids":["b","a"]})")) ==
          R"({"owner":{"name":"Tom"},"ids":["b","a"]})");
    CHECK(left_of(parse_json(R"({"owner":"1","color":null,"size":"small"})")) ==
          R"({"owner":"1","color":null,"size":"small"})");
    CHECK(left_of(parse_json("[]")) == "[]");
}

TEST_CASE("of a form, too, where everything is text", "[unchanged]") {
    CHECK(left_of(parse_form("heavy=true&count=3&color=ff8800&owner[name]=Eva")) == R"({"owner":{}})");
    CHECK(left_of(parse_form("heavy=false&count=4&color=true")) ==
          R"({"heavy":"false","count":"4","color":"true"})");
}

TEST_CASE("an input is unchanged when every field that it has is as it was shown", "[unchanged]") {
    const auto is_as_shown = [](const Result<Tree>& input) {
        return is_unchanged(*input, type_of<Thing>(), shown);
    };
    for (const std::string_view same :
         {shown, std::string_view("{}"), std::string_view(R"({"name":"cup","unknown":[1]})"),
          std::string_view(R"({"owner":{"name":"Eva","clicks":9}})"),
          std::string_view(R"({"name":"","color":null,"size":"","note":""})")})
        CHECK(is_as_shown(parse_json(same)));
    for (const auto* other : {R"({"name":"mug"})", R"({"NAME":"mug"})", R"({"owner":{"name":"Tom"}})",
                              R"({"owner":"1"})", R"({"ids":["b","a"]})", R"({"ids":[]})",
                              R"({"size":"small"})", R"({"heavy":"perhaps"})", R"({"note":"x"})", "[]"})
        CHECK_FALSE(is_as_shown(parse_json(other)));
    CHECK(is_as_shown(parse_form("name=cup&heavy=true&count=3&owner[name]=Eva")));
    CHECK_FALSE(is_as_shown(parse_form("name=cup&heavy=true&count=4")));
    // Null takes away what is there.
    CHECK_FALSE(is_unchanged(*parse_json(R"({"note":null})"), type_of<Thing>(), R"({"note":"x"})"));
    CHECK(is_unchanged(*parse_json(R"({"note":null})"), type_of<Thing>(), R"({"name":"x"})"));
}
