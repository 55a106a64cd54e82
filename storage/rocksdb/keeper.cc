#include "storage/rocksdb/keeper.h"

#include "core/base/pause.h"
#include "storage/rocksdb/folder.h"
#include "storage/rocksdb/status.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace slashpost::storage {

namespace {

using namespace std::chrono_literals;

constexpr auto look_every = 1s;
constexpr auto say_every = 60s;
constexpr auto open_after = 3s; // RocksDB's own attempts come first
constexpr auto open_pause = 5s; // between two attempts
constexpr auto give_up_after = 10s;
constexpr auto readers_pause = 10ms;
constexpr std::size_t probe_bytes = 64 << 10;

} // namespace

Result<std::unique_ptr<Keeper>> Keeper::open(OpeningPlan plan, std::shared_ptr<DiskWatch> watch,
                                             const Options& options, bool takes_what_it_can) {
    auto [status, opening] = plan.to_write(takes_what_it_can);
    if (!opening && is_disk_trouble(status) && Reserve(plan.folder(), options.reserve_bytes).give_back())
        std::tie(status, opening) = plan.to_write(takes_what_it_can);
    if (!opening && is_disk_trouble(status)) {
        opening = plan.to_read().second;
        if (opening)
            watch->writes_failed(status);
    }
    if (!opening)
        return open_failed(status, plan.folder());
    return std::unique_ptr<Keeper>(
        new Keeper(std::move(plan), std::move(opening), std::move(watch), options));
}

Keeper::Keeper(OpeningPlan plan, std::shared_ptr<Opening> first, std::shared_ptr<DiskWatch> watch,
               Options options)
    : plan_(std::move(plan)),
      watch_(std::move(watch)),
      options_(std::move(options)),
      reserve_(plan_.folder(), options_.reserve_bytes),
      current_(std::move(first)),
      thread_([this](const std::stop_token& stopping) { run(stopping); }) {
    ::pthread_setname_np(thread_.native_handle(), "store");
}

Keeper::~Keeper() {
    thread_.request_stop();
    thread_.join();
}

void Keeper::run(const std::stop_token& stopping) {
    for (; !stopping.stop_requested(); pause(stopping, look_every)) {
        if (watch_->writable()) {
            failing_since_.reset();
            reserve_.keep();
        } else {
            look_after_failure(stopping);
        }
    }
}

void Keeper::look_after_failure(const std::stop_token& stopping) {
    const auto now = Time::now();
    if (!failing_since_) {
        failing_since_ = said_at_ = now;
        open_at_ = now + open_after;
        gave_up_ = false;
    }
    if (can_commit())
        return watch_->writes_succeeded();
    if (now - said_at_ >= say_every) {
        said_at_ = now;
        watch_->remind();
    }
    if (options_.gives_up) {
        if (now - *failing_since_ >= give_up_after && !std::exchange(gave_up_, true))
            options_.gives_up();
    } else if (now >= open_at_ && can_write_file()) {
        open_again(stopping);
        open_at_ = Time::now() + open_pause;
    }
}

// Writes what nobody reads: there is nothing under that key.
bool Keeper::can_commit() const {
    const auto opening = current();
    if (!opening->sync || opening->sync->is_ended())
        return false;
    rocksdb::WriteOptions options;
    options.no_slowdown = true;
    const auto committed = opening->sync->commit([&] { return opening->db->Delete(options, "probe"); });
    return committed.ok() && opening->sync->wait().ok();
}

bool Keeper::can_write_file() const {
    const auto path = plan_.folder() + "/probe";
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        return false;
    static constexpr std::array<char, probe_bytes> bytes{1};
    const bool written =
        ::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()) && ::fsync(file) == 0;
    ::close(file);
    ::unlink(path.c_str());
    return written;
}

std::shared_ptr<Opening> Keeper::set_current(std::shared_ptr<Opening> next) {
    const std::lock_guard lock(mutex_);
    return std::exchange(current_, std::move(next));
}

void Keeper::open_again(const std::stop_token& stopping) {
    if (!change_to_reading(stopping))
        return;
    auto [status, opening] = plan_.to_write();
    if (!opening)
        return;
    set_current(std::move(opening));
    if (options_.opened_again)
        options_.opened_again();
    watch_->writes_succeeded();
}

// False when the store cannot be read either, so that it stays as it is, or when somebody still reads the old
// opening: it is asked again.
bool Keeper::change_to_reading(const std::stop_token& stopping) {
    if (current()->sync) {
        const auto old = current();
        old->sync->end(); // what comes now would be missing for who reads
        auto reading = plan_.to_read().second;
        if (!reading) {
            old->sync->begin();
            return false;
        }
        closing_ = set_current(std::move(reading));
    }
    for (const auto until = Time::now() + open_pause; closing_ && closing_.use_count() > 1;)
        if (stopping.stop_requested() || Time::now() > until)
            return false;
        else
            pause(stopping, readers_pause);
    closing_.reset();
    return true;
}

} // namespace slashpost::storage
