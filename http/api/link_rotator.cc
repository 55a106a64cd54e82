// Rules of rotators (interface 4.2): shapes, routes, and handlers of one core call each.
#include "core/ops/rotator.h"
#include "http/api/path_resource.h"
#include "http/api/replies.h"
#include "http/api/routes.h"
#include "http/wire/formats.h"

namespace slashpost::api {

using wire::example, wire::field, wire::note, wire::range, wire::required;
using wire::Fields;
namespace formats = wire::formats;

namespace {

constexpr std::string_view weight_note = "How often in comparison with the others. Absent on all: in turn; "
                                         "absent on this one only: 1.";

struct NewRotatorRuleInput {
    std::string destination;
    std::optional<std::int64_t> weight;
    std::string id;
    static constexpr std::string_view wire_name = "RotatorRuleInput";
    static Fields fields() {
        return {
            field("destination", &NewRotatorRuleInput::destination, required, formats::uri,
                  note("Where some of the visitors are to be sent."), example("https://example.com/a")),
            field("weight", &NewRotatorRuleInput::weight, range(0, rotator_weight_max), note(weight_note)),
            field("id", &NewRotatorRuleInput::id,
                  note("Only to replace all rules: which of the old ones this is, so that it keeps its "
                       "clicks."))};
    }
    [[nodiscard]] RotatorRuleInput input() const {
        return {.destination = destination,
                .weight = Change<std::int64_t>::of(weight),
                .id = RotatorRuleId::parse(id)};
    }
};

struct RotatorRuleChangeInput {
    std::optional<std::string> destination;
    Change<std::int64_t> weight;
    static constexpr std::string_view wire_name = "RotatorRuleChange";
    static Fields fields() {
        return {field("destination", &RotatorRuleChangeInput::destination, formats::uri,
                      note("Where some of the visitors are to be sent.")),
                field("weight", &RotatorRuleChangeInput::weight, range(0, rotator_weight_max),
                      note("How often in comparison with the others; null takes it away."))};
    }
    [[nodiscard]] RotatorRuleInput input() const {
        return {.destination = destination, .weight = weight, .id = {}};
    }
};

struct RotatorRuleReply {
    RotatorRuleId id;
    std::string destination;
    std::optional<std::int64_t> weight;
    std::int64_t clicks = 0;
    static constexpr std::string_view wire_name = "RotatorRule";
    static Fields fields() {
        return {field("id", &RotatorRuleReply::id, note("Id of the rule.")),
                field("destination", &RotatorRuleReply::destination,
                      note("Where some of the visitors are sent.")),
                field("weight", &RotatorRuleReply::weight,
                      note("How often in comparison with the others; absent: as 1, or in turn when no rule "
                           "has a weight.")),
                field("clicks", &RotatorRuleReply::clicks,
                      note("Clicks that were sent there since the rule is there."))};
    }
    static RotatorRuleReply of(const RotatorRuleDetails& details) {
        return {.id = details.rule.id,
                .destination = details.rule.destination,
                .weight = details.rule.weight,
                .clicks = details.clicks};
    }
};

Result<RotatorRuleReply> reply_of(Context& ctx, const Link& link, RotatorRule rule) {
    return RotatorRuleReply::of(TRY(describe_rotator_rule(ctx, link, std::move(rule))));
}

Result<std::vector<RotatorRuleReply>> replies_of(Context& ctx, const Link& link,
                                                 std::vector<RotatorRule> rules) {
    std::vector<RotatorRuleReply> out;
    out.reserve(rules.size());
    for (const auto& details : TRY(describe_rotator(ctx, link, std::move(rules))))
        out.push_back(RotatorRuleReply::of(details));
    return out;
}

Result<std::vector<RotatorRuleReply>> list(Context& ctx, const Link& link) {
    return replies_of(ctx, link, TRY(rotator_of_link(ctx, link)));
}

Result<RotatorRuleReply> create(Context& ctx, const Link& link,
                                const Draft<Body<NewRotatorRuleInput>>& body) {
    return reply_of(ctx, link, TRY(create_rotator_rule(ctx, link, body->input(), body.problems)));
}

Result<std::vector<RotatorRuleReply>> replace(Context& ctx, const Link& link,
                                              const Draft<Body<std::vector<NewRotatorRuleInput>>>& body) {
    std::vector<RotatorRuleInput> inputs;
    inputs.reserve(body->size());
    for (const auto& one : *body)
        inputs.push_back(one.input());
    return replies_of(ctx, link, TRY(replace_rotator(ctx, link, inputs, body.problems)));
}

Result<EmptyReply> remove_all(Context& ctx, const Link& link) {
    TRY(delete_rotator(ctx, link));
    return EmptyReply{};
}

Result<RotatorRuleReply> read(Context& ctx, const Link& link, const RotatorRule& rule) {
    return reply_of(ctx, link, rule);
}

Result<RotatorRuleReply> update(Context& ctx, const Link& link, const RotatorRule& rule,
                                const Update<RotatorRuleChangeInput>& sent) {
    auto now = TRY(reply_of(ctx, link, rule));
    if (!TRY(may_change(ctx, link, sent, now)))
        return now;
    const auto body = TRY(sent.differing_from(now));
    return reply_of(ctx, link, TRY(update_rotator_rule(ctx, link, rule, body->input(), body.problems)));
}

Result<EmptyReply> remove(Context& ctx, const Link& link, const RotatorRule& rule) {
    TRY(delete_rotator_rule(ctx, link, rule));
    return EmptyReply{};
}

} // namespace

const RouteList& link_rotator_routes() {
    using enum http::Method;
    using enum Role;
    constexpr auto kind = LinkKind::rotator;
    constexpr auto links = LimitedKeys::links;
    constexpr Guard reading{.role = viewer, .link = LinkState::live, .kind = kind, .limited_keys = links};
    constexpr Guard changing{
        .access = Access::write, .role = guest, .link = LinkState::live, .kind = kind, .limited_keys = links};
    constexpr Guard correcting{.access = Access::write,
                               .role = guest,
                               .link = LinkState::live,
                               .kind = kind,
                               .place = LinkDomain::shared_domain_to_change,
                               .limited_keys = links};
    constexpr Guard creating{.access = Access::write,
                             .role = guest,
                             .link = LinkState::live,
                             .domain = DomainState::in_force,
                             .kind = kind,
                             .limited_keys = links};
    // clang-format off
    static const RouteList routes{"rotator", {
        {get,  "/links/{link_id}/rotator", "listRotatorRules", reading, on(list),
         "List the rules of a rotator."},
        {post, "/links/{link_id}/rotator", "createRotatorRule", creating, on(create),
         "Add a rule to a rotator, which may have 50.",
         {"LimitReached"}},
        {put,  "/links/{link_id}/rotator", "replaceRotatorRules", creating, on(replace),
         "Replace all rules of a rotator.",
         {"LimitReached"}},
        {del,  "/links/{link_id}/rotator", "deleteAllRotatorRules", changing, on(remove_all),
         "Delete all rules of a rotator."},
        {get,  "/links/{link_id}/rotator/{rule_id}", "getRotatorRule", reading, on(read),
         "Read one rule of a rotator.",
         {"NotFound rotator"}},
        {post, "/links/{link_id}/rotator/{rule_id}", "updateRotatorRule", correcting, on(update),
         "Change a rule of a rotator.",
         {"LimitReached", "NotFound rotator"}},
        {del,  "/links/{link_id}/rotator/{rule_id}", "deleteRotatorRule", changing, on(remove),
         "Delete a rule of a rotator.",
         {"NotFound rotator"}},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api
