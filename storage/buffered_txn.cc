#include "storage/buffered_txn.h"

#include "core/base/errors.h"
#include "core/data/merging.h"

#include <fmt/format.h>

#include <algorithm>

namespace slashpost::storage {

using data::Bytes;
using data::BytesView;
using data::Order;
using data::Range;
using data::Space;
using Kind = OwnWrites::Kind;

Result<std::optional<Bytes>> BufferedTxn::over(const OwnWrites::Write& last, const Space& space,
                                               const Stored& stored) {
    std::vector<BytesView> parts; // newest first
    const auto* write = &last;
    for (; write != nullptr && write->kind == Kind::merge; write = write->before)
        parts.push_back(write->value);
    std::optional<Bytes> value;
    if (write == nullptr)
        value = TRY(stored());
    else if (write->kind == Kind::put)
        value = Bytes(write->value);
    if (parts.empty())
        return value;
    if (value)
        parts.emplace_back(*value);
    std::ranges::reverse(parts);
    auto merged = data::merge_values(space.merges, parts);
    if (!merged)
        return fault(fmt::format("a value of '{}' cannot be merged", space.name));
    return merged;
}

Result<std::optional<Bytes>> BufferedTxn::get(const Space& space, BytesView key) {
    TRY(track(space, key));
    return peek(space, key);
}

Result<std::optional<Bytes>> BufferedTxn::peek(const Space& space, BytesView key) {
    const auto* own = own_->last(space.number, key);
    return own != nullptr ? over(*own, space, [&] { return stored(space, key); }) : stored(space, key);
}

const OwnWrites::Write* BufferedTxn::next_own(const Space& space, const Range& range, Order order,
                                              const std::optional<Bytes>& after) {
    const auto* keys = own_->keys(space.number);
    if (keys == nullptr)
        return nullptr;
    if (order == Order::forward) {
        const auto it = after ? keys->upper_bound(*after) : keys->lower_bound(range.from);
        const bool there = it != keys->end() && (range.until.empty() || *it < range.until);
        return there ? own_->last(space.number, *it) : nullptr;
    }
    auto it = after                 ? keys->lower_bound(*after)
              : range.until.empty() ? keys->end()
                                    : keys->lower_bound(range.until);
    return it != keys->begin() && *--it >= range.from ? own_->last(space.number, *it) : nullptr;
}

// The walk through the snapshot knows nothing of own writes, so `visit` may write; what it writes ahead of
// the walk is visited.
Result<void> BufferedTxn::scan(const Space& space, const Range& range, Order order,
                               const data::Visit& visit) {
    const auto walk = TRY(stored_walk(space, range, order));
    auto& stored = *walk;
    std::optional<Bytes> at;
    for (;;) {
        TRY(stored.check());
        const auto* own = next_own(space, range, order, at);
        bool is_stored = stored.there();
        if (own == nullptr && !is_stored)
            return {};
        if (own != nullptr && is_stored && own->key != stored.key()) {
            if ((own->key < stored.key()) == (order == Order::forward))
                is_stored = false;
            else
                own = nullptr;
        }
        const auto key = own != nullptr ? own->key : stored.key();
        at = Bytes(key);
        bool more = true;
        if (own != nullptr) {
            const auto value = TRY(over(*own, space, [&]() -> Result<std::optional<Bytes>> {
                return is_stored ? std::optional<Bytes>(stored.value()) : std::nullopt;
            }));
            more = !value || visit(key, *value);
        } else {
            const auto value = stored.value();
            TRY(stored.check()); // a merge inside value() may have failed
            more = visit(key, value);
        }
        if (!more)
            return {};
        if (is_stored)
            stored.move();
    }
}

Result<void> BufferedTxn::put(const Space& space, BytesView key, BytesView value) {
    TRY(track(space, key));
    return put_blind(space, key, value);
}

Result<void> BufferedTxn::erase(const Space& space, BytesView key) {
    TRY(track(space, key));
    return erase_blind(space, key);
}

Result<void> BufferedTxn::merge(const Space& space, BytesView key, BytesView operand) {
    if (space.merges == data::MergeRule::none)
        return fault(fmt::format("nothing is merged in the space '{}'", space.name));
    TRY(note_write(space, key));
    own_->merge(space, key, operand);
    return {};
}

Result<void> BufferedTxn::put_blind(const Space& space, BytesView key, BytesView value) {
    TRY(note_write(space, key));
    own_->put(space, key, value);
    return {};
}

Result<void> BufferedTxn::erase_blind(const Space& space, BytesView key) {
    TRY(note_write(space, key));
    own_->erase(space, key);
    return {};
}

} // namespace slashpost::storage
