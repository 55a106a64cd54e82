#include "core/ops/tags.h"

#include "core/access/limits.h"
#include "core/base/text.h"
#include "core/ops/field_rules.h"
#include "core/ops/row_lists.h"
#include "core/schema/rollups.h"
#include "core/schema/schema.h"
#include "core/work/jobs.h"

namespace slashpost {

namespace {

constexpr std::array<std::string_view, 2> tag_order_names{"name", "createdAt"};

const TagTable& tags() { return schema().tags; }

std::array<ListOrder<Tag>, 2> orders() {
    return {{{tag_order_names[0], &tags().by_name}, {tag_order_names[1], &tags().by_created}}};
}

// Told apart well, and dark enough for white letters.
constexpr std::array<std::string_view, 12> colors{"b3261e", "a8480c", "8a5a00", "5f6b00", "2e7d32", "00796b",
                                                  "00708f", "1565c0", "3f51b5", "6a3fb5", "9c27a0", "b0215a"};

// The same for the same name, whatever its case, on every machine.
std::string_view color_for(std::string_view name) {
    std::uint32_t hash = 2'166'136'261; // FNV-1a
    for (const char c : fold_case(name))
        hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619;
    return colors[hash % colors.size()];
}

Result<void> check_name(Context& ctx, const Tag& tag, Problems& problems) {
    const auto taken = TRY(tags().unique_name.find(ctx.view(), ctx.workspace.id, fold_case(tag.name)));
    if (taken && *taken != tag.id.view())
        problems.add(already_exists("name"));
    return {};
}

class Test {
  public:
    explicit Test(const TagFilter& filter) : term_(filter.term), active_(filter.active) {}
    bool operator()(const Tag& tag) const {
        return (!active_ || tag.active == *active_) && term_.in(tag.name);
    }

  private:
    FoldedTerm term_;
    std::optional<bool> active_;
};

} // namespace

Result<Tag> create_tag(Context& ctx, const NewTag& in, Problems problems) {
    const auto id = ctx.ids.next<TagId>();
    Tag tag{.id = id,
            .workspace = ctx.workspace.id,
            .name = in.name,
            .color = stored_color(in.color.empty() ? color_for(in.name) : in.color),
            .created_at = id.made_at(),
            .updated_at = id.made_at(),
            .unknown = {}};
    if (!tag.name.empty())
        TRY(check_name(ctx, tag, problems));
    TRY(problems.result("tag"));
    TRY(admit_more(ctx, Limit::tags));
    TRY(tags().insert(ctx.txn(), tag));
    return tag;
}

Result<Tag> update_tag(Context& ctx, const Tag& tag, const TagChange& change, Problems problems) {
    auto changed = tag;
    if (change.name.is_set()) {
        changed.name = change.name.value();
        TRY(check_name(ctx, changed, problems));
    }
    if (change.color.is_set())
        changed.color = stored_color(change.color.value());
    TRY(problems.result("tag"));
    changed.updated_at = ctx.now;
    TRY(tags().update(ctx.txn(), tag, changed));
    return changed;
}

Result<Tag> delete_tag(Context& ctx, const Tag& tag) {
    TRY(keep_place(ctx.txn(), tags(), tag, ctx.now));
    TRY(tags().remove(ctx.txn(), tag));
    TRY(enqueue_job(ctx.txn(), {.id = ctx.ids.next<JobId>(),
                                .kind = JobKind::detach_tag,
                                .workspace = tag.workspace,
                                .subject = tag.id,
                                .created_at = ctx.now,
                                .unknown = {}}));
    return tag;
}

std::span<const std::string_view> tag_orders() { return tag_order_names; }

Result<std::vector<Tag>> list_tags(Context& ctx, const TagFilter& filter, const PageRequest& page,
                                   Problems problems) {
    const auto& index = read_list_order<Tag>(orders(), page.order_by, problems);
    const auto last = TRY(read_last(ctx, tags(), page.last, problems));
    TRY(problems.result("tag"));
    return list_rows(ctx.view(), tags(), index, key(ctx.workspace.id), page, last, Test(filter));
}

namespace {

Result<TagDetails> describe(Context& ctx, RollupReader& rollups, Tag tag) {
    const auto subject = Subject::of(tag.id);
    const auto counts = TRY(rollups.lifetime(subject));
    const auto last_click_at = TRY(last_click_of(ctx.view(), subject));
    return TagDetails{.tag = std::move(tag),
                      .clicks = counts.sum(group::clicks),
                      .sessions = counts.sum(group::sessions),
                      .last_click_at = last_click_at};
}

} // namespace

Result<TagDetails> describe_tag(Context& ctx, Tag tag) {
    RollupReader rollups(ctx.view());
    return describe(ctx, rollups, std::move(tag));
}

Result<std::vector<TagDetails>> describe_tags(Context& ctx, std::vector<Tag> tags) {
    RollupReader rollups(ctx.view());
    std::vector<TagDetails> out;
    out.reserve(tags.size());
    for (auto& tag : tags)
        out.push_back(TRY(describe(ctx, rollups, std::move(tag))));
    return out;
}

Result<std::int64_t> count_tags(Context& ctx, const TagFilter& filter, const Problems& problems) {
    TRY(problems.result("tag"));
    if (!filter.term.empty())
        return count_rows(ctx.view(), tags(), tags().by_created, key(ctx.workspace.id), Test(filter));
    return filter.active ? tags().per_workspace.count(ctx.view(), ctx.workspace.id, *filter.active)
                         : tags().per_workspace.count(ctx.view(), ctx.workspace.id);
}

} // namespace slashpost
