#include "app/backup_thread.h"

#include "app/background.h"
#include "core/base/guarded.h"
#include "core/base/pause.h"

#include <algorithm>
#include <pthread.h>
#include <utility>

namespace slashpost::app {

namespace {

constexpr std::chrono::minutes retry_pause{5}; // after one that failed

} // namespace

BackupThread::BackupThread(admin::AdminContext& context, Log& log, Options options)
    : context_(context),
      log_(log),
      options_(std::move(options)),
      thread_([this](const std::stop_token& stopping) { run(stopping); }) {}

BackupThread::Figures BackupThread::figures() const {
    return {.made = made_, .failed = failed_, .last = {.ms = last_ms_}, .last_failed = last_failed_};
}

Result<void> BackupThread::find_last() {
    const auto all = TRY(admin::backups_in(options_.folder));
    last_ms_ = all.empty() ? 0 : all.back().at.ms;
    return {};
}

// A clock that was set back brings the next one no later than usual.
std::chrono::milliseconds BackupThread::until_next() const {
    const std::chrono::milliseconds passed(std::max<std::int64_t>(context_.clock.now().ms - last_ms_, 0));
    return std::max(options_.every - passed, std::chrono::milliseconds(0));
}

Result<void> BackupThread::make_one(const std::stop_token& stopping) {
    TRY(admin::make_backup(context_, options_.folder, [&](double) -> Result<void> {
        return stopping.stop_requested() ? Result<void>(unavailable("the server stops")) : Result<void>();
    }));
    ++made_;
    TRY(find_last());
    TRY(admin::thin_backups(options_.folder, options_.keep));
    return {};
}

void BackupThread::run(const std::stop_token& stopping) {
    ::pthread_setname_np(::pthread_self(), "backup");
    lower_priority();
    (void)guarded([this] { return find_last(); }); // what is wrong there, the first one tells
    for (auto wait = until_next(); !stopping.stop_requested();) {
        pause(stopping, wait);
        if (stopping.stop_requested())
            return;
        const auto done = guarded([&] { return make_one(stopping); });
        if (stopping.stop_requested())
            return;
        failed_ += done.has_value() ? 0 : 1;
        last_failed_ = !done.has_value();
        if (done.has_value())
            log_.info("backup made", {{"folder", options_.folder.native()}});
        else
            log_.error("no backup could be made",
                       {{"folder", options_.folder.native()}, {"reason", done.error().message}});
        wait = done.has_value() ? until_next()
                                : std::min<std::chrono::milliseconds>(options_.every, retry_pause);
    }
}

} // namespace slashpost::app
