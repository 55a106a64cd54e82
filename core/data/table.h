#pragma once
// A table: rows of one type, with the entries declared on it (core/data/entries.h) kept in step.
//
// A row type T offers, besides what the codec asks for (core/data/codec.h):
//   static constexpr std::size_t primary_bytes;      every primary key has this length
//   static Bytes primary_of(const T&);               in key form
#include "core/data/codec.h"
#include "core/data/entries.h"

#include <algorithm>
#include <map>

namespace slashpost::data {

// What a check found wrong, one sentence each, the first `findings_max` of them.
struct Findings {
    static constexpr std::size_t findings_max = 100;
    std::vector<std::string> sentences;
    std::uint64_t count = 0; // all, also those without a sentence
    std::uint64_t rows = 0;  // looked at
    void add(std::string sentence);
};

// Tally sums that rows call for, to be compared with the stored ones.
using Sums = std::map<Bytes, std::int64_t>;

template <class T>
class Table {
  public:
    using Row = T;

    // `resource` names one row in errors; the name of the space is the name of the table.
    Table(const Space& rows, std::string_view resource) : rows_(&rows), resource_(resource) {}
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    [[nodiscard]] const Space& rows() const { return *rows_; }
    [[nodiscard]] std::string_view resource() const { return resource_; }
    void declare(const EntrySet<T>& set) { sets_.push_back(&set); }
    void declare(const Tally<T>& tally) { tallies_.push_back(&tally); }
    void declare(const Mark<T>& mark) { marks_.push_back(&mark); }
    [[nodiscard]] const std::vector<const EntrySet<T>*>& sets() const { return sets_; }
    [[nodiscard]] const std::vector<const Tally<T>*>& tallies() const { return tallies_; }
    [[nodiscard]] const std::vector<const Mark<T>*>& marks() const { return marks_; }

    Result<std::optional<T>> find(View& view, BytesView primary) const {
        const auto bytes = TRY(view.get(*rows_, row_key(primary)));
        if (!bytes)
            return std::optional<T>();
        return std::optional<T>(TRY(decode<T>(*bytes)));
    }
    // The row that a unique key belongs to.
    template <class... Components>
    Result<std::optional<T>> find_by(const Unique<T>& unique, View& view,
                                     const Components&... components) const {
        const auto entry = TRY(unique.find(view, components...));
        if (!entry)
            return std::optional<T>();
        return find(view, unique.owner({}, *entry));
    }

    // Fails with AlreadyExists on the property of the first unique key that is taken, or a conflict when
    // there is such a row.
    Result<void> insert(Txn& txn, const T& now) const {
        if (TRY(txn.get(*rows_, row_key(T::primary_of(now)))))
            return conflict("There is already such a row.");
        return insert_new(txn, now);
    }
    // The same for a primary key that was just made at random, so that no row can have it: none is looked
    // for.
    Result<void> insert_new(Txn& txn, const T& now) const { return write(txn, nullptr, &now); }
    // `was` is the row as read in this transaction.
    Result<void> update(Txn& txn, const T& was, const T& now) const { return write(txn, &was, &now); }
    Result<void> remove(Txn& txn, const T& was) const { return write(txn, &was, nullptr); }

    // All rows in the order of their primary keys, behind `after` (a primary key, or empty).
    // `visit(const T&)` answers Result<bool>; false ends.
    template <class VisitRow>
    Result<void> each(View& view, VisitRow&& visit, BytesView after = {}) const {
        Result<void> outcome;
        TRY(view.scan(*rows_, rows_range(after), Order::forward, [&](BytesView, BytesView bytes) {
            const auto step = [&]() -> Result<bool> { return visit(TRY(decode<T>(bytes))); };
            auto more = step();
            if (more.has_value())
                return *more;
            outcome = std::unexpected(std::move(more).error());
            return false;
        }));
        return outcome;
    }

    // Recomputes every entry and tally from the rows and compares with what is stored.
    Result<Findings> check(View& view) const;
    // Mends what `check` would find, but for rows that cannot be read, which keep the entries they have. In
    // bounded transactions; may be cut off anywhere and run again. Nothing else may write meanwhile. Returns
    // the number of entries and tallies that were mended.
    Result<std::uint64_t> reindex(Engine& engine) const;

