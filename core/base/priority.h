#pragma once
// How threads share processors when there are too few of them.

namespace slashpost {

// From now on the calling thread gives way.
void take_turns();

// From now on the calling thread gives way, and gets less than those that somebody waits for, but still a
// tenth of a processor when they want all of it: what it holds a lock on is to be free soon.
void step_back();

// From now on the calling thread runs before those that work for long; for threads that only wait and answer.
// What the system refuses (less than root may not raise a thread) is left.
void step_forward();

// Whether the calling thread, which has stepped forward, runs as soon as there is something to do for it,
// whoever works. For times in which others work for long: a client that works on the same processor is then
// interrupted for each single thing it asks for, never waits, and so is never moved to a processor of its
// own. Kernels before 6.12 know no lengths of turns.
void cut_in(bool does);

// Said here and there in long work, where no lock is held that many want: a thread that takes turns lets
// others have the processor when it has had it for a tenth of a millisecond. Linux would take it away at its
// next tick only, which is milliseconds to those who wait. In the gaps (gaps.h) it rests now and then
// instead. Does nothing in other threads, and costs next to nothing.
void give_way();

// In how many threads to do work that can be cut into pieces: as many as there are processors, but at least
// two, and not more than share one lock well.
unsigned threads_for_pieces();

} // namespace slashpost
