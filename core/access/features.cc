#include "core/access/features.h"

#include <algorithm>

namespace slashpost {

namespace {

struct Words {
    std::string_view name;
    std::string_view title;
};

Words words_of(Feature feature) {
    switch (feature) {
    case Feature::none:
        return {};
    case Feature::links_notes:
        return {"links.notes", "Notes on links"};
    case Feature::links_expiration:
        return {"links.expiration", "Default time to live of links"};
    case Feature::links_bulk:
        return {"links.bulk", "Many links in one call"};
    case Feature::links_extended:
        return {"links.extended", "Extended workspaces"};
    case Feature::links_opengraph:
        return {"links.opengraph", "Social previews of links"};
    case Feature::links_rules:
        return {"links.rules", "Routing rules of links"};
    case Feature::links_tags:
        return {"links.tags", "Tags on links"};
    case Feature::links_scripts:
        return {"links.scripts", "Scripts on links"};
    case Feature::links_scripts_shared:
        return {"links.scripts.shared", "Scripts on domains that others use, too"};
    case Feature::extra_conversion_tracking:
        return {"extra.conversion_tracking", "Conversion tracking"};
    }
    return {};
}

bool holds(const std::vector<std::string>& names, Feature feature) {
    return std::ranges::find(names, to_string(feature)) != names.end();
}

} // namespace

std::string_view to_string(Feature feature) { return words_of(feature).name; }

std::string_view title_of(Feature feature) { return words_of(feature).title; }

std::optional<Feature> parse_feature(std::string_view name) {
    const auto* const found = std::ranges::find(all_features, name, [](Feature f) { return to_string(f); });
    return found == all_features.end() ? std::nullopt : std::optional(*found);
}

bool owns_feature(const Account& account, const Plan& plan, Feature feature) {
    return plan.everything || holds(plan.features, feature) || holds(account.granted_features, feature);
}

bool is_revoked(const Account& account, Feature feature) { return holds(account.revoked_features, feature); }

} // namespace slashpost
