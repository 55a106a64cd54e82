#include "core/ops/scripts.h"

#include "core/access/limits.h"
#include "core/base/html.h"
#include "core/base/text.h"
#include "core/ops/field_rules.h"
#include "core/ops/link_labels.h"
#include "core/ops/row_lists.h"
#include "core/redirect/pages.h"
#include "core/schema/schema.h"
#include "core/work/jobs.h"

#include <fmt/format.h>

namespace slashpost {

namespace {

constexpr std::array<std::string_view, 2> script_order_names{"name", "createdAt"};

const ScriptTable& scripts() { return schema().scripts; }

std::array<ListOrder<Script>, 2> orders() {
    return {{{script_order_names[0], &scripts().by_name}, {script_order_names[1], &scripts().by_created}}};
}

void check_size(const Script& script, Problems& problems) {
    if (html_size(script.value) > redirect::script_page_bytes_max)
        problems.add(out_of_range(
            "value",
            fmt::format("must take at most {} bytes in a page, where &, <, > and \" take 4 to 6 each",
                        redirect::script_page_bytes_max)));
}

} // namespace

Result<Script> create_script(Context& ctx, NewScript in, Problems problems) {
    const auto id = ctx.ids.next<ScriptId>();
    Script script{.id = id,
                  .workspace = ctx.workspace.id,
                  .name = std::move(in.name),
                  .value = std::move(in.value),
                  .uri = std::move(in.uri),
                  .created_at = id.made_at(),
                  .updated_at = id.made_at(),
                  .unknown = {}};
    normalise_script(script, problems);
    check_size(script, problems);
    TRY(problems.result("script"));
    TRY(admit_more(ctx, Limit::scripts));
    TRY(scripts().insert(ctx.txn(), script));
    return script;
}

Result<Script> update_script(Context& ctx, const Script& script, const ScriptChange& change,
                             Problems problems) {
    auto changed = script;
    if (change.name.is_set())
        changed.name = change.name.value();
    change.value.apply_to(changed.value);
    change.uri.apply_to(changed.uri);
    if (changed.value != script.value || changed.uri != script.uri || !problems.none())
        normalise_script(changed, problems);
    if (changed.value != script.value) // one of before may be longer
        check_size(changed, problems);
    TRY(problems.result("script"));
    changed.updated_at = ctx.now;
    TRY(scripts().update(ctx.txn(), script, changed));
    return changed;
}

Result<Script> delete_script(Context& ctx, const Script& script) {
    auto trace = script;
    trace.value.clear();
    TRY(keep_place(ctx.txn(), scripts(), trace, ctx.now));
    TRY(scripts().remove(ctx.txn(), script));
    TRY(enqueue_job(ctx.txn(), {.id = ctx.ids.next<JobId>(),
                                .kind = JobKind::detach_script,
                                .workspace = script.workspace,
                                .subject = script.id,
                                .created_at = ctx.now,
                                .unknown = {}}));
    return script;
}

std::span<const std::string_view> script_orders() { return script_order_names; }

Result<std::vector<Script>> list_scripts(Context& ctx, const ScriptFilter& filter, const PageRequest& page,
                                         Problems problems) {
    const auto& index = read_list_order<Script>(orders(), page.order_by, problems);
    const auto last = TRY(read_last(ctx, scripts(), page.last, problems));
    TRY(problems.result("script"));
    const FoldedTerm term(filter.term);
    return list_rows(ctx.view(), scripts(), index, key(ctx.workspace.id), page, last,
                     [&](const Script& script) { return term.in(script.name); });
}

Result<std::int64_t> count_scripts(Context& ctx, const ScriptFilter& filter, const Problems& problems) {
    TRY(problems.result("script"));
    if (filter.term.empty())
        return scripts().per_workspace.count(ctx.view(), ctx.workspace.id);
    const FoldedTerm term(filter.term);
    return count_rows(ctx.view(), scripts(), scripts().by_created, key(ctx.workspace.id),
                      [&](const Script& script) { return term.in(script.name); });
}

Result<std::vector<Script>> list_link_scripts(Context& ctx, const Link& link, const PageRequest& page,
                                              Problems problems) {
    const auto& index = read_list_order<Script>(orders(), page.order_by, problems);
    const auto last = TRY(read_last(ctx, scripts(), page.last, problems));
    TRY(problems.result("script"));
    return page_of(
        TRY(scripts_of_link(ctx, link)), [&](const Script& script) { return index.position(script); }, page,
        last ? index.position(*last) : data::Bytes());
}

} // namespace slashpost
