#include "app/admin/standard_streams.h"

#include <fcntl.h>
#include <initializer_list>
#include <unistd.h>

namespace slashpost {

bool guard_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) != -1)
            continue;
        // The lowest descriptor that is free, which is this one.
        if (::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream)
            return false;
    }
    return true;
}

} // namespace slashpost
