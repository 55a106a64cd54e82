#include "core/work/jobs.h"

#include "core/schema/rollups.h"
#include "core/schema/schema.h"
#include "core/work/detach.h"
#include "core/work/purge.h"
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
Result<bool> purge_figures(Desk& desk, const data::Bytes& subjects) {
    return TRY(erase_figures(desk.txn, subjects, figures_batch_max)) < figures_batch_max;
}

// One bounded batch; true when nothing is left to do.
Result<bool> work_on(Desk& desk, const Job& job) {
    switch (job.kind) {
    case JobKind::detach_tag:
        return TRY(take_tag_off_links(desk, job.workspace, TagId(job.subject))) &&
               TRY(purge_figures(desk, Subject::of(TagId(job.subject)).prefix));
    case JobKind::detach_script:
        return take_script_off_links(desk, ScriptId(job.subject));
    case JobKind::purge_workspace:
        return purge_workspace(desk, job);
    case JobKind::purge_domain:
        return purge_figures(desk, subjects_of(DomainId(job.subject)));
    case JobKind::retire_links:
        return retire_links(desk, job);
    }
    return fault("a job of a kind that this program does not know");
}

} // namespace

Result<void> enqueue_job(data::Txn& txn, const Job& job) { return schema().jobs.insert(txn, job); }

Result<bool> JobRunner::run_batch() {
    data::Bytes turn;
    auto done = service_.run_as_operator([&](Desk& desk) -> Result<bool> {
        const auto next = TRY(next_job(desk.txn, after_));
        turn = next ? Job::primary_of(*next) : data::Bytes();
        if (!next)
            return false;
        const auto job = TRY(schema().jobs.find(desk.txn, turn)); // tracked, unlike the scan
        if (job && TRY(work_on(desk, *job)))
            TRY(schema().jobs.remove(desk.txn, *job));
        return true;
    });
    after_ = std::move(turn);
    return done;
}

} // namespace slashpost
