#pragma once
// How much of what follows commits waits to be done, for the operator to see.
#include "core/base/result.h"
#include "core/data/engine.h"

namespace slashpost {

// So many of each are counted and no more: a look takes milliseconds however much waits.
inline constexpr std::uint64_t backlog_counted_max = 10'000;

struct Backlog {
    std::uint64_t mails = 0;      // that wait to be sent, those between two attempts included
    std::uint64_t jobs = 0;       // core/work/jobs.h
    std::uint64_t deliveries = 0; // to webhooks, that are not done yet
};

Result<Backlog> count_backlog(data::View& view);

} // namespace slashpost
