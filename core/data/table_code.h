#pragma once
// The bodies of Table<T>, for the one file that knows the row type and says SLASHPOST_TABLE_CODE(Row).
#include "core/data/codec_code.h"
#include "core/data/table_check.h"
#include "core/data/trail.h"

#define SLASHPOST_TABLE_CODE(Row)                                                                            \
    template class data::Table<Row>;                                                                         \
    SLASHPOST_CODEC_CODE(Row)

namespace slashpost::data {

template <class T>
Result<std::optional<T>> Table<T>::find(View& view, BytesView primary) const {
    const auto bytes = TRY(view.get(*rows_, row_key(primary)));
    if (!bytes)
        return std::optional<T>();
    return std::optional<T>(TRY(decode<T>(*bytes)));
}

template <class T>
Result<void> Table<T>::insert(Txn& txn, const T& now) const {
    if (TRY(txn.get(*rows_, row_key(T::primary_of(now)))))
        return conflict("There is already such a row.");
    return insert_new(txn, now);
}

template <class T>
std::vector<Entry> Table<T>::entries(const EntrySet<T>& set, const T* row) {
    std::vector<Entry> out;
    if (row)
        set.append_entries(*row, out);
    return out;
}

template <class T>
Result<void> Table<T>::write(Txn& txn, const T* was, const T* now) const {
    for (const auto* set : sets_) // all checks before the first write
        if (!set->unique_property().empty())
            TRY(check_unique(txn, *set, was, now));
    for (const auto* set : sets_)
        TRY(move_entries(txn, entries(*set, was), entries(*set, now)));
    for (const auto* tally : tallies_)
        TRY(move_tallies(txn, was ? tally->tallies_of(*was) : std::vector<Bytes>(),
                         now ? tally->tallies_of(*now) : std::vector<Bytes>()));
    const auto primary = T::primary_of(now ? *now : *was);
    auto bytes = now ? encode(*now) : Bytes();
    TRY(now ? txn.put(*rows_, row_key(primary), bytes) : txn.erase(*rows_, row_key(primary)));
    for (const auto* mark : marks_)
        TRY(put_mark(txn, *mark, was, now));
    if (followed_ && txn.trail() != nullptr)
        txn.trail()->note(*rows_, primary, was ? encode(*was) : Bytes(), std::move(bytes));
    return {};
}

template <class T>
Result<void> Table<T>::put_mark(Txn& txn, const ChangeMark<T>& mark, const T* was, const T* now) {
    if (was && (!now || mark.key_of(*was) != mark.key_of(*now)))
        TRY(mark.put(txn, *was));
    return now ? mark.put(txn, *now) : Result<void>();
}

template <class T>
Result<void> Table<T>::check_unique(Txn& txn, const EntrySet<T>& set, const T* was, const T* now) const {
    const auto old = entries(set, was);
    for (const auto& entry : entries(set, now))
        if (!has_key(old, entry.key) && TRY(txn.get(*entry.space, entry.key)))
            return invalid(resource_, {already_exists(set.unique_property())});
    return {};
}

} // namespace slashpost::data
