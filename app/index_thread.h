#pragma once
// The thread that keeps the search index (core/search/indexer.h) close behind the links, mostly within a
// second.
#include "app/log.h"
#include "core/search/indexer.h"

#include <thread>

namespace slashpost::app {

class IndexThread {
  public:
    // All outlive this.
    IndexThread(data::Engine& engine, search::ColumnCache& columns, Log& log);

  private:
    void run(const std::stop_token& stopping);

    Log& log_;
    search::Indexer indexer_;
    std::jthread thread_; // last: it uses the others
};

} // namespace slashpost::app
