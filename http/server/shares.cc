#include "http/server/shares.h"

namespace slashpost::http {

void KeyAccounts::learn(Holder key, Holder account) {
    const std::lock_guard lock(mutex_);
    if (accounts_.size() >= keys_max && !accounts_.contains(key))
        accounts_.clear();
    accounts_[key] = account;
}

Holder KeyAccounts::account_of(Holder key) const {
    const std::lock_guard lock(mutex_);
    const auto found = accounts_.find(key);
    return found == accounts_.end() ? 0 : found->second;
}

bool Shares::has_room(const Owner& owner) const {
    const auto below = [](const Taken& taken, Holder holder, std::size_t max) {
        const auto found = taken.find(holder);
        return holder == 0 || found == taken.end() || found->second < max;
    };
    return below(keys_, owner.key, key_max_) && below(accounts_, owner.account, account_max_);
}

void Shares::take(const Owner& owner) {
    ++keys_[owner.key];
    ++accounts_[owner.account];
}

void Shares::give_back(const Owner& owner) {
    const auto one_less = [](Taken& taken, Holder holder) {
        if (--taken[holder] == 0)
            taken.erase(holder);
    };
    one_less(keys_, owner.key);
    one_less(accounts_, owner.account);
}

} // namespace slashpost::http
