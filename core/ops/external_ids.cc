#include "core/ops/external_ids.h"

#include "core/access/link_rows.h"
#include "core/base/text.h"
#include "core/schema/schema.h"

namespace slashpost {

namespace {

constexpr std::string_view external_id_property = "externalId";

// The link of the workspace that has it, if that is another one. Read so that two calls which find none
// cannot both give it away.
Result<std::optional<Link>> other_holder(Context& ctx, LinkId link, std::string_view external_id) {
    const auto& links = schema().links;
    auto holder = TRY(links.find_by(links.by_external_id, ctx.view(), ctx.workspace.id, external_id));
    if (holder && holder->id == link)
        holder.reset();
    return holder;
}

} // namespace

void check_external_id(std::string_view external_id, Problems& problems) {
    if (!is_utf8(external_id) || has_control(external_id))
        problems.add(invalid_format(external_id_property, "has characters that are not allowed"));
    else if (count_code_points(external_id) > external_id_length_max)
        problems.add(invalid_length(external_id_property, 1, external_id_length_max));
}

Result<void> admit_external_id(Context& ctx, LinkId link, std::string_view external_id, Problems& problems) {
    if (external_id.empty())
        return {};
    Problems own;
    check_external_id(external_id, own);
    if (own.none())
        if (const auto holder = TRY(other_holder(ctx, link, external_id));
            holder && !ctx.workspace.is_retiring(holder->domain))
            own.add(already_exists(external_id_property));
    for (const auto& problem : own.fields())
        problems.add(problem);
    return {};
}

Result<void> change_external_id(Context& ctx, const Link& was, const Change<std::string>& change, Link& link,
                                Problems& problems) {
    change.apply_to(link.external_id);
    if (was.status != LinkStatus::deleted && link.external_id == was.external_id)
        return {};
    return admit_external_id(ctx, link.id, link.external_id, problems);
}

Result<void> claim_external_id(Context& ctx, const Link& link) {
    if (link.external_id.empty())
        return {};
    if (const auto holder = TRY(other_holder(ctx, link.id, link.external_id));
        holder && ctx.workspace.is_retiring(holder->domain))
        TRY(retire_link(ctx.system_context(), *holder));
    return {};
}

} // namespace slashpost
