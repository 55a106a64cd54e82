#include "app/admin/meter.h"

#include <algorithm>

namespace slashpost::admin {

namespace {

constexpr std::uint64_t entries_between_marks = 256;

bool contains(const data::Range& range, data::BytesView key) {
    return key >= range.from && (range.until.empty() || key < range.until);
}

} // namespace

Meter::Meter(data::Engine& engine, std::vector<Pass> passes)
    : engine_(dynamic_cast<data::Measured*>(&engine)),
      passes_(std::move(passes)) {
    for (const auto& pass : passes_) {
        std::uint64_t bytes = 0;
        for (const auto& walk : pass)
            bytes += bytes_of(walk);
        bytes_.push_back(bytes);
        total_ += static_cast<double>(bytes);
    }
    if (!passes_.empty())
        reached_.resize(passes_.front().size());
}

std::uint64_t Meter::bytes_of(const Walk& walk) const {
    return engine_ == nullptr ? 0 : engine_->bytes_about(walk.space, walk.range);
}

void Meter::next() {
    const std::scoped_lock lock(mutex_);
    pass_ = std::min(pass_ + 1, passes_.size());
    part_ = 0;
    reached_.clear();
    if (pass_ < passes_.size())
        reached_.resize(passes_[pass_].size());
}

void Meter::at(double fraction) {
    const std::scoped_lock lock(mutex_);
    part_ = fraction;
}

void Meter::at(const data::Space& space, data::BytesView key) {
    const std::scoped_lock lock(mutex_);
    for (std::size_t i = 0; i < reached_.size(); ++i) {
        const auto& walk = passes_[pass_][i];
        if (walk.space.number == space.number && contains(walk.range, key) &&
            key > reached_[i]) // a scan may begin again
            reached_[i] = key;
    }
}

std::optional<double> Meter::fraction() {
    const std::scoped_lock lock(mutex_);
    if (total_ <= 0)
        return std::nullopt;
    double done = 0;
    for (std::size_t i = 0; i < pass_; ++i)
        done += static_cast<double>(bytes_[i]);
    if (pass_ < passes_.size())
        done += part_ * static_cast<double>(bytes_[pass_]);
    for (std::size_t i = 0; i < reached_.size(); ++i) {
        const auto& walk = passes_[pass_][i];
        if (!reached_[i].empty())
            done += static_cast<double>(
                bytes_of({.space = walk.space, .range = {.from = walk.range.from, .until = reached_[i]}}));
    }
    last_ = std::max(last_, std::min(done / total_, 1.0)); // estimates of what is left may grow
    return last_;
}

Result<void> MeteredView::saw(const data::Space& space, data::BytesView key) {
    if (++seen_ % entries_between_marks == 0)
        meter_.at(space, key);
    return progress_ != nullptr ? progress_->step() : Result<void>();
}

Result<void> MeteredView::scan(const data::Space& space, const data::Range& range, data::Order order,
                               const data::Visit& visit) {
    Result<void> outcome;
    TRY(inner_.scan(space, range, order, [&](data::BytesView key, data::BytesView value) {
        outcome = saw(space, key);
        return outcome.has_value() && visit(key, value);
    }));
    return outcome;
}

} // namespace slashpost::admin
