#include "storage/memory/engine.h"

#include "core/base/errors.h"
#include "core/data/sheets.h"
#include "storage/retry.h"

#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <ranges>
#include <set>
#include <vector>

namespace slashpost::storage {

namespace {

using data::Bytes;
using data::BytesView;
using data::Order;
using data::Range;
using data::Space;

// What a key was after a commit; no value: it was erased.
struct Version {
    std::uint64_t commit = 0;
    std::optional<Bytes> value;
};
using Versions = std::vector<Version>; // oldest first, never empty
using Map = std::map<Bytes, Versions, std::less<>>;
using MapKey = std::pair<Map*, Bytes>;

Bytes from_sum(std::int64_t sum) {
    Bytes bytes(sizeof sum, '\0');
    std::memcpy(bytes.data(), &sum, sizeof sum);
    return bytes;
}

std::int64_t to_sum(const std::optional<Bytes>& bytes) {
    std::int64_t sum = 0;
    if (bytes)
        std::memcpy(&sum, bytes->data(), sizeof sum);
    return sum;
}

// Sums wrap around like the machine's integers, as in every engine.
std::int64_t plus(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

// What a write makes of a value that was there.
enum class Effect : std::uint8_t { replaces, adds_counts, adds_sheet, appends };

// What adding encoded counts makes of a value. One that cannot be read stays, so whoever decodes it learns.
std::optional<Bytes> plus_counts(const std::optional<Bytes>& stored, const Bytes& delta) {
    if (!stored)
        return delta;
    return data::merge_counts(std::array<BytesView, 2>{*stored, delta}).value_or(*stored);
}

std::optional<Bytes> plus_sheet(const std::optional<Bytes>& stored, const Bytes& more) {
    if (!stored)
        return more;
    return data::merge_sheets(std::array<BytesView, 2>{*stored, more}).value_or(*stored);
}

// What the key was after commit number `at`.
std::optional<Bytes> as_of(const Versions& versions, std::uint64_t at) {
    for (const Version& version : std::views::reverse(versions))
        if (version.commit <= at)
            return version.value;
    return std::nullopt;
}

// The first entry of `range` in `order`, or the one that follows the key `after`; null at the end.
template <class AnyMap>
const typename AnyMap::value_type* entry_after(const AnyMap& map, const Range& range, Order order,
                                               const std::optional<Bytes>& after) {
    if (order == Order::forward) {
        auto it = after ? map.upper_bound(*after) : map.lower_bound(range.from);
        return it != map.end() && (range.until.empty() || it->first < range.until) ? &*it : nullptr;
    }
    auto it = after                 ? map.lower_bound(*after)
              : range.until.empty() ? map.end()
                                    : map.lower_bound(range.until);
    return it != map.begin() && (--it)->first >= range.from ? &*it : nullptr;
}

class MemoryEngine;

// One attempt, or (with nothing ever written) one view. Holds its snapshot until it is destroyed.
class MemoryTxn final : public data::Txn {
  public:
    explicit MemoryTxn(MemoryEngine& engine);
    ~MemoryTxn() override;

    Result<std::optional<Bytes>> get(const Space& space, BytesView key) override;
    Result<std::optional<Bytes>> peek(const Space& space, BytesView key) override;
    Result<void> scan(const Space& space, const Range& range, Order order, const data::Visit& visit) override;
    Result<void> scan_tallies(const Range& range, Order order, const data::VisitTally& visit) override;
    Result<std::int64_t> tally(BytesView key) override;
    Result<void> put(const Space& space, BytesView key, BytesView value) override;
    Result<void> erase(const Space& space, BytesView key) override;
    Result<void> add(BytesView tally, std::int64_t delta) override;
    Result<void> add_counts(const Space& space, BytesView key, const data::Counts& delta) override;
    Result<void> add_sheet(const Space& space, BytesView key, BytesView sheet) override;
    Result<void> append(const Space& space, BytesView key, BytesView more) override;
    Result<void> put_blind(const Space& space, BytesView key, BytesView value) override;
    Result<void> erase_blind(const Space& space, BytesView key) override;

  private:
    friend class MemoryEngine;
    // What the transaction makes of a key.
    struct Own {
        std::optional<Bytes> value; // nothing: erased
        Effect effect = Effect::replaces;

        [[nodiscard]] bool needs_stored() const { return effect != Effect::replaces; }
        [[nodiscard]] std::optional<Bytes> over(const std::optional<Bytes>& stored) const {
            switch (effect) {
            case Effect::replaces:
                return value;
            case Effect::adds_counts:
                return plus_counts(stored, *value);
            case Effect::adds_sheet:
                return plus_sheet(stored, *value);
            case Effect::appends:
                return stored.value_or(Bytes()) + *value;
            }
            return value;
        }
    };
    using Written = std::map<Bytes, Own, std::less<>>;

    Result<void> write(const Space& space, BytesView key, std::optional<Bytes> value);
    // A write with an effect on what is there; what the transaction itself made of the key before included.
    Result<void> merge(const Space& space, BytesView key, Own own);

    MemoryEngine& engine_;
    const std::uint64_t snapshot_;
    std::set<MapKey> tracked_;
    std::map<Map*, Written> written_;
    std::map<Bytes, std::int64_t, std::less<>> added_;
    bool writes_ = false;
};

class MemoryEngine final : public data::Engine {
  public:
    explicit MemoryEngine(std::span<const Space> spaces) {
        for (const Space& space : spaces)
            spaces_[space.number];
    }

    Result<std::optional<Bytes>> get_now(const Space& space, BytesView key) override {
        return value_of(*TRY(map_of(space)), key, UINT64_MAX);
    }
    Result<void> verify_checksums() override { return {}; }
    Figures figures() override { return {.conflicts = conflicts_.load()}; }

    // The map never moves, so that a transaction may keep its address.
    Result<Map*> map_of(const Space& space) {
        if (auto found = spaces_.find(space.number); found != spaces_.end())
            return &found->second;
        return fault(fmt::format("the space '{}' was not declared when the store was opened", space.name));
    }

    std::optional<Bytes> value_of(const Map& map, BytesView key, std::uint64_t at) {
        const std::lock_guard lock(mutex_);
        auto found = map.find(key);
        return found == map.end() ? std::nullopt : as_of(found->second, at);
    }

    // Walks the entries of `map` as of commit `at` together with the transaction's own `written` ones.
    // `value` makes the value to visit, or nothing, from (committed value, own entry or null). The lock is
    // not held while `visit` runs, for it may use the transaction.
    template <class Own, class Value, class Visit>
    void scan(const Map& map, std::uint64_t at, const Own& written, const Range& range, Order order,
              const Value& value, const Visit& visit) {
        if (!range.until.empty() && range.until <= range.from)
            return;
        std::optional<Bytes> cursor;
        for (;;) {
            std::optional<Bytes> committed;
            const auto* own = entry_after(written, range, order, cursor);
            {
                const std::lock_guard lock(mutex_);
                const auto* stored = entry_after(map, range, order, cursor);
                if (own == nullptr && stored == nullptr)
                    return;
                if (own != nullptr && stored != nullptr && own->first != stored->first) {
                    if ((own->first < stored->first) == (order == Order::forward))
                        stored = nullptr;
                    else
                        own = nullptr;
                }
                cursor = own != nullptr ? own->first : stored->first;
                if (stored != nullptr)
                    committed = as_of(stored->second, at);
            }
            const auto now = value(committed, own != nullptr ? &own->second : nullptr);
            if (now && !visit(*cursor, *now))
                return;
        }
    }

    Map& tallies() { return tallies_; }

    std::uint64_t hold_snapshot() {
        const std::lock_guard lock(mutex_);
        snapshots_.insert(commits_);
        return commits_;
    }

    void release_snapshot(std::uint64_t snapshot) {
        const std::lock_guard lock(mutex_);
        snapshots_.erase(snapshots_.find(snapshot));
        collect_garbage();
    }

  protected:
    Result<void> run_transaction(const std::function<Result<void>(data::Txn&)>& closure) override {
        return until_committed(
            [&]() -> Result<Attempt> {
                MemoryTxn txn(*this);
                TRY(closure(txn));
                return commit(txn);
            },
            conflicts_);
    }

    Result<void> run_read(const std::function<Result<void>(data::View&)>& closure) override {
        MemoryTxn view(*this);
        return closure(view);
    }

  private:
    Attempt commit(const MemoryTxn& txn) {
        if (!txn.writes_)
            return Attempt::committed; // it read one snapshot, which was true at one moment
        const std::lock_guard lock(mutex_);
        for (const auto& [map, key] : txn.tracked_)
            if (auto found = map->find(key);
                found != map->end() && found->second.back().commit > txn.snapshot_)
                return Attempt::lost;
        ++commits_;
        for (const auto& [map, entries] : txn.written_)
            for (const auto& [key, own] : entries) {
                auto found = own.needs_stored() ? map->find(key) : map->end();
                append(*map, key, own.over(found == map->end() ? std::nullopt : found->second.back().value));
            }
        for (const auto& [key, delta] : txn.added_) {
            auto found = tallies_.find(key);
            const std::int64_t before = found == tallies_.end() ? 0 : to_sum(found->second.back().value);
            append(tallies_, key, from_sum(plus(before, delta)));
        }
        return Attempt::committed;
    }

    void append(Map& map, const Bytes& key, const std::optional<Bytes>& value) {
        map[key].push_back({.commit = commits_, .value = value});
        replaced_.push_back({.commit = commits_, .key = {&map, key}});
    }

    // Forgets versions that no snapshot, present or future, can see. An erased key is remembered as long as
    // a transaction lives that may not know of it yet.
    void collect_garbage() {
        const std::uint64_t oldest = snapshots_.empty() ? commits_ : *snapshots_.begin();
        for (; !replaced_.empty() && replaced_.front().commit <= oldest; replaced_.pop_front()) {
            const auto& [map, key] = replaced_.front().key;
            auto found = map->find(key);
            if (found == map->end())
                continue;
            Versions& versions = found->second;
            while (versions.size() > 1 && versions[1].commit <= oldest)
                versions.erase(versions.begin());
            if (versions.size() == 1 && !versions[0].value && versions[0].commit <= oldest)
                map->erase(found);
        }
    }

    struct Replaced {
        std::uint64_t commit = 0;
        MapKey key;
    };

    std::atomic<std::uint64_t> conflicts_ = 0;
    std::map<std::uint16_t, Map> spaces_; // which there are is set once; what they hold is guarded by mutex_
    std::mutex mutex_;                    // guards everything below, too
    Map tallies_;
    std::uint64_t commits_ = 0;
    std::multiset<std::uint64_t> snapshots_; // of living transactions and views
    std::deque<Replaced> replaced_;          // keys that commits wrote, in their order
};

MemoryTxn::MemoryTxn(MemoryEngine& engine) : engine_(engine), snapshot_(engine.hold_snapshot()) {}

MemoryTxn::~MemoryTxn() { engine_.release_snapshot(snapshot_); }

Result<std::optional<Bytes>> MemoryTxn::get(const Space& space, BytesView key) {
    tracked_.emplace(TRY(engine_.map_of(space)), key);
    return peek(space, key);
}

Result<std::optional<Bytes>> MemoryTxn::peek(const Space& space, BytesView key) {
    Map* map = TRY(engine_.map_of(space));
    const Written& written = written_[map];
    auto own = written.find(key);
    if (own == written.end())
        return engine_.value_of(*map, key, snapshot_);
    return own->second.over(own->second.needs_stored() ? engine_.value_of(*map, key, snapshot_)
                                                       : std::nullopt);
}

Result<void> MemoryTxn::scan(const Space& space, const Range& range, Order order, const data::Visit& visit) {
    Map* map = TRY(engine_.map_of(space));
    engine_.scan(
        *map, snapshot_, written_[map], range, order,
        [](const std::optional<Bytes>& committed, const Own* own) {
            return own != nullptr ? own->over(committed) : committed;
        },
        visit);
    return {};
}

Result<void> MemoryTxn::scan_tallies(const Range& range, Order order, const data::VisitTally& visit) {
    engine_.scan(
        engine_.tallies(), snapshot_, added_, range, order,
        [](const std::optional<Bytes>& committed, const std::int64_t* own) {
            return committed || own != nullptr
                       ? std::optional(plus(to_sum(committed), own != nullptr ? *own : 0))
                       : std::nullopt;
        },
        visit);
    return {};
}

Result<std::int64_t> MemoryTxn::tally(BytesView key) {
    const auto own = added_.find(key);
    return plus(to_sum(engine_.value_of(engine_.tallies(), key, snapshot_)),
                own != added_.end() ? own->second : 0);
}

Result<void> MemoryTxn::write(const Space& space, BytesView key, std::optional<Bytes> value) {
    written_[TRY(engine_.map_of(space))][Bytes(key)] = {.value = std::move(value)};
    writes_ = true;
    return {};
}

Result<void> MemoryTxn::put(const Space& space, BytesView key, BytesView value) {
    tracked_.emplace(TRY(engine_.map_of(space)), key);
    return write(space, key, Bytes(value));
}

Result<void> MemoryTxn::erase(const Space& space, BytesView key) {
    tracked_.emplace(TRY(engine_.map_of(space)), key);
    return write(space, key, std::nullopt);
}

Result<void> MemoryTxn::add(BytesView tally, std::int64_t delta) {
    std::int64_t& sum = added_[Bytes(tally)];
    sum = plus(sum, delta);
    writes_ = true;
    return {};
}

Result<void> MemoryTxn::add_counts(const Space& space, BytesView key, const data::Counts& delta) {
    return merge(space, key, {.value = delta.encode(), .effect = Effect::adds_counts});
}

Result<void> MemoryTxn::add_sheet(const Space& space, BytesView key, BytesView sheet) {
    return merge(space, key, {.value = Bytes(sheet), .effect = Effect::adds_sheet});
}

Result<void> MemoryTxn::append(const Space& space, BytesView key, BytesView more) {
    return merge(space, key, {.value = Bytes(more), .effect = Effect::appends});
}

Result<void> MemoryTxn::merge(const Space& space, BytesView key, Own own) {
    Written& written = written_[TRY(engine_.map_of(space))];
    const auto [found, is_new] = written.try_emplace(Bytes(key), own);
    if (!is_new)
        found->second.value = own.over(found->second.value);
    writes_ = true;
    return {};
}

Result<void> MemoryTxn::put_blind(const Space& space, BytesView key, BytesView value) {
    return write(space, key, Bytes(value));
}

Result<void> MemoryTxn::erase_blind(const Space& space, BytesView key) {
    return write(space, key, std::nullopt);
}

} // namespace

std::unique_ptr<data::Engine> make_memory_engine(std::span<const data::Space> spaces) {
    return std::make_unique<MemoryEngine>(spaces);
}

} // namespace slashpost::storage
