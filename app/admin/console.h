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
    // One line of advice or of how it went, without its end. Lost silently when nobody reads, like the two
    // below, or wants to.
    virtual void note(std::string_view line) = 0;
    // One line that says why the command failed.
    virtual void complain(std::string_view line) = 0;
    // How far the command has come; the next one takes the place of this one where that can be.
    virtual void progress(std::string_view line) = 0;
    // Whoever called has gone: a long command should end. Cheap enough to ask every thousand rows.
    virtual bool stopped() = 0;
};

} // namespace slashpost::admin
