#pragma once
// The hand-written lists of tests/spec, read.
#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace slashpost::test {

// The words of each line that is no comment.
inline std::vector<std::vector<std::string>> spec_lines(const std::string& file) {
    std::ifstream in(SLASHPOST_TESTS_DIR "/spec/" + file);
    REQUIRE(in.good());
    std::vector<std::vector<std::string>> out;
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line.starts_with('#'))
            continue;
        std::istringstream words(line);
        auto& row = out.emplace_back();
        for (std::string word; words >> word;)
            row.push_back(word);
    }
    return out;
}

} // namespace slashpost::test
