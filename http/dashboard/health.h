#pragma once
// How the server is, for its operators: what /readyz and /metrics know of that.
#include <cstdint>
#include <string>

namespace slashpost::dashboard {

struct Health {
    std::string version;
    std::string trouble;                 // why it should get no requests now; empty: it is ready
    std::int64_t started_at_seconds = 0; // Unix time
    std::uint64_t memory_bytes = 0;      // of the process
    std::uint64_t store_bytes = 0;       // on the disk
    std::uint64_t disk_free_bytes = 0;   // where the data lie; 0: not known
    std::uint64_t clicks_waiting = 0;    // to be counted
    std::uint64_t clicks_lost = 0;       // since the start: there was no room on the disk
    std::uint64_t mails_waiting = 0;     // 10,000: or more, as the next
    std::uint64_t jobs_waiting = 0;
    std::int64_t index_behind_seconds = 0;
    std::int64_t certificates_end_at_seconds = 0; // Unix time, the first of them; 0: there is none
};

} // namespace slashpost::dashboard
