#include "storage/rocksdb/own_writes.h"

#include <cstring>

namespace slashpost::storage {

using data::BytesView;

namespace {

constexpr std::size_t record_overhead = 8; // kind, family and lengths

} // namespace

BytesView OwnWrites::keep(BytesView bytes) {
    if (bytes.empty())
        return {};
    auto* copy = static_cast<char*>(memory_.allocate(bytes.size(), 1));
    std::memcpy(copy, bytes.data(), bytes.size());
    return {copy, bytes.size()};
}

void OwnWrites::add(Kind kind, rocksdb::ColumnFamilyHandle* family, BytesView key, BytesView value) {
    auto& write =
        writes_.emplace_back(Write{.kind = kind, .family = family, .key = keep(key), .value = keep(value)});
    bytes_ += key.size() + value.size() + record_overhead;
    const std::size_t number = family->GetID();
    if (families_.size() <= number)
        families_.resize(number + 1);
    auto& there = families_[number];
    if (!there)
        there.emplace(&memory_);
    there->unsorted.push_back(&write);
}

const OwnWrites::ByKey* OwnWrites::of(std::uint32_t family) {
    if (family >= families_.size() || !families_[family])
        return nullptr;
    auto& there = *families_[family];
    for (Write* write : there.unsorted) {
        const auto [found, is_new] = there.by_key.try_emplace(write->key, write);
        if (!is_new) {
            write->before = found->second;
            found->second = write;
        }
    }
    there.unsorted.clear();
    return &there.by_key;
}

} // namespace slashpost::storage
