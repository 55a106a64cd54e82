#pragma once
// What the fuzz targets share. A target is a function of bytes that must not crash, hang or break a promise;
// libFuzzer calls it with seeds, and with what it makes of them (tests/fuzz/README.md).
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace slashpost::fuzz {

// The target, which each NAME_fuzz.cc defines.
void try_input(std::string_view bytes);

// Ends the process, as libFuzzer wants it of a finding, when a promise is broken.
inline void must(bool holds, const char* promise) {
    if (holds)
        return;
    std::fprintf(stderr, "broken: %s\n", promise);
    std::abort();
}

// Takes the first line off `left`, without its end.
inline std::string_view take_line(std::string_view& left) {
    const auto line = left.substr(0, left.find('\n'));
    left.remove_prefix(line.size() < left.size() ? line.size() + 1 : line.size());
    return line;
}

} // namespace slashpost::fuzz
