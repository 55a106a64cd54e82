// Conditions of routing rules: what each property takes, and the two shapes (wire "Parts of a link").
#include "core/ops/rule_conditions.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;

namespace {

std::string problems_of(const Problems& problems) {
    std::string out;
    for (const auto& problem : problems.fields())
        out += (out.empty() ? "" : ", ") + problem.code + " " + problem.property;
    return out;
}

// "property op a|b" for each condition, or the problems.
std::string read(const ConditionsInput& in, std::span<const RuleCondition> stored = {},
                 Problems problems = {}) {
    const auto conditions = read_conditions(in, stored, problems);
    if (!problems.none()) {
        CHECK(conditions.empty());
        return problems_of(problems);
    }
    std::string out;
    for (const auto& condition : conditions) {
        out += (out.empty() ? "" : "; ") + property_name(condition) + " " +
               std::string(operator_name(condition.op));
        for (const auto& value : condition.values)
            out += (&value == condition.values.data() ? " " : "|") + value;
    }
    return out;
}

std::string read_one(std::string property, std::string op, std::vector<std::string> values) {
    return read({.condition = {{std::move(property), std::move(op), std::move(values)}}, .conditions = {}});
}

std::string read_plain(std::vector<PlainCondition> conditions) {
    return read({.condition = {}, .conditions = std::move(conditions)});
}

std::vector<RuleCondition> stored(std::string property, std::string value) {
    Problems problems;
    auto out = read_conditions(
        {.condition = {{std::move(property), "in", {std::move(value)}}}, .conditions = {}}, {}, problems);
    REQUIRE(problems.none());
    return out;
}

constexpr std::string_view bad_value = "InvalidFormat condition.and[0].values[0]";

} // namespace

TEST_CASE("each property takes its own values, in one way of writing and each once", "[rule_conditions]") {
    CHECK(read_one("req.country", "in", {"DE", "at", " de "}) == "req.country in de|at");
    CHECK(read_one("req.language", "not-in", {"de_AT", "en"}) == "req.language not-in de-at|en");
    CHECK(read_one("req.device", "in", {"mobile", "Tablet", "desktop", "bot"}) ==
          "req.device in mobile|tablet|desktop|bot");
    CHECK(read_one("req.os", "in", {"iOS", "android", "windows", "macos", "linux", "chromeos"}) ==
          "req.os in ios|android|windows|macos|linux|chromeos");
    CHECK(read_one("req.browser", "not-in", {"Chrome", "safari"}) == "req.browser not-in chrome|safari");
    CHECK(read_one("req.time", "in",
                   {"2026-01-01T00:00Z/2026-02-01T00:00Z", "09:00-17:00 Europe/Berlin", "Mon-Fri"}) ==
          "req.time in 2026-01-01T00:00Z/2026-02-01T00:00Z|09:00-17:00 Europe/Berlin|mon-fri");
    CHECK(read_one("req.time", "before", {"2026-01-01T00:00Z"}) == "req.time before 2026-01-01T00:00Z");
    CHECK(read_one("req.time", "after", {"17:00 Europe/Berlin"}) == "req.time after 17:00 Europe/Berlin");
    CHECK(read_one("req.query.utm_source", "in", {"News Letter", "x,y"}) ==
          "req.query.utm_source in News Letter|x,y");
    CHECK(read_one("req.query.a[b]", "after", {"-12.5"}) == "req.query.a[b] after -12.5");
}

