#include "app/admin/new_folder.h"

#include "app/admin/folder_lock.h"

#include <optional>

namespace slashpost::admin {

namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
    std::error_code error;
    return fs::symlink_status(path, error).type() != fs::file_type::not_found;
}

} // namespace

NewFolder::NewFolder(fs::path folder) : folder_(std::move(folder)) {
    if (!folder_.has_filename()) // "data/"
        folder_ = folder_.parent_path();
    for (auto at = folder_; !at.empty() && !is_there(at); at = at.parent_path())
        missing_ = at;
}

void NewFolder::begin() {
    if (!missing_.empty()) {
        made_ = {missing_};
        return;
    }
    for (const auto* name : {"store", "journal"})
        if (const auto part = folder_ / name; !is_there(part))
            made_.push_back(part);
}

NewFolder::~NewFolder() {
    if (made_.empty())
        return;
    const auto lock = FolderLock::take(folder_);
    if (!lock.has_value() || !*lock) // somebody else began to use it
        return;
    std::error_code error;
    for (const auto& part : made_)
        fs::remove_all(part, error);
}

} // namespace slashpost::admin
