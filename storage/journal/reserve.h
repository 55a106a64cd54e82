#pragma once
// Files with all their room that are kept for when the disk has none: segments are made of them then, so
// clicks can be kept for a while although nothing else can be written.
#include "storage/journal/segment.h"

#include <mutex>
#include <string>
#include <vector>

namespace slashpost::storage {

// Whether it is the name of such a file.
bool is_of_reserve(std::string_view name);

// Safe to use from any thread.
class SegmentReserve {
  public:
    // To be called once, before anything else. The files are of the size that `header` says, and at most
    // `files_max`.
    void set(std::string folder, const SegmentHeader& header, std::size_t files_max);
    // Takes over what an earlier process left; a file of another size is removed.
    Result<void> take_over(const std::string& name);
    // Makes some of the files that are lacking, while the disk has four times as much to give. True when it
    // made any.
    bool refill();
    // For Segment::take_room; nothing when there is none.
    std::shared_ptr<Segment> take();

  private:
    std::string folder_;
    SegmentHeader header_;
    std::size_t files_max_ = 0;
    std::mutex mutex_;
    std::vector<std::string> files_; // guarded by mutex_; their names
    std::uint32_t number_ = 0;       // guarded by mutex_; of the next file
};

} // namespace slashpost::storage
