#include "core/search/postings.h"

#include "core/base/errors.h"
#include "core/data/codec.h"

namespace slashpost::search {

namespace {

constexpr std::size_t word_bytes = 8;
constexpr std::size_t in_one_segment = 64;
constexpr std::uint16_t part_places = 8192;

void append_bitmap(data::Bytes& out, std::span<const std::uint16_t> places) {
    const auto first = places.front() / 64U, words = places.back() / 64U - first + 1U;
    data::append_varint(out, first);
    data::append_varint(out, words);
    const auto begin = out.size();
    out.resize(begin + words * word_bytes);
    for (const auto place : places) {
        auto& byte = out[begin + (place - first * 64U) / 8];
        byte = static_cast<char>(static_cast<unsigned char>(byte) | 1U << place % 8);
    }
}

bool take_list(data::BytesView& in, std::uint64_t count, ChunkSet& set) {
    std::uint64_t place = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        std::uint64_t step = 0;
        if (!in.empty() && static_cast<unsigned char>(in.front()) < 0x80) [[likely]] {
            step = static_cast<unsigned char>(in.front());
            in.remove_prefix(1);
        } else if (!data::take_varint(in, step) || step >= chunk_documents) {
            return false;
        }
        place = i == 0 ? step : place + step + 1;
        if (place >= chunk_documents)
            return false;
        set.add(static_cast<std::uint16_t>(place));
    }
    return true;
}

bool take_bitmap(data::BytesView& in, std::uint64_t count, ChunkSet& set) {
    std::uint64_t first = 0, words = 0;
    if (!data::take_varint(in, first) || !data::take_varint(in, words) || first >= ChunkSet::words ||
        words > ChunkSet::words - first || in.size() < words * word_bytes)
        return false;
    std::array<std::uint64_t, ChunkSet::words> bits; // NOLINT: written before it is read, so far
    for (std::uint64_t word = 0; word < words; ++word) {
        bits[word] = 0;
        for (std::size_t byte = 0; byte < word_bytes; ++byte)
            bits[word] |= static_cast<std::uint64_t>(static_cast<unsigned char>(in[word * word_bytes + byte]))
                          << 8 * byte;
        set.add_word(first + word, bits[word]);
    }
    in.remove_prefix(words * word_bytes);
    return count_bits(std::span(bits).first(words)) == count;
}

} // namespace

void append_segment(data::Bytes& out, std::size_t field, std::span<const std::uint16_t> places) {
    const auto head = (places.size() - 1) << 3 | field << 1;
    const auto begin = out.size();
    data::append_varint(out, head);
    const auto body = out.size();
    const auto bitmap_bytes = (places.back() / 64U - places.front() / 64U + 1U) * word_bytes + 2;
    data::append_varint(out, places.front());
    for (std::size_t i = 1; i < places.size(); ++i) {
        data::append_varint(out, static_cast<std::uint64_t>(places[i] - places[i - 1] - 1));
        if (out.size() - body > bitmap_bytes) { // the list would be the longer form
            out.resize(begin);
            data::append_varint(out, head | 1);
            append_bitmap(out, places);
            return;
        }
    }
}

data::Bytes encode_posting(const Posting& posting) {
    data::Bytes out;
    std::vector<std::uint16_t> places;
    const auto append = [&](std::size_t field) {
        if (!places.empty())
            append_segment(out, field, places);
        places.clear();
    };
    for (std::size_t field = 0; field < fields; ++field) {
        const bool in_parts =
            posting[field].size() > in_one_segment; // where it is dense, a bitmap is shorter
        posting[field].each([&](std::uint16_t place) {
            if (in_parts && !places.empty() && place / part_places != places.back() / part_places)
                append(field);
            places.push_back(place);
        });
        append(field);
    }
    return out;
}

Result<void> add_posting(data::BytesView bytes, Posting& posting) {
    while (!bytes.empty()) {
        std::uint64_t head = 0;
        if (!data::take_varint(bytes, head) || head >> 3 >= chunk_documents)
            return fault("a posting of the search index cannot be read");
        auto& set = posting[head >> 1 & 3];
        const auto count = (head >> 3) + 1;
        if (!((head & 1) != 0 ? take_bitmap(bytes, count, set) : take_list(bytes, count, set)))
            return fault("a posting of the search index cannot be read");
    }
    return {};
}

} // namespace slashpost::search
