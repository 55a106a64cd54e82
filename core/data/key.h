#pragma once
// Order-preserving tuple keys: comparing the bytes compares the tuples, component by component.
//
//   Id<...>       16 bytes as they are
//   bool          1 byte, 0 or 1
//   unsigned n    big-endian, as wide as its type (1, 2, 4 or 8 bytes)
//   signed 64, Timestamp
//                 8 bytes big-endian with the sign bit flipped
//   text          its bytes, with 00 written as 00 ff, then 00 00 as the end; so "a" < "a\0" < "aa"
//
// No component carries a type mark: what a key consists of is said by the declaration that makes it
// (core/schema). These bytes are on disk: never change them.
#include "core/base/id.h"
#include "core/data/engine.h"

#include <concepts>
#include <string_view>

namespace slashpost::data {

inline void append_key(Bytes& out, const RawId& id) { out += id.view(); }

inline void append_key(Bytes& out, bool value) { out += static_cast<char>(value ? 1 : 0); }

template <std::unsigned_integral N>
    requires(!std::same_as<N, bool>)
void append_key(Bytes& out, N value) {
    for (int shift = static_cast<int>(sizeof(N)) * 8 - 8; shift >= 0; shift -= 8)
        out += static_cast<char>(value >> shift & 0xff);
}

inline void append_key(Bytes& out, std::int64_t value) {
    append_key(out, static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << 63));
}

inline void append_key(Bytes& out, Timestamp time) { append_key(out, time.ms); }

inline void append_key(Bytes& out, std::string_view text) {
    for (const char c : text) {
        out += c;
        if (c == '\0')
            out += '\xff';
    }
    out.append(2, '\0');
}

template <class E>
    requires std::is_enum_v<E>
void append_key(Bytes& out, E value) {
    append_key(out, static_cast<std::make_unsigned_t<std::underlying_type_t<E>>>(value));
}

template <class... Components>
[[nodiscard]] Bytes key(const Components&... components) {
    Bytes out;
    (append_key(out, components), ...);
    return out;
}

// Bytes that are in key form already, to be extended: key(Raw{prefix}, id).
struct Raw {
    BytesView bytes;
};
inline void append_key(Bytes& out, Raw raw) { out += raw.bytes; }

} // namespace slashpost::data
