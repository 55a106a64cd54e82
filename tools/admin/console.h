#pragma once
// Where an admin command's words go: the terminal, a file, or frames to a client of the running server.
// Commands know nothing else of who called them.
#include "core/base/result.h"

#include <string_view>

namespace slashpost::admin {

class Console {
  public:
    virtual ~Console() = default;
    // The command's result. Fails when it cannot be delivered any more; the command then ends.
    virtual Result<void> write(std::string_view bytes) = 0;
    // One line of progress or advice, without its end. Lost silently when nobody reads.
    virtual void note(std::string_view line) = 0;
    // Whoever called has gone: a long command should end. Cheap enough to ask every thousand rows.
    virtual bool stopped() = 0;
};

} // namespace slashpost::admin
