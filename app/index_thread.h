#pragma once
// The thread that keeps the search index (core/search/indexer.h) close behind the links, mostly within a
// second.
#include "app/log.h"
#include "core/search/indexer.h"
#include "core/work/duty.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace slashpost::app {

class IndexThread {
  public:
    // All outlive this.
    IndexThread(data::Engine& engine, Log& log);

    struct Figures {
        std::uint64_t links = 0;   // brought up to date since the start; one that changed again counts again
        double behind_seconds = 0; // since when there has always been something to do; 0: there is nothing
    };
    // From any thread.
    [[nodiscard]] Figures figures() const;

  private:
    void run(const std::stop_token& stopping);
    Result<std::optional<std::uint64_t>> run_batch(const std::stop_token& stopping);
    void note(const Result<std::optional<std::uint64_t>>& batch, std::chrono::steady_clock::time_point begun);

    Log& log_;
    Duty duty_; // the index is the store's; one server writes it
    search::Indexer indexer_;
    std::atomic<std::uint64_t> links_ = 0;
    std::atomic<std::chrono::steady_clock::time_point> behind_since_{}; // the epoch: nothing is to be done
    std::jthread thread_;                                               // last: it uses the others
};

} // namespace slashpost::app
