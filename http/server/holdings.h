#pragma once
// How much each of many holds of something that all threads share, so that nobody holds more than a share.
#include <cstddef>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace slashpost::http {

// Safe to use from any thread. Remembers only who holds something.
template <class Who, class Hash = std::hash<Who>>
class Holdings {
  public:
    // Takes `amount`, and says true, unless more than `share_max` would be held then. May throw for want of
    // memory, and has taken nothing then.
    bool take(const Who& who, std::size_t amount, std::size_t share_max) {
        const std::lock_guard lock(mutex_);
        const auto [at, fresh] = held_.try_emplace(who, 0);
        if (at->second + amount > share_max) {
            if (fresh)
                held_.erase(at);
            return false;
        }
        at->second += amount;
        return true;
    }

    // Of what was taken.
    void give_back(const Who& who, std::size_t amount) {
        const std::lock_guard lock(mutex_);
        const auto at = held_.find(who);
        if (at == held_.end())
            return;
        at->second -= amount;
        if (at->second == 0)
            held_.erase(at);
    }

    [[nodiscard]] std::size_t held_by(const Who& who) const {
        const std::lock_guard lock(mutex_);
        const auto at = held_.find(who);
        return at == held_.end() ? 0 : at->second;
    }

    // One of something, given back at the end of its life. The default holds nothing.
    class One {
      public:
        One() = default;
        One(Holdings& all, Who who) : all_(&all), who_(std::move(who)) {}
        One(One&& other) noexcept : all_(std::exchange(other.all_, nullptr)), who_(std::move(other.who_)) {}
        One& operator=(One&& other) noexcept {
            std::swap(all_, other.all_);
            std::swap(who_, other.who_);
            return *this;
        }
        ~One() {
            if (all_ != nullptr)
                all_->give_back(who_, 1);
        }

      private:
        Holdings* all_ = nullptr;
        Who who_{};
    };

  private:
    mutable std::mutex mutex_;
    std::unordered_map<Who, std::size_t, Hash> held_; // guarded by mutex_
};

} // namespace slashpost::http
