#include "core/base/watched_files.h"

#include <algorithm>
#include <system_error>

namespace slashpost {

WatchedFiles::States WatchedFiles::look() const {
    States states;
    for (const auto& file : files_) {
        std::error_code error; // a folder in its place has no size, and is there
        const auto changed = std::filesystem::last_write_time(file, error);
        if (error) {
            states.emplace_back();
            continue;
        }
        const auto bytes = std::filesystem::file_size(file, error);
        states.push_back(State{.bytes = error ? 0 : bytes, .changed = changed});
    }
    return states;
}

bool WatchedFiles::is_due(Patience patience) {
    patience_ = patience;
    now_ = look();
    if (taken_ == now_) {
        refused_.reset();
        return false;
    }
    return patience == Patience::none || refused_ != now_ || !is_told_;
}

bool WatchedFiles::take() {
    if (look() != now_)
        return false;
    taken_ = now_;
    refused_.reset();
    return true;
}

bool WatchedFiles::refuse() {
    is_told_ = refused_ == now_ || patience_ == Patience::none;
    refused_ = now_;
    return is_told_;
}

bool WatchedFiles::are_missing() const {
    return std::ranges::none_of(now_, [](const auto& state) { return state.has_value(); });
}

} // namespace slashpost
