#include "app/admin/new_folder.h"

#include "app/admin/data_folder.h"

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

void NewFolder::begin() { made_ = missing_.empty() ? new_store_folder(folder_) : missing_; }

NewFolder::~NewFolder() {
    if (made_.empty())
        return;
    const auto lock = FolderLock::take(folder_);
    if (!lock.has_value() || !*lock) // somebody else began to use it
        return;
    std::error_code error;
    fs::remove_all(made_, error);
}

} // namespace slashpost::admin
