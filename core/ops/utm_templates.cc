#include "core/ops/utm_templates.h"

#include "core/base/text.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <fmt/format.h>

namespace slashpost {

namespace {

using Templates = std::vector<UtmTemplate>;

Templates::iterator find_in(Templates& all, std::string_view name) {
    const auto wanted = fold_case(name);
    return std::ranges::find(all, wanted, [](const UtmTemplate& one) { return fold_case(one.name); });
}

// How long they are was looked at when they were read.
void check_utm_value(std::string_view property, std::string_view value, Problems& problems) {
    if (!is_utf8(value) || has_control(value))
        problems.add(invalid_format(property, "has characters that are not allowed"));
}

void check_utm_template(const UtmTemplate& in, Problems& problems) {
    check_utm_value("name", in.name, problems);
    bool has_value = false;
    for (const auto& [property, value] : {std::pair("source", &in.source), std::pair("medium", &in.medium),
                                          std::pair("campaign", &in.campaign), std::pair("term", &in.term),
                                          std::pair("content", &in.content)}) {
        check_utm_value(property, *value, problems);
        has_value = has_value || !value->empty();
    }
    if (!has_value)
        problems.add(required_field("source"));
}

Result<void> store_utm_templates(Context& ctx, Templates all) {
    auto changed = ctx.workspace;
    changed.utm_templates = std::move(all);
    changed.updated_at = ctx.now;
    TRY(schema().workspaces.update(ctx.txn(), ctx.workspace, changed));
    ctx.workspace = std::move(changed);
    return {};
}

} // namespace

std::vector<UtmTemplate> list_utm_templates(const Context& ctx) { return ctx.workspace.utm_templates; }

Result<UtmTemplate> put_utm_template(Context& ctx, const UtmTemplate& in, std::string_view replaced,
                                     Problems problems) {
    auto all = ctx.workspace.utm_templates;
    check_utm_template(in, problems);
    if (!replaced.empty()) {
        const auto before = find_in(all, replaced);
        if (before == all.end())
            problems.add(unknown_reference("replaces"));
        else
            all.erase(before);
    }
    if (find_in(all, in.name) != all.end())
        problems.add(already_exists("name"));
    TRY(problems.result("template"));
    if (all.size() >= UtmTemplate::per_workspace_max)
        return refused("LimitReached", "template",
                       fmt::format("A workspace has {} templates at most.", UtmTemplate::per_workspace_max));
    const auto place = std::ranges::upper_bound(all, fold_case(in.name), {},
                                                [](const UtmTemplate& one) { return fold_case(one.name); });
    all.insert(place, in);
    TRY(store_utm_templates(ctx, std::move(all)));
    return in;
}

Result<UtmTemplate> find_utm_template(const Context& ctx, std::string_view name) {
    auto all = ctx.workspace.utm_templates;
    const auto found = find_in(all, name);
    if (found == all.end())
        return not_found("template", name);
    return *found;
}

Result<UtmTemplate> remove_utm_template(Context& ctx, const UtmTemplate& found) {
    auto all = ctx.workspace.utm_templates;
    all.erase(find_in(all, found.name));
    TRY(store_utm_templates(ctx, std::move(all)));
    return found;
}

} // namespace slashpost
