#pragma once
// How threads share processors when there are too few of them.

namespace slashpost {

// From now on the calling thread gets less than those that somebody waits for, but still a fifth of a
// processor when they want all of it: what it holds a lock on is to be free soon.
void step_back();

// In how many threads to do work that can be cut into pieces: as many as there are processors, but at least
// two, and not more than share one lock well.
unsigned threads_for_pieces();

} // namespace slashpost
