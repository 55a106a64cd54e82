#pragma once
// Makes short texts that resemble each other, like addresses, a third as long: pieces that are frequent among
// them are symbols, and a text becomes the numbers of its symbols. Each text can be read without the others,
// by a loop of some tens of copies. (The idea is that of FSST, Boncz et al., VLDB 2020; thousands of symbols
// instead of 255 take in whole names of hosts and ids.)
//
//   00..ee       the symbol of that number; 0 is the empty one, so zeroes behind a text say nothing
//   ef..fe  x    the symbol of number ef + 256 * (first byte - ef) + x
//   ff  n ...    n bytes that are in no symbol
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost::redirect {

class Symbols {
  public:
    static constexpr std::size_t symbol_bytes_max = 31;
    // No text needs more codes for a byte.
    static constexpr std::size_t growth_max = 3;

    Symbols()
        : Symbols(std::vector<std::string_view>()) {} // knows none: what it encodes is as long as before
    // For texts like these. Takes some microseconds a byte.
    static Symbols learn(const std::vector<std::string_view>& texts);

    // Appends the codes of the text.
    void encode(std::string_view text, std::string& codes) const;
    // Writes the text to `out` and answers where it ends. `codes` is what `encode` appended, or several of
    // those; behind the text there is room for another symbol_bytes_max + 1 bytes.
    char* decode(std::string_view codes, char* out) const;

  private:
    struct alignas(32) Symbol { // copied as a whole, which costs less than to look how long it is
        std::array<char, symbol_bytes_max> bytes{};
        std::uint8_t size = 0;
        [[nodiscard]] std::string_view view() const { return {bytes.data(), size}; }
    };
    // The symbols as a tree of their bytes, which stands as a table of its edges: by the node where an edge
    // begins (24 bits) and its byte, the node where it ends (19 bits), and above it the number of the symbol
    // that is whole there, or 0.
    struct Edge {
        std::uint32_t from = 0;
        std::uint32_t to = 0; // 0: no edge
    };
    static constexpr int node_bits = 19;
    static constexpr std::uint32_t node_mask = (1U << node_bits) - 1;

    // The most frequent one first.
    explicit Symbols(const std::vector<std::string_view>& symbols);
    [[nodiscard]] Symbols sorted_by_use(const std::vector<std::string_view>& texts) const;
    // The number of the longest symbol that the text begins with; 0: it begins with none.
    [[nodiscard]] std::uint16_t longest(std::string_view text) const;
    // Where the edge of that byte is, or would be.
    [[nodiscard]] std::size_t place_of(std::uint32_t node, char byte) const;
    void make_room_for_edges();
    void add_edges(std::string_view symbol, std::uint16_t number);

    std::vector<Symbol> symbols_; // by number
    std::vector<Edge> edges_;     // a power of two of them
    int edges_shift_ = 0;         // of a hash of 32 bits
    std::uint32_t nodes_ = 1;     // the root is 0
};

} // namespace slashpost::redirect
