#include "core/work/detach.h"

#include "core/access/link_rows.h"
#include "core/data/trail.h"
#include "core/schema/schema.h"

namespace slashpost {

namespace {

constexpr std::size_t detached_at_once_max = 200;

template <class I>
Result<bool> take_off(SystemContext& system, const data::Fan<Link>& index,
                      const std::vector<data::Bytes>& scopes, std::vector<I> Link::* carried, const I& id) {
    std::vector<data::Bytes> links;
    for (const auto& scope : scopes)
        TRY(index.walk(system.txn, {.scope = scope}, [&](data::BytesView primary) -> Result<bool> {
            if (links.size() < detached_at_once_max)
                links.emplace_back(primary);
            return links.size() < detached_at_once_max;
        }));
    const data::Unfollowed told_already(system.txn); // that the tag or the script is gone
    for (const auto& primary : links) {
        const auto link = TRY(schema().links.find(system.txn, primary));
        if (!link)
            continue;
        auto changed = *link;
        std::erase(changed.*carried, id);
        TRY(change_link(system, *link, changed));
    }
    return links.size() < detached_at_once_max;
}

} // namespace

Result<bool> take_tag_off_links(SystemContext& system, WorkspaceId workspace, TagId tag) {
    return take_off(system, schema().links.by_tag, {key(workspace, true, tag), key(workspace, false, tag)},
                    &Link::tags, tag);
}

Result<bool> take_script_off_links(SystemContext& system, ScriptId script) {
    return take_off(system, schema().links.by_script, {key(script)}, &Link::scripts, script);
}

} // namespace slashpost
