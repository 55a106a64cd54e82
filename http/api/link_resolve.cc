// What a visitor would get of a link, and why: shapes, route, and a handler of one core call.
#include "core/ops/explain.h"

#include "http/api/forwarding_shapes.h"
#include "http/api/path_resource.h"
#include "http/api/replies.h"
#include "http/api/routes.h"

namespace slashpost::api {

namespace {

using wire::example, wire::field, wire::note;
using wire::Fields;

struct ResolveQuery {
    std::string country;
    std::string language;
    std::string device;
    std::string os;
    std::string browser;
    std::optional<Timestamp> time;
    std::string query;
    static constexpr std::string_view wire_name = "ResolveQuery";
    static Fields fields() {
        return {field("country", &ResolveQuery::country,
                      note("The country from which the visitor is supposed to come, ISO 3166."),
                      example("de")),
                field("language", &ResolveQuery::language,
                      note("The visitor's language, or a whole Accept-Language header."), example("de-AT")),
                field("device", &ResolveQuery::device,
                      note("The visitor's device: mobile, tablet, desktop, bot or other.")),
                field("os", &ResolveQuery::os,
                      note("The visitor's system: ios, android, windows, macos, linux or chromeos.")),
                field("browser", &ResolveQuery::browser,
                      note("The visitor's browser: chrome, edge, firefox, ie, opera, safari, samsung, uc or "
                           "yandex.")),
                field("time", &ResolveQuery::time,
                      note("When the visitor is supposed to come; now when absent.")),
                field("query", &ResolveQuery::query,
                      note("The query of the address visited, such as utm_source=mail&a=1."))};
    }
    [[nodiscard]] SupposedVisitor visitor() const {
        return {.country = country,
                .language = language,
                .device = device,
                .os = os,
                .browser = browser,
                .query = query,
                .time = time};
    }
};

struct TriedRuleReply {
    RuleId id;
    std::int64_t rank = 0;
    std::string destination;
    bool matched = false;
    std::string reason;
    static constexpr std::string_view wire_name = "TriedRule";
    static Fields fields() {
        return {field("id", &TriedRuleReply::id, note("Id of the rule.")),
                field("rank", &TriedRuleReply::rank, note("The rule's rank.")),
                field("destination", &TriedRuleReply::destination, note("Where the rule leads.")),
                field("matched", &TriedRuleReply::matched, note("Whether its condition holds.")),
                field("reason", &TriedRuleReply::reason, note("Why, in a sentence."),
                      example("req.country in de does not hold"))};
    }
};

struct ArmShareReply {
    RotatorRuleId id;
    std::string destination;
    std::int64_t visits = 0;
    std::int64_t of = 0;
    static constexpr std::string_view wire_name = "ArmShare";
    static Fields fields() {
        return {
            field("id", &ArmShareReply::id, note("Id of the rotator's rule.")),
            field("destination", &ArmShareReply::destination, note("Where the rule leads.")),
            field("visits", &ArmShareReply::visits, note("Of so many visits as `of` says, those it gets.")),
            field("of", &ArmShareReply::of, note("See visits."))};
    }
};

struct ResolveReply {
    std::optional<std::string> destination;
    std::string decided_by;
    std::string reason;
    ForwardingReply forwarding;
    std::vector<TriedRuleReply> rules;
    std::vector<ArmShareReply> arms;
    static constexpr std::string_view wire_name = "Resolution";
    static Fields fields() {
        return {field("destination", &ResolveReply::destination,
                      note("Where the visitor would be sent; absent when a rotator chooses among several.")),
                field("decidedBy", &ResolveReply::decided_by, note("What decided: link, rule or rotator."),
                      example("rule")),
                field("reason", &ResolveReply::reason, note("Why, in a sentence.")),
                field("forwarding", &ResolveReply::forwarding,
                      note("What becomes of the visitor's parameters, as the link says, or its domain where "
                           "the link says nothing.")),
                field("rules", &ResolveReply::rules,
                      note("Those that were tried, in order; the last may match.")),
                field("arms", &ResolveReply::arms, note("Of a rotator that chooses."))};
    }
    static ResolveReply of(const Explanation& in) {
        static constexpr std::array<std::string_view, 3> choosers{"link", "rule", "rotator"};
        ResolveReply out{.destination = {},
                         .decided_by = std::string(choosers.at(static_cast<std::size_t>(in.chooser))),
                         .reason = reason_of(in),
                         .forwarding = ForwardingReply::of(in.forwarding),
                         .rules = {},
                         .arms = {}};
        if (!in.destination.empty())
            out.destination = in.destination;
        for (const auto& tried : in.rules)
            out.rules.push_back({.id = tried.rule.id,
                                 .rank = tried.rule.rank,
                                 .destination = tried.rule.destination,
                                 .matched = !tried.failed,
                                 .reason = reason_of(tried)});
        for (const auto& share : in.arms)
            out.arms.push_back({.id = share.arm.id,
                                .destination = share.arm.destination,
                                .visits = share.visits,
                                .of = share.of});
        return out;
    }
};

Result<ResolveReply> resolve(Context& ctx, const Link& link, const Draft<Query<ResolveQuery>>& query) {
    return ResolveReply::of(TRY(explain_link(ctx, link, query->visitor(), query.problems)));
}

} // namespace

const RouteList& link_resolve_routes() {
    constexpr auto links = LimitedKeys::links;
    // clang-format off
    static const RouteList routes{"link", {
        {http::Method::get, "/links/{link_id}/resolve", "resolveLink",
         {.role = Role::viewer, .link = LinkState::live, .limited_keys = links}, on(resolve),
         "Say where a visitor of a link would be sent and why, without a click."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api
