#pragma once
// For threads that go on whatever happens to one round of their work.
#include "core/base/errors.h"

#include <exception>

namespace slashpost {

// What `work` answers, which is a Result. What it throws is an `unavailable` one: where there is no memory,
// as a rule, there will be some later.
template <class Work>
auto guarded(Work work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::exception& problem) {
        return unavailable(problem.what());
    }
}

} // namespace slashpost
