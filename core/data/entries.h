#pragma once
// What can be declared next to a table: unique keys, ordered indexes, fans, tallies and marks.
//
// Each is a function of the row, so no operation keeps them by hand: a write moves a row from the entries
// of its old value to those of its new one (core/data/table.h), and a check can recompute them all.
//
//   in a table's own space    row    00 | primary key                       -> encoded row
//                             index  number (1 byte) | scope | place | primary key -> nothing
//                             unique number (1 byte) | key                  -> primary key | payload
//   unique in its own space   key                                           -> primary key | payload
//   among the tallies         table's space number (2 bytes) | number (1 byte) | key -> sum
//   marks in a space of their own    key                                    -> nothing
//
// Numbers are on disk: never reuse one, never change what it stands for.
#include "core/data/key.h"

#include <algorithm>

namespace slashpost::data {

// A key and whether the row is there. A row that is not there still has the place it would have.
struct When {
    bool there = false;
    Bytes key;
};
template <class... Components>
When when(bool there, const Components&... components) {
    return {there, data::key(components...)};
}
template <class... Components>
When always(const Components&... components) {
    return when(true, components...);
}

// One stored entry, as a row calls for it.
struct Entry {
    const Space* space = nullptr;
    Bytes key;
    Bytes value;
};

bool has_key(const std::vector<Entry>& entries, const Bytes& key);

// Takes a row from the entries of its old value to those of its new one. Blind, because nobody writes a row's
// entries but who writes the row, and that is tracked; as is the look for a unique key.
Result<void> move_entries(Txn& txn, const std::vector<Entry>& old, const std::vector<Entry>& fresh);
// The same for the tallies that it counts in.
Result<void> move_tallies(Txn& txn, const std::vector<Bytes>& old, const std::vector<Bytes>& fresh);

template <class T>
class Table;

// Something declared on a table that yields entries.
template <class T>
class EntrySet {
  public:
    EntrySet(Table<T>* table, std::uint8_t number, std::string_view name)
        : space_(&table->rows()),
          number_(number),
          name_(name) {
        table->declare(*this);
    }
    virtual ~EntrySet() = default;
    EntrySet(const EntrySet&) = delete;
    EntrySet& operator=(const EntrySet&) = delete;

    virtual void append_entries(const T& row, std::vector<Entry>& out) const = 0;
    // Not empty: two rows cannot have the same entry, and this is the property to blame.
    [[nodiscard]] virtual std::string_view unique_property() const { return {}; }
    [[nodiscard]] virtual const Space& space() const { return *space_; }
    // The stored entries of this set are the keys with this prefix in space().
    [[nodiscard]] virtual Bytes prefix() const { return data::key(number_); }
    // The primary key of the row that a stored entry belongs to.
    [[nodiscard]] virtual BytesView owner(BytesView key, BytesView value) const = 0;

    [[nodiscard]] std::uint8_t number() const { return number_; }
    [[nodiscard]] std::string_view name() const { return name_; }

  private:
    const Space* space_;
    std::uint8_t number_;
    std::string_view name_;
};

// No two rows that are there share this key. The entry carries the row's primary key and, if a payload is
// declared, what a reader needs without reading the row. A row may have several such keys, which differ from
// each other.
template <class T>
class Unique final : public EntrySet<T> {
  public:
    using KeyOf = When (*)(const T&);
    using KeysOf = std::vector<Bytes> (*)(const T&);
    using PayloadOf = Bytes (*)(const T&);

    // `property` is the wire name reported as AlreadyExists.
    Unique(Table<T>* table, std::uint8_t number, std::string_view property, KeyOf key_of)
        : EntrySet<T>(table, number, property),
          key_of_(key_of) {}
    Unique(Table<T>* table, std::uint8_t number, std::string_view property, KeysOf keys_of)
        : EntrySet<T>(table, number, property),
          keys_of_(keys_of) {}
    // Entries live in a space of their own, for look-ups that must be quick.
    Unique(Table<T>* table, std::uint8_t number, std::string_view property, const Space& own, KeysOf keys_of,
           PayloadOf payload_of)
        : EntrySet<T>(table, number, property),
          own_(&own),
          keys_of_(keys_of),
          payload_of_(payload_of) {}

    // What is stored under the key: primary key, then payload; nothing when the key is free.
    template <class... Components>
    Result<std::optional<Bytes>> find(View& view, const Components&... components) const {
        return view.get(space(), prefix() + data::key(components...));
    }

    void append_entries(const T& row, std::vector<Entry>& out) const override {
        const auto put = [&](const Bytes& key) {
            out.push_back(
                {&space(), prefix() + key, T::primary_of(row) + (payload_of_ ? payload_of_(row) : Bytes())});
        };
        if (keys_of_)
            std::ranges::for_each(keys_of_(row), put);
        else if (auto when = key_of_(row); when.there)
            put(when.key);
    }
    [[nodiscard]] std::string_view unique_property() const override { return this->name(); }
    [[nodiscard]] const Space& space() const override { return own_ ? *own_ : EntrySet<T>::space(); }
    [[nodiscard]] Bytes prefix() const override { return own_ ? Bytes() : EntrySet<T>::prefix(); }
    [[nodiscard]] BytesView owner(BytesView, BytesView value) const override {
        return value.substr(0, T::primary_bytes);
    }

