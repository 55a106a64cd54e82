#pragma once
// Connections to one store, bounded in number, made when they are needed and kept for the next.
#include "storage/postgres/connection.h"

#include <condition_variable>
#include <mutex>

namespace slashpost::storage::postgres {

class Pool {
  public:
    Pool(std::string where, std::size_t connections_max)
        : where_(std::move(where)),
          free_places_(connections_max) {}

    // A connection for as long as it lives, which goes back into the pool unless it is broken; then those
    // that are idle are closed, too.
    class Lease {
      public:
        Lease(Pool& pool, std::unique_ptr<Connection> connection)
            : pool_(&pool),
              connection_(std::move(connection)) {}
        Lease(Lease&&) = default;
        Lease& operator=(Lease&&) = delete;
        ~Lease() {
            if (connection_)
                pool_->give_back(std::move(connection_));
        }
        Connection& operator*() const { return *connection_; }
        Connection* operator->() const { return connection_.get(); }

      private:
        Pool* pool_;
        std::unique_ptr<Connection> connection_;
    };

    // Waits for a connection while as many as there may be are in use, for some seconds; then fails as
    // unavailable, as it does when the store cannot be reached.
    Result<Lease> take();

  private:
    void give_back(std::unique_ptr<Connection> connection);

    const std::string where_;
    std::mutex mutex_;
    std::condition_variable freed_;
    // Guarded by mutex_.
    std::size_t free_places_; // connections that may be made or are idle
    std::vector<std::unique_ptr<Connection>> idle_;
};

} // namespace slashpost::storage::postgres
