#pragma once
// One lane of the journal: its segments in order, and the place where its one writer stands.
//
// Who may do what: `append` belongs to the writing thread; everything else is for any thread. The writer
// publishes a record by storing the new end (release); readers take the end first (acquire). The mutex
// guards the list of segments; the writer takes it only to move on to the next segment, which `keep_up` has
// usually prepared by then: the writer calls for it when it comes to the middle of one.
#include "storage/damage.h"
#include "storage/journal/leftover.h"
#include "storage/journal/reserve.h"
#include "storage/journal/segment.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <vector>

namespace slashpost::storage {

// What all lanes of a journal share. Set once, but for `files_changed`, `calls` and what is in the reserve.
struct LaneSettings {
    std::string folder;
    std::uint32_t record_bytes = 0;
    std::uint32_t slots = 0;   // of new segments
    bool accepts_loss = false; // see JournalOptions
    Notice notice;
    // Set when a file was made or removed: the folder itself must be synced, too.
    std::atomic<bool> files_changed = false;
    // Counts the calls of writers for `keep_up`; whoever does that waits on it.
    std::atomic<std::uint32_t> calls = 0;
    SegmentReserve reserve;

    void call() {
        calls.fetch_add(1);
        calls.notify_one();
    }
};

class Lane final : public data::JournalLane {
  public:
    Lane(LaneSettings& settings, std::uint32_t number) : settings_(settings), number_(number) {}

    ~Lane() override = default;
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    // Takes over what an earlier process left, `found` in order of their first records: finds the end of the
    // lane and removes what lies behind it. Before anything else. Fails, and changes nothing, when records
    // are damaged and no loss is accepted.
    Result<void> recover(std::vector<std::shared_ptr<Segment>> found);
    // From now on the lane has a writer, so that the next segment, the first one too, is prepared ahead.
    void begin_writing();

    bool append(data::BytesView record) noexcept override;

    [[nodiscard]] std::uint64_t begin() const;
    [[nodiscard]] std::uint64_t end() const { return end_.load(std::memory_order_acquire); }
    Result<void> read(std::uint64_t from, const data::Journal::VisitRecord& visit) const;
    Result<void> release(std::uint64_t position);
    Result<void> sync();
    // Does what the writer would have to do otherwise: makes the next segment when the last is half full, and
    // gives back the memory of the one that was left.
    void keep_up();

  private:
    using Segments = std::vector<std::shared_ptr<Segment>>;

    Result<Leftover> look_through(const Segments& found) const;
    Result<void> give_up_damaged(const Leftover& left, const Segments& found) const;
    Result<void> go_on_in_last(std::uint64_t end);
    bool pass_limit(std::uint64_t number);
    bool move_on(std::uint64_t number);
    void try_later(std::uint64_t number);
    Result<std::shared_ptr<Segment>> make_segment(std::uint64_t first);
    Result<std::shared_ptr<Segment>> make_of_reserve(const SegmentHeader& header);
    void make_spare();
    Result<void> restart_at(std::uint64_t position);
    [[nodiscard]] Segments segments() const;

    LaneSettings& settings_;
    const std::uint32_t number_;
    std::atomic<bool> has_writer_ = false;

    // Owned by the writer; nobody else touches them while it writes.
    Segment* current_ = nullptr; // among segments_; nothing when the next record needs a new segment
    std::uint64_t limit_ = 0;    // the number at current_'s middle, later that behind its last slot
    std::chrono::steady_clock::time_point retry_at_{};

    alignas(64) std::atomic<std::uint64_t> end_ = 0;

    alignas(64) mutable std::mutex mutex_;
    Segments segments_;              // guarded by mutex_; contiguous, oldest first
    std::shared_ptr<Segment> spare_; // guarded by mutex_; what comes behind segments_.back()
    std::uint64_t synced_ = 0;       // guarded by sync_mutex_; records below survive a power cut
    std::mutex sync_mutex_;
};

} // namespace slashpost::storage
