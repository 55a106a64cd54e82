#pragma once
// What the system knows of this process, for /metrics, and lets it have.
#include <cstdint>

namespace slashpost::app {

// What could not be read is 0.
struct ProcessFigures {
    double cpu_seconds = 0; // of all threads, in our code and in the kernel, since the start
    std::uint64_t resident_bytes = 0;
    std::uint64_t virtual_bytes = 0;
    std::uint64_t open_files = 0; // descriptors
    std::uint64_t files_max = 0;  // that it may have
    double start_seconds = 0;     // when it started, in Unix time
};

ProcessFigures process_figures();

// As many files and connections as the system lets us have.
void raise_file_limit();

} // namespace slashpost::app
