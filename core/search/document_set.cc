#include "core/search/document_set.h"

#include <algorithm>

namespace slashpost::search {

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

std::size_t ChunkSet::size() const {
    std::size_t size = 0;
    for (const auto bits : bits_)
        size += static_cast<std::size_t>(std::popcount(bits));
    return size;
}

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
