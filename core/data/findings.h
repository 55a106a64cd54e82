#pragma once
// What checks of a store report, and what they compare.
#include "core/data/engine.h"

#include <map>

namespace slashpost::data {

// What a check found wrong, one sentence each, the first `findings_max` of them.
struct Findings {
    static constexpr std::size_t findings_max = 100;
    std::vector<std::string> sentences;
    std::uint64_t count = 0; // all, also those without a sentence
    std::uint64_t rows = 0;  // looked at
    void add(std::string sentence);
};

// Tally sums that rows call for, to be compared with the stored ones.
using Sums = std::map<Bytes, std::int64_t>;

// The bytes as hexadecimal, for findings.
std::string printable(BytesView bytes);

// Reports each key under `prefix` whose stored sum differs from `expected`, with what is missing.
Result<void> compare_sums(View& view, BytesView prefix, const Sums& expected,
                          const std::function<void(BytesView tally, std::int64_t missing)>& differs);

} // namespace slashpost::data
