#include "core/redirect/choose.h"

#include "core/base/time_window.h"
#include "tests/core/redirect/redirect_world.h"

using namespace slashpost;
using namespace slashpost::redirect;
using namespace slashpost::test;

namespace {

RuleCondition condition(RuleProperty property, RuleOperator op, std::vector<std::string> values,
                        std::string name = {}) {
    return {
        .property = property, .name = std::move(name), .op = op, .values = std::move(values), .unknown = {}};
}

LinkRule rule(std::uint64_t number, std::vector<RuleCondition> conditions) {
    return {.id = id_of<RuleId>(number),
            .destination = "https://rule.example/" + std::to_string(number),
            .rank = static_cast<std::int64_t>(number),
            .conditions = std::move(conditions),
            .unknown = {}};
}

// Whether a rule of these conditions takes the visitor.
bool taken(std::vector<RuleCondition> conditions, const VisitorFacts& visitor) {
    LinkParts parts;
    parts.rules.push_back(rule(1, std::move(conditions)));
    const auto bytes = compile_routing(parts);
    return first_match(Routing(bytes), visitor).has_value();
}

using enum RuleProperty;
using enum RuleOperator;
const RuleOperator within = RuleOperator::in;
const RuleProperty moment = RuleProperty::time; // `time` is a function of C

VisitorFacts from(std::string_view code) { return {.country = CountryCode::of(code)}; }
VisitorFacts speaking(std::string_view tag) { return {.language = tag}; }
VisitorFacts asking(std::string_view text) { return {.query = text}; }
VisitorFacts at(std::string_view time) { return {.now = parse_iso(time).value()}; }

} // namespace

TEST_CASE("a country is one of the values or not", "[choose]") {
    CHECK(taken({condition(country, within, {"at", "de"})}, from("de")));
    CHECK_FALSE(taken({condition(country, within, {"at", "de"})}, from("ch")));
    CHECK_FALSE(taken({condition(country, within, {"at", "de"})}, from("td"))); // not across two values
    CHECK_FALSE(taken({condition(country, within, {"de"})}, from("")));
    CHECK(taken({condition(country, not_in, {"de"})}, from("ch")));
    CHECK_FALSE(taken({condition(country, not_in, {"de"})}, from("de")));
    CHECK(taken({condition(country, not_in, {"de"})}, from("")));
}

TEST_CASE("a language takes in its regions", "[choose]") {
    CHECK(taken({condition(language, within, {"de"})}, speaking("de-AT")));
    CHECK(taken({condition(language, within, {"fr", "de-at"})}, speaking("de-AT")));
    CHECK_FALSE(taken({condition(language, within, {"de-at"})}, speaking("de")));
    CHECK_FALSE(taken({condition(language, within, {"de"})}, speaking("")));
    CHECK(taken({condition(language, not_in, {"de"})}, speaking("")));
    CHECK_FALSE(taken({condition(language, not_in, {"de"})}, speaking("de-CH")));
}

TEST_CASE("device, system and browser are the words of the wire", "[choose]") {
    const VisitorFacts phone{
        .agent = {.device = Device::mobile, .system = System::ios, .browser = Browser::safari}};
    CHECK(taken({condition(device, within, {"mobile", "tablet"})}, phone));
    CHECK_FALSE(taken({condition(device, within, {"desktop", "bot"})}, phone));
    CHECK(taken({condition(os, within, {"ios"})}, phone));
    CHECK_FALSE(taken({condition(os, not_in, {"ios", "android"})}, phone));
    CHECK(taken({condition(browser, within, {"safari"})}, phone));
    CHECK(taken({condition(browser, not_in, {"chrome", "edge", "firefox"})}, phone));
    CHECK_FALSE(taken({condition(device, within, {"mobile", "tablet", "desktop", "bot"})}, {}));
    CHECK(taken({condition(device, not_in, {"mobile", "tablet", "desktop", "bot"})}, {}));
}

