#include "app/index_thread.h"

#include "core/base/pause.h"
#include "core/base/priority.h"

#include <algorithm>
#include <chrono>
#include <pthread.h>

namespace slashpost::app {

namespace {

constexpr std::chrono::milliseconds look_every{500};
constexpr int pauses_per_look = 20; // a look over very many small workspaces comes less often

} // namespace

IndexThread::IndexThread(data::Engine& engine, search::ColumnCache& columns, Log& log)
    : log_(log),
      indexer_(engine, &columns),
      thread_([this](const std::stop_token& stopping) { run(stopping); }) {}

void IndexThread::run(const std::stop_token& stopping) {
    ::pthread_setname_np(::pthread_self(), "index");
    step_back();
    using Time = std::chrono::steady_clock;
    bool in_trouble = false;
    while (!stopping.stop_requested()) {
        const auto begun = Time::now();
        const auto batch = indexer_.run_batch(stopping);
        if (!batch.has_value() && !in_trouble)
            log_.warn("the search index falls behind", {{"reason", batch.error().message}});
        in_trouble = !batch.has_value();
        if (batch.has_value() && *batch)
            continue;
        const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Time::now() - begun);
        const bool try_again =
            !batch.has_value() && batch.error().kind == ErrorKind::conflict; // a smaller one
        pause(stopping, try_again ? look_every : std::max(look_every, pauses_per_look * took));
    }
}

} // namespace slashpost::app
