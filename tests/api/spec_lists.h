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

// What a link must be for the endpoint of a line of access.txt.
inline std::string type_of_link(const std::vector<std::string>& words) {
    return words.size() > 9 && words[9] == "rotator" ? words[9] : "standard";
}

} // namespace slashpost::test
