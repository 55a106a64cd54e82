#pragma once
// Sets of document numbers. Numbers are dense, so a set is one bit for each: at a million documents 128 KiB,
// and an operation on two of them takes some microseconds.
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace slashpost::search {

inline constexpr std::size_t chunk_documents = 65'536; // what one posting is about

// How many bits are set in all.
std::size_t count_bits(std::span<const std::uint64_t> words);

// A set of places within a chunk.
class ChunkSet {
  public:
    static constexpr std::size_t words = chunk_documents / 64;

    void add(std::uint16_t place) { bits_[place / 64] |= std::uint64_t{1} << place % 64; }
    void remove(std::uint16_t place) { bits_[place / 64] &= ~(std::uint64_t{1} << place % 64); }
    void add_word(std::size_t word, std::uint64_t bits) { bits_[word] |= bits; }
    [[nodiscard]] bool contains(std::uint16_t place) const { return bits_[place / 64] >> place % 64 & 1; }
    [[nodiscard]] std::uint64_t word(std::size_t word) const { return bits_[word]; }
    ChunkSet& operator|=(const ChunkSet& other);
    ChunkSet& operator&=(const ChunkSet& other);
    ChunkSet& operator-=(const ChunkSet& other);
    void clear() { bits_.fill(0); }
    [[nodiscard]] bool empty() const;
    [[nodiscard]] std::size_t size() const;
    bool operator==(const ChunkSet&) const = default;

    // In ascending order, those from `from` up to but without `until`.
    template <class Visit>
    void each(Visit&& visit, std::size_t from = 0, std::size_t until = chunk_documents) const {
        for (auto word = from / 64; word * 64 < until; ++word)
            for (auto bits = bits_[word]; bits != 0; bits &= bits - 1) {
                const auto place = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
                if (place >= from && place < until)
                    visit(static_cast<std::uint16_t>(place));
            }
    }

  private:
    std::array<std::uint64_t, words> bits_{};
};

// A set of document numbers of one workspace.
class DocumentSet {
  public:
    explicit DocumentSet(std::size_t chunks) : chunks_(chunks) {}

    [[nodiscard]] std::size_t chunks() const { return chunks_.size(); }
    [[nodiscard]] ChunkSet& chunk(std::size_t chunk) { return chunks_[chunk]; }
    [[nodiscard]] const ChunkSet& chunk(std::size_t chunk) const { return chunks_[chunk]; }
    void add(std::uint32_t number);
    void remove(std::uint32_t number);
    [[nodiscard]] bool contains(std::uint32_t number) const {
        return chunks_[number / chunk_documents].contains(
            static_cast<std::uint16_t>(number % chunk_documents));
    }
    // The other set has as many chunks.
    DocumentSet& operator|=(const DocumentSet& other);
    DocumentSet& operator&=(const DocumentSet& other);
    DocumentSet& operator-=(const DocumentSet& other);
    [[nodiscard]] std::size_t size() const;

    // In ascending order, those from `from` up to but without `until`, which lie in one chunk.
    template <class Visit>
    void each_within(std::uint32_t from, std::uint32_t until, Visit&& visit) const {
        const auto base = from / chunk_documents * chunk_documents;
        chunks_[from / chunk_documents].each(
            [&](std::uint16_t place) { visit(static_cast<std::uint32_t>(base + place)); }, from - base,
            until - base);
    }

  private:
    std::vector<ChunkSet> chunks_;
};

} // namespace slashpost::search
