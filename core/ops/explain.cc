#include "core/ops/explain.h"

#include "core/access/doors.h"
#include "core/base/codes.h"
#include "core/base/text.h"
#include "core/ops/rule_conditions.h"
#include "core/redirect/choose.h"
#include "core/redirect/location.h"
#include "core/visitors/languages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace slashpost {

namespace {

using redirect::Chooser;

constexpr std::size_t values_shown_max = 5;

template <class Enum>
Enum read_word(const std::string& text, std::string_view property, Problems& problems) {
    if (text.empty())
        return Enum::unknown;
    const auto value = of_word<Enum>(lower_ascii(trim(text)));
    if (!value)
        problems.add(
            invalid_format(std::string(property),
                           fmt::format("must be one of {}", fmt::join(detail::names_of<Enum>(), ", "))));
    return value.value_or(Enum::unknown);
}

CountryCode read_country(const std::string& text, Problems& problems) {
    const auto code = lower_ascii(trim(text));
    if (!code.empty() && !is_country_code(code)) {
        problems.add(invalid_format("country", "must be a country of ISO 3166 such as de"));
        return {};
    }
    return CountryCode::of(code);
}

std::string_view read_language(const std::string& text, Problems& problems) {
    const auto language = redirect::preferred_language(text);
    if (language.empty() && !trim(text).empty())
        problems.add(invalid_format("language", "must be a language such as de or de-AT"));
    return language;
}

// The rules as they are stored, beside what became of each of them in the compiled form.
Result<std::vector<TriedRule>> try_rules(const std::vector<LinkRule>& rules, const redirect::Routing& routing,
                                         const redirect::VisitorFacts& visitor) {
    std::vector<TriedRule> tried;
    redirect::Examiner examiner(visitor);
    auto left = routing.rules();
    for (redirect::RuleView view; redirect::Routing::take_rule(left, view);) {
        const auto rule = std::ranges::find(rules, view.id, &LinkRule::id);
        if (rule == rules.end())
            return fault("a link's compiled rules are not those of its parts");
        auto& trial = tried.emplace_back(TriedRule{.rule = *rule, .failed = {}});
        std::size_t index = 0;
        auto conditions = view.conditions;
        for (redirect::ConditionView condition; redirect::RuleView::take_condition(conditions, condition);
             ++index)
            if (!examiner.holds(condition)) {
                trial.failed = rule->conditions.at(index);
                break;
            }
        if (!trial.failed)
            break;
    }
    return tried;
}

Result<std::vector<ArmShare>> shares_of(const std::vector<RotatorRule>& rules,
                                        const redirect::Routing& routing) {
    std::vector<ArmShare> shares;
    auto left = routing.arms();
    for (redirect::ArmView view; redirect::Routing::take_arm(left, view);) {
        const auto rule = std::ranges::find(rules, view.id, &RotatorRule::id);
        if (rule == rules.end())
            return fault("a link's compiled arms are not those of its parts");
        shares.push_back({.arm = *rule, .visits = static_cast<std::int64_t>(view.weight)});
    }
    for (auto& share : shares) {
        if (routing.total_weight() == 0)
            share.visits = 1;
        share.of = routing.total_weight() == 0 ? std::ssize(shares)
                                               : static_cast<std::int64_t>(routing.total_weight());
    }
    return shares;
}

std::string location_of(const Forwarding& forwarding, const std::string& destination,
                        std::string_view query) {
    std::string location;
    if (forwarding.parameters && !query.empty())
        redirect::append_forwarded(location, destination, query, forwarding.on_conflict);
    else
        redirect::append_location(location, destination);
    return location;
}

// Of the arms that somebody can get, if it is the same for all.
std::string common_destination(const std::vector<ArmShare>& arms) {
    const std::string* common = nullptr;
    for (const auto& share : arms) {
        if (share.visits == 0)
            continue;
        if (common && *common != share.arm.destination)
            return {};
        common = &share.arm.destination;
    }
    return common ? *common : std::string();
}

std::string said(const RuleCondition& condition) {
    const auto shown = std::span(condition.values).first(std::min(condition.values.size(), values_shown_max));
    return fmt::format("{} {} {}{}", property_name(condition), operator_name(condition.op),
                       fmt::join(shown, ", "), shown.size() < condition.values.size() ? ", ..." : "");
}

} // namespace

Result<Explanation> explain_link(Context& ctx, const Link& link, const SupposedVisitor& supposed,
                                 Problems problems) {
    std::string_view query = supposed.query;
    if (query.starts_with('?'))
        query.remove_prefix(1);
    const redirect::VisitorFacts visitor{
        .agent = {.device = read_word<Device>(supposed.device, "device", problems),
                  .system = read_word<System>(supposed.os, "os", problems),
                  .browser = read_word<Browser>(supposed.browser, "browser", problems)},
        .country = read_country(supposed.country, problems),
        .language = read_language(supposed.language, problems),
        .query = query,
        .now = supposed.time.value_or(ctx.now)};
    TRY(problems.result("link"));

    const auto parts = TRY(parts_of(ctx.view(), link));
    const redirect::Routing routing(link.routing);
    Explanation out;
    out.rules = TRY(try_rules(parts.rules, routing, visitor));
    auto destination = link.destination;
    if (!out.rules.empty() && !out.rules.back().failed) {
        out.chooser = Chooser::rule;
        destination = out.rules.back().rule.destination;
    } else if (!routing.arms().empty()) {
        out.chooser = Chooser::arm;
        out.arms = TRY(shares_of(parts.rotator, routing));
        destination = common_destination(out.arms);
    }
    out.forwarding = link.own_forwarding().on(TRY(domain_of(ctx.view(), link)).forwarding);
    if (!destination.empty())
        out.destination = location_of(out.forwarding, destination, query);
    return out;
}

std::string reason_of(const TriedRule& tried) {
    if (tried.failed)
        return fmt::format("{} does not hold", said(*tried.failed));
    std::vector<std::string> held;
    held.reserve(tried.rule.conditions.size());
    for (const auto& condition : tried.rule.conditions)
        held.push_back(said(condition));
    return fmt::format("{} {}", fmt::join(held, " and "), held.size() == 1 ? "holds" : "hold");
}

std::string reason_of(const Explanation& explanation) {
    switch (explanation.chooser) {
    case Chooser::rule:
        return fmt::format("The rule of rank {} is the first to match: {}.",
                           explanation.rules.back().rule.rank, reason_of(explanation.rules.back()));
    case Chooser::arm:
        return fmt::format("{} so the rotator chooses among its arms.",
                           explanation.rules.empty() ? "There are no rules," : "No rule matches,");
    case Chooser::link:
        break;
    }
    return explanation.rules.empty() ? "The link has no rules, so its destination counts."
                                     : "No rule matches, so the link's destination counts.";
}

} // namespace slashpost
