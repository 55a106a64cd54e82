#pragma once
// Features that a plan may include (interface 2.2, 4; wire "Workspaces, people").
#include "core/model/account.h"
#include "core/model/plan.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace slashpost {

enum class Feature : std::uint8_t {
    none,
    links_notes,
    links_expiration,
    links_bulk,
    links_extended,
    links_opengraph,
    links_rules,
    links_tags,
    links_scripts,
    links_scripts_shared,
    extra_conversion_tracking,
};

inline constexpr std::array all_features{Feature::links_notes,          Feature::links_expiration,
                                         Feature::links_bulk,           Feature::links_extended,
                                         Feature::links_opengraph,      Feature::links_rules,
                                         Feature::links_tags,           Feature::links_scripts,
                                         Feature::links_scripts_shared, Feature::extra_conversion_tracking};

// "links.notes", as plans and accounts store it and the wire has it; empty for none.
std::string_view to_string(Feature feature);
// What people call it: "Notes on links".
std::string_view title_of(Feature feature);
// The feature of that name.
std::optional<Feature> parse_feature(std::string_view name);

// The account owns the feature, by its plan or on its own, be it revoked or not.
bool owns_feature(const Account& account, const Plan& plan, Feature feature);
bool is_revoked(const Account& account, Feature feature);
// The account may use it.
inline bool has_feature(const Account& account, const Plan& plan, Feature feature) {
    return owns_feature(account, plan, feature) && !is_revoked(account, feature);
}

} // namespace slashpost
