#include "http/wire/encode.h"

#include "tests/http/wire/sample_shapes.h"

#include <boost/json.hpp>
#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::wire;

TEST_CASE("a shape is written in the order of its fields, without what is absent", "[encode]") {
    Thing thing{.name = "cup",
                .color = {},
                .heavy = false,
                .count = -3,
                .limit = 25,
                .size = Size::large,
                .at = Timestamp{0},
                .day = {},
                .order = {},
                .owner = Owner{.id = {}, .name = "Eva"},
                .ids = {},
                .note_text = {}};
    CHECK(encode(thing) == R"({"name":"cup","heavy":false,"count":-3,"limit":25,"size":"large",)"
                           R"("at":"1970-01-01T00:00:00.000Z","owner":{"name":"Eva"},"ids":[]})");
    thing = {};
    thing.ids.push_back(*LinkId::parse("00000000000000000000000000000002"));
    CHECK(encode(thing) == R"({"name":"","limit":25,"ids":["00000000000000000000000000000002"]})");
}

TEST_CASE("a list of shapes is written as a bare array", "[encode]") {
    CHECK(encode(std::vector<Owner>{}) == "[]");
    CHECK(encode(std::vector<Owner>{{.id = {}, .name = "a"}, {.id = {}, .name = {}}}) ==
          R"([{"name":"a"},{}])");
}

TEST_CASE("what would end a JSON string early is escaped", "[encode]") {
    CHECK(encode(Owner{.id = {}, .name = "\"\\\n\x01ü</script>"}) == R"({"name":"\"\\\n\u0001ü</script>"})");
}

TEST_CASE("every character is written as a JSON library writes it", "[encode]") {
    std::string all;
    for (int c = 1; c < 0x100; ++c) {
        const std::string one(1, static_cast<char>(c));
        std::string written;
        slashpost::wire::write_text(one, written);
        CHECK(written == boost::json::serialize(boost::json::string(one)));
        all += one;
    }
    std::string written;
    slashpost::wire::write_text(all, written);
    CHECK(written == boost::json::serialize(boost::json::string(all)));
}

TEST_CASE("the schema of an input names its required fields and rules", "[encode]") {
    boost::json::object components;
    const auto reference = type_of<Thing>().schema({}, Use::input, components);
    CHECK(boost::json::serialize(reference) == R"({"$ref":"#/components/schemas/Thing"})");
    CHECK(boost::json::serialize(components.at("Thing")) ==
          R"({"type":"object","properties":{)"
          R"("name":{"type":"string","examples":["cup"],"minLength":1,"maxLength":4},)"
          R"("color":{"type":"string","pattern":"^#?[0-9a-fA-F]{6}$"},)"
          R"("heavy":{"type":"boolean"},)"
          R"("count":{"type":"integer","minimum":-5,"maximum":10},)"
          R"("limit":{"type":"integer","minimum":1},)"
          R"("size":{"type":"string","enum":["small","large"]},)"
          R"("at":{"type":"string","format":"date-time"},)"
          R"("day":{"type":"string","format":"date"},)"
          R"("order":{"type":"string","enum":["name","count"],"description":"What to sort by."},)"
          R"("owner":{"$ref":"#/components/schemas/Owner"},)"
          R"("makers":{"anyOf":[{"$ref":"#/components/schemas/Makers"},)"
          R"({"type":["array","string"],"items":{"type":"string"}}]},)"
          R"("ids":{"type":"array","items":{"type":"string","pattern":"^[0-9a-f]{32}$"},"maxItems":3},)"
          R"("note":{"type":["string","null"]}},)"
          R"("required":["name"]})");
}

TEST_CASE("the schema of a reply requires what is always written", "[encode]") {
    boost::json::object components;
    type_of<Thing>().schema({}, Use::reply, components);
    CHECK(boost::json::serialize(components.at("Thing").at("required")) == R"(["name","limit","ids"])");
    CHECK(components.contains("Owner"));
}
