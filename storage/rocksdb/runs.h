#pragma once
// Sorting more than memory holds. A buffer takes records until it is full, and appends them to a file as one
// sorted *run*; a merge reads a range of places out of all runs in their order.
//
//   record   length of the place (4) | length of the value (4) | pattern, 128 more for an erasure (1)
//            | place | value
//   place    number of the family, big-endian (2) | key        so records sort by family, then by key
//
// Lengths are in the machine's byte order, for the file does not outlive the process.
#include "core/data/engine.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace slashpost::storage {

struct Record {
    static constexpr std::size_t head_bytes = 9;
    data::Pattern pattern;
    data::BytesView place, value;
    bool erases = false;

    static Record at(const char* bytes);
    [[nodiscard]] std::size_t bytes() const { return head_bytes + place.size() + value.size(); }
    [[nodiscard]] std::uint32_t family() const;
    [[nodiscard]] data::BytesView key() const { return place.substr(2); }
};

// The runs, in a file without a name, which goes with the object. Any thread may append.
class RunFile {
  public:
    // The beginning of a part of a run that is read at once.
    struct Mark {
        data::Bytes place;
        std::uint64_t offset = 0;
    };
    struct Run {
        std::vector<Mark> marks;
        std::uint64_t end = 0;
    };

    // Makes it in `folder`.
    static Result<std::unique_ptr<RunFile>> make(const std::string& folder);
    ~RunFile();
    RunFile(const RunFile&) = delete;
    RunFile& operator=(const RunFile&) = delete;

    // Records as a buffer has them, in order; `bytes` altogether.
    Result<void> append(const std::vector<const char*>& records, std::size_t bytes);
    // Appends what stands from `offset` on to `out`.
    Result<void> read(std::uint64_t offset, std::size_t bytes, data::Bytes& out) const;

    // When nobody appends any more:
    [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }
    // Places that cut the whole into ranges of about `bytes`, from the first place to behind the last ("").
    [[nodiscard]] std::vector<data::Bytes> cuts(std::uint64_t bytes) const;

  private:
    RunFile(int descriptor, std::string folder) : descriptor_(descriptor), folder_(std::move(folder)) {}
    Result<void> write(data::BytesView bytes, std::uint64_t offset);

    const int descriptor_;
    const std::string folder_; // for messages
    std::atomic<std::uint64_t> end_ = 0;
    std::mutex mutex_;
    std::vector<Run> runs_; // guarded by mutex_
};

// For one thread at a time.
class SortBuffer {
  public:
    SortBuffer(RunFile& file, std::size_t capacity);

    Result<void> add(data::Pattern pattern, std::uint32_t family, data::BytesView key, data::BytesView value);
    Result<void> add_erasure(data::Pattern pattern, std::uint32_t family, data::BytesView key);
    // The same for a tally; those of one key become one record.
    Result<void> add_sum(std::uint32_t family, data::BytesView key, std::int64_t delta);
    // Appends what it holds to the file.
    Result<void> empty();

  private:
    // Makes room for a record of that size.
    Result<void> make_room(std::size_t bytes);
    Record append(std::uint8_t kind, std::uint32_t family, data::BytesView key, data::BytesView value);

    RunFile& file_;
    const std::size_t capacity_;
    const std::unique_ptr<char[]> memory_;
    std::size_t used_ = 0;
    std::vector<const char*> records_;
    boost::unordered_flat_map<data::BytesView, char*> sums_; // by key: where the sum stands
};

// The records with from <= place < until (or without an end, if that is empty). Of equal places those of an
// earlier run come first, and within a run those that were added earlier.
class RunMerge {
  public:
    RunMerge(const RunFile& file, data::Bytes from, data::Bytes until);
    ~RunMerge();
    RunMerge(const RunMerge&) = delete;
    RunMerge& operator=(const RunMerge&) = delete;

    // The next record, valid until the next call; nothing at the end.
    Result<std::optional<Record>> next();

  private:
    class Cursor;
    Result<void> open(const RunFile& file);
    // Whether the cursor stands within the range after a step.
    Result<bool> step(Cursor& cursor) const;

    const RunFile& file_;
    const data::Bytes from_, until_;
    bool opened_ = false;
    std::vector<std::unique_ptr<Cursor>> cursors_;
    std::vector<Cursor*> waiting_; // a heap, the first place on top
    Cursor* current_ = nullptr;
};

} // namespace slashpost::storage
