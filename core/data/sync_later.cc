#include "core/data/sync_later.h"

#include <cassert>
#include <utility>

namespace slashpost::data {

namespace {
thread_local SyncLater* current = nullptr; // NOLINT(*-global-variables): of the thread
} // namespace

SyncLater::SyncLater() {
    assert(current == nullptr);
    current = this;
}

SyncLater::~SyncLater() { current = nullptr; }

void SyncLater::then(OnDisk done) {
    if (auto* const engine = std::exchange(engine_, nullptr))
        engine->when_on_disk(std::move(done));
    else
        done({});
}

bool SyncLater::sees_to(Syncing& engine) {
    if (current == nullptr)
        return false;
    assert(current->engine_ == nullptr || current->engine_ == &engine);
    current->engine_ = &engine;
    return true;
}

} // namespace slashpost::data