TEST_CASE("what is no value of its property is refused", "[rule_conditions][threat-27]") {
    for (const auto& [property, op, value] :
         std::vector<std::array<std::string, 3>>{{"req.country", "in", "germany"},
                                                 {"req.country", "in", "uk"},
                                                 {"req.country", "not-in", "xx"},
                                                 {"req.language", "in", "german"},
                                                 {"req.device", "in", "phone"},
                                                 {"req.os", "in", "beos"},
                                                 {"req.browser", "in", "netscape"},
                                                 {"req.time", "in", "2026-01-01T00:00Z"},
                                                 {"req.time", "in", "weekend"},
                                                 {"req.time", "before", "mon-fri"},
                                                 {"req.query.a", "before", "ten"},
                                                 {"req.query.a", "after", "1e5"},
                                                 {"req.query.a", "after", "1."},
                                                 {"req.query.a", "after", "1234567890123456"},
                                                 {"req.query.a", "in", "a\nb"},
                                                 {"req.query.a", "in", std::string(256, 'a')}}) {
        INFO(property << " " << op << " " << value);
        CHECK(read_one(property, op, {value}) == bad_value);
    }
    CHECK(read_one("req.query.a", "in", {std::string(255, 'a')}).ends_with(std::string(255, 'a')));
    CHECK(read_one("req.country", "in", {"de", "xx", "at", "yy"}) ==
          "InvalidFormat condition.and[0].values[1], InvalidFormat condition.and[0].values[3]");
    CHECK(read_one("req.country", "in", {}) == "RequiredField condition.and[0].values");
    CHECK(read_one("req.time", "before", {"09:00", "10:00"}) == "InvalidFormat condition.and[0].values");
}

TEST_CASE("properties and operators are those of the wire", "[rule_conditions]") {
    for (const auto* property : {"country", "req.city", "REQ.COUNTRY", "req.query", "req.query.",
                                 "req.query.a b", "req.query.<x>", "req.header.x"})
        CHECK(read_one(property, "in", {"de"}) == "InvalidFormat condition.and[0].property");
    CHECK(read_one("req.query." + std::string(100, 'a'), "in", {"1"}) !=
          "InvalidFormat condition.and[0].property");
    CHECK(read_one("req.query." + std::string(101, 'a'), "in", {"1"}) ==
          "InvalidFormat condition.and[0].property");
    for (const auto* op : {"", "is", "IN", "not in", "before", "after"})
        CHECK(read_one("req.country", op, {"de"}) == "InvalidFormat condition.and[0].operator");
    CHECK(read_one("req.time", "during", {"mon"}) == "InvalidFormat condition.and[0].operator");
}

TEST_CASE("all that is wrong in conditions is told at once, and nothing twice", "[rule_conditions]") {
    const ConditionsInput in{
        .condition = {{"req.city", "in", {"x"}}, {"req.os", "in", {"x"}}, {"req.os", "in", {""}}},
        .conditions = {{"device", "x"}, {"city", "x"}}};
    CHECK(read(in) == "InvalidFormat condition.and[0].property, InvalidFormat condition.and[1].values[0], "
                      "InvalidFormat condition.and[2].values[0], InvalidFormat conditions[0].value, "
                      "InvalidFormat conditions[1].type");
    Problems known;
    known.add(required_field("destination"));
    known.add(invalid_format("condition.and[1].values[0]", "must be a string"));
    known.add(required_field("conditions[0].value"));
    known.add(invalid_format("conditions[1]", "must be an object"));
    CHECK(read(in, {}, known) == "RequiredField destination, InvalidFormat condition.and[1].values[0], "
                                 "RequiredField conditions[0].value, "
                                 "InvalidFormat conditions[1], InvalidFormat condition.and[0].property, "
                                 "InvalidFormat condition.and[2].values[0]");
}

