#pragma once
// The search index of links that a command writes, made while it writes them. In a server its own thread does
// that (app/index_thread.h); in a folder of the tool's own nobody else would before the next start.
#include "app/admin/admin_context.h"
#include "core/search/indexer.h"

#include <thread>

namespace slashpost::admin {

class IndexBeside {
  public:
    // Works marks off in a thread of its own until `finish` or its end. `context` outlives it.
    explicit IndexBeside(AdminContext& context);

    // Works off what is left, and tells how far that has come.
    Result<void> finish(Console& console);

  private:
    void run(const std::stop_token& stopping);

    AdminContext& context_;
    search::Indexer indexer_;
    std::jthread thread_; // last: it uses the others; none when the context has a thread for it
};

} // namespace slashpost::admin
