// Routing rules of links (interface 4.2, 4.6): shapes, routes, and handlers of one core call each.
#include "core/ops/link_rules.h"
#include "core/ops/link_parts.h"
#include "http/api/paging.h"
#include "http/api/path_resource.h"
#include "http/api/replies.h"
#include "http/api/routes.h"
#include "http/wire/formats.h"

#include <limits>

namespace slashpost::api {

using wire::alternative, wire::example, wire::field, wire::items_max, wire::not_empty, wire::note, wire::part,
    wire::range, wire::required;
using wire::Fields;
namespace formats = wire::formats;

namespace {

constexpr auto rank_min = std::numeric_limits<std::int32_t>::min();
constexpr auto rank_max = std::numeric_limits<std::int32_t>::max();

struct ComparisonInput {
    std::string property;
    std::string op;
    std::vector<std::string> values;
    static constexpr std::string_view wire_name = "RuleComparisonInput";
    static Fields fields() {
        return {
            field("property", &ComparisonInput::property, required,
                  note("What of the visit is looked at: req.country, req.language, req.device, req.os, "
                       "req.browser, req.time or req.query.<name>."),
                  example("req.country")),
            field(
                "operator", &ComparisonInput::op, required,
                note("in or not-in; for req.time and for numbers in req.query.<name> also before and after."),
                example("in")),
            field(
                "values", &ComparisonInput::values, required, not_empty, items_max(values_per_condition_max),
                note("Countries of ISO 3166; languages such as de or de-at; mobile, tablet, desktop, "
                     "bot, other; ios, android, windows, macos, linux, chromeos; chrome, edge, firefox, ie, "
                     "opera, safari, samsung, uc, yandex; times such as "
                     "2026-01-01T00:00Z/2026-02-01T00:00Z, 09:00-17:00 Europe/Berlin, mon-fri or "
                     "mon-fri 09:00-17:00 Europe/Berlin. One moment for before and after: "
                     "2026-01-01T00:00Z or 09:00 Europe/Berlin. All rules of a link together have at most "
                     "500 values, which name at most 10 time zones."))};
    }
};

struct AllOfInput {
    std::vector<ComparisonInput> all;
    static constexpr std::string_view wire_name = "RuleConditionInput";
    static Fields fields() {
        return {field("and", &AllOfInput::all, required, not_empty, items_max(conditions_per_rule_max),
                      note("All of these must hold."))};
    }
};

struct PlainConditionInput {
    std::string type;
    std::string value;
    static constexpr std::string_view wire_name = "RulePlainConditionInput";
    static Fields fields() {
        return {field("type", &PlainConditionInput::type, required, wire::one_of(plain_condition_types()),
                      note("What of the visit is looked at.")),
                field("value", &PlainConditionInput::value, required,
                      note("A device, a country, a time or a system, as in condition; several with commas."),
                      example("mobile"))};
    }
};

// What creating and changing have in common.
struct ConditionsPart {
    AllOfInput condition;
    std::vector<PlainConditionInput> conditions;
    static constexpr std::string_view wire_name = "RuleConditions";
    static Fields fields() {
        return {field("condition", &ConditionsPart::condition,
                      note("When the rule holds; or conditions instead.")),
                field("conditions", &ConditionsPart::conditions, items_max(conditions_per_rule_max),
                      note("All of these must hold. Or condition; when both are sent and differ, the one "
                           "that is not as it was counts."))};
    }
    [[nodiscard]] ConditionsInput input() const {
        ConditionsInput out;
        for (const auto& one : condition.all)
            out.condition.push_back({.property = one.property, .op = one.op, .values = one.values});
        for (const auto& one : conditions)
            out.conditions.push_back({.type = one.type, .value = one.value});
        return out;
    }
};

struct NewRuleInput {
    std::string destination;
    std::optional<std::int32_t> rank;
    ConditionsPart conditions;
    static constexpr std::string_view wire_name = "RuleInput";
    static Fields fields() {
        auto conditions = part(&NewRuleInput::conditions);
        for (auto& one : conditions)
            alternative.apply(one.rules);
        not_empty.apply(conditions.back().rules);
        return wire::joined({{field("destination", &NewRuleInput::destination, required, formats::uri,
                                    note("Where visitors are to be sent for whom the condition holds."),
                                    example("https://example.com/de")),
                              field("rank", &NewRuleInput::rank, range(rank_min, rank_max),
                                    note("Lower is tried first; behind all others when absent."))},
                             std::move(conditions)});
    }
    [[nodiscard]] RuleInput input() const {
        return {.destination = destination, .rank = rank, .conditions = conditions.input()};
    }
};

struct RuleChangeInput {
    std::optional<std::string> destination;
    std::optional<std::int32_t> rank;
    ConditionsPart conditions;
    static constexpr std::string_view wire_name = "RuleChange";
    static Fields fields() {
        return wire::joined({{field("destination", &RuleChangeInput::destination, formats::uri,
                                    note("Where visitors are to be sent for whom the condition holds.")),
                              field("rank", &RuleChangeInput::rank, range(rank_min, rank_max),
                                    note("Rules of a lower rank are tried first."))},
                             part(&RuleChangeInput::conditions)});
    }
    [[nodiscard]] RuleInput input() const {
        return {.destination = destination, .rank = rank, .conditions = conditions.input()};
    }
};

struct ComparisonReply {
    std::string property;
    std::string op;
    std::vector<std::string> values;
    static constexpr std::string_view wire_name = "RuleComparison";
    static Fields fields() {
        return {field("property", &ComparisonReply::property,
                      note("What of the visit is looked at: req.country, req.language, req.device, req.os, "
                           "req.browser, req.time or req.query.<name>."),
                      example("req.country")),
                field("operator", &ComparisonReply::op, note("in, not-in, before or after."), example("in")),
                field("values", &ComparisonReply::values, note("What it is compared with."))};
    }
};

struct AllOfReply {
    std::vector<ComparisonReply> all;
    static constexpr std::string_view wire_name = "RuleCondition";
    static Fields fields() {
        return {field("and", &AllOfReply::all, note("The comparisons, all of which must hold."))};
    }
};

struct PlainConditionReply {
    std::string type;
    std::string value;
    static constexpr std::string_view wire_name = "RulePlainCondition";
    static Fields fields() {
        return {field("type", &PlainConditionReply::type, wire::one_of(plain_condition_types()),
                      note("What of the visit is looked at.")),
                field("value", &PlainConditionReply::value,
                      note("A device, a country, a time or a system; several with commas."),
                      example("de,at"))};
    }
};

struct RuleReply {
    RuleId id;
    std::string destination;
    std::int64_t rank = 0;
    AllOfReply condition;
    std::optional<std::vector<PlainConditionReply>> conditions;
    static constexpr std::string_view wire_name = "Rule";
    static Fields fields() {
        return {field("id", &RuleReply::id, note("Id of the rule.")),
                field("destination", &RuleReply::destination,
                      note("Where visitors are sent for whom the condition holds.")),
                field("rank", &RuleReply::rank,
                      note("Rules of a lower rank are tried first; the first that holds counts.")),
                field("condition", &RuleReply::condition, note("When the rule holds.")),
                field("conditions", &RuleReply::conditions,
                      note("The same as condition; absent when it cannot be said in this shape."))};
    }
    static RuleReply of(const LinkRule& rule) {
        RuleReply out{.id = rule.id,
                      .destination = rule.destination,
                      .rank = rule.rank,
                      .condition = {},
                      .conditions = {}};
        for (const auto& one : rule.conditions)
            out.condition.all.push_back({.property = property_name(one),
                                         .op = std::string(operator_name(one.op)),
                                         .values = one.values});
        for (auto& plain : plain_conditions(rule.conditions)) {
            auto& conditions = out.conditions ? *out.conditions : out.conditions.emplace();
            conditions.push_back({.type = std::move(plain.type), .value = std::move(plain.value)});
        }
        return out;
    }
};

Result<std::vector<RuleReply>> list(Context& ctx, const Link& link, const Query<LimitQuery>& query) {
    std::vector<RuleReply> out;
    for (const auto& rule : TRY(rules_of_link(ctx, link, query->limit)))
        out.push_back(RuleReply::of(rule));
    return out;
}

Result<RuleReply> create(Context& ctx, const Link& link, const Draft<Body<NewRuleInput>>& body) {
    return RuleReply::of(TRY(create_rule(ctx, link, body->input(), body.problems)));
}

Result<EmptyReply> remove_all(Context& ctx, const Link& link) {
    TRY(delete_all_rules(ctx, link));
    return EmptyReply{};
}

Result<RuleReply> read(Context&, const LinkRule& rule) { return RuleReply::of(rule); }

Result<RuleReply> update(Context& ctx, const Link& link, const LinkRule& rule,
                         const Update<RuleChangeInput>& sent) {
    auto now = RuleReply::of(rule);
    if (!TRY(may_change(ctx, link, sent, now)))
        return now;
    const auto body = TRY(sent.differing_from(now));
    return RuleReply::of(TRY(update_rule(ctx, link, rule, body->input(), body.problems)));
}

Result<EmptyReply> remove(Context& ctx, const Link& link, const LinkRule& rule) {
    TRY(delete_rule(ctx, link, rule));
    return EmptyReply{};
}

} // namespace

const RouteList& link_rule_routes() {
    using enum http::Method;
    using enum Role;
    constexpr auto write = Access::write;
    constexpr auto live = LinkState::live;
    constexpr auto feature = Feature::links_rules;
    constexpr auto links = LimitedKeys::links;
    // clang-format off
    static const RouteList routes{"rule", {
        {get,  "/links/{link_id}/rules", "listRules", {.role = viewer, .link = live, .limited_keys = links}, on(list),
         "List the routing rules of a link in the order in which they are tried."},
        {post, "/links/{link_id}/rules", "createRule",
         {.access = write, .role = guest, .feature = feature, .link = live,
          .domain = DomainState::in_force, .limited_keys = links}, on(create),
         "Add a routing rule to a link, which may have 50.",
         {"LimitReached"}},
        {del,  "/links/{link_id}/rules", "deleteAllRules",
         {.access = write, .role = guest, .link = live, .limited_keys = links}, on(remove_all),
         "Delete all routing rules of a link."},
        {get,  "/links/{link_id}/rules/{rule_id}", "getRule", {.role = viewer, .link = live, .limited_keys = links}, on(read),
         "Read one routing rule."},
        {post, "/links/{link_id}/rules/{rule_id}", "updateRule",
         {.access = write, .role = guest, .feature = feature, .link = live,
          .place = LinkDomain::shared_domain_to_change, .limited_keys = links}, on(update),
         "Change a routing rule.",
         {"LimitReached"}},
        {del,  "/links/{link_id}/rules/{rule_id}", "deleteRule",
         {.access = write, .role = guest, .link = live, .limited_keys = links}, on(remove),
         "Delete a routing rule."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api
