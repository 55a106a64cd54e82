#pragma once
// Descriptors 0, 1 and 2, which whoever starts a program may have closed.

namespace slashpost {

// Opens those that are closed on /dev/null, the wrong way round: reading from standard input and writing to
// the other two fail as before. So no file that the program opens takes their place and gets what was meant
// for people. To be called first of all. False when that is not possible: then no file may be opened.
[[nodiscard]] bool guard_standard_streams();

} // namespace slashpost
