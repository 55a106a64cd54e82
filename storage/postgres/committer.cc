#include "storage/postgres/committer.h"

#include "core/base/errors.h"
#include "core/data/merging.h"
#include "storage/postgres/watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace slashpost::storage::postgres {

using data::Bytes;
using data::BytesView;

namespace {

constexpr std::size_t batch_max = 64;
// A server that sleeps in the middle of a commit holds locks that others wait for, but not for long.
constexpr const char* begin =
    "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = '5s'";
constexpr int batch_tries_max = 8; // of one batch, when the store says that others are in the way

using Effects = std::map<Bytes, Effect>;

// Arrays of keys and what goes with them, for one statement.
struct Keys {
    std::vector<std::optional<BytesView>> keys, values;
    std::vector<std::int64_t> lanes, seqs;
    void add(const Bytes& key) { keys.emplace_back(key); }
    void add(const Bytes& key, const std::optional<Bytes>& value) {
        keys.emplace_back(key);
        values.emplace_back(value ? std::optional<BytesView>(*value) : std::nullopt);
    }
    [[nodiscard]] Parameter all() const { return std::span(keys); }
    [[nodiscard]] Parameter with() const { return std::span(values); }
};

// One statement that may have nothing to do.
Answer<void> change(Connection& connection, const std::string& statement, const Keys& keys,
                    std::span<const Parameter> parameters) {
    if (keys.keys.empty())
        return {};
    TRY(connection.ask(statement, parameters));
    return {};
}

// The versions of keys, whose rows stay as they are until the commit.
Answer<void> lock_rows(Connection& connection, const std::string& statement, const Keys& keys,
                       std::map<Bytes, Version>& found) {
    if (keys.keys.empty())
        return {};
    const auto rows = TRY(connection.ask(statement, std::array<Parameter, 1>{keys.all()}));
    for (int row = 0; row < rows.count(); ++row)
        found[Bytes(rows.bytes(row, 0))].row = rows.number(row, 1);
    return {};
}

// Locks what the transactions of a batch tracked in a space and answers the keys that have changed.
Answer<std::set<Bytes>> changed_keys(Connection& connection, const Table& table, const Effects& effects) {
    Keys absent, to_write, to_read, all;
    for (const auto& [key, effect] : effects) {
        const bool appends = effect.operand && table.space.merges == data::MergeRule::append;
        if (!effect.reads && !appends) // whose order is that of the locks
            continue;
        if (effect.reads)
            all.add(key);
        if (appends || effect.expected.row == 0)
            absent.add(key);
        (effect.replaces || appends ? to_write : to_read).add(key);
    }
    TRY(change(connection, table.guard, absent, std::array<Parameter, 1>{absent.all()}));
    std::map<Bytes, Version> found;
    TRY(lock_rows(connection, table.lock_to_write, to_write, found));
    TRY(lock_rows(connection, table.lock_to_read, to_read, found));
    if (table.merges() && !all.keys.empty()) {
        const auto pieces = TRY(connection.ask(table.piece_versions, std::array<Parameter, 1>{all.all()}));
        for (int row = 0; row < pieces.count(); ++row)
            found[Bytes(pieces.bytes(row, 0))].pieces.emplace_back(pieces.number(row, 1),
                                                                   pieces.number(row, 2));
    }
    for (const auto& key : absent.keys) // another server may have forgotten the row before it was locked
        if (!found.contains(Bytes(*key)))
            return std::unexpected(
                Failure{.kind = Failure::Kind::again, .words = "a row to be locked was taken away"});
    std::set<Bytes> changed;
    for (const auto& [key, effect] : effects)
        if (effect.reads && !effect.is_met_by(found[key]))
            changed.insert(key);
    return changed;
}

// For the other servers.
Answer<void> note_written(Connection& connection, const Table& table, const Effects& effects,
                          const Lane& lane, std::int64_t seq) {
    Keys written;
    for (const auto& [key, effect] : effects)
        if (effect.replaces || effect.operand)
            written.add(key);
    return change(
        connection, std::string(note_changes), written,
        std::array<Parameter, 4>{written.all(), lane.number(), seq, std::int64_t{table.space.number}});
}

Answer<void> write_space(Connection& connection, const Table& table, const Effects& effects, const Lane& lane,
                         std::int64_t seq) {
    if (table.is_watched)
        TRY(note_written(connection, table, effects, lane, seq));
    Keys rows, pieces, seen, unseen;
    for (const auto& [key, effect] : effects) {
        if (effect.replaces)
            rows.add(key, effect.value);
        if (effect.operand)
            pieces.add(key, effect.operand);
        if (!effect.replaces || !table.merges())
            continue;
        // Operands that were not seen came afterwards, and stay.
        if (!effect.reads || effect.forgets_all)
            unseen.add(key);
        for (const auto& [its_lane, number] : effect.expected.pieces) {
            seen.add(key);
            seen.lanes.push_back(its_lane);
            seen.seqs.push_back(number);
        }
    }
    TRY(change(connection, table.forget_all, unseen, std::array<Parameter, 1>{unseen.all()}));
    TRY(change(connection, table.forget_pieces, seen,
               std::array<Parameter, 3>{seen.all(), std::span<const std::int64_t>(seen.lanes),
                                        std::span<const std::int64_t>(seen.seqs)}));
    TRY(change(connection, table.write, rows,
               std::array<Parameter, 3>{rows.all(), lane.version_of(seq), rows.with()}));
    if (table.space.merges == data::MergeRule::append)
        return change(connection, table.append_pieces, pieces,
                      std::array<Parameter, 2>{pieces.all(), pieces.with()});
    return change(connection, table.add_pieces, pieces,
                  std::array<Parameter, 4>{pieces.all(), lane.number(), seq, pieces.with()});
}

} // namespace

