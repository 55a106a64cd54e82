#include "storage/rocksdb/disk_watch.h"

#include "storage/rocksdb/status.h"

#include <fmt/format.h>

#include <utility>

namespace slashpost::storage {

std::string DiskWatch::trouble() const {
    const std::lock_guard lock(mutex_);
    return words_;
}

// The first failure says what is wrong; those after it often only that there was one.
void DiskWatch::writes_failed(const rocksdb::Status& why) {
    if (!writable())
        return;
    const std::lock_guard lock(mutex_);
    if (!writable_.exchange(false))
        return;
    why_ = why.ToString();
    words_ = words_for(why);
    say();
}

void DiskWatch::writes_succeeded() {
    if (writable())
        return;
    const std::lock_guard lock(mutex_);
    if (writable_.exchange(true))
        return;
    why_.clear();
    words_.clear();
    if (notice_)
        notice_("The store takes writes again.");
    if (trouble_)
        trouble_({});
}

void DiskWatch::remind() const {
    const std::lock_guard lock(mutex_);
    if (!words_.empty())
        say();
}

void DiskWatch::say() const {
    if (trouble_)
        trouble_(words_);
    if (notice_)
        notice_(fmt::format("The store takes no writes, reading goes on: {} ({})", words_, why_));
}

void DiskWatch::OnBackgroundError(rocksdb::BackgroundErrorReason /*reason*/, rocksdb::Status* error) {
    if (error->severity() != rocksdb::Status::Severity::kSoftError) // soft: writes go on
        writes_failed(*error);
}

void DiskWatch::OnErrorRecoveryEnd(const rocksdb::BackgroundErrorRecoveryInfo& info) {
    if (info.new_bg_error.ok())
        writes_succeeded();
}

} // namespace slashpost::storage
