#include "core/schema/routing.h"

#include "core/redirect/choose.h"
#include "tests/core/redirect/redirect_world.h"

using namespace slashpost;
using namespace slashpost::redirect;
using namespace slashpost::test;
using namespace std::string_literals;

namespace {

// One of everything.
LinkParts full_parts() {
    const auto condition = [](RuleProperty property, RuleOperator op, std::vector<std::string> values,
                              std::string name = {}) {
        return RuleCondition{.property = property,
                             .name = std::move(name),
                             .op = op,
                             .values = std::move(values),
                             .unknown = {}};
    };
    using enum RuleProperty;
    const auto is_in = RuleOperator::in;
    LinkParts parts;
    parts.rules = {
        {.id = id_of<RuleId>(1),
         .destination = "x:1",
         .conditions = {condition(country, is_in, {"de", "at"}),
                        condition(language, RuleOperator::not_in, {"en"}),
                        condition(device, is_in, {"mobile", "bot"}),
                        condition(query, RuleOperator::after, {"10"}, "age")}},
        {.id = id_of<RuleId>(2),
         .destination = "x:2",
         .conditions = {
             condition(RuleProperty::time, is_in,
                       {"1970-01-01T00:00Z/1970-01-01T00:00:01Z", "mon-fri 09:00-17:00 Europe/Berlin"}),
             condition(RuleProperty::time, RuleOperator::before, {"1970-01-01T00:00:01Z"})}}};
    parts.rotator = {{.id = id_of<RotatorRuleId>(3), .destination = "x:3", .weight = 300},
                     {.id = id_of<RotatorRuleId>(4), .destination = "x:4"}};
    parts.open_graph.emplace();
    parts.deep_links = {{.app = "x", .path = "p", .active = true}};
    return parts;
}

std::string id_bytes(char number) { return std::string(15, '\0') + number; }

} // namespace

TEST_CASE("a link without parts has nothing to route by", "[routing]") {
    CHECK(compile_routing({}).empty());
    LinkParts parts;
    parts.deep_links = {{.app = "x", .path = "p", .active = false}};
    CHECK(compile_routing(parts).empty());
    const Routing none("");
    CHECK(none.rules().empty());
    CHECK(none.arms().empty());
}

TEST_CASE("parts are compiled into the bytes that the header draws", "[routing]") {
    const auto first = id_bytes('\1') + "\x03x:1"s + "\x06\1\1deat"s +
                       "\x05\2\2\x02"
                       "en"s +
                       "\x06\3\1\0\0\0\x12"s +
                       "\x09\7\4\x03"
                       "age\x02"
                       "10"s;
    const auto second = id_bytes('\2') + "\x03x:2"s + "\x27\6\1"s + "\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\3\xe8"s +
                        "\0\x1f\x02\x1c\x03\xfc\x0d"
                        "Europe/Berlin"s +
                        "\x0b\6\3\1\0\0\0\0\0\0\3\xe8"s;
    const auto arms = "\xad\x02"s + id_bytes('\3') + "\xac\x02\x03x:3"s + id_bytes('\4') + "\x01\x03x:4"s;
    const auto sized = [](const std::string& part) { return static_cast<char>(part.size()) + part; };
    const auto rules = sized(first) + sized(second);
    CHECK(compile_routing(full_parts()) == "\x0f"s + sized(rules) + sized(arms));
}

TEST_CASE("what is compiled is read back", "[routing]") {
    const auto bytes = compile_routing(full_parts());
    const Routing routing(bytes);
    auto left = routing.rules();
    RuleView rule;
    REQUIRE(Routing::take_rule(left, rule));
    CHECK(rule.id == id_of<RuleId>(1));
    CHECK(rule.destination == "x:1");
    ConditionView condition;
    auto conditions = rule.conditions;
    for (int i = 0; i < 4; ++i)
        REQUIRE(RuleView::take_condition(conditions, condition));
    CHECK(condition.property == RuleProperty::query);
    CHECK(condition.op == RuleOperator::after);
    CHECK(condition.name == "age");
    CHECK_FALSE(RuleView::take_condition(conditions, condition));
    REQUIRE(Routing::take_rule(left, rule));
    CHECK(rule.destination == "x:2");
    CHECK_FALSE(Routing::take_rule(left, rule));
    CHECK(routing.total_weight() == 301);
    CHECK(arm_of(routing, 300).value().id == id_of<RotatorRuleId>(4));
}

TEST_CASE("bytes cut off or changed anywhere are read without harm", "[routing]") {
    const auto whole = compile_routing(full_parts());
    const VisitorFacts visitor{.agent = {.device = Device::mobile},
                               .country = CountryCode::of("de"),
                               .language = "de",
                               .query = "age=11",
                               .now = Timestamp{500}};
    int chosen = 0;
    const auto read = [&](const std::string& bytes) {
        const auto choice = choose(Routing(bytes), visitor, [] { return 7U; });
        chosen += choice.chooser == Chooser::link ? 0 : 1;
    };
    for (std::size_t length = 0; length <= whole.size(); ++length)
        read(std::string(whole, 0, length)); // of its own, so that a reader beyond the end is found out
    for (std::size_t i = 0; i < whole.size(); ++i)
        for (const char byte : {'\0', '\1', '\x7f', '\xff'}) {
            auto changed = whole;
            changed[i] = byte;
            read(changed);
        }
    CHECK(chosen > 0);
}
