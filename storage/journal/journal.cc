#include "storage/journal/journal.h"

#include "core/base/errors.h"
#include "storage/journal/lane.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <thread>

namespace slashpost::storage {

namespace {

namespace fs = std::filesystem;

class FileJournal final : public data::Journal {
  public:
    ~FileJournal() override {
        end_thread();
        if (folder_ >= 0)
            ::close(folder_); // lets go of the lock
    }
    Result<void> open(const JournalOptions& options);

    [[nodiscard]] std::size_t record_bytes() const override { return settings_.record_bytes; }
    [[nodiscard]] std::uint32_t lane_count() const override {
        const std::lock_guard lock(mutex_);
        return static_cast<std::uint32_t>(lanes_.size());
    }
    Result<data::JournalLane*> lane(std::uint32_t number) override;
    [[nodiscard]] std::uint64_t begin(std::uint32_t lane) const override {
        const auto* found = find(lane);
        return found ? found->begin() : 0;
    }
    [[nodiscard]] std::uint64_t end(std::uint32_t lane) const override {
        const auto* found = find(lane);
        return found ? found->end() : 0;
    }
    Result<void> read(std::uint32_t lane, std::uint64_t from, const VisitRecord& visit) override {
        const auto* found = find(lane);
        return found ? found->read(from, visit) : Result<void>();
    }
    Result<void> release(std::uint32_t lane, std::uint64_t position) override {
        return TRY(find_or_make(lane))->release(position);
    }
    Result<void> sync() override;

  private:
    void keep_up(const std::stop_token& stopping);
    void end_thread();
    Result<void> lock_folder();
    Result<void> recover();
    [[nodiscard]] Result<std::optional<SegmentHeader>> read_header(const std::string& name) const;
    Result<Lane*> find_or_make(std::uint32_t number);
    [[nodiscard]] Lane* find(std::uint32_t number) const {
        const std::lock_guard lock(mutex_);
        return number < lanes_.size() ? lanes_[number].get() : nullptr;
    }

    LaneSettings settings_;
    int folder_ = -1;
    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<Lane>> lanes_; // guarded by mutex_; a lane stays until the end
    std::jthread thread_;
};

Result<void> FileJournal::open(const JournalOptions& options) {
    settings_.folder = options.folder;
    settings_.record_bytes = static_cast<std::uint32_t>(options.record_bytes);
    settings_.accepts_loss = options.accepts_loss;
    settings_.notice = options.notice;
    const auto slot_bytes = options.record_bytes + slot_checksum_bytes;
    const auto room = std::max(options.segment_bytes, segment_header_bytes) - segment_header_bytes;
    settings_.slots = static_cast<std::uint32_t>(std::max<std::size_t>(room / slot_bytes, 1));

    std::error_code error;
    fs::create_directories(options.folder, error);
    if (error)
        return os_failure("cannot make", options.folder, error.value());
    settings_.reserve.set(
        options.folder,
        {.lane = 0, .first = 0, .record_bytes = settings_.record_bytes, .slots = settings_.slots},
        options.files_in_reserve);
    TRY(lock_folder());
    TRY(recover());
    if (options.has_thread) {
        thread_ = std::jthread([this](const std::stop_token& stopping) { keep_up(stopping); });
        ::pthread_setname_np(thread_.native_handle(), "journal");
    }
    return {};
}

void FileJournal::keep_up(const std::stop_token& stopping) {
    for (std::uint32_t seen = 0; !stopping.stop_requested();) {
        settings_.calls.wait(seen);
        seen = settings_.calls;
        for (std::uint32_t number = 0; number < lane_count(); ++number)
            find(number)->keep_up();
    }
}

void FileJournal::end_thread() {
    thread_.request_stop();
    settings_.call();
    if (thread_.joinable())
        thread_.join();
}

Result<void> FileJournal::lock_folder() {
    folder_ = ::open(settings_.folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder_ < 0)
        return os_failure("cannot open", settings_.folder, errno);
    if (::flock(folder_, LOCK_EX | LOCK_NB) != 0)
        return unavailable(fmt::format("{} is in use by another process", settings_.folder));
    return {};
}

// Of a damaged one everything but the records' size is in the file's name, and that has been ours since this
// file was made, most likely; if not, its records are as broken as they look.
Result<std::optional<SegmentHeader>> FileJournal::read_header(const std::string& name) const {
    const auto path = settings_.folder + "/" + name;
    auto header = read_segment_header(path);
    if (header.has_value() || header.error().code != "StoreDamaged" || !settings_.accepts_loss)
        return header;
    TRY(keep_damaged(path, settings_.notice));
    auto made = *parse_segment_name(name);
    made.record_bytes = settings_.record_bytes;
    made.slots = settings_.slots;
    TRY(write_segment_header(path, made));
    return made;
}

Result<void> FileJournal::recover() {
    std::map<std::string, std::optional<SegmentHeader>> headers; // by name: by lane, then by first record
    std::vector<std::string> aside;
    std::error_code error;
    for (fs::directory_iterator file(settings_.folder, error), end; !error && file != end;
         file.increment(error))
        if (const auto name = file->path().filename().string(); parse_segment_name(name))
            headers.emplace(name, TRY(read_header(name)));
        else if (is_aside(name))
            aside.push_back(name);
        else if (is_of_reserve(name))
            TRY(settings_.reserve.take_over(name));
    if (error)
        return os_failure("cannot list", settings_.folder, error.value());
    for (const auto& name : aside) // of a build that wrote to its files again
        fs::remove(settings_.folder + "/" + name, error);

    std::map<std::uint32_t, std::vector<std::shared_ptr<Segment>>> found;
    for (const auto& [name, header] : headers) {
        if (header)
            found[header->lane].push_back(TRY(Segment::open(settings_.folder, *header)));
        else
            fs::remove(settings_.folder + "/" + name, error);
    }
    for (auto& [number, segments] : found)
        TRY(TRY(find_or_make(number))->recover(std::move(segments)));
    return {};
}

Result<Lane*> FileJournal::find_or_make(std::uint32_t number) {
    if (number >= journal_lanes_max)
        return fault(fmt::format("journal lane {} is beyond the last one possible", number));
    const std::lock_guard lock(mutex_);
    while (lanes_.size() <= number)
        lanes_.push_back(std::make_unique<Lane>(settings_, static_cast<std::uint32_t>(lanes_.size())));
    return lanes_[number].get();
}

Result<data::JournalLane*> FileJournal::lane(std::uint32_t number) {
    auto* const lane = TRY(find_or_make(number));
    lane->begin_writing();
    return static_cast<data::JournalLane*>(lane);
}

Result<void> FileJournal::sync() {
    for (std::uint32_t number = 0; number < lane_count(); ++number)
        TRY(find(number)->sync());
    if (settings_.reserve.refill())
        settings_.files_changed = true;
    if (settings_.files_changed.exchange(false) && ::fsync(folder_) != 0) {
        settings_.files_changed = true;
        return os_failure("cannot sync", settings_.folder, errno);
    }
    return {};
}

} // namespace

Result<std::unique_ptr<data::Journal>> open_journal(const JournalOptions& options) {
    auto journal = std::make_unique<FileJournal>();
    TRY(journal->open(options));
    return std::unique_ptr<data::Journal>(std::move(journal));
}

} // namespace slashpost::storage
