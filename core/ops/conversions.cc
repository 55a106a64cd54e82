#include "core/ops/conversions.h"

#include "core/access/doors.h"
#include "core/access/ended_rows.h"
#include "core/access/event_fields.h"
#include "core/access/event_log.h"
#include "core/base/ascii.h"
#include "core/base/codes.h"
#include "core/base/secret.h"
#include "core/clicks/click_ids.h"
#include "core/ops/workspaces.h"
#include "core/schema/rollups.h"
#include "core/schema/schema.h"
#include "core/schema/store.h"

#include <fmt/format.h>

#include <algorithm>

namespace slashpost {

namespace {

constexpr std::int64_t day_seconds = 24LL * 3600;
// A day longer than any attribution window, for clocks that jump.
constexpr std::int64_t kept_seconds = (attribution_window_days_max + 1) * day_seconds;

// What a conversion is put down to.
struct Cause {
    Link link;
    std::optional<Timestamp> clicked_at;
};

bool has_problem(const Problems& problems, std::string_view property) {
    return std::ranges::any_of(problems.fields(), [&](const auto& one) { return one.property == property; });
}

Result<Cause> cause_of_click(Context& ctx, const std::string& click_id) {
    const auto key = TRY(click_id_key(ctx.view()));
    const auto click = redirect::ClickIds(key.value_or("")).open(ctx.workspace.id, click_id);
    if (!click)
        return not_found("click", click_id);
    auto link = TRY(find_link(ctx, click->link));
    const auto days = ctx.workspace.attribution_window_days.value_or(attribution_window_days_default);
    if (ctx.now > click->time.plus_seconds(days * day_seconds))
        return refused("ExpiredClick", "click",
                       fmt::format("The click is older than the attribution window of {} days.", days));
    return Cause{.link = std::move(link), .clicked_at = click->time};
}

// Nothing when what the input names is no click id and no link; that is among the problems then.
Result<std::optional<Cause>> find_cause(Context& ctx, const NewConversion& in, Problems& problems) {
    if (has_problem(problems, "clickId") || has_problem(problems, "linkId"))
        return std::optional<Cause>();
    if (!in.click_id.empty() && in.link)
        problems.add(invalid_format("linkId", "cannot be given together with clickId"));
    else if (in.click_id.empty() && !in.link)
        problems.add(required_field("clickId")); // as the one that is meant to be used
    else if (in.link)
        return std::optional(Cause{.link = TRY(find_link(ctx, *in.link)), .clicked_at = {}});
    else if (redirect::is_click_id(in.click_id))
        return std::optional(TRY(cause_of_click(ctx, in.click_id)));
    else
        problems.add(invalid_format("clickId", "must be as a visitor carried it"));
    return std::optional<Cause>();
}

// The code in upper case. A value needs a currency, and a currency a value.
std::string checked_currency(const NewConversion& in, Problems& problems) {
    auto code = in.currency;
    std::ranges::transform(code, code.begin(), ascii::upper);
    if (!code.empty() && !is_currency_code(code))
        problems.add(invalid_format("currency", "must be a currency of ISO 4217 such as EUR"));
    else if (in.value && code.empty() && !has_problem(problems, "currency"))
        problems.add(required_field("currency"));
    else if (!in.value && !code.empty() && !has_problem(problems, "value"))
        problems.add(required_field("value"));
    return code;
}

// Nothing for what may be reported any number of times.
std::optional<RawId> report_of(const NewConversion& in) {
    if (in.click_id.empty() && in.reference.empty())
        return std::nullopt;
    // No part but the last can have a zero byte.
    const auto cause = in.link ? in.link->hex() : in.click_id;
    const auto digest = sha256(fmt::format("{}{}{}{}{}", cause, '\0', in.event, '\0', in.reference));
    return RawId::from_bytes(std::string_view(digest).substr(0, sizeof(RawId)));
}

// What the workspace has of the currency since ever is at least what its links, tags and domains have. The
// sum is not tracked, so conversions at the same time do not see each other; amount_sum_max leaves room for
// them.
Result<void> check_room(Context& ctx, const Conversion& conversion) {
    if (!conversion.value_thousandths)
        return {};
    const auto counts = TRY(RollupReader(ctx.view()).lifetime(Subject::of(ctx.workspace.id)));
    if (counts.of(group::money + conversion.currency) <=
        amount_sum_max.thousandths - *conversion.value_thousandths)
        return {};
    return invalid("conversion",
                   {out_of_range("value", "is too much: what the workspace has of this currency could not be "
                                          "added up any more")});
}

Result<void> count(Context& ctx, const Conversion& conversion, const Link& link) {
    data::Counts counts;
    counts.add(group::conversions + conversion.event, 1);
    if (conversion.value_thousandths)
        counts.add(group::money + conversion.currency, *conversion.value_thousandths);
    std::vector subjects{Subject::of(link.id), Subject::of(link.workspace),
                         Subject::of(link.domain, link.workspace)};
    for (const auto& tag : link.tags)
        if (TRY(schema().tags.find(ctx.view(), tag.view()))) // else it is being taken off its links
            subjects.push_back(Subject::of(tag));
    for (const auto& subject : subjects)
        TRY(add_to_rollups(ctx.txn(), subject, ctx.now, counts));
    return {};
}

} // namespace

Result<Conversion> record_conversion(Context& ctx, const NewConversion& in, Problems problems) {
    if (!conversion_tracking(ctx).enabled)
        return refused("ConversionTrackingDisabled", "workspace",
                       "The workspace does not track conversions.");
    const auto cause = TRY(find_cause(ctx, in, problems));
    auto currency = checked_currency(in, problems);
    TRY(problems.result("conversion"));

    const auto report = report_of(in);
    Conversion conversion{
        .workspace = ctx.workspace.id,
        .report = report.value_or(RawId{}),
        .id = ctx.ids.next<ConversionId>(),
        .link = cause->link.id,
        .event = in.event,
        .value_thousandths = in.value ? std::optional(in.value->thousandths) : std::nullopt,
        .currency = std::move(currency),
        .created_at = ctx.now,
        .clicked_at = cause->clicked_at,
        // Of a click by a clock that went ahead, its time counts.
        .until = std::max(ctx.now, cause->clicked_at.value_or(ctx.now)).plus_seconds(kept_seconds),
        .unknown = {}};
    const auto& table = schema().conversions;
    if (report)
        if (auto known = TRY(table.find(ctx.view(), Conversion::primary_of(conversion))))
            return std::move(*known);
    TRY(check_room(ctx, conversion));
    if (report)
        TRY(table.insert(ctx.txn(), conversion));
    TRY(count(ctx, conversion, cause->link));
    note_event(ctx.txn(), {.type = EventType::conversion_recorded,
                           .workspace = ctx.workspace.id,
                           .subject = conversion.id,
                           .name = conversion.event,
                           .changes = changes_of_new(conversion)});
    return conversion;
}

Result<bool> prune_conversions(SystemContext& system) { return erase_ended(system, schema().conversions); }

} // namespace slashpost
