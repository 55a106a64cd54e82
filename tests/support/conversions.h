#pragma once
// Conversions of a World: tracking, click ids as a visitor would carry them, and what was counted.
#include "core/clicks/click_ids.h"
#include "core/ops/conversions.h"
#include "core/schema/rollups.h"
#include "tests/support/workspaces.h"

#include <fmt/format.h>

namespace slashpost::test {

inline void track_conversions(World& world, std::optional<std::int64_t> days = {}, bool enabled = true) {
    must(world.write([&](Context& ctx) {
        return set_conversion_tracking(
            ctx, {.enabled = enabled, .attribution_window_days = days, .click_id_parameter = {}});
    }));
}

// As the redirect path makes one for a click of now.
inline std::string click_id(World& world, WorkspaceId workspace, LinkId link) {
    const redirect::ClickIds ids(must(ensure_click_id_key(*world.engine, world.random)));
    return std::string(
        ids.make(workspace, {.link = link, .time = world.clock.time}, world.random).value().view());
}
inline std::string click_id(World& world, const Link& link) {
    return click_id(world, link.workspace, link.id);
}

inline Result<Conversion> try_conversion(World& world, const NewConversion& in) {
    return world.write([&](Context& ctx) { return record_conversion(ctx, in); }, {.link = LinkState::live});
}

// "vpurchase=1 mEUR=19990": conversions and money of a subject, since ever.
inline std::string converted(World& world, const Subject& subject) {
    const auto counts =
        must(world.engine->read([&](data::View& view) { return RollupReader(view).lifetime(subject); }));
    std::string out;
    for (const char one : {group::conversions, group::money})
        for (const auto& count : counts.group(one))
            out += fmt::format("{}{}={}", out.empty() ? "" : " ", count.name, count.number);
    return out;
}

inline int conversion_rows(World& world) {
    int rows = 0;
    must(world.engine->read([&](data::View& view) {
        return schema().conversions.each(view, [&](const Conversion&) -> Result<bool> {
            ++rows;
            return true;
        });
    }));
    return rows;
}

} // namespace slashpost::test
