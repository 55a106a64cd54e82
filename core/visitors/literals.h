#pragma once
// Many texts that are looked for at once (Aho and Corasick, 1975): one step for each byte of what is
// searched, whatever that is, and nothing is left to be found out while it is searched.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace slashpost::redirect {

class Literals {
  public:
    // All of them together have at most 65,535 bytes; the marks of equal ones are put together.
    struct Literal {
        std::string_view text; // 1 to 255 bytes
        std::uint8_t marks = 0;
    };
    explicit Literals(const std::vector<Literal>& literals);

    // Calls `found(begin, end, marks)` for each that occurs in `text`, with its place there, in the order of
    // their ends.
    template <class Found>
    void find_in(std::string_view text, Found&& found) const {
        std::size_t node = 0;
        for (std::size_t end = 1; end <= text.size(); ++end) {
            node = next_[node * letters_ + letter_of_[static_cast<unsigned char>(text[end - 1])]];
            for (auto at = ends_[node].marks != 0 ? node : ends_[node].shorter; at != 0;
                 at = ends_[at].shorter)
                found(end - ends_[at].length, end, ends_[at].marks);
        }
    }

  private:
    using Node = std::uint16_t; // a beginning of some literals, the longest with which the text so far ends
    struct End {
        std::uint8_t marks = 0; // of the literal that is this beginning, if it is one
        std::uint8_t length = 0;
        Node shorter = 0; // the longest literal with which it ends besides; 0: none
    };
    Node add_node();

    std::array<std::uint8_t, 256> letter_of_{}; // bytes that are in no literal are all the same one, 0
    std::size_t letters_ = 1;
    std::vector<Node> next_; // by node and letter
    std::vector<End> ends_;  // by node
};

} // namespace slashpost::redirect
