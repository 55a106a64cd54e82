#include "core/clicks/click_aggregator.h"

#include "core/base/guarded.h"
#include "core/base/pause.h"

namespace slashpost::redirect {

namespace {

std::int64_t steady_ms() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

} // namespace

Result<void> ClickAggregator::start() {
    TRY(align_readers(engine_, journal_));
    thread_ = std::jthread([this](const std::stop_token& stopping) { run(stopping); });
    return {};
}

Result<void> ClickAggregator::stop() {
    if (!thread_.joinable())
        return {};
    thread_.request_stop();
    thread_.join();
    TRY(fold_now());
    return journal_.sync();
}

Result<FoldReport> ClickAggregator::fold_now() { return fold_both(); }

ClickAggregator::Figures ClickAggregator::figures() const {
    const auto waiting = rollups_.waiting();
    return {.folded = folded_,
            .rolled_up = rolled_up_,
            .waiting = waiting.has_value() ? *waiting : 0,
            .failures = failures_};
}

Result<FoldReport> ClickAggregator::fold() {
    const std::lock_guard alone(folding_);
    auto report = TRY(fold_clicks(engine_, journal_));
    folded_ += report.clicks;
    return report;
}

Result<FoldReport> ClickAggregator::fold_both() {
    const std::lock_guard alone(folding_);
    const auto before = rolled_up_.load();
    rolled_up_ += TRY(rollups_.fold(RollupFold::Upto::totals)).clicks;
    auto report = TRY(fold_together(RollupFold::Extent::all));
    if (!report) {
        report = TRY(fold_clicks(engine_, journal_));
        folded_ += report->clicks;
        rolled_up_ += TRY(rollups_.fold(RollupFold::Upto::totals)).clicks;
    }
    if (rolled_up_ - before < RollupBatch::visits_max)
        rollups_.give_back();
    return *report;
}

Result<void> ClickAggregator::fold_full_batches() {
    const std::lock_guard alone(folding_);
    TRY(fold_together(RollupFold::Extent::full_batches));
    return {};
}

Result<std::optional<FoldReport>> ClickAggregator::fold_together(RollupFold::Extent extent) {
    const auto report = TRY(rollups_.fold_with_totals(extent));
    if (report) {
        folded_ += report->clicks;
        rolled_up_ += report->clicks;
    }
    return report;
}

// Between two looks of a poller that asks every few seconds nothing is gained by folding seldom.
bool ClickAggregator::is_looked_at(std::int64_t now_ms) const {
    return now_ms - looked_at_ms_ < 3 * options_.fold_every.count();
}

void ClickAggregator::before_reading() {
    const auto now = steady_ms();
    if (!is_looked_at(now))
        (void)fold();    // a failure is told of by the thread, which tries again
    looked_at_ms_ = now; // not before: who comes meanwhile has to wait, too
}

Result<void> ClickAggregator::take_turn() {
    if (std::chrono::steady_clock::now() >= roll_up_at_) {
        TRY(fold_both());
        roll_up_at_ = std::chrono::steady_clock::now() + options_.rollup_every;
    } else if (is_looked_at(steady_ms())) {
        TRY(fold());
    } else {
        TRY(fold_full_batches());
    }
    return {};
}

void ClickAggregator::run(const std::stop_token& stopping) {
    options_.begin_thread();
    using Time = std::chrono::steady_clock;
    auto sync_at = Time::now() + options_.sync_every;
    for (; !stopping.stop_requested(); pause(stopping, options_.fold_every)) {
        const auto round = [&]() -> Result<void> {
            TRY(take_turn());
            if (Time::now() >= sync_at) {
                sync_at = Time::now() + options_.sync_every;
                TRY(journal_.sync());
            }
            return {};
        };
        note(guarded(round));
    }
}

void ClickAggregator::note(const Result<void>& outcome) {
    failures_ += outcome.has_value() ? 0 : 1;
    if (!outcome.has_value() && !in_trouble_)
        options_.on_trouble(outcome.error());
    in_trouble_ = !outcome.has_value();
}

} // namespace slashpost::redirect
