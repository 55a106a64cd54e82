#include "core/search/document_set.h"

#include <algorithm>

namespace slashpost::search {

namespace {

[[gnu::always_inline]] inline std::size_t sum_of_bits(std::span<const std::uint64_t> words) {
    std::size_t sum = 0;
    for (const auto word : words)
        sum += static_cast<std::size_t>(std::popcount(word));
    return sum;
}

#ifdef __x86_64__
// By one instruction a word. What is compiled for every processor of the kind calls a function for each.
[[gnu::target("popcnt")]] std::size_t sum_by_instruction(std::span<const std::uint64_t> words) {
    return sum_of_bits(words);
}
#endif

} // namespace

std::size_t count_bits(std::span<const std::uint64_t> words) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("popcnt"))
        return sum_by_instruction(words);
#endif
    return sum_of_bits(words);
}

ChunkSet& ChunkSet::operator|=(const ChunkSet& other) {
    for (std::size_t i = 0; i < words; ++i)
        bits_[i] |= other.bits_[i];
    return *this;
}

ChunkSet& ChunkSet::operator&=(const ChunkSet& other) {
    for (std::size_t i = 0; i < words; ++i)
        bits_[i] &= other.bits_[i];
    return *this;
}

ChunkSet& ChunkSet::operator-=(const ChunkSet& other) {
    for (std::size_t i = 0; i < words; ++i)
        bits_[i] &= ~other.bits_[i];
    return *this;
}

bool ChunkSet::empty() const {
    return std::ranges::all_of(bits_, [](std::uint64_t bits) { return bits == 0; });
}

std::size_t ChunkSet::size() const { return count_bits(bits_); }

void DocumentSet::add(std::uint32_t number) {
    chunks_[number / chunk_documents].add(static_cast<std::uint16_t>(number % chunk_documents));
}

void DocumentSet::remove(std::uint32_t number) {
    chunks_[number / chunk_documents].remove(static_cast<std::uint16_t>(number % chunk_documents));
}

DocumentSet& DocumentSet::operator|=(const DocumentSet& other) {
    for (std::size_t i = 0; i < chunks_.size(); ++i)
        chunks_[i] |= other.chunks_[i];
    return *this;
}

DocumentSet& DocumentSet::operator&=(const DocumentSet& other) {
    for (std::size_t i = 0; i < chunks_.size(); ++i)
        chunks_[i] &= other.chunks_[i];
    return *this;
}

DocumentSet& DocumentSet::operator-=(const DocumentSet& other) {
    for (std::size_t i = 0; i < chunks_.size(); ++i)
        chunks_[i] -= other.chunks_[i];
    return *this;
}

std::size_t DocumentSet::size() const {
    std::size_t size = 0;
    for (const auto& chunk : chunks_)
        size += chunk.size();
    return size;
}

} // namespace slashpost::search
