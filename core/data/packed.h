#pragma once
// Bytes that are put together and taken apart by hand, where a look-up or a click has no time for fields:
// numbers in big-endian order, as core/data/key.h writes them, and parts with their length in front.
#include "core/data/codec.h"

#include <algorithm>

namespace slashpost::data {

// Of at most 8 bytes.
constexpr std::uint64_t big_endian(BytesView bytes) {
    std::uint64_t number = 0;
    for (const char byte : bytes)
        number = number << 8 | static_cast<unsigned char>(byte);
    return number;
}

// Takes so many bytes, or what is there, off the front.
constexpr BytesView take(BytesView& bytes, std::size_t count) {
    const auto taken = bytes.substr(0, count);
    bytes.remove_prefix(taken.size());
    return taken;
}

// What data::take_sized reads.
inline void append_sized(Bytes& out, BytesView part) {
    append_varint(out, part.size());
    out += part;
}

} // namespace slashpost::data
