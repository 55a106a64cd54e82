#pragma once
// A table: rows of one type, with the entries declared on it (core/data/entries.h) kept in step.
//
// A row type T offers, besides what the codec asks for (core/data/codec.h):
//   static constexpr std::size_t primary_bytes;      every primary key has this length
//   static Bytes primary_of(const T&);               in key form
//
// What is not written here is compiled once for each row type, by core/schema/schema.cc
// (core/data/table_code.h).
#include "core/data/codec.h"
#include "core/data/entries.h"
#include "core/data/findings.h"

namespace slashpost::data {

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
    void declare(const ChangeMark<T>& mark) { marks_.push_back(&mark); }
    // Every write is noted in the trail of its transaction (core/data/trail.h).
    void follow() { followed_ = true; }
    [[nodiscard]] const std::vector<const EntrySet<T>*>& sets() const { return sets_; }
    [[nodiscard]] const std::vector<const Tally<T>*>& tallies() const { return tallies_; }
    [[nodiscard]] const std::vector<const ChangeMark<T>*>& marks() const { return marks_; }

    Result<std::optional<T>> find(View& view, BytesView primary) const;
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
    Result<void> insert(Txn& txn, const T& now) const;
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
        return Range::of_prefix(row_key({})).behind(after.empty() ? Bytes() : row_key(after));
    }
    static std::vector<Entry> entries(const EntrySet<T>& set, const T* row);

    // The steps of reindex: entries that belong to no row; entries of rows, with the sums that the rows call
    // for; tallies.
    Result<std::uint64_t> erase_strays(Engine& engine, const EntrySet<T>& set) const;
    Result<std::uint64_t> put_missing(Engine& engine, Sums& sums) const;
    Result<std::uint64_t> add_missing(Engine& engine, const Sums& sums) const;

    Result<void> write(Txn& txn, const T* was, const T* now) const;
    static Result<void> put_mark(Txn& txn, const ChangeMark<T>& mark, const T* was, const T* now);
    Result<void> check_unique(Txn& txn, const EntrySet<T>& set, const T* was, const T* now) const;

    const Space* rows_;
    std::string_view resource_;
    std::vector<const EntrySet<T>*> sets_;
    std::vector<const Tally<T>*> tallies_;
    std::vector<const ChangeMark<T>*> marks_;
    bool followed_ = false;
};

} // namespace slashpost::data
