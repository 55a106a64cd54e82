// What libFuzzer calls.
#include "tests/fuzz/fuzz.h"

#include <cstddef>
#include <cstdint>

// NOLINTNEXTLINE(readability-identifier-naming): the name is libFuzzer's
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    slashpost::fuzz::try_input({reinterpret_cast<const char*>(data), size});
    return 0;
}
