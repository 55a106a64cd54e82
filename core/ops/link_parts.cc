#include "core/ops/link_parts.h"

#include "core/access/doors.h"
#include "core/access/link_rows.h"
#include "core/base/time_window.h"
#include "core/schema/routing.h"
#include "core/schema/schema.h"

#include <fmt/format.h>

#include <set>

namespace slashpost {

namespace {

struct Extent {
    std::size_t bytes = 0, values = 0, zones = 0;
};

Extent extent_of(const LinkParts& parts) {
    Extent out{.bytes = data::encode(parts).size()};
    std::set<std::string> zones;
    for (const auto& rule : parts.rules)
        for (const auto& condition : rule.conditions) {
            out.values += condition.values.size();
            for (const auto& value : condition.values)
                if (condition.property == RuleProperty::time)
                    zones.insert(zone_of_time(value));
        }
    zones.erase("");
    out.zones = zones.size();
    return out;
}

Result<void> admit(const Extent& now, const Extent& before) {
    std::string sentence;
    const auto check = [&](std::size_t count, std::size_t count_before, std::size_t max,
                           const std::string& what) {
        if (count > max && count > count_before)
            sentence += (sentence.empty() ? "" : " ") + what;
    };
    check(now.bytes, before.bytes, link_parts_bytes_max,
          fmt::format("The rules and other parts of a link may take {} KiB together.",
                      link_parts_bytes_max / 1024));
    check(now.values, before.values, condition_values_per_link_max,
          fmt::format("The conditions of a link's rules may have {} values together.",
                      condition_values_per_link_max));
    check(now.zones, before.zones, time_zones_per_link_max,
          fmt::format("The rules of a link may name {} time zones.", time_zones_per_link_max));
    return sentence.empty() ? Result<void>() : refused("LimitReached", "link", sentence);
}

} // namespace

Result<void> store_parts(Context& ctx, const Link& link, const LinkParts& parts) {
    const auto& table = schema().link_parts;
    const auto before = TRY(table.find(ctx.txn(), link.id.view()));
    TRY(admit(extent_of(parts), before ? extent_of(*before) : Extent()));
    if (before && parts.nothing())
        TRY(table.remove(ctx.txn(), *before));
    else if (before)
        TRY(table.update(ctx.txn(), *before, parts));
    else if (!parts.nothing())
        TRY(table.insert(ctx.txn(), parts));
    auto changed = link;
    changed.updated_at = ctx.now;
    changed.routing = redirect::compile_routing(parts);
    return change_link(ctx.system_context(), link, changed);
}

Result<void> check_part_destinations(Context& ctx, const Link& link, DestinationCheck& destinations,
                                     Problems& problems, std::string_view property) {
    const auto parts = TRY(parts_of(ctx.view(), link));
    for (const auto& rule : parts.rules)
        if (!TRY(destinations.admit(rule.destination, problems, property)))
            return {};
    for (const auto& rule : parts.rotator)
        if (!TRY(destinations.admit(rule.destination, problems, property)))
            return {};
    return {};
}

} // namespace slashpost
