#pragma once
// The priority of threads that nobody waits for.

namespace slashpost::app {

inline constexpr int background_niceness = 6;

// The calling thread has that niceness from now on, which leaves it about a fifth of a processor that others
// want: what it holds a lock on is to be free soon. Where the system refuses, it goes on as it is.
void lower_priority();

} // namespace slashpost::app
