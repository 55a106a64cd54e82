#pragma once
// The thread that folds clicks into the store a few times a second, and bounds what a power cut can take.
//
// Trouble (a full disk) ends nothing: the journal keeps the clicks and the next round tries again.
#include "core/redirect/clicks.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace slashpost::redirect {

struct ClickFolderOptions {
    std::chrono::milliseconds fold_every{700};
    std::chrono::milliseconds sync_every{1000};
    // Told of the first failure after a success, by start() or on the folder's thread.
    std::function<void(const Error&)> on_trouble = [](const Error&) {};
};

class ClickFolder {
  public:
    ClickFolder(data::Engine& engine, data::Journal& journal, ClickFolderOptions options)
        : engine_(engine),
          journal_(journal),
          options_(std::move(options)) {}
    ~ClickFolder() { (void)stop(); }
    ClickFolder(const ClickFolder&) = delete;
    ClickFolder& operator=(const ClickFolder&) = delete;

    // Aligns the journal with the store, folds what an earlier process left, as far as the store takes it,
    // and starts the thread. To be called before anybody writes clicks.
    Result<void> start();
    // Ends the thread, folds and syncs once more. To be called when nobody writes clicks any more; does
    // nothing the second time.
    Result<void> stop();
    // Everything recorded before the call is in the totals after it.
    Result<FoldReport> fold_now();

    struct Figures {
        std::uint64_t folded = 0;   // clicks since the start
        std::uint64_t failures = 0; // rounds that failed
    };
    [[nodiscard]] Figures figures() const { return {.folded = folded_, .failures = failures_}; }

  private:
    Result<void> fold();
    void run(const std::stop_token& stopping);
    void note(const Result<void>& outcome);

    data::Engine& engine_;
    data::Journal& journal_;
    const ClickFolderOptions options_;

    std::mutex folding_; // one fold at a time
    std::atomic<std::uint64_t> folded_ = 0, failures_ = 0;
    bool in_trouble_ = false; // owned by start(), then by the thread

    std::mutex waiting_;
    std::condition_variable_any wake_;
    std::jthread thread_;
};

} // namespace slashpost::redirect
