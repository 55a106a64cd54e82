#include "core/work/duty.h"

#include "core/data/peers.h"
#include "core/schema/spaces.h"

namespace slashpost {

Result<bool> Duty::is_mine() {
    auto* const peers = engine_.peers();
    if (!peers || is_held_)
        return true;
    const auto own = peers->name();
    const auto holder = TRY(engine_.get_now(space::meta, key_));
    if (holder && *holder != own && !TRY(peers->is_gone(*holder)))
        return false;
    is_held_ = TRY(engine_.transact([&](data::Txn& txn) -> Result<bool> {
        const auto now = TRY(txn.get(space::meta, key_));
        if (now != holder) // another one was quicker
            return now == own;
        TRY(txn.put(space::meta, key_, own));
        return true;
    }));
    return is_held_;
}

} // namespace slashpost
