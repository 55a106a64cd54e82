#include "storage/journal/lane.h"

#include "core/base/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <iterator>
#include <utility>

namespace slashpost::storage {

namespace {
// How long the writer waits after it could get no room before it asks again.
constexpr std::chrono::milliseconds retry_pause{250};
constexpr std::size_t read_at_once = std::size_t{64} << 10;

// False when `visit` wants no more.
Result<bool> read_segment(const Segment& segment, std::uint64_t begin, std::uint64_t past,
                          const data::Journal::VisitRecord& visit) {
    const auto slot_bytes = segment.header().slot_bytes();
    const auto at_once = std::max<std::uint64_t>(read_at_once / slot_bytes, 1);
    for (auto number = begin; number < past;) {
        const auto until = std::min(number + at_once, past);
        const auto slots = TRY(segment.slots(number, until));
        for (std::size_t at = 0; number < until; ++number, at += slot_bytes)
            if (!visit(data::BytesView(slots).substr(at, segment.header().record_bytes)))
                return false;
    }
    return true;
}
} // namespace

Result<Leftover> Lane::look_through(const Segments& found) const {
    Leftover left;
    for (std::size_t i = 0; i < found.size() && !left.is_torn(); ++i) {
        // A segment may have been left before it was full: when records changed their size.
        auto past = found[i]->past();
        if (i + 1 < found.size())
            past = std::min(past, found[i + 1]->first());
        left.add(found[i]->header(), past, TRY(found[i]->slots(found[i]->first(), past)));
        if (i + 1 < found.size() && past < found[i + 1]->first())
            break; // behind a gap there is nothing
    }
    return left;
}

// What is damaged becomes an empty record, which nobody takes for a click, so that what comes behind it
// stays.
Result<void> Lane::give_up_damaged(const Leftover& left, const Segments& found) const {
    for (const auto& segment : found) {
        const auto is_inside = [&](std::uint64_t number) {
            return segment->first() <= number && number < segment->past();
        };
        const auto count = std::ranges::count_if(left.damaged(), is_inside);
        if (count == 0)
            continue;
        if (!settings_.accepts_loss)
            return damaged_file(
                segment->path(),
                fmt::format("{} of its records are broken, and whole ones stand behind them", count),
                "those clicks");
        TRY(keep_damaged(segment->path(), settings_.notice));
        for (const auto number : left.damaged())
            if (is_inside(number) && !segment->write(number, data::Bytes(segment->header().record_bytes, 0)))
                return os_failure("cannot write", segment->path(), errno);
    }
    return {};
}

Result<void> Lane::recover(std::vector<std::shared_ptr<Segment>> found) {
    const auto left = TRY(look_through(found));
    TRY(give_up_damaged(left, found));
    const auto end = left.end();
    for (auto& segment : found) {
        // Behind the end lie a segment that was only prepared, or records whose predecessors a power cut
        // took.
        if (!segments_.empty() && segment->first() > end) {
            TRY(segment->remove());
            continue;
        }
        segments_.push_back(std::move(segment));
    }
    if (!segments_.empty())
        TRY(go_on_in_last(end));
    limit_ = end; // the first record finds out
    end_.store(end, std::memory_order_release);
    synced_ = 0;
    return {};
}

Result<void> Lane::go_on_in_last(std::uint64_t end) {
    const auto& last = segments_.back();
    const bool is_clean = end == last->past() || last->wipe_from(end).has_value();
    if (is_clean && last->header().record_bytes == settings_.record_bytes) {
        last->go_on();
        current_ = last.get();
    } else if (last->first() == end) { // empty, and of no use: its name is needed for the next one
        TRY(last->remove());
        segments_.pop_back();
    }
    return {};
}

bool Lane::append(data::BytesView record) noexcept {
    assert(record.size() == settings_.record_bytes);
    const auto number = end_.load(std::memory_order_relaxed);
    if (number == limit_ && !pass_limit(number)) [[unlikely]]
        return false;
    if (!current_->write(number, record)) [[unlikely]] {
        try_later(number);
        return false;
    }
    end_.store(number + 1, std::memory_order_release);
    return true;
}

bool Lane::pass_limit(std::uint64_t number) {
    const bool failed_before = retry_at_ != std::chrono::steady_clock::time_point{};
    if (failed_before && std::chrono::steady_clock::now() < retry_at_)
        return false;
    if ((!current_ || number == current_->past()) && !move_on(number)) {
        try_later(number);
        return false;
    }
    retry_at_ = {};
    const auto middle = current_->first() + current_->header().slots / 2;
    limit_ = number < middle ? middle : current_->past();
    settings_.call();
    return true;
}

// Comes to pass_limit again.
void Lane::try_later(std::uint64_t number) {
    limit_ = number;
    retry_at_ = std::chrono::steady_clock::now() + retry_pause;
}

bool Lane::move_on(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    if (!spare_) {
        auto made = make_segment(number);
        if (!made.has_value())
            return false;
        spare_ = std::move(*made);
    }
    assert(spare_->first() == number);
    current_ = spare_.get();
    segments_.push_back(std::move(spare_));
    spare_.reset();
    return true;
}

Result<std::shared_ptr<Segment>> Lane::make_segment(std::uint64_t first) {
    settings_.files_changed.store(true, std::memory_order_relaxed);
    const SegmentHeader header{
        .lane = number_, .first = first, .record_bytes = settings_.record_bytes, .slots = settings_.slots};
    auto made = Segment::create(settings_.folder, header);
    return made.has_value() ? std::move(made) : make_of_reserve(header);
}

Result<std::shared_ptr<Segment>> Lane::make_of_reserve(const SegmentHeader& header) {
    auto file = settings_.reserve.take();
    if (!file)
        return unavailable("the journal has no file in reserve");
    auto made = Segment::take_room(file, settings_.folder, header);
    if (!made.has_value())
        TRY(file->remove());
    return made;
}

void Lane::begin_writing() {
    has_writer_ = true;
    keep_up();
}

void Lane::keep_up() {
    const std::lock_guard lock(mutex_);
    make_spare();
}

// Makes the first segment, or the next when the last is half full. No room is no error here: the writer will
// ask again.
void Lane::make_spare() {
    if (!has_writer_ || spare_)
        return;
    auto first = end();
    if (!segments_.empty()) {
        const auto& last = segments_.back()->header();
        if (last.record_bytes != settings_.record_bytes || first < last.first + last.slots / 2)
            return;
        first = last.first + last.slots;
    }
    if (auto made = make_segment(first); made.has_value())
        spare_ = std::move(*made);
}

Lane::Segments Lane::segments() const {
    const std::lock_guard lock(mutex_);
    return segments_;
}

std::uint64_t Lane::begin() const {
    const std::lock_guard lock(mutex_);
    return segments_.empty() ? end() : segments_.front()->first();
}

Result<void> Lane::read(std::uint64_t from, const data::Journal::VisitRecord& visit) const {
    const auto until = end();
    if (from >= until)
        return {};
    const auto list = segments();
    for (std::size_t i = 0; i < list.size(); ++i) {
        // A segment may have been left before it was full: when records changed their size.
        const auto last = i + 1 < list.size() ? std::min(list[i + 1]->first(), until) : until;
        const auto begin = std::max(from, list[i]->first());
        if (begin < last && !TRY(read_segment(*list[i], begin, last, visit)))
            break;
    }
    return {};
}

Result<void> Lane::release(std::uint64_t position) {
    if (position > end())
        return restart_at(position);
    Segments gone;
    {
        const std::lock_guard lock(mutex_);
        auto keep = segments_.begin(); // the last one always stays: it tells where the lane ends
        while (segments_.end() - keep > 1 && keep[1]->first() <= position)
            ++keep;
        gone.assign(std::move_iterator(segments_.begin()), std::move_iterator(keep));
        segments_.erase(segments_.begin(), keep);
    }
    for (const auto& segment : gone) // oldest first, so that no gap can be left behind
        TRY(segment->remove());
    keep_up();
    return {};
}

// Leaves the lane without a segment; the first append makes one, and the reader's position tells the end
// until then. So this needs no room on the disk.
Result<void> Lane::restart_at(std::uint64_t position) {
    const std::lock_guard lock(mutex_);
    if (spare_)
        segments_.push_back(std::move(spare_));
    spare_.reset();
    current_ = nullptr;
    limit_ = position;
    end_.store(position, std::memory_order_release);
    for (const auto& segment : std::exchange(segments_, {}))
        TRY(segment->remove());
    return {};
}

Result<void> Lane::sync() {
    const std::lock_guard lock(sync_mutex_);
    const auto until = end();
    for (const auto& segment : segments())
        if (const auto from = std::max(segment->first(), synced_), past = std::min(segment->past(), until);
            from < past)
            TRY(segment->sync(from, past));
    synced_ = until;
    keep_up();
    return {};
}

} // namespace slashpost::storage
