#pragma once
// The value of a Result, or the end of the test with the error's message.
#include "core/base/result.h"

#include <catch2/catch.hpp>

namespace slashpost::test {

template <class T>
T must(Result<T> result) {
    if (!result.has_value())
        FAIL(result.error().code << ": " << result.error().message);
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

} // namespace slashpost::test
