#include "storage/own_writes.h"

#include "core/data/merging.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace slashpost::storage {

using data::BytesView;

namespace {

constexpr std::size_t record_overhead = 8; // kind, family and lengths
constexpr std::size_t sorted_from = 64;    // writes; fewer are not worth it

} // namespace

BytesView OwnWrites::keep(BytesView bytes) {
    if (bytes.empty())
        return {};
    auto* copy = static_cast<char*>(memory_.allocate(bytes.size(), 1));
    std::memcpy(copy, bytes.data(), bytes.size());
    return {copy, bytes.size()};
}

void OwnWrites::replace(Kind kind, const data::Space& space, BytesView key, BytesView value) {
    append(kind, space, key, value);
    made(space.number).sums.erase(key);
}

void OwnWrites::merge(const data::Space& space, BytesView key, BytesView operand) {
    if (space.merges != data::MergeRule::sum) {
        append(Kind::merge, space, key, operand);
        return;
    }
    auto& sums = made(space.number).sums;
    if (const auto found = sums.find(key); found != sums.end())
        if (const auto both = data::merge_values(space.merges, std::array{found->second->value, operand})) {
            found->second->value = keep(*both);
            return;
        }
    auto& write = append(Kind::merge, space, key, operand);
    sums.insert_or_assign(write.key, &write);
}

std::vector<const OwnWrites::Write*> OwnWrites::in_order() const {
    struct Position {
        BytesView key; // as the write has it, and nearer
        const Write* write;
        std::uint16_t space;
        std::uint32_t number; // of those of one key, the earlier one first
    };
    std::vector<Position> positions;
    positions.reserve(writes_.size());
    for (const auto& write : writes_)
        positions.push_back({write.key, &write, write.space, static_cast<std::uint32_t>(positions.size())});
    if (positions.size() >= sorted_from)
        std::ranges::sort(positions, [](const Position& a, const Position& b) {
            if (a.space != b.space)
                return a.space < b.space;
            const auto order = a.key.compare(b.key);
            return order != 0 ? order < 0 : a.number < b.number;
        });
    const auto is_superseded = [](const Position& place, const Position& next) {
        return place.space == next.space && next.write->kind != Kind::merge && place.key == next.key;
    };
    std::vector<const Write*> writes;
    writes.reserve(positions.size());
    for (std::size_t i = 0; i < positions.size(); ++i)
        if (i + 1 == positions.size() || !is_superseded(positions[i], positions[i + 1]))
            writes.push_back(positions[i].write);
    return writes;
}

OwnWrites::Write& OwnWrites::append(Kind kind, const data::Space& space, BytesView key, BytesView value) {
    auto& write = writes_.emplace_back(Write{
        .kind = kind, .space = space.number, .rule = space.merges, .key = keep(key), .value = keep(value)});
    bytes_ += key.size() + value.size() + record_overhead;
    made(space.number).writes.push_back(&write);
    return write;
}

OwnWrites::OfSpace& OwnWrites::made(std::uint16_t space) {
    if (spaces_.size() <= space)
        spaces_.resize(space + std::size_t{1});
    auto& there = spaces_[space];
    if (!there)
        there.emplace(&memory_);
    return *there;
}

OwnWrites::OfSpace* OwnWrites::known(std::uint16_t space) {
    return space < spaces_.size() && spaces_[space] ? &*spaces_[space] : nullptr;
}

const OwnWrites::Write* OwnWrites::last(std::uint16_t space, BytesView key) {
    auto* there = known(space);
    if (there == nullptr)
        return nullptr;
    for (; there->known < there->writes.size(); ++there->known) {
        auto* write = there->writes[there->known];
        const auto [found, is_new] = there->last.try_emplace(write->key, write);
        if (!is_new) {
            write->before = found->second;
            found->second = write;
        }
    }
    const auto found = there->last.find(key);
    return found != there->last.end() ? found->second : nullptr;
}

const OwnWrites::Keys* OwnWrites::keys(std::uint16_t space) {
    auto* there = known(space);
    if (there == nullptr)
        return nullptr;
    for (; there->in_order < there->writes.size(); ++there->in_order)
        there->sorted.insert(there->writes[there->in_order]->key);
    return &there->sorted;
}

} // namespace slashpost::storage
