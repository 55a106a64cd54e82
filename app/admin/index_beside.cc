#include "app/admin/index_beside.h"

#include "core/base/pause.h"

namespace slashpost::admin {

namespace {
// The more links share a batch, the less a link costs; so one that was not full is waited for.
constexpr std::size_t batch_links = 65'536;
constexpr std::chrono::milliseconds look_every{500};
} // namespace

IndexBeside::IndexBeside(AdminContext& context)
    : context_(context),
      indexer_(context.engine, search::indexed_links_min, batch_links) {
    if (!context.keeps_index)
        thread_ = std::jthread([this](const std::stop_token& stopping) { run(stopping); });
}

// What fails is tried again by `finish`, which tells of it.
void IndexBeside::run(const std::stop_token& stopping) {
    while (!stopping.stop_requested()) {
        const auto done = indexer_.run_batch();
        if (!done.has_value() || done->value_or(0) < batch_links)
            pause(stopping, look_every);
    }
}

Result<void> IndexBeside::finish(Console& console) {
    if (!thread_.joinable())
        return {};
    thread_.request_stop();
    thread_.join();
    TRY(index_links(context_, console));
    return {};
}

} // namespace slashpost::admin
