#include "storage/rocksdb/recent_writes.h"

#include "core/base/mix.h"

#include <algorithm>
#include <functional>

namespace slashpost::storage {

KeyHash hash_of(std::uint32_t family, std::string_view key) {
    return std::hash<std::string_view>()(key) ^ family * golden_odd;
}

bool RecentWrites::Turn::lost(Number begin, std::span<const KeyHash> tracked) const {
    if (tracked.empty() || begin == writes_.last_.load(std::memory_order_relaxed))
        return false;
    if (begin < writes_.forgotten_)
        return true;
    const auto written_since = [begin](const Keys& keys, KeyHash key) {
        const auto found = keys.find(key);
        return found != keys.end() && found->second > begin;
    };
    return std::ranges::any_of(tracked, [&](KeyHash key) {
        return written_since(writes_.now_, key) || written_since(writes_.before_, key);
    });
}

void RecentWrites::Turn::done(std::span<const KeyHash> written) {
    auto& w = writes_;
    const Number number = w.last_.load(std::memory_order_relaxed) + 1;
    if (written.size() > w.generation_keys_) { // as if it had written every key
        w.now_.clear();
        w.before_.clear();
        w.now_begins_ = w.forgotten_ = number;
    } else {
        if (w.now_.size() + written.size() > w.generation_keys_) {
            std::swap(w.now_, w.before_);
            w.now_.clear();
            w.forgotten_ = w.now_begins_;
            w.now_begins_ = number - 1;
        }
        for (const KeyHash key : written)
            w.now_[key] = number;
    }
    w.last_.store(number, std::memory_order_release);
}

} // namespace slashpost::storage
