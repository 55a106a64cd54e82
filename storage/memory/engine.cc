#include "storage/memory/engine.h"

#include "core/base/errors.h"
#include "core/data/merging.h"
#include "storage/retry.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
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
    Result<void> put(const Space& space, BytesView key, BytesView value) override;
    Result<void> erase(const Space& space, BytesView key) override;
    Result<void> merge(const Space& space, BytesView key, BytesView operand) override;
    Result<void> put_blind(const Space& space, BytesView key, BytesView value) override;
    Result<void> erase_blind(const Space& space, BytesView key) override;

  private:
    friend class MemoryEngine;
    // What the transaction makes of a key.
    struct Own {
        std::optional<Bytes> value;                   // nothing: erased
        data::MergeRule rule = data::MergeRule::none; // otherwise the value is merged into what is stored

        [[nodiscard]] bool needs_stored() const { return rule != data::MergeRule::none; }
        // What cannot be merged leaves what was there, so whoever reads that learns.
        [[nodiscard]] std::optional<Bytes> over(const std::optional<Bytes>& stored) const {
            if (!needs_stored() || !stored)
                return value;
            return data::merge_values(rule, std::array<BytesView, 2>{*stored, *value}).value_or(*stored);
        }
    };
    using Written = std::map<Bytes, Own, std::less<>>;

    Result<void> write(const Space& space, BytesView key, std::optional<Bytes> value);
    MemoryEngine& engine_;
    const std::uint64_t snapshot_;
    std::set<MapKey> tracked_;
    std::map<Map*, Written> written_;
    bool writes_ = false;
};

class MemoryEngine final : public data::Engine {
  public:
    explicit MemoryEngine(std::span<const Space> spaces) {
        spaces_[data::tallies.number];
        for (const Space& space : spaces)
            spaces_[space.number];
    }

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

// Into what the transaction itself made of the key before, if it did.
Result<void> MemoryTxn::merge(const Space& space, BytesView key, BytesView operand) {
    if (space.merges == data::MergeRule::none)
        return fault(fmt::format("nothing is merged in the space '{}'", space.name));
    const Own own{.value = Bytes(operand), .rule = space.merges};
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
