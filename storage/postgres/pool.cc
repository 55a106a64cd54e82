#include "storage/postgres/pool.h"

#include "core/base/errors.h"

#include <chrono>

namespace slashpost::storage::postgres {

namespace {

constexpr std::chrono::seconds wait_max{10};

} // namespace

Result<Pool::Lease> Pool::take() {
    std::unique_lock lock(mutex_);
    if (!freed_.wait_for(lock, wait_max, [this] { return free_places_ > 0; }))
        return unavailable("the store is busy: all connections to it are in use");
    --free_places_;
    while (!idle_.empty()) {
        auto connection = std::move(idle_.back());
        idle_.pop_back();
        if (connection->is_idle())
            return Lease(*this, std::move(connection));
    }
    lock.unlock();
    auto made = Connection::open(where_);
    if (made.has_value())
        return Lease(*this, *std::move(made));
    give_back(nullptr);
    return unavailable(made.error().message);
}

void Pool::give_back(std::unique_ptr<Connection> connection) {
    if (connection)
        connection->roll_back();
    {
        const std::lock_guard lock(mutex_);
        if (connection && connection->is_alive())
            idle_.push_back(std::move(connection));
        else if (connection)
            idle_.clear(); // what broke it has most likely broken those beside it, which may not know it yet
        ++free_places_;
    }
    freed_.notify_one();
}

} // namespace slashpost::storage::postgres
