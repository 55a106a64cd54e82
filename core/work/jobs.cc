#include "core/work/jobs.h"

#include "core/schema/rollups.h"
#include "core/schema/schema.h"
#include "core/work/deliveries.h"
#include "core/work/detach.h"
#include "core/work/purge.h"
#include "core/work/reset_statistics.h"
#include "core/work/retire.h"

namespace slashpost {

namespace {

// The first job behind `after`, or else the first of all.
Result<std::optional<Job>> next_job(data::View& view, data::BytesView after) {
    std::optional<Job> found;
    const auto take_first = [&](const Job& job) -> Result<bool> {
        found = job;
        return false;
    };
    TRY(schema().jobs.each(view, take_first, after));
    if (!found && !after.empty())
        TRY(schema().jobs.each(view, take_first));
    return found;
}

constexpr std::size_t figures_batch_max = 1000;

// True when no statistics of these subjects are left.
Result<bool> purge_figures(SystemContext& system, const data::Bytes& subjects) {
    return TRY(erase_figures(system.txn, subjects, figures_batch_max)) < figures_batch_max;
}

// One bounded batch; true when nothing is left to do.
Result<bool> work_on(SystemContext& system, const Job& job) {
    switch (job.kind) {
    case JobKind::detach_tag:
        return TRY(take_tag_off_links(system, job.workspace, TagId(job.subject))) &&
               TRY(purge_figures(system, Subject::of(TagId(job.subject)).prefix));
    case JobKind::detach_script:
        return take_script_off_links(system, ScriptId(job.subject));
    case JobKind::purge_workspace:
        return purge_workspace(system, job);
    case JobKind::purge_domain:
        return purge_figures(system, subjects_of(DomainId(job.subject)));
    case JobKind::retire_links:
        return retire_links(system, job);
    case JobKind::purge_webhook:
        return !TRY(erase_deliveries(system.txn, WebhookId(job.subject)));
    case JobKind::reset_statistics:
        return erase_old_statistics(system, job);
    }
    return fault("a job of a kind that this program does not know");
}

} // namespace

Result<void> enqueue_job(data::Txn& txn, const Job& job) { return schema().jobs.insert(txn, job); }

Result<bool> JobRunner::run_batch() {
    data::Bytes turn;
    auto done = service_.run_as_operator([&](SystemContext& system) -> Result<bool> {
        const auto next = TRY(next_job(system.txn, after_));
        turn = next ? Job::primary_of(*next) : data::Bytes();
        if (!next)
            return false;
        const auto job = TRY(schema().jobs.find(system.txn, turn)); // tracked, unlike the scan
        if (job && TRY(work_on(system, *job)))
            TRY(schema().jobs.remove(system.txn, *job));
        return true;
    });
    after_ = std::move(turn);
    return done;
}

} // namespace slashpost