TEST_CASE("times are windows, or compared with a mark", "[choose]") {
    CHECK(taken({condition(moment, within, {"2025-01-01T00:00Z/2025-02-01T00:00Z", "mon-fri"})},
                at("2026-01-05T12:00Z")));
    CHECK_FALSE(taken({condition(moment, within, {"sat-sun", "09:00-17:00 Europe/Berlin"})},
                      at("2026-01-05T17:00Z")));
    CHECK(taken({condition(moment, not_in, {"sat-sun", "09:00-17:00 Europe/Berlin"})},
                at("2026-01-05T17:00Z")));
    CHECK(taken({condition(moment, before, {"2026-01-05T12:00Z"})}, at("2026-01-05T11:59:59.999Z")));
    CHECK_FALSE(taken({condition(moment, before, {"2026-01-05T12:00Z"})}, at("2026-01-05T12:00Z")));
    CHECK(taken({condition(moment, after, {"2026-01-05T12:00Z"})}, at("2026-01-05T12:00Z")));
    CHECK_FALSE(taken({condition(moment, after, {"2026-01-05T12:00Z"})}, at("2026-01-05T11:59:59.999Z")));
    CHECK(taken({condition(moment, before, {"09:00 Europe/Berlin"})}, at("2026-07-06T06:59Z")));
    CHECK_FALSE(taken({condition(moment, before, {"09:00 Europe/Berlin"})}, at("2026-07-06T07:00Z")));
    CHECK(taken({condition(moment, after, {"09:00"})}, at("2026-07-06T09:00Z")));
}

TEST_CASE("a query parameter is read undone of escapes", "[choose]") {
    const auto source = [](RuleOperator op, std::vector<std::string> values) {
        return std::vector{condition(query, op, std::move(values), "utm_source")};
    };
    CHECK(taken(source(within, {"news letter"}), asking("a=1&utm_source=news+letter")));
    CHECK(taken(source(within, {"news letter"}), asking("utm%5Fsource=news%20letter&b")));
    CHECK(taken(source(within, {"a", ""}), asking("utm_source")));
    CHECK(taken(source(within, {"\xc3\xa4"}), asking("utm_source=%C3%A4")));
    CHECK_FALSE(taken(source(within, {"News"}), asking("utm_source=news")));
    CHECK_FALSE(taken(source(within, {"b"}), asking("utm_source=a&utm_source=b"))); // the first counts
    CHECK_FALSE(taken(source(within, {"a"}), asking("utm_source2=a&xutm_source=a")));
    CHECK_FALSE(taken(source(within, {"a"}), asking("")));
    CHECK(taken(source(not_in, {"a"}), asking("")));
    CHECK(taken(source(not_in, {"a"}), asking("utm_source=%zz")));
    CHECK_FALSE(taken(source(not_in, {"a"}), asking("utm_source=a")));
}

TEST_CASE("numbers in the query are compared as numbers", "[choose]") {
    const auto age = [](RuleOperator op, std::string value) {
        return std::vector{condition(query, op, {std::move(value)}, "age")};
    };
    CHECK(taken(age(after, "9"), asking("age=10")));
    CHECK_FALSE(taken(age(after, "10"), asking("age=10")));
    CHECK(taken(age(before, "-0.5"), asking("age=-1")));
    CHECK_FALSE(taken(age(before, "10"), asking("age=10")));
    for (const auto* sent :
         {"age=", "age=x", "age=1e9", "age=0x10", "age=inf", "age=nan", "age=12+", "a=1", ""})
        CHECK_FALSE(taken(age(after, "-99"), asking(sent)));
}

TEST_CASE("all conditions of a rule must hold", "[choose]") {
    const std::vector both{condition(country, within, {"de"}), condition(device, within, {"mobile"})};
    CHECK(taken(both, {.agent = {.device = Device::mobile}, .country = CountryCode::of("de")}));
    CHECK_FALSE(taken(both, {.agent = {.device = Device::desktop}, .country = CountryCode::of("de")}));
    CHECK_FALSE(taken(both, {.agent = {.device = Device::mobile}, .country = CountryCode::of("at")}));
}

TEST_CASE("the first rule that matches wins, then the rotator, then the link", "[choose]") {
    LinkParts parts;
    parts.rules = {rule(1, {condition(country, within, {"at"})}),
                   rule(2, {condition(country, within, {"de"})}),
                   rule(3, {condition(country, not_in, {"us"})})};
    const auto chosen = [&](std::string_view code) {
        const auto bytes = compile_routing(parts);
        const auto choice = choose(Routing(bytes), from(code), [] { return 1U; });
        return std::to_string(static_cast<int>(choice.chooser)) + " " + std::string(choice.destination);
    };
    CHECK(chosen("at") == "1 https://rule.example/1");
    CHECK(chosen("de") == "1 https://rule.example/2");
    CHECK(chosen("fr") == "1 https://rule.example/3");
    CHECK(chosen("us") == "0 ");
    parts.rotator = {{.id = id_of<RotatorRuleId>(1), .destination = "https://arm.example/1"},
                     {.id = id_of<RotatorRuleId>(2), .destination = "https://arm.example/2"}};
    CHECK(chosen("de") == "1 https://rule.example/2");
    CHECK(chosen("us") == "2 https://arm.example/2");
}

