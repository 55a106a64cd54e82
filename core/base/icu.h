#pragma once
// What ICU answers when it could not do something.
#include <cstdlib>
#include <new>
#include <unicode/utypes.h>

namespace slashpost {

// Throws std::bad_alloc for want of memory, so that one request fails. Ends the process for all else: the
// library is without its own tables, which is a broken installation.
inline void need_success(UErrorCode error) {
    if (error == U_MEMORY_ALLOCATION_ERROR)
        throw std::bad_alloc();
    if (U_FAILURE(error))
        std::abort();
}

} // namespace slashpost
