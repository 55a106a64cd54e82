#include "app/index_thread.h"

#include "app/background.h"
#include "core/base/guarded.h"
#include "core/base/pause.h"

#include <algorithm>
#include <pthread.h>

namespace slashpost::app {

namespace {

constexpr std::chrono::milliseconds new_links_every{500};
constexpr int pauses_per_look = 20; // a look over very many small workspaces comes less often

} // namespace

IndexThread::IndexThread(data::Engine& engine, Log& log)
    : log_(log),
      duty_(engine, "index"),
      indexer_(engine),
      thread_([this](const std::stop_token& stopping) { run(stopping); }) {}

IndexThread::Figures IndexThread::figures() const {
    Figures out{.links = links_};
    const auto since = behind_since_.load();
    if (since != std::chrono::steady_clock::time_point())
        out.behind_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
    return out;
}

// What a batch that began then tells of how far the index is behind.
void IndexThread::note(const Result<std::optional<std::uint64_t>>& batch,
                       std::chrono::steady_clock::time_point begun) {
    if (batch.has_value() && *batch)
        links_ += **batch;
    const bool all_done = batch.has_value() && !*batch;
    if (all_done)
        behind_since_ = std::chrono::steady_clock::time_point();
    else if (behind_since_.load() == std::chrono::steady_clock::time_point())
        behind_since_ = begun;
}

// Nothing is to be done while another server does it.
Result<std::optional<std::uint64_t>> IndexThread::run_batch(const std::stop_token& stopping) {
    if (!TRY(duty_.is_mine()))
        return std::nullopt;
    return indexer_.run_batch(stopping);
}

void IndexThread::run(const std::stop_token& stopping) {
    ::pthread_setname_np(::pthread_self(), "index");
    lower_priority();
    using Time = std::chrono::steady_clock;
    bool in_trouble = false;
    while (!stopping.stop_requested()) {
        const auto begun = Time::now();
        const auto batch = guarded([&] { return run_batch(stopping); });
        note(batch, begun);
        if (!batch.has_value() && !in_trouble)
            log_.warn("the search index falls behind", {{"reason", batch.error().message}});
        in_trouble = !batch.has_value();
        if (batch.has_value() && *batch)
            continue;
        const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Time::now() - begun);
        const bool try_again =
            !batch.has_value() && batch.error().kind == ErrorKind::conflict; // a smaller one
        pause(stopping, try_again ? new_links_every : std::max(new_links_every, pauses_per_look * took));
    }
}

} // namespace slashpost::app
