#include "core/access/guard.h"

namespace slashpost {

std::string_view to_string(Feature feature) {
    switch (feature) {
    case Feature::none:
        return "";
    case Feature::links_notes:
        return "links.notes";
    case Feature::links_expiration:
        return "links.expiration";
    case Feature::links_bulk:
        return "links.bulk";
    case Feature::links_extended:
        return "links.extended";
    case Feature::links_opengraph:
        return "links.opengraph";
    case Feature::links_rules:
        return "links.rules";
    case Feature::links_tags:
        return "links.tags";
    case Feature::links_scripts:
        return "links.scripts";
    case Feature::extra_conversion_tracking:
        return "extra.conversion_tracking";
    }
    return "";
}

} // namespace slashpost
