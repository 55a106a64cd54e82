#include "core/ops/link_parts.h"

#include "core/access/doors.h"
#include "core/access/link_rows.h"
#include "core/redirect/routing.h"
#include "core/schema/schema.h"

#include <fmt/format.h>

namespace slashpost {

Result<void> store_parts(Context& ctx, const Link& link, const LinkParts& parts) {
    if (data::encode(parts).size() > link_parts_bytes_max)
        return refused("LimitReached", "link",
                       fmt::format("The rules and other parts of a link may take {} KiB together.",
                                   link_parts_bytes_max / 1024));
    const auto& table = schema().link_parts;
    const auto before = TRY(table.find(ctx.txn(), link.id.view()));
    if (before && parts.nothing())
        TRY(table.remove(ctx.txn(), *before));
    else if (before)
        TRY(table.update(ctx.txn(), *before, parts));
    else if (!parts.nothing())
        TRY(table.insert(ctx.txn(), parts));
    auto changed = link;
    changed.updated_at = ctx.now;
    changed.routing = redirect::compile_routing(parts);
    return change_link(ctx.desk(), link, changed);
}

Result<void> check_part_destinations(Context& ctx, const Link& link, DestinationCheck& destinations,
                                     Problems& problems) {
    const auto parts = TRY(parts_of(ctx.view(), link));
    for (const auto& rule : parts.rules)
        if (!TRY(destinations.admit(rule.destination, problems, "slashtag")))
            return {};
    for (const auto& rule : parts.rotator)
        if (!TRY(destinations.admit(rule.destination, problems, "slashtag")))
            return {};
    return {};
}

} // namespace slashpost
