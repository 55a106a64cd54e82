#include "http/server/room.h"

#include <algorithm>

namespace slashpost::http {

namespace {

// How many are looked at to find the idlest one. Those stand behind the others then.
constexpr std::size_t looked_at_max = 64;

} // namespace

void Room::enter(Seat& place, const redirect::Address& client, std::size_t amount) {
    if (client.known) {
        const auto [at, fresh] = shares_.try_emplace(client);
        Share& share = at->second;
        if (fresh) {
            share.client = client;
            try {
                ranking_.insert({0, &share});
            } catch (...) {
                shares_.erase(at);
                throw;
            }
        }
        place.share_ = &share;
        share.places.push_back(place);
    }
    everybody_.push_back(place);
    change(place, amount);
}

void Room::change(Seat& place, std::size_t amount) {
    total_ += amount - place.amount_;
    if (place.share_ != nullptr)
        rank(*place.share_, place.share_->amount + amount - place.amount_);
    place.amount_ = amount;
}

void Room::leave(Seat& place) {
    if (!place.is_taken())
        return;
    change(place, 0);
    everybody_.erase(everybody_.iterator_to(place));
    Share* const share = std::exchange(place.share_, nullptr);
    if (share == nullptr)
        return;
    share->places.erase(share->places.iterator_to(place));
    if (share->places.empty()) {
        ranking_.erase({share->amount, share});
        shares_.erase(redirect::Address(share->client));
    }
}

// The node is moved, not made anew: no memory is needed for it.
void Room::rank(Share& share, std::size_t amount) {
    auto node = ranking_.extract({share.amount, &share});
    share.amount = amount;
    node.value().amount = amount;
    ranking_.insert(std::move(node));
}

template <class List>
Occupant* Room::idlest(List& list) {
    Occupant* found = nullptr;
    for (auto left = std::min(looked_at_max, list.size()); left > 0; --left) {
        Seat& place = list.front();
        list.splice(list.end(), list, list.begin());
        Occupant& occupant = place.occupant_;
        if (occupant.may_make_way() && (found == nullptr || occupant.used_at < found->used_at))
            found = &occupant;
    }
    return found;
}

Occupant* Room::first_to_go() {
    if (!ranking_.empty() && ranking_.rbegin()->amount > few_)
        if (auto* const found = idlest(ranking_.rbegin()->share->places))
            return found;
    return idlest(everybody_);
}

Occupant* Room::first_to_go_of(const redirect::Address& client) {
    const auto found = shares_.find(client);
    return found == shares_.end() ? nullptr : idlest(found->second.places);
}

} // namespace slashpost::http
