#pragma once
// Table<T>::check and ::reindex: because entries are functions of the row, both are the same comparison.
#include "core/data/table.h"

#include <fmt/format.h>

namespace slashpost::data {

template <class T>
Result<Findings> Table<T>::check(View& view) const {
    Findings findings;
    Sums sums;
    const auto name = rows_->name;
    TRY(view.scan(*rows_, rows_range({}), Order::forward, [&](BytesView key, BytesView bytes) {
        ++findings.rows;
        const auto row = decode<T>(bytes);
        if (!row.has_value() || row_key(T::primary_of(*row)) != key) {
            findings.add(fmt::format("{}: the row {} cannot be read", name, printable(key)));
            return true;
        }
        for (const auto* set : sets_)
            for (const auto& entry : entries(*set, &*row)) {
                const auto stored = view.get(*entry.space, entry.key);
                if (!stored.has_value() || !*stored)
                    findings.add(fmt::format("{}.{}: the entry of row {} is missing", name, set->name(),
                                             printable(T::primary_of(*row))));
                else if (**stored != entry.value)
                    findings.add(fmt::format("{}.{}: the entry of row {} has other contents", name,
                                             set->name(), printable(T::primary_of(*row))));
            }
        for (const auto* tally : tallies_)
            for (auto& tally_key : tally->tallies_of(*row))
                ++sums[std::move(tally_key)];
        return true;
    }));
    for (const auto* set : sets_)
        TRY(view.scan(set->space(), Range::of_prefix(set->prefix()), Order::forward,
                      [&](BytesView key, BytesView value) {
                          const auto row = find(view, set->owner(key, value));
                          if (!row.has_value() || !*row || !has_key(entries(*set, &**row), Bytes(key)))
                              findings.add(fmt::format("{}.{}: the entry {} belongs to no row", name,
                                                       set->name(), printable(key)));
                          return true;
                      }));
    for (const auto* tally : tallies_)
        TRY(compare_sums(view, tally->prefix(), sums, [&](BytesView key, std::int64_t missing) {
            findings.add(fmt::format("{}.{}: the tally {} should be {} more", name, tally->name(),
                                     printable(key), missing));
        }));
    return findings;
}

// Changes of one transaction of a reindex, and the most that it holds in memory beside the sums.
inline constexpr std::size_t reindex_batch_max = 1000;

template <class T>
Result<std::uint64_t> Table<T>::erase_strays(Engine& engine, const EntrySet<T>& set) const {
    std::uint64_t erased = 0;
    std::vector<Bytes> strays;
    for (auto range = Range::of_prefix(set.prefix());; range = range.behind(strays.back())) {
        strays.clear();
        TRY(engine.read([&](View& view) {
            return view.scan(set.space(), range, Order::forward, [&](BytesView key, BytesView value) {
                const auto row = find(view, set.owner(key, value));
                if (row.has_value() && (!*row || !has_key(entries(set, &**row), Bytes(key))))
                    strays.emplace_back(key);
                return strays.size() < reindex_batch_max;
            });
        }));
        TRY(engine.transact([&](Txn& txn) -> Result<void> {
            for (const auto& key : strays)
                TRY(txn.erase(set.space(), key));
            return {};
        }));
        erased += strays.size();
        if (strays.size() < reindex_batch_max)
            return erased;
    }
}

template <class T>
Result<std::uint64_t> Table<T>::put_missing(Engine& engine, Sums& sums) const {
    std::uint64_t put = 0;
    std::vector<Entry> missing;
    Bytes seen;
    const auto compare = [&](View& view, const T& row) -> Result<void> {
        for (const auto* set : sets_)
            for (auto& entry : entries(*set, &row))
                if (TRY(view.get(*entry.space, entry.key)) != std::optional(entry.value))
                    missing.push_back(std::move(entry));
        for (const auto* tally : tallies_)
            for (auto& tally_key : tally->tallies_of(row))
                ++sums[std::move(tally_key)];
        return {};
    };
    for (auto range = rows_range({});; range = range.behind(seen)) {
        missing.clear();
        Result<void> outcome;
        TRY(engine.read([&](View& view) {
            return view.scan(*rows_, range, Order::forward, [&](BytesView key, BytesView bytes) {
                seen = key;
                if (const auto row = decode<T>(bytes); row.has_value())
                    outcome = compare(view, *row);
                return outcome.has_value() && missing.size() < reindex_batch_max;
            });
        }));
        TRY(outcome);
        TRY(engine.transact([&](Txn& txn) -> Result<void> {
            for (const auto& entry : missing)
                TRY(txn.put(*entry.space, entry.key, entry.value));
            return {};
        }));
        put += missing.size();
        if (missing.size() < reindex_batch_max)
            return put;
    }
}

template <class T>
Result<std::uint64_t> Table<T>::add_missing(Engine& engine, const Sums& sums) const {
    std::vector<std::pair<Bytes, std::int64_t>> missing;
    TRY(engine.read([&](View& view) -> Result<void> {
        for (const auto* tally : tallies_)
            TRY(compare_sums(view, tally->prefix(), sums, [&](BytesView key, std::int64_t difference) {
                missing.emplace_back(key, difference);
            }));
        return {};
    }));
    for (std::size_t begin = 0; begin < missing.size(); begin += reindex_batch_max)
        TRY(engine.transact([&](Txn& txn) -> Result<void> {
            for (auto i = begin; i < std::min(missing.size(), begin + reindex_batch_max); ++i)
                TRY(txn.add(missing[i].first, missing[i].second));
            return {};
        }));
    return missing.size();
}

template <class T>
Result<std::uint64_t> Table<T>::reindex(Engine& engine) const {
    std::uint64_t mended = 0;
    for (const auto* set : sets_) // first, so that a unique key is free for the row that has it now
        mended += TRY(erase_strays(engine, *set));
    Sums sums;
    mended += TRY(put_missing(engine, sums));
    mended += TRY(add_missing(engine, sums));
    return mended;
}

} // namespace slashpost::data
