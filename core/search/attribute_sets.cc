#include "core/search/attribute_sets.h"

namespace slashpost::search {

std::size_t AttributeSets::Slot::bytes() const {
    return sizeof *this + known.documents->chunks() * sizeof(ChunkSet);
}

// Nothing is known any more when another batch is missing.
void AttributeSets::Slot::take_in(const IndexedBatch& batch) {
    if (version != batch.before)
        known = {};
    for (const auto number : batch.documents)
        if (const auto chunk = number / chunk_documents; chunk < known.is_unknown.size())
            known.is_unknown[chunk] = true;
    version = batch.after;
}

AttributeSets::Known AttributeSets::find(WorkspaceId workspace, data::BytesView term, std::uint64_t version) {
    const std::lock_guard lock(mutex_);
    const auto slot = slots_.find({workspace, data::Bytes(term)});
    if (slot == slots_.end() || slot->second.version != version)
        return {};
    slot->second.asked_at = Time::now();
    return slot->second.known;
}

void AttributeSets::keep(WorkspaceId workspace, data::BytesView term, std::uint64_t version, Set documents) {
    const auto chunks = documents->chunks();
    const std::lock_guard lock(mutex_);
    slots_[{workspace, data::Bytes(term)}] = {
        .known = {.documents = std::move(documents), .is_unknown = std::vector<bool>(chunks)},
        .version = version,
        .asked_at = Time::now()};
    make_room(slots_, bounds_);
}

void AttributeSets::indexed(const IndexedBatch& batch) {
    const std::lock_guard lock(mutex_);
    for (auto& [key, slot] : slots_)
        if (key.first == batch.workspace && slot.version != batch.after) // else it was read behind the batch
            slot.take_in(batch);
    std::erase_if(slots_, [](const auto& each) { return each.second.known.documents == nullptr; });
}

void AttributeSets::drop_unused() {
    const std::lock_guard lock(mutex_);
    slashpost::drop_unused(slots_, bounds_);
}

std::size_t AttributeSets::bytes() {
    const std::lock_guard lock(mutex_);
    std::size_t bytes = 0;
    for (const auto& [key, slot] : slots_)
        bytes += slot.bytes();
    return bytes;
}

} // namespace slashpost::search
