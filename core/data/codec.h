#pragma once
// Rows as bytes: numbered fields, so that rows written by an older or newer build can be read.
//
//   row     = format byte (1), then fields in the order of their declaration
//   field   = number (varint), length (varint), payload; left out when it has its default value
//   payload = bool, integer, enum, Timestamp: zigzag varint
//             text: its bytes       Id: 16 bytes
//             optional: the value's payload, left out when there is none
//             vector: for each item its length (varint) and its payload
//             struct with fields(): its fields, without a format byte
//   varint  = 7 bits a byte, low bits first, high bit set on all but the last
//
// A field number is never reused and never changes its type. Numbers that this build does not know are
// kept in `unknown` and written back at the end of the row.
//
// A row type offers   static constexpr auto fields() { return std::tuple{stored(1, "id", &T::id), ...}; }
// and a member        data::Unknown unknown;
#include "core/base/errors.h"
#include "core/base/id.h"
#include "core/base/time.h"
#include "core/data/engine.h"

#include <tuple>

namespace slashpost::data {

struct Unknown {
    Bytes fields; // as they were read, in the row's form
    bool operator==(const Unknown&) const = default;
};

template <class T, class M>
struct StoredField {
    std::uint32_t number = 0;
    std::string_view name; // in dumps
    M T::* member = nullptr;
};

template <class T, class M>
constexpr StoredField<T, M> stored(std::uint32_t number, std::string_view name, M T::* member) {
    return {number, name, member};
}

template <class T>
concept Composite = requires { T::fields(); };

template <class T, class F>
constexpr void for_each_field(F&& f) {
    std::apply([&](const auto&... field) { (f(field), ...); }, T::fields());
}

// What the two below leave to them; the same for any value.
void append_long_varint(Bytes& out, std::uint64_t value);
bool take_long_varint(BytesView& in, std::uint64_t& value);
inline void append_varint(Bytes& out, std::uint64_t value) {
    if (value < 0x80) // most are
        out += static_cast<char>(value);
    else
        append_long_varint(out, value);
}
// Takes one varint off the front of `in`; false when there is none.
inline bool take_varint(BytesView& in, std::uint64_t& value) {
    if (in.empty() || static_cast<unsigned char>(in.front()) >= 0x80)
        return take_long_varint(in, value);
    value = static_cast<unsigned char>(in.front());
    in.remove_prefix(1);
    return true;
}
// Takes a varint length and as many bytes off the front of `in`; false when they are not there.
bool take_sized(BytesView& in, BytesView& payload);

constexpr std::uint64_t zigzag(std::int64_t value) {
    return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

// Compiled once for each row type (core/data/codec_code.h).
template <Composite T>
Bytes encode(const T& row);

// Fails with a fault when the bytes are not such a row.
template <Composite T>
Result<T> decode(BytesView bytes);

} // namespace slashpost::data
