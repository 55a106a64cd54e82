#include "core/clicks/click_aggregator.h"

#include "core/base/guarded.h"
#include "core/base/pause.h"

namespace slashpost::redirect {

Result<void> ClickAggregator::start() {
    TRY(begin_folding(engine_, journal_, options_.first_lane));
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

ClickAggregator::Figures ClickAggregator::figures() const {
    const auto waiting = clicks_.waiting().value_or(0);
    const std::chrono::duration<double> since = Time::now() - all_folded_at_.load();
    constexpr double us_per_second = 1e6;
    return {.folded = folded_,
            .waiting = waiting,
            .waiting_seconds = waiting == 0 ? 0 : since.count(),
            .failures = failures_,
            .rounds = rounds_,
            .seconds = static_cast<double>(rounds_us_) / us_per_second};
}

Result<FoldReport> ClickAggregator::fold_now() {
    const std::lock_guard alone(folding_);
    const auto begun = Time::now();
    const auto report = TRY(clicks_.fold());
    const auto took = Time::now() - begun;
    ++rounds_;
    rounds_us_ +=
        static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(took).count());
    folded_ += report.clicks;
    all_folded_at_ = begun;
    if (report.clicks < ClickBatch::visits_max)
        clicks_.give_back();
    return report;
}

Result<void> ClickAggregator::take_turn() {
    TRY(journal_.sync());
    TRY(fold_now());
    return {};
}

void ClickAggregator::run(const std::stop_token& stopping) {
    options_.begin_thread();
    for (; !stopping.stop_requested(); pause(stopping, options_.fold_every))
        note(guarded([this] { return take_turn(); }));
}

void ClickAggregator::note(const Result<void>& outcome) {
    failures_ += outcome.has_value() ? 0 : 1;
    if (!outcome.has_value() && !in_trouble_)
        options_.on_trouble(outcome.error());
    in_trouble_ = !outcome.has_value();
}

} // namespace slashpost::redirect