// What those of a batch that have not lost come to; more of them lose against each other here.
Answer<std::map<std::uint16_t, Effects>> Committer::gather(const Batch& batch, Lost& lost) {
    std::map<std::uint16_t, Effects> spaces;
    std::set<Place> written;
    const auto loses = [&](const auto& tracked) {
        const auto& [place, version] = tracked;
        const auto& known = spaces[place.first];
        const auto found = known.find(place.second);
        // Two that saw different versions cannot both be right: the later one runs again.
        return written.contains(place) ||
               (found != known.end() && found->second.reads && found->second.expected != version);
    };
    for (const auto* one : batch) {
        const auto& proposal = *one->proposal;
        if (lost.contains(one) || std::ranges::any_of(proposal.tracked, loses)) {
            lost.insert(one);
            continue;
        }
        for (const auto& [place, version] : proposal.tracked)
            spaces[place.first][place.second].expect(version, proposal.only_merges);
        for (const auto* write : proposal.writes) {
            Bytes key(write->key);
            if (!spaces[write->space][key].apply(*write))
                return std::unexpected(
                    Failure{.kind = Failure::Kind::mistake, .words = "an operand cannot be merged"});
            written.emplace(write->space, std::move(key));
        }
    }
    return spaces;
}

// As one transaction of the store. Nobody's is in it when it answers false: the lane is lost.
Answer<bool> Committer::write(Connection& connection, const Batch& batch, Lost& lost, std::int64_t seq) {
    TRY(connection.run(begin));
    if (!TRY(lane_.write(connection, seq)))
        return false;
    for (;;) { // until nobody loses any more
        const auto spaces = TRY(gather(batch, lost));
        std::set<Place> changed;
        for (const auto& [number, effects] : spaces)
            for (auto& key : TRY(changed_keys(connection, tables_.all().at(number), effects)))
                changed.emplace(number, key);
        const auto lost_before = lost.size();
        for (const auto* one : batch)
            if (std::ranges::any_of(one->proposal->tracked,
                                    [&](const auto& tracked) { return changed.contains(tracked.first); }))
                lost.insert(one);
        if (lost.size() != lost_before)
            continue;
        for (const auto& [number, effects] : spaces)
            TRY(write_space(connection, tables_.all().at(number), effects, lane_, seq));
        TRY(connection.run("COMMIT"));
        return true;
    }
}

bool Effect::apply(const OwnWrites::Write& write) {
    if (write.kind != OwnWrites::Kind::merge) {
        forgets_all = forgets_all || (replaces && may_have_more); // not just what was merged before
        replaces = true;
        value = write.kind == OwnWrites::Kind::put ? std::optional(Bytes(write.value)) : std::nullopt;
        operand.reset();
        return true;
    }
    // Behind pieces that the value is not made of.
    auto& into = replaces && (!may_have_more || forgets_all) ? value : operand;
    if (!into) {
        into = write.value;
        return true;
    }
    auto merged = data::merge_values(write.rule, std::array<BytesView, 2>{*into, write.value});
    if (!merged)
        return false;
    into = std::move(merged);
    return true;
}

void Effect::expect(const Version& version, bool or_more) {
    may_have_more = or_more && (may_have_more || !reads);
    reads = true;
    expected = version;
}

bool Effect::is_met_by(const Version& found) const {
    return found.row == expected.row && (may_have_more ? std::ranges::includes(found.pieces, expected.pieces)
                                                       : found.pieces == expected.pieces);
}

Result<Attempt> Committer::commit(const Proposal& proposal) {
    Waiting mine{.proposal = &proposal, .outcome = {}};
    std::unique_lock lock(mutex_);
    // In a batch, what is added to a key comes after what was there.
    waiting_.insert(proposal.only_merges ? waiting_.begin() : waiting_.end(), &mine);
    for (;;) {
        changed_.wait(lock, [&] { return mine.outcome.has_value() || !busy_; });
        if (mine.outcome)
            return *std::move(mine.outcome);
        busy_ = true;
        const auto count = std::min(waiting_.size(), batch_max);
        Batch batch(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
        waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
        lock.unlock();
        commit_batch(batch);
        lock.lock();
        busy_ = false;
        changed_.notify_all();
    }
}

void Committer::commit_batch(Batch& batch) {
    Lost lost;
    const auto done = try_batch(batch, lost);
    const std::lock_guard lock(mutex_);
    for (auto* one : batch) {
        if (!done.has_value())
            one->outcome = Result<Attempt>(std::unexpected(done.error()));
        else
            one->outcome = Result<Attempt>(lost.contains(one) ? Attempt::lost : Attempt::committed);
    }
}

Result<void> Committer::try_batch(const Batch& batch, Lost& lost) {
    for (int tries = 1;; ++tries) {
        lost.clear();
        if (lane_.is_lost())
            return unavailable(taken_for_dead);
        const auto seq = lane_.next();
        auto done = write(*TRY(pool_.take()), batch, lost, seq);
        if (!done && done.error().kind == Failure::Kind::lost) { // perhaps while it was committed
            const auto there = lane_.has(*TRY(pool_.take()), seq);
            if (!there)
                return error_of(there.error(), "asking for the outcome of a commit");
            if (*there)
                done = true;
        }
        if (done && *done) {
            lane_.done(seq);
            return {};
        }
        if (done)
            return unavailable(taken_for_dead);
        const auto kind = done.error().kind;
        if (tries == batch_tries_max || (kind != Failure::Kind::again && kind != Failure::Kind::lost))
            return error_of(done.error(), "committing");
    }
}

} // namespace slashpost::storage::postgres
