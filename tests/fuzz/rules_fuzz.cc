// Routing rules: the conditions a caller may send, compiled and decided; and compiled bytes that are none.
// Input: a line "compiled" with bytes behind it, or lines "property operator value;value" and, last, the
// visitor's query.
#include "core/ops/rule_conditions.h"
#include "core/redirect/choose.h"
#include "core/schema/routing.h"
#include "tests/fuzz/fuzz.h"

#include <string>

using namespace slashpost;
using namespace slashpost::fuzz;

namespace {

redirect::VisitorFacts visitor(std::string_view query) {
    return {.agent = {.device = Device::mobile},
            .country = CountryCode::of("de"),
            .language = "de-AT",
            .query = query,
            .now = Timestamp{1'800'000'000'000}};
}

std::string_view take_word(std::string_view& line, char end) {
    const auto word = line.substr(0, line.find(end));
    line.remove_prefix(std::min(line.size(), word.size() + 1));
    return word;
}

void decide_stored(std::string_view compiled) {
    const std::string own(compiled); // so that a reader beyond its end is found out
    const auto choice = redirect::choose(redirect::Routing(own), visitor("a=b"), [] { return 7U; });
    must(choice.chooser != redirect::Chooser::link || choice.destination.empty(),
         "a link that decides nothing leads nowhere else");
}

} // namespace

void slashpost::fuzz::try_input(std::string_view bytes) {
    auto left = bytes;
    if (left.starts_with("compiled\n")) {
        decide_stored(left.substr(9));
        return;
    }
    ConditionsInput input;
    std::string_view query;
    while (!left.empty()) {
        query = take_line(left);
        if (left.empty())
            break;
        auto line = query;
        ConditionInput condition;
        condition.property = take_word(line, ' ');
        condition.op = take_word(line, ' ');
        while (!line.empty())
            condition.values.emplace_back(take_word(line, ';'));
        input.condition.push_back(std::move(condition));
    }
    Problems problems;
    const auto conditions = read_conditions(input, {}, problems);
    if (conditions.empty())
        return;
    LinkParts parts;
    parts.rules = {
        {.id = RuleId{}, .destination = "https://example.com/rule", .rank = 0, .conditions = conditions}};
    const auto compiled = redirect::compile_routing(parts);
    const redirect::Routing routing(compiled);
    auto rules = routing.rules();
    redirect::RuleView rule;
    must(redirect::Routing::take_rule(rules, rule), "a rule that was compiled is read");
    auto rest = rule.conditions;
    redirect::ConditionView one;
    const auto facts = visitor(query);
    redirect::Examiner examiner(facts);
    bool all = true;
    std::size_t count = 0;
    for (; redirect::RuleView::take_condition(rest, one); ++count)
        all = examiner.holds(one) && all;
    must(count == conditions.size(), "every condition that was compiled is read");
    must(redirect::first_match(routing, facts).has_value() == all, "a rule holds when all its conditions do");
}
