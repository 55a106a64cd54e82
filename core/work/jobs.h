#pragma once
// Work that follows a commit and is too much for one transaction: a job is a row, written in the transaction
// that makes it necessary and worked off in bounded batches afterwards.
//
// Until a job is done, readers behave as if it were. Each batch is a transaction of its own, the last one
// erases the row, and what is left to do is always found in the tables themselves; so a job may be cut off at
// any moment, by kill -9 too, and goes on at the next start.
#include "core/access/service.h"
#include "core/model/work.h"

namespace slashpost {

// Part of the transaction that makes the job necessary.
Result<void> enqueue_job(data::Txn& txn, const Job& job);

// Works off what waits, one bounded batch at a time, the jobs in turn, so that neither a long job nor one
// that fails keeps the others waiting. One thread at a time.
class JobRunner {
  public:
    explicit JobRunner(Service& service) : service_(service) {}

    // Does one batch of the next job; true when there was one. Fails with what the batch failed with; the
    // job stays, and the next call turns to another.
    Result<bool> run_batch();

  private:
    Service& service_;
    data::Bytes after_; // primary key of the job that was worked on last
};

} // namespace slashpost