TEST_CASE("weights share the numbers among the arms", "[choose]") {
    LinkParts parts;
    parts.rotator = {{.id = id_of<RotatorRuleId>(1), .destination = "a", .weight = 2},
                     {.id = id_of<RotatorRuleId>(2), .destination = "b", .weight = 0},
                     {.id = id_of<RotatorRuleId>(3), .destination = "c"}};
    const auto bytes = compile_routing(parts);
    std::string order;
    for (std::uint64_t number = 0; number < 6; ++number)
        order += arm_of(Routing(bytes), number).value().destination;
    CHECK(order == "aacaac");
}

TEST_CASE("what many conditions ask for is found out once", "[choose]") {
    LinkParts parts;
    std::vector<std::string> windows;
    for (int minute = 0; minute < 50; ++minute)
        for (const auto* zone : {"Europe/Berlin", "America/New_York", "Asia/Tokyo", ""})
            windows.push_back("00:00-00:0" + std::to_string(minute % 9 + 1) + " " + zone);
    for (std::uint64_t i = 0; i < 50; ++i)
        parts.rules.push_back(
            rule(i, {condition(moment, not_in, windows), condition(moment, after, {"00:00 Asia/Tokyo"}),
                     condition(query, not_in, {"x"}, "a" + std::to_string(i)),
                     condition(query, within, {"x"}, "none")}));
    const auto bytes = compile_routing(parts);
    auto visitor = at("2026-01-05T12:00Z");
    std::string text;
    for (int i = 0; i < 300; ++i)
        text += "a" + std::to_string(i) + "=" + std::to_string(i) + "&";
    visitor.query = text;
    Examiner examiner(visitor);
    auto left = Routing(bytes).rules();
    int rules = 0;
    for (RuleView view; Routing::take_rule(left, view); ++rules)
        CHECK_FALSE(examiner.matches(view));
    CHECK(rules == 50);
    CHECK(examiner.figures().parameters == 300);
    CHECK(examiner.figures().zones == 3);
}

TEST_CASE("one visitor's query and clocks are not those of the next", "[choose]") {
    const std::vector source{condition(query, within, {"a"}, "s")};
    CHECK(taken(source, asking("s=a")));
    CHECK_FALSE(taken(source, asking("t=a")));
    CHECK(taken(source, asking("s=a")));
    const std::vector work{condition(moment, within, {"09:00-17:00 Europe/Berlin"})};
    CHECK(taken(work, at("2026-01-05T12:00Z")));
    CHECK_FALSE(taken(work, at("2026-01-05T17:00Z")));
    CHECK(taken(work, at("2026-01-05T12:00Z")));
}

TEST_CASE("of a query the first 1,000 parameters are looked at, and of a value as much as one can have",
          "[choose]") {
    std::string many;
    for (int i = 0; i < 999; ++i)
        many += "x&";
    const auto has_a = [](std::string_view text) {
        return taken({condition(query, within, {"1"}, "a")}, asking(text));
    };
    CHECK(has_a(many + "a=1"));
    CHECK_FALSE(has_a(many + "x&a=1"));
    const std::string longest(255, 'v');
    const auto has_long = [&](std::string_view text) {
        return taken({condition(query, within, {longest}, "a")}, asking(text));
    };
    CHECK(has_long("a=" + longest));
    CHECK_FALSE(has_long("a=" + longest + "v"));
    CHECK_FALSE(has_long("a=" + std::string(8'000, 'v')));
    const std::string name(100, 'n');
    CHECK(taken({condition(query, within, {"1"}, name)}, asking(name + "=1")));
    CHECK_FALSE(taken({condition(query, within, {"1"}, name)}, asking(name + "n=1")));
    // More digits than any number has that rules compare with.
    CHECK(taken({condition(query, after, {"9"}, "a")}, asking("a=0000000000000000000000000000000000000010")));
    CHECK_FALSE(taken({condition(query, after, {"9"}, "a")}, asking("a=" + std::string(41, '1'))));
}
