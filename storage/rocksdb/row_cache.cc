#include "storage/rocksdb/row_cache.h"

namespace slashpost::storage {

std::optional<RowCache::Value> RowCache::find(const RowKey& place, Number begin) {
    const std::lock_guard lock(lock_of(place.hash));
    const Slot& slot = slot_of(place.hash);
    if (!slot.known || slot.changed > begin || slot.family != place.family || slot.key != place.key)
        return std::nullopt;
    return slot.value;
}

void RowCache::keep(const RowKey& place, Number begin, const Value& value) {
    if (place.key.size() + (value ? value->size() : 0) > row_bytes_max)
        return;
    const std::lock_guard lock(lock_of(place.hash));
    Slot& slot = slot_of(place.hash);
    if (slot.changed > begin)
        return;
    slot.known = true;
    slot.family = place.family;
    slot.key = place.key;
    slot.value = value;
}

void RowCache::mark(std::span<const KeyHash> keys, Number changed) {
    for (const KeyHash key : keys) {
        const std::lock_guard lock(lock_of(key));
        Slot& slot = slot_of(key);
        slot.known = false;
        slot.changed = changed;
    }
}

void RowCache::begins(std::span<const KeyHash> keys) { mark(keys, being_written); }

void RowCache::ended(std::span<const KeyHash> keys, Number number) { mark(keys, number); }

void RowCache::clear() {
    for (KeyHash slot = 0; slot < slots; ++slot) {
        const std::lock_guard lock(lock_of(slot));
        slot_of(slot).known = false;
    }
}

} // namespace slashpost::storage
