#include "http/server/shares.h"

#include <new>

namespace slashpost::http {

namespace {

bool take_one(Holdings<Holder>& held, Holder holder, std::size_t share_max) {
    if (holder == 0)
        return true;
    try {
        return held.take(holder, 1, share_max);
    } catch (const std::bad_alloc&) {
        return true;
    }
}

} // namespace

void KeyAccounts::learn(Holder key, Holder account) {
    const std::lock_guard lock(mutex_);
    if (account == 0) {
        accounts_.erase(key);
        return;
    }
    if (accounts_.size() >= keys_max && !accounts_.contains(key))
        accounts_.clear();
    accounts_[key] = account;
}

Holder KeyAccounts::account_of(Holder key) const {
    const std::lock_guard lock(mutex_);
    const auto found = accounts_.find(key);
    return found == accounts_.end() ? 0 : found->second;
}

bool Shares::take(const Owner& owner) {
    if (!take_one(keys_, owner.key, key_max_))
        return false;
    if (take_one(accounts_, owner.account, account_max_))
        return true;
    keys_.give_back(owner.key, 1);
    return false;
}

void Shares::give_back(const Owner& owner) {
    keys_.give_back(owner.key, 1);
    accounts_.give_back(owner.account, 1);
}

} // namespace slashpost::http