  private:
    const Space* own_ = nullptr;
    KeyOf key_of_ = nullptr; // one of the two
    KeysOf keys_of_ = nullptr;
    PayloadOf payload_of_ = nullptr;
};

// Walks an index in its order. `after` is a place with its primary key, as Index::position gives it; the
// walk continues behind it. `from` and `until` bound the place: from <= place < until.
struct Walk {
    Bytes scope;
    Order order = Order::forward;
    std::optional<Bytes> after;
    Bytes from;
    std::optional<Bytes> until;
};

// Called with each primary key; false ends the walk.
using VisitPrimary = std::function<Result<bool>(BytesView primary)>;

// Walks the keys prefix | scope | place | primary of `space`.
Result<void> walk_entries(View& view, const Space& space, BytesView prefix, const Walk& walk,
                          std::size_t primary_bytes, const VisitPrimary& visit);

// An index: where rows stand within a scope.
template <class T>
class Index : public EntrySet<T> {
  public:
    using PlaceOf = Bytes (*)(const T&);

    Result<void> walk(View& view, const Walk& walk, const VisitPrimary& visit) const {
        return walk_entries(view, this->space(), this->prefix(), walk, T::primary_bytes, visit);
    }
    // Where the row stands, or would stand, within a scope: for Walk::after, and to sort by.
    [[nodiscard]] Bytes position(const T& row) const { return place_of_(row) + T::primary_of(row); }
    [[nodiscard]] BytesView owner(BytesView key, BytesView) const override {
        return key.size() < T::primary_bytes ? BytesView() : key.substr(key.size() - T::primary_bytes);
    }

  protected:
    Index(Table<T>* table, std::uint8_t number, std::string_view name, PlaceOf place_of)
        : EntrySet<T>(table, number, name),
          place_of_(place_of) {}
    [[nodiscard]] Entry entry(BytesView scope, const T& row) const {
        return {&this->space(), this->prefix().append(scope).append(position(row)), {}};
    }

  private:
    PlaceOf place_of_;
};

// An index in which a row stands once, or not at all.
template <class T>
class Ordered final : public Index<T> {
  public:
    using ScopeOf = When (*)(const T&);
    Ordered(Table<T>* table, std::uint8_t number, std::string_view name, ScopeOf scope_of,
            typename Index<T>::PlaceOf place_of)
        : Index<T>(table, number, name, place_of),
          scope_of_(scope_of) {}

    void append_entries(const T& row, std::vector<Entry>& out) const override {
        if (const auto when = scope_of_(row); when.there)
            out.push_back(this->entry(when.key, row));
    }

  private:
    ScopeOf scope_of_;
};

// An index in which a row stands once per scope, each time at the same place.
template <class T>
class Fan final : public Index<T> {
  public:
    using ScopesOf = std::vector<Bytes> (*)(const T&);
    Fan(Table<T>* table, std::uint8_t number, std::string_view name, ScopesOf scopes_of,
        typename Index<T>::PlaceOf place_of)
        : Index<T>(table, number, name, place_of),
          scopes_of_(scopes_of) {}

    void append_entries(const T& row, std::vector<Entry>& out) const override {
        for (const auto& scope : scopes_of_(row))
            out.push_back(this->entry(scope, row));
    }

  private:
    ScopesOf scopes_of_;
};

// Counts rows by a key; a count is the sum under any prefix of the key's components. A row may count under
// several keys, which differ from each other.
template <class T>
class Tally final {
  public:
    using KeyOf = When (*)(const T&);
    using KeysOf = std::vector<Bytes> (*)(const T&);
    Tally(Table<T>* table, std::uint8_t number, std::string_view name, KeyOf key_of)
        : Tally(table, number, name, key_of, nullptr) {}
    Tally(Table<T>* table, std::uint8_t number, std::string_view name, KeysOf keys_of)
        : Tally(table, number, name, nullptr, keys_of) {}
    Tally(const Tally&) = delete;
    Tally& operator=(const Tally&) = delete;

    template <class... Components>
    Result<std::int64_t> count(View& view, const Components&... components) const {
        return view.sum(prefix_ + data::key(components...));
    }
    // The tallies that the row counts in.
    [[nodiscard]] std::vector<Bytes> tallies_of(const T& row) const {
        if (key_of_) {
            const auto when = key_of_(row);
            return when.there ? std::vector{prefix_ + when.key} : std::vector<Bytes>();
        }
        auto keys = keys_of_(row);
        for (auto& key : keys)
            key.insert(0, prefix_);
        return keys;
    }
    [[nodiscard]] const Bytes& prefix() const { return prefix_; }
    [[nodiscard]] std::string_view name() const { return name_; }

  private:
    Tally(Table<T>* table, std::uint8_t number, std::string_view name, KeyOf key_of, KeysOf keys_of)
        : prefix_(data::key(table->rows().number, number)),
          name_(name),
          key_of_(key_of),
          keys_of_(keys_of) {
        table->declare(*this);
    }

    Bytes prefix_;
    std::string_view name_;
    KeyOf key_of_; // one of the two
    KeysOf keys_of_;
};

// A mark says that a row was written, for whoever follows the rows at his leisure: every write of a row
// leaves one, in its transaction, and only he erases it. So marks are no function of the rows, and no check
// compares them. The erasure of a mark loses against a write of its row at the same time.
template <class T>
class ChangeMark final {
  public:
    using KeyOf = Bytes (*)(const T&);
    ChangeMark(Table<T>* table, const Space& marks, KeyOf of) : marks_(&marks), key_of_(of) {
        table->declare(*this);
    }
    ChangeMark(const ChangeMark&) = delete;
    ChangeMark& operator=(const ChangeMark&) = delete;

    [[nodiscard]] const Space& space() const { return *marks_; }
    [[nodiscard]] Bytes key_of(const T& row) const { return key_of_(row); }
    Result<void> put(Txn& txn, const T& row) const { return txn.put_blind(*marks_, key_of_(row), {}); }

  private:
    const Space* marks_;
    KeyOf key_of_;
};

} // namespace slashpost::data
