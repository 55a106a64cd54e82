#include "storage/postgres/txn.h"

#include <utility>

namespace slashpost::storage::postgres {

using data::Bytes;
using data::BytesView;
using data::Space;

Result<std::optional<Bytes>> View::get(const Space& space, BytesView key) {
    return TRY(snapshot_.read(*TRY(tables_.of(space)), key)).value;
}

Result<void> View::scan(const Space& space, const data::Range& range, data::Order order,
                        const data::Visit& visit) {
    const auto walk = snapshot_.walk(*TRY(tables_.of(space)), range, order);
    for (; walk->there(); walk->move())
        if (!visit(walk->key(), walk->value()))
            break;
    return walk->check();
}

Result<std::optional<Bytes>> Txn::stored(const Space& space, BytesView key) {
    auto stored = TRY(snapshot_.read(*TRY(tables_.of(space)), key));
    if (const auto found = tracked_.find(Place(space.number, key)); found != tracked_.end())
        found->second = std::move(stored.version);
    return std::move(stored.value);
}

Result<std::unique_ptr<StoredWalk>> Txn::stored_walk(const Space& space, const data::Range& range,
                                                     data::Order order) {
    return snapshot_.walk(*TRY(tables_.of(space)), range, order);
}

Result<void> Txn::track(const Space& space, BytesView key) {
    TRY(tables_.of(space));
    tracked_.try_emplace(Place(space.number, key));
    return {};
}

Result<void> Txn::note_write(const Space& space, BytesView /*key*/) {
    TRY(tables_.of(space));
    return {};
}

Result<Proposal> Txn::propose() {
    Proposal proposal{.tracked = {}, .writes = own().in_order()};
    std::map<std::uint16_t, std::vector<Bytes>> unread;
    for (auto& [place, version] : tracked_)
        if (version)
            proposal.tracked.emplace(place, *std::move(version));
        else
            unread[place.first].push_back(place.second);
    for (const auto& [space, keys] : unread) {
        auto versions = TRY(snapshot_.versions(tables_.all().at(space), keys));
        for (std::size_t i = 0; i < keys.size(); ++i)
            proposal.tracked.emplace(Place(space, keys[i]), std::move(versions[i]));
    }
    return proposal;
}

} // namespace slashpost::storage::postgres
