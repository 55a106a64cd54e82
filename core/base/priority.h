#pragma once
// How threads share processors when there are too few of them.

namespace slashpost {

// From now on the calling thread gives way.
void take_turns();

// From now on the calling thread gives way, and gets less than those that somebody waits for, but still a
// tenth of a processor when they want all of it: what it holds a lock on is to be free soon.
void step_back();

// From now on the calling thread runs as soon as there is something to do for it, before those that work for
// long; for threads that only wait and answer. What of this the system refuses (less than root may not raise
// a thread, and kernels before 6.12 know no lengths of turns) is left.
void step_forward();

// Said here and there in long work, where no lock is held that many want: a thread that takes turns lets
// others have the processor when it has had it for a tenth of a millisecond. Linux would take it away at its
// next tick only, which is milliseconds to those who wait. Who has just had more than its share waits all the
// same (real_time.h), and this one goes on. Does nothing in other threads, and costs next to nothing.
void give_way();

// In how many threads to do work that can be cut into pieces: as many as there are processors, but at least
// two, and not more than share one lock well.
unsigned threads_for_pieces();

} // namespace slashpost
