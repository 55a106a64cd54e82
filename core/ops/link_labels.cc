#include "core/ops/link_labels.h"

#include "core/access/domain_scripts.h"
#include "core/access/doors.h"
#include "core/access/link_rows.h"
#include "core/redirect/pages.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <fmt/format.h>

namespace slashpost {

namespace {

// What differs between tags and scripts.
template <class T>
struct Label;
template <>
struct Label<Tag> {
    using Id = TagId;
    static const TagTable& table() { return schema().tags; }
    static constexpr auto on_link = &Link::tags;
    static constexpr std::string_view property = "tags";
    static constexpr auto feature = Feature::links_tags;
    static constexpr std::size_t per_link_max = tags_per_link_max;
    static std::size_t bytes_of(const Tag&) { return 0; }
};
template <>
struct Label<Script> {
    using Id = ScriptId;
    static const ScriptTable& table() { return schema().scripts; }
    static constexpr auto on_link = &Link::scripts;
    static constexpr std::string_view property = "scripts";
    static constexpr auto feature = Feature::links_scripts;
    static constexpr std::size_t per_link_max = scripts_per_link_max;
    static std::size_t bytes_of(const Script& script) { return redirect::page_bytes(script); }
};

template <class I>
bool contains(const std::vector<I>& ids, const I& id) {
    return std::ranges::find(ids, id) != ids.end();
}

template <class T>
Result<std::vector<T>> rows_of(Context& ctx, const Link& link, std::size_t limit) {
    std::vector<T> out;
    for (const auto& id : link.*Label<T>::on_link) {
        if (out.size() == limit)
            break;
        if (auto row = TRY(Label<T>::table().find(ctx.view(), id.view())))
            out.push_back(std::move(*row));
    }
    return out;
}

Result<void> write(Context& ctx, const Link& link, Link changed) {
    changed.updated_at = ctx.now;
    return change_link(ctx.system_context(), link, changed);
}

template <class T>
Result<void> attach(Context& ctx, const Link& link, const T& label) {
    auto changed = link;
    auto& ids = changed.*Label<T>::on_link;
    if (contains(ids, label.id))
        return {};
    if (ids.size() >= Label<T>::per_link_max) { // those that were erased do not count
        ids.clear();
        for (const auto& row : TRY(rows_of<T>(ctx, link, Label<T>::per_link_max)))
            ids.push_back(row.id);
    }
    if (ids.size() >= Label<T>::per_link_max)
        return refused("LimitReached", "link",
                       fmt::format("A link has at most {} {}.", Label<T>::per_link_max, Label<T>::property));
    ids.push_back(label.id);
    return write(ctx, link, std::move(changed));
}

template <class T>
Result<void> detach(Context& ctx, const Link& link, const T& label) {
    if (!contains(link.*Label<T>::on_link, label.id))
        return {};
    auto changed = link;
    std::erase(changed.*Label<T>::on_link, label.id);
    return write(ctx, link, std::move(changed));
}

template <class T>
Result<void> check(const Link& link, const T& label) {
    if (contains(link.*Label<T>::on_link, label.id))
        return {};
    return not_found(Label<T>::table().resource(), label.id.hex());
}

Result<void> admit_new(const Context& ctx, Feature feature) {
    if (!ctx.has(feature))
        return feature_not_included(to_string(feature));
    if (!slashpost::contains(WorkspaceTypes::classic_or_gallery, ctx.workspace.type))
        return refused("WrongWorkspaceType", "workspace",
                       "This is not possible in a workspace of this type.");
    return {};
}

template <class T>
Result<bool> set(const Context& ctx, std::vector<typename Label<T>::Id>& ids,
                 const std::vector<typename Label<T>::Id>& wanted, Problems& problems) {
    const bool adds = std::ranges::any_of(wanted, [&](const auto& id) { return !contains(ids, id); });
    if (adds)
        TRY(admit_new(ctx, Label<T>::feature));
    std::vector<typename Label<T>::Id> fresh;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto row = TRY(Label<T>::table().find(ctx.view(), wanted[i].view()));
        if (!row && contains(ids, wanted[i]))
            continue; // it was erased after the caller had read the link
        if (!row || row->workspace != ctx.workspace.id)
            problems.add(unknown_reference(fmt::format("{}[{}]", Label<T>::property, i)));
        else if (!contains(fresh, wanted[i])) {
            fresh.push_back(wanted[i]);
            bytes += Label<T>::bytes_of(*row);
        }
    }
    if (adds && bytes > redirect::link_scripts_page_bytes_max)
        problems.add(
            out_of_range(Label<T>::property, fmt::format("must take at most {} KiB in a page together",
                                                         redirect::link_scripts_page_bytes_max / 1024)));
    ids = std::move(fresh);
    return adds;
}

} // namespace

Result<void> attach_tag(Context& ctx, const Link& link, const Tag& tag) { return attach(ctx, link, tag); }

Result<void> detach_tag(Context& ctx, const Link& link, const Tag& tag) { return detach(ctx, link, tag); }

Result<void> admit_scripts_on(const Context& ctx, const Domain& domain) {
    if (!ctx.has(Feature::links_scripts_shared) &&
        TRY(is_used_by_others(ctx.view(), domain, ctx.workspace.owner)))
        return feature_not_included(to_string(Feature::links_scripts_shared));
    return {};
}

Result<void> attach_script(Context& ctx, const Link& link, const Script& script) {
    if (contains(link.scripts, script.id))
        return {};
    TRY(admit_scripts_on(ctx, TRY(domain_of(ctx.view(), link))));
    auto bytes = redirect::page_bytes(script);
    for (const auto& other : TRY(scripts_of_link(ctx, link)))
        bytes += redirect::page_bytes(other);
    if (bytes > redirect::link_scripts_page_bytes_max)
        return refused("LimitReached", "link",
                       fmt::format("The scripts of a link may take {} KiB in a page together.",
                                   redirect::link_scripts_page_bytes_max / 1024));
    return attach(ctx, link, script);
}

Result<void> detach_script(Context& ctx, const Link& link, const Script& script) {
    return detach(ctx, link, script);
}

Result<void> check_carries(const Link& link, const Tag& tag) { return check(link, tag); }

Result<void> check_carries(const Link& link, const Script& script) { return check(link, script); }

Result<std::vector<Tag>> tags_of_link(Context& ctx, const Link& link, std::size_t limit) {
    return rows_of<Tag>(ctx, link, limit);
}

Result<std::vector<Script>> scripts_of_link(Context& ctx, const Link& link) {
    return rows_of<Script>(ctx, link, scripts_per_link_max);
}

Result<bool> set_tags(const Context& ctx, std::vector<TagId>& ids, const std::vector<TagId>& wanted,
                      Problems& problems) {
    return set<Tag>(ctx, ids, wanted, problems);
}

Result<void> admit_new_tags(const Context& ctx) { return admit_new(ctx, Feature::links_tags); }

Result<bool> set_scripts(const Context& ctx, std::vector<ScriptId>& ids, const std::vector<ScriptId>& wanted,
                         Problems& problems) {
    return set<Script>(ctx, ids, wanted, problems);
}

} // namespace slashpost
