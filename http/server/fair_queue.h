#pragma once
// What waits for a worker, of many holders who take turns: whoever has much waiting waits for it themselves.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <optional>
#include <unordered_map>
#include <utility>

namespace slashpost::http {

// Whom something is done for: an API key, or the address of somebody without one, as a number.
using Holder = std::uint64_t;

template <class Work>
class FairQueue {
  public:
    // At most `waiting_max` wait at once.
    explicit FairQueue(std::size_t waiting_max) : waiting_max_(waiting_max) {}

    [[nodiscard]] std::size_t size() const { return size_; }

    // Takes `work` into the queue. What there is no room for comes back: the newest of the holder with most
    // in it, which may be `work` itself.
    std::optional<Work> push(Holder holder, Work work) {
        std::optional<Work> displaced;
        if (size_ >= waiting_max_) {
            const auto most =
                std::ranges::max_element(lines_, {}, [](const Line& line) { return line.waiting.size(); });
            const auto own = by_holder_.find(holder);
            const std::size_t own_size = own == by_holder_.end() ? 0 : own->second->waiting.size();
            if (most == lines_.end() || own_size + 1 >= most->waiting.size())
                return work;
            displaced = std::move(most->waiting.back());
            most->waiting.pop_back(); // it had more than one
            --size_;
        }
        std::list<Work>
            one; // made first: what follows may fail, for want of memory, and leaves all as it was
        one.push_back(std::move(work));
        auto line = by_holder_.find(holder);
        if (line == by_holder_.end()) {
            lines_.push_back({.holder = holder, .waiting = {}});
            try {
                line = by_holder_.emplace(holder, std::prev(lines_.end())).first;
            } catch (...) {
                lines_.pop_back();
                throw;
            }
        }
        line->second->waiting.splice(line->second->waiting.end(), one);
        ++size_;
        return displaced;
    }

    // The first of the holder whose turn it is; nothing when nobody waits.
    std::optional<Work> pop() {
        return pop([](const Work&) { return true; });
    }
    // The same, passing over holders whose first `may` not be begun now.
    template <class May>
    std::optional<Work> pop(const May& may) {
        const auto turn =
            std::ranges::find_if(lines_, [&](const Line& line) { return may(line.waiting.front()); });
        if (turn == lines_.end())
            return std::nullopt;
        Line& line = *turn;
        std::optional<Work> work = std::move(line.waiting.front());
        line.waiting.pop_front();
        --size_;
        if (line.waiting.empty()) {
            by_holder_.erase(line.holder);
            lines_.erase(turn);
        } else {
            lines_.splice(lines_.end(), lines_, turn);
        }
        return work;
    }

  private:
    struct Line {
        Holder holder = 0;
        std::list<Work> waiting; // never empty
    };

    const std::size_t waiting_max_;
    std::size_t size_ = 0;
    std::list<Line> lines_; // whose turn it is first
    std::unordered_map<Holder, typename std::list<Line>::iterator> by_holder_;
};

} // namespace slashpost::http
