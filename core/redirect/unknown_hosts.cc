#include "core/redirect/unknown_hosts.h"

#include "core/base/ascii.h"

#include <algorithm>

namespace slashpost::redirect {

void UnknownHosts::note(std::string_view host, HostIs what) noexcept {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock)
        return;
    try {
        std::string name(host);
        std::ranges::transform(name, name.begin(), ascii::lower);
        auto found = hosts_.find(name);
        if (found == hosts_.end() && hosts_.size() < hosts_max)
            found = hosts_.emplace(std::move(name), Known{}).first;
        auto& known = found == hosts_.end() ? others_ : found->second;
        known.what = what;
        ++known.visits;
    } catch (const std::bad_alloc&) {
        return; // what is only for a log
    }
}

std::vector<UnknownHosts::News> UnknownHosts::take(Timestamp now) {
    std::vector<News> news;
    const std::lock_guard lock(mutex_);
    const auto tell = [&](const std::string& host, Known& known) {
        if (now < known.told.plus_seconds(told_every_seconds) || known.visits == 0)
            return;
        news.push_back({.host = host, .what = known.what, .visits = known.visits});
        known.visits = 0;
        known.told = now;
    };
    for (auto& [host, known] : hosts_)
        tell(host, known);
    tell({}, others_);
    std::erase_if(hosts_, [&](const auto& one) {
        return one.second.visits == 0 && one.second.told.plus_seconds(told_every_seconds) <= now;
    });
    return news;
}

} // namespace slashpost::redirect
