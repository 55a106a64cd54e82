#include "core/ops/link_imports.h"

#include "core/access/limits.h"
#include "core/base/text.h"
#include "core/ops/link_labels.h"
#include "core/ops/tags.h"
#include "core/schema/imports.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <array>

namespace slashpost {

namespace {

constexpr std::string_view made_tag_color = "808080";

// As if made at `time`. `place` orders those of one millisecond.
LinkId id_made_at(Timestamp time, std::uint16_t place, Random& random) {
    auto id = RawId::first_at(time);
    id.bytes[6] = static_cast<std::uint8_t>(place >> 8);
    id.bytes[7] = static_cast<std::uint8_t>(place & 0xff);
    random.fill(std::span(id.bytes).subspan(8));
    return LinkId(id);
}

Result<std::optional<TagId>> find_tag_named(Context& ctx, std::string_view name) {
    const auto entry = TRY(schema().tags.unique_name.find(ctx.view(), ctx.workspace.id, fold_case(name)));
    return entry ? TagId::from_bytes(*entry) : std::nullopt;
}

// What is wrong with tags by name. Their rows are looked at when they are set.
Result<void> check_tags(const Context& ctx, const std::vector<std::string>& names, Problems& problems) {
    if (names.empty())
        return {};
    TRY(admit_new_tags(ctx));
    if (names.size() > tags_per_link_max)
        problems.add(out_of_range("tags", "must have at most 50 items"));
    if (std::ranges::any_of(names,
                            [](const auto& name) { return count_code_points(name) > tag_name_length_max; }))
        problems.add(invalid_length("tags", 1, tag_name_length_max));
    return {};
}

Result<PreparedLink> prepare(Context& ctx, const ImportedLink& in) {
    auto problems = in.problems;
    TRY(check_tags(ctx, in.tags, problems));
    auto link = in.link;
    if (in.created_at > ctx.now)
        problems.add(out_of_range("createdAt", "must not lie in the future"));
    link.id = id_made_at(in.created_at, in.place, ctx.random);
    if (in.clicks < 0 || in.clicks > imported_clicks_max)
        problems.add(out_of_range("clicks", "must be 0 to 1,000,000,000,000"));
    return prepare_link(ctx, std::move(link), std::move(problems));
}

Result<void> attach_tags(Context& ctx, const ImportedLink& in, Link& link) {
    std::vector<TagId> ids;
    ids.reserve(in.tags.size());
    for (const auto& name : in.tags) {
        const auto found = TRY(find_tag_named(ctx, name));
        ids.push_back(found ? *found
                            : TRY(create_tag(ctx, {.name = name, .color = std::string(made_tag_color)})).id);
    }
    Problems problems;
    TRY(set_tags(ctx, link.tags, ids, problems));
    return problems.result("link");
}

Result<ImportOutcome> import_one(Context& ctx, const ImportedLink& in, EarlierClicks& clicks) {
    auto prepared = TRY(prepare(ctx, in));
    TRY(attach_tags(ctx, in, prepared.link));
    auto link = TRY(write_link(ctx, std::move(prepared)));
    if (in.clicks > 0)
        TRY(clicks.count(ctx.txn(), link, in.clicks));
    return ImportOutcome{.error = {}, .link = std::move(link)};
}

Result<ImportOutcome> check_one(Context& ctx, const ImportedLink& in) {
    return ImportOutcome{.error = {}, .link = TRY(prepare(ctx, in)).link};
}

Result<std::vector<ImportOutcome>> each(std::span<const ImportedLink> links, const auto& one) {
    std::vector<ImportOutcome> out;
    out.reserve(links.size());
    for (const auto& in : links) {
        auto outcome = one(in);
        if (outcome.has_value())
            out.push_back(*std::move(outcome));
        else if (is_about_one_link(outcome.error()))
            out.push_back({.error = std::move(outcome).error(), .link = {}});
        else
            return std::unexpected(std::move(outcome).error());
    }
    return out;
}

} // namespace

bool is_about_one_link(const Error& error) {
    return error.kind == ErrorKind::invalid || error.kind == ErrorKind::refused ||
           error.kind == ErrorKind::not_found;
}

Result<std::vector<ImportOutcome>> check_links(Context& ctx, std::span<const ImportedLink> links) {
    return each(links, [&](const auto& in) { return check_one(ctx, in); });
}

Result<std::vector<ImportOutcome>> import_links(Context& ctx, std::span<const ImportedLink> links) {
    EarlierClicks clicks;
    auto out = TRY(each(links, [&](const auto& in) { return import_one(ctx, in, clicks); }));
    TRY(clicks.write(ctx.txn()));
    const auto made = std::ranges::count_if(out, [](const auto& one) { return !one.error; });
    TRY(admit_made_links(ctx, made));
    return out;
}

Result<void> check_import_limits(Context& ctx, std::int64_t links, std::span<const std::string> tags) {
    const auto check = [&](Limit limit, std::int64_t more) -> Result<void> {
        if (more == 0 || !limit_of(ctx.plan, limit))
            return {};
        return check_more(ctx, limit, TRY(used_of(ctx.view(), ctx.payer.id, limit)), more);
    };
    std::int64_t missing = 0;
    for (const auto& name : tags)
        missing += TRY(find_tag_named(ctx, name)) ? 0 : 1;
    TRY(check(Limit::tags, missing));
    return check(Limit::links, links);
}

} // namespace slashpost
