#pragma once
// Many texts that are looked for at once (Aho and Corasick, 1975): one step for each byte of what is
// searched, whatever that is, and nothing is left to be found out while it is searched.
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace slashpost::redirect {

class Literals {
  public:
    // All of them together have at most 65,535 bytes.
    struct Literal {
        std::string_view text; // not empty
        std::uint8_t marks = 0;
    };
    explicit Literals(const std::vector<Literal>& literals);

    // The marks of all that occur in `text`, put together.
    [[nodiscard]] std::uint8_t find_in(std::string_view text) const {
        std::size_t node = 0;
        std::uint8_t found = 0;
        for (const char c : text) {
            node = next_[node * letters_ + letter_of_[static_cast<unsigned char>(c)]];
            found = static_cast<std::uint8_t>(found | marks_[node]);
        }
        return found;
    }

  private:
    using Node = std::uint16_t; // a beginning of some literals, the longest with which the text so far ends
    Node add_node();

    std::array<std::uint8_t, 256> letter_of_{}; // bytes that are in no literal are all the same one, 0
    std::size_t letters_ = 1;
    std::vector<Node> next_; // by node and letter
    std::vector<std::uint8_t> marks_;
};

} // namespace slashpost::redirect
