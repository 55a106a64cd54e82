#pragma once
// Commits transactions: all that are ready while one commit is on its way go into the next, as one.
//
// No lock is held while a closure runs. A commit locks the rows of the keys that its transactions tracked,
// compares their versions with those that the transactions saw, leaves out the transactions that lost, and
// writes what the others wrote, in one short transaction of the store. (core/data/engine.h, rule 2; the
// SERIALIZABLE of SQL is weaker than that rule, and makes those wait who only add.)
#include "storage/own_writes.h"
#include "storage/postgres/lane.h"
#include "storage/postgres/snapshot.h"
#include "storage/retry.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <set>

namespace slashpost::storage::postgres {

// By the number of the space and the key.
using Place = std::pair<std::uint16_t, data::Bytes>;

// What one transaction asks for.
struct Proposal {
    std::map<Place, Version> tracked; // as they have to be
    std::vector<const OwnWrites::Write*> writes;
    // One value takes the place of the pieces that were seen of a key. Pieces that came since stay, so it
    // does not lose against them: it never would come to an end with a key that everybody adds to.
    bool only_merges = false;
};

// What a batch makes of one key.
struct Effect {
    bool replaces = false;            // the row, by `value`
    std::optional<data::Bytes> value; // nothing: erased
    std::optional<data::Bytes> operand;
    bool reads = false;         // some transaction tracked the key
    Version expected;           // then
    bool may_have_more = false; // pieces than those expected
    bool forgets_all = false;   // pieces, whichever came

    // In the order of the writes. False when an operand cannot be merged.
    bool apply(const OwnWrites::Write& write);
    void expect(const Version& version, bool or_more);
    [[nodiscard]] bool is_met_by(const Version& found) const;
};

class Committer {
  public:
    Committer(Pool& pool, const Tables& tables, Lane& lane) : pool_(pool), tables_(tables), lane_(lane) {}

    // Lost: a tracked key has changed. Fails as unavailable when the store takes no writes; it is open then
    // whether the proposal is in the store only if the store could not be asked.
    Result<Attempt> commit(const Proposal& proposal);

  private:
    struct Waiting {
        const Proposal* proposal = nullptr;
        std::optional<Result<Attempt>> outcome;
    };
    using Batch = std::vector<Waiting*>;

    using Lost = std::set<const Waiting*>;
    using Effects = std::map<data::Bytes, Effect>; // of one space, by key

    void commit_batch(Batch& batch);
    Result<void> try_batch(const Batch& batch, Lost& lost);
    Answer<bool> write(Connection& connection, const Batch& batch, Lost& lost, std::int64_t seq);
    static Answer<std::map<std::uint16_t, Effects>> gather(const Batch& batch, Lost& lost);

    Pool& pool_;
    const Tables& tables_;
    Lane& lane_;

    std::mutex mutex_;
    std::condition_variable changed_;
    // Guarded by mutex_.
    Batch waiting_;
    bool busy_ = false;
};

} // namespace slashpost::storage::postgres
