#pragma once
// What a link can have besides its own fields: routing rules, the rules of a rotator, a social preview, deep
// links (interface 2.3, wire "Parts of a link").
//
// One row for all of them, there only while there is something to keep. Everything in it is in normal form,
// in the order in which it counts, and says itself what it means; so what visitors need of it can be compiled
// when it is written (core/ops/link_parts.h) and nothing has to be read or parsed again for a redirect.
#include "core/data/codec.h"

#include <vector>

namespace slashpost {

using RuleId = Id<struct RuleTag>;
using RotatorRuleId = Id<struct RotatorRuleTag>;

// On disk: never renumber.
enum class RuleProperty : std::uint8_t {
    country = 1,  // ISO 3166, lower case
    language = 2, // "de", "de-at"
    device = 3,
    os = 4,
    browser = 5,
    time = 6,  // windows for in and not_in, marks for before and after (core/base/time_window.h)
    query = 7, // the value of the query parameter `name`
};
enum class RuleOperator : std::uint8_t { in = 1, not_in = 2, before = 3, after = 4 };

struct RuleCondition {
    RuleProperty property = RuleProperty::country;
    std::string name; // of a query parameter; empty for every other property
    RuleOperator op = RuleOperator::in;
    std::vector<std::string> values; // normal form, each once; one for before and after
    data::Unknown unknown;
    bool operator==(const RuleCondition&) const = default;

    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "property", &RuleCondition::property),
                          stored(2, "name", &RuleCondition::name), stored(3, "op", &RuleCondition::op),
                          stored(4, "values", &RuleCondition::values)};
    }
};

struct LinkRule {
    RuleId id;
    std::string destination;               // stored form of core/base/url.h
    std::int64_t rank = 0;                 // lower is tried first
    std::vector<RuleCondition> conditions; // all must hold; at least one
    data::Unknown unknown;
    bool operator==(const LinkRule&) const = default;

    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "id", &LinkRule::id), stored(2, "destination", &LinkRule::destination),
                          stored(3, "rank", &LinkRule::rank), stored(4, "conditions", &LinkRule::conditions)};
    }
};

struct RotatorRule {
    RotatorRuleId id;
    std::string destination;            // stored form of core/base/url.h
    std::optional<std::int64_t> weight; // nothing on any rule: round-robin; else nothing counts as 1
    data::Unknown unknown;
    bool operator==(const RotatorRule&) const = default;

    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "id", &RotatorRule::id),
                          stored(2, "destination", &RotatorRule::destination),
                          stored(3, "weight", &RotatorRule::weight)};
    }
};

// Any of them may be empty.
struct OpenGraph {
    std::string title;
    std::string description;
    std::string image; // stored form of core/base/url.h, http or https
    std::string type;
    std::string locale;
    data::Unknown unknown;
    bool operator==(const OpenGraph&) const = default;

    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "title", &OpenGraph::title),
                          stored(2, "description", &OpenGraph::description),
                          stored(3, "image", &OpenGraph::image), stored(4, "type", &OpenGraph::type),
                          stored(5, "locale", &OpenGraph::locale)};
    }
};

struct DeepLink {
    std::string app;  // its id (core/model/apps.h)
    std::string path; // within the app; URI characters without "#"
    bool active = true;
    data::Unknown unknown;
    bool operator==(const DeepLink&) const = default;

    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "app", &DeepLink::app), stored(2, "path", &DeepLink::path),
                          stored(3, "active", &DeepLink::active)};
    }
};

struct LinkParts {
    LinkId link;
    WorkspaceId workspace;            // the link's
    std::vector<LinkRule> rules;      // in the order in which they are tried: by rank, equal ones by id
    std::vector<RotatorRule> rotator; // in their order; only of a link of type rotator
    std::optional<OpenGraph> open_graph;
    std::vector<DeepLink> deep_links; // one for each app, in the order of adding
    data::Unknown unknown;

    [[nodiscard]] bool nothing() const {
        return rules.empty() && rotator.empty() && !open_graph && deep_links.empty() &&
               unknown.fields.empty();
    }

    static constexpr std::size_t primary_bytes = 16;
    static data::Bytes primary_of(const LinkParts& p) { return data::Bytes(p.link.view()); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "link", &LinkParts::link),
                          stored(2, "workspace", &LinkParts::workspace),
                          stored(3, "rules", &LinkParts::rules),
                          stored(4, "rotator", &LinkParts::rotator),
                          stored(5, "open_graph", &LinkParts::open_graph),
                          stored(6, "deep_links", &LinkParts::deep_links)};
    }
};

} // namespace slashpost
