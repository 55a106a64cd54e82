#pragma once
// How many workers one caller may have at once, so that there is always one for somebody else: the calls of a
// key at most half of them, those of all keys of an account three quarters.
#include "http/server/fair_queue.h"
#include "http/server/holdings.h"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <unordered_map>

namespace slashpost::http {

// Which account a key in force is of, both as numbers (holders.h). Only who checks keys knows, so it is told
// with each call. Whoever shows a key that is not known here may have made it up, and waits among visitors
// until it was looked up once. Safe to use from any thread.
class KeyAccounts {
  public:
    // `account` 0: the key is not in force.
    void learn(Holder key, Holder account);
    // 0: not known.
    [[nodiscard]] Holder account_of(Holder key) const;

    static constexpr std::size_t keys_max = 100'000; // beyond it all are learnt anew

  private:
    mutable std::mutex mutex_;
    std::unordered_map<Holder, Holder> accounts_; // guarded by mutex_
};

class Shares {
  public:
    explicit Shares(std::size_t workers)
        : key_max_(std::max<std::size_t>(workers / 2, 1)),
          account_max_(std::max<std::size_t>(workers * 3 / 4, 1)) {}

    struct Owner {
        Holder key = 0; // 0: a call without one, which has no share because it is refused at once
        Holder account = 0;
    };
    // Takes one worker, and says true, unless the owner has a share already. Where there is no memory to
    // count it, it is not counted.
    [[nodiscard]] bool take(const Owner& owner);
    void give_back(const Owner& owner);

  private:
    const std::size_t key_max_, account_max_;
    Holdings<Holder> keys_, accounts_;
};

} // namespace slashpost::http