    [[nodiscard]] static Bytes row_key(BytesView primary) { return Bytes(1, '\0') + Bytes(primary); }

  private:
    [[nodiscard]] static Range rows_range(BytesView after) {
        auto range = Range::of_prefix(Bytes(1, '\0'));
        if (!after.empty())
            range.from = row_key(after) + '\0';
        return range;
    }
    static std::vector<Entry> entries(const EntrySet<T>& set, const T* row) {
        std::vector<Entry> out;
        if (row)
            set.append_entries(*row, out);
        return out;
    }
    static bool has_key(const std::vector<Entry>& entries, const Bytes& key) {
        return std::ranges::any_of(entries, [&](const Entry& entry) { return entry.key == key; });
    }

    // The steps of reindex: entries that belong to no row; entries of rows, with the sums that the rows call
    // for; tallies.
    Result<std::uint64_t> erase_strays(Engine& engine, const EntrySet<T>& set) const;
    Result<std::uint64_t> put_missing(Engine& engine, Sums& sums) const;
    Result<std::uint64_t> add_missing(Engine& engine, const Sums& sums) const;

    Result<void> write(Txn& txn, const T* was, const T* now) const {
        for (const auto* set : sets_) // all checks before the first write
            if (!set->unique_property().empty())
                TRY(check_unique(txn, *set, was, now));
        for (const auto* set : sets_)
            TRY(move(txn, entries(*set, was), entries(*set, now)));
        for (const auto* tally : tallies_)
            TRY(move_tally(txn, was ? tally->tallies_of(*was) : std::vector<Bytes>(),
                           now ? tally->tallies_of(*now) : std::vector<Bytes>()));
        TRY(now ? txn.put(*rows_, row_key(T::primary_of(*now)), encode(*now))
                : txn.erase(*rows_, row_key(T::primary_of(*was))));
        for (const auto* mark : marks_)
            TRY(put_mark(txn, *mark, was, now));
        return {};
    }
    static Result<void> put_mark(Txn& txn, const Mark<T>& mark, const T* was, const T* now) {
        if (was && (!now || mark.key_of(*was) != mark.key_of(*now)))
            TRY(mark.put(txn, *was));
        return now ? mark.put(txn, *now) : Result<void>();
    }
    Result<void> check_unique(Txn& txn, const EntrySet<T>& set, const T* was, const T* now) const {
        const auto old = entries(set, was);
        for (const auto& entry : entries(set, now))
            if (!has_key(old, entry.key) && TRY(txn.get(*entry.space, entry.key)))
                return invalid(resource_, {already_exists(set.unique_property())});
        return {};
    }
    // Blind, because nobody writes a row's entries but who writes the row, and that is tracked; as is the
    // look for a unique key.
    static Result<void> move(Txn& txn, const std::vector<Entry>& old, const std::vector<Entry>& fresh) {
        for (const auto& entry : old)
            if (!has_key(fresh, entry.key))
                TRY(txn.erase_blind(*entry.space, entry.key));
        for (const auto& entry : fresh) {
            const bool kept = std::ranges::any_of(old, [&](const Entry& before) {
                return before.key == entry.key && before.value == entry.value;
            });
            if (!kept)
                TRY(txn.put_blind(*entry.space, entry.key, entry.value));
        }
        return {};
    }
    static Result<void> move_tally(Txn& txn, const std::vector<Bytes>& old, const std::vector<Bytes>& fresh) {
        const auto add_missing = [&](const auto& from, const auto& in, std::int64_t delta) -> Result<void> {
            for (const auto& tally : from)
                if (std::ranges::find(in, tally) == in.end())
                    TRY(txn.add(tally, delta));
            return {};
        };
        TRY(add_missing(old, fresh, -1));
        return add_missing(fresh, old, 1);
    }

    const Space* rows_;
    std::string_view resource_;
    std::vector<const EntrySet<T>*> sets_;
    std::vector<const Tally<T>*> tallies_;
    std::vector<const Mark<T>*> marks_;
};

} // namespace slashpost::data

#include "core/data/table_check.h"
