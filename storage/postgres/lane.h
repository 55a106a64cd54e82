#pragma once
// Who commits. A server has a lane of its own, a row in which it counts its commits up; every commit of it
// changes that row. So a commit whose outcome was not heard of is looked up by its number, and a server that
// was taken for dead, and whose lane another one has, commits nothing any more.
#include "storage/postgres/pool.h"

#include <atomic>

namespace slashpost::storage::postgres {

class Lane {
  public:
    // Takes the store for this process. Fails as refused with code StoreInUse while another one has it, which
    // must have said so within the last ten seconds; one of the same name, while this one looks for some
    // seconds.
    static Result<std::unique_ptr<Lane>> take(Pool& pool, const std::string& node);
    ~Lane();
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    // The next commit's number. Of the thread that commits.
    [[nodiscard]] std::int64_t next() const { return seq_ + 1; }
    // What a row says that this commit wrote.
    [[nodiscard]] static std::int64_t version_of(std::int64_t seq) { return number << seq_bits | seq; }
    // Part of the commit with that number. Nothing is committed when it answers false: another server has the
    // lane.
    Answer<bool> write(Connection& connection, std::int64_t seq);
    // The commit is in the store.
    void done(std::int64_t seq) { seq_ = seq; }
    // Whether the commit with that number is in the store, for who lost the connection meanwhile.
    Answer<bool> has(Connection& connection, std::int64_t seq);
    // Says that this process is alive. Fails when it cannot; false when another server has the lane.
    Answer<bool> renew(Connection& connection);

    static constexpr std::int64_t number = 1;

  private:
    static constexpr int seq_bits = 40;
    Lane(Pool& pool, std::string node, std::int64_t epoch, std::int64_t seq)
        : pool_(pool),
          node_(std::move(node)),
          epoch_(epoch),
          seq_(seq) {}

    Pool& pool_;
    const std::string node_;
    const std::int64_t epoch_;
    std::atomic<std::int64_t> seq_; // changed by the thread that commits
};

} // namespace slashpost::storage::postgres