TEST_CASE("plain conditions are devices, locations, times and platforms", "[rule_conditions]") {
    CHECK(read_plain({{"device", "mobile,tablet"},
                      {"location", "DE, at"},
                      {"time", "mon-fri 09:00-17:00 Europe/Berlin"},
                      {"platform", "ios"}}) ==
          "req.device in mobile|tablet; req.country in de|at; "
          "req.time in mon-fri 09:00-17:00 Europe/Berlin; req.os in ios");
    for (const auto* value : {"phone", ",", "mobile,", "mobile,,tablet"})
        CHECK(read_plain({{"device", value}}) == "InvalidFormat conditions[0].value");
    CHECK(read_plain({{"browser", "chrome"}}) == "InvalidFormat conditions[0].type");
    CHECK(read_plain({{"device", ""}}) == "RequiredField conditions[0].value");
    const auto days = [](int count) {
        std::string out;
        for (int i = 0; i < count; ++i)
            out += fmt::format("{}{:02}:{:02}-23:59", i > 0 ? "," : "", i / 60, i % 60);
        return out;
    };
    CHECK(read_plain({{"time", days(250)}}).starts_with("req.time in 00:00-23:59|00:01-23:59"));
    CHECK(read_plain({{"time", days(251)}}) == "OutOfRange conditions[0].value");
}

TEST_CASE("conditions are shown in the plain shape when it can say them", "[rule_conditions]") {
    const auto shown = [](std::string property, std::string op, std::vector<std::string> values) {
        Problems problems;
        return plain_conditions(
            read_conditions({.condition = {{"req.device", "in", {"bot"}},
                                           {std::move(property), std::move(op), std::move(values)}},
                             .conditions = {}},
                            {}, problems));
    };
    CHECK(shown("req.country", "in", {"de", "at"}) ==
          std::vector<PlainCondition>{{"device", "bot"}, {"location", "de,at"}});
    CHECK(shown("req.os", "in", {"ios"}) ==
          std::vector<PlainCondition>{{"device", "bot"}, {"platform", "ios"}});
    CHECK(shown("req.time", "in", {"mon-fri"}) ==
          std::vector<PlainCondition>{{"device", "bot"}, {"time", "mon-fri"}});
    CHECK(shown("req.country", "not-in", {"de"}).empty());
    CHECK(shown("req.time", "after", {"09:00"}).empty());
    CHECK(shown("req.language", "in", {"de"}).empty());
    CHECK(shown("req.browser", "in", {"edge"}).empty());
    CHECK(shown("req.query.a", "in", {"1"}).empty());
}

TEST_CASE("a new rule needs conditions, in one shape or in two that agree", "[rule_conditions]") {
    CHECK(read({}) == "RequiredField conditions");
    CHECK(read({.condition = {{"req.os", "in", {"ios"}}}, .conditions = {{"platform", "IOS"}}}) ==
          "req.os in ios");
    CHECK(read({.condition = {{"req.os", "in", {"ios"}}}, .conditions = {{"platform", "android"}}}) ==
          "InvalidFormat condition, InvalidFormat conditions");
}

TEST_CASE("of two shapes the one that was changed counts", "[rule_conditions]") {
    const auto was = stored("req.os", "ios");
    CHECK(read({}, was).empty());
    CHECK(read({.condition = {{"req.os", "in", {"ios"}}}, .conditions = {{"platform", "android"}}}, was) ==
          "req.os in android");
    CHECK(read({.condition = {{"req.os", "in", {"linux"}}}, .conditions = {{"platform", "ios"}}}, was) ==
          "req.os in linux");
    CHECK(read({.condition = {{"req.os", "in", {"linux"}}}, .conditions = {{"platform", "linux"}}}, was) ==
          "req.os in linux");
    CHECK(read({.condition = {{"req.os", "in", {"linux"}}}, .conditions = {{"platform", "macos"}}}, was) ==
          "InvalidFormat condition, InvalidFormat conditions");
}

TEST_CASE("a value with more commas than values are allowed is read no further", "[rule_conditions]") {
    std::string windows;
    for (int minute = 0; minute < 60; ++minute)
        for (int end = 0; end < 20; ++end)
            windows += fmt::format("{}00:{:02}-01:{:02}", windows.empty() ? "" : ",", minute, end);
    CHECK(read_plain({{"time", windows}}) == "OutOfRange conditions[0].value");
    // What comes behind the 251st is not looked at, whatever it is.
    CHECK(read_plain({{"time", windows + ",no time at all"}}) == "OutOfRange conditions[0].value");
}
