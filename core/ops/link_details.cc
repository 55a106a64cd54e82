#include "core/ops/link_details.h"

#include "core/base/errors.h"
#include "core/schema/click_totals.h"
#include "core/schema/rollups.h"
#include "core/schema/schema.h"

namespace slashpost {

namespace {

// The row of that id as `shown` makes it; nothing when there is none. Read when it is asked for first.
template <class Table, class T, class Shown>
Result<const std::optional<T>*> look_up(data::View& view, const Table& table,
                                        std::map<RawId, std::optional<T>>& known, const RawId& id,
                                        const Shown& shown) {
    const auto [entry, is_new] = known.try_emplace(id);
    if (is_new)
        if (auto row = TRY(table.find(view, id.view())))
            entry->second = TRY(shown(std::move(*row)));
    return &entry->second;
}

constexpr auto as_it_is = [](auto row) { return Result<decltype(row)>(std::move(row)); };

} // namespace

Result<LinkDetails> LinkNeighbours::details(Link link) {
    const auto figures = TRY(rollups_.link(link.id, link.workspace));
    auto out = TRY(details_of_new(std::move(link)));
    out.clicks = figures.totals.clicks;
    out.last_click_at = figures.totals.last_click_at;
    out.sessions = figures.sessions;
    return out;
}

Result<LinkDetails> LinkNeighbours::details_of_new(Link link) {
    auto& view = ctx_.view();
    LinkDetails out;
    const auto& domain = *TRY(look_up(view, schema().domains, domains_, link.domain, as_it_is));
    if (!domain && link.holds_slashtag()) // a deleted link may have outlived its domain
        return fault("a link's domain is missing");
    out.domain = domain.value_or(Domain{});
    out.creator =
        TRY(look_up(view, schema().accounts, creators_, link.creator, as_it_is))->value_or(Account{});
    for (const auto& id : link.tags)
        if (const auto& tag = *TRY(look_up(view, schema().tags, tags_, id, [&](Tag row) -> Result<TagName> {
                const auto counts = TRY(rollups_.lifetime(Subject::of(row.id)));
                return TagName{.id = row.id,
                               .name = std::move(row.name),
                               .color = std::move(row.color),
                               .active = row.active,
                               .clicks = counts.sum(group::clicks)};
            })))
            out.tags.push_back(*tag);
    for (const auto& id : link.scripts)
        if (const auto& script =
                *TRY(look_up(view, schema().scripts, scripts_, id, [](Script row) -> Result<ScriptName> {
                    return ScriptName{.id = row.id, .name = std::move(row.name)};
                })))
            out.scripts.push_back(*script);
    out.link = std::move(link);
    return out;
}

} // namespace slashpost
