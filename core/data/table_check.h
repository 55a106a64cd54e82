#pragma once
// Table<T>::check and ::reindex: because entries are functions of the row, both are the same comparison.
#include "core/data/table.h"

#include <fmt/format.h>

namespace slashpost::data {

// The bytes as hexadecimal, for findings.
std::string printable(BytesView bytes);

// Tally sums that rows call for, to be compared with the stored ones.
using Sums = std::map<Bytes, std::int64_t>;

// Reports each key under `prefix` whose stored sum differs from `expected`, with what is missing.
Result<void> compare_sums(View& view, BytesView prefix, const Sums& expected,
                          const std::function<void(BytesView tally, std::int64_t missing)>& differs);

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

template <class T>
Result<std::uint64_t> Table<T>::reindex(Engine& engine) const {
    std::vector<Entry> to_put, to_erase;
    std::vector<std::pair<Bytes, std::int64_t>> to_add;
    std::uint64_t mended = 0;
    const auto collect = [&](View& view) -> Result<void> {
        Sums sums;
        TRY(each(view, [&](const T& row) -> Result<bool> {
            for (const auto* set : sets_)
                for (auto& entry : entries(*set, &row))
                    if (TRY(view.get(*entry.space, entry.key)) != std::optional(entry.value))
                        to_put.push_back(std::move(entry));
            for (const auto* tally : tallies_)
                for (auto& tally_key : tally->tallies_of(row))
                    ++sums[std::move(tally_key)];
            return true;
        }));
        for (const auto* set : sets_)
            TRY(view.scan(set->space(), Range::of_prefix(set->prefix()), Order::forward,
                          [&](BytesView key, BytesView value) {
                              const auto row = find(view, set->owner(key, value));
                              if (row.has_value() && (!*row || !has_key(entries(*set, &**row), Bytes(key))))
                                  to_erase.push_back({&set->space(), Bytes(key), {}});
                              return true;
                          }));
        for (const auto* tally : tallies_)
            TRY(compare_sums(view, tally->prefix(), sums, [&](BytesView key, std::int64_t missing) {
                to_add.emplace_back(key, missing);
            }));
        return {};
    };
    TRY(engine.read(collect));

    static constexpr std::size_t batch_max = 1000;
    const auto in_batches = [&](const auto& items, const auto& apply) -> Result<void> {
        for (std::size_t begin = 0; begin < items.size(); begin += batch_max)
            TRY(engine.transact([&](Txn& txn) -> Result<void> {
                for (auto i = begin; i < std::min(items.size(), begin + batch_max); ++i)
                    TRY(apply(txn, items[i]));
                return {};
            }));
        mended += items.size();
        return {};
    };
    TRY(in_batches(to_erase, [](Txn& txn, const Entry& e) { return txn.erase(*e.space, e.key); }));
    TRY(in_batches(to_put, [](Txn& txn, const Entry& e) { return txn.put(*e.space, e.key, e.value); }));
    TRY(in_batches(to_add, [](Txn& txn, const auto& sum) { return txn.add(sum.first, sum.second); }));
    return mended;
}

} // namespace slashpost::data
