#include "core/data/codec.h"

namespace slashpost::data {

void append_long_varint(Bytes& out, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        out += static_cast<char>(value | 0x80);
    out += static_cast<char>(value);
}

bool take_long_varint(BytesView& in, std::uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 64 && !in.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(in.front());
        in.remove_prefix(1);
        value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

bool take_sized(BytesView& in, BytesView& payload) {
    std::uint64_t length = 0;
    if (!take_varint(in, length) || length > in.size())
        return false;
    payload = in.substr(0, length);
    in.remove_prefix(length);
    return true;
}

} // namespace slashpost::data
