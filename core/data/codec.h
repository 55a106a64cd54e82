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

void append_varint(Bytes& out, std::uint64_t value);
// Takes one varint off the front of `in`; false when there is none.
bool take_varint(BytesView& in, std::uint64_t& value);
// Takes a varint length and as many bytes off the front of `in`; false when they are not there.
bool take_sized(BytesView& in, BytesView& payload);

constexpr std::uint64_t zigzag(std::int64_t value) {
    return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

namespace detail {

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};

template <class V>
void append_payload(Bytes& out, const V& value);
template <class V>
bool read_payload(BytesView in, V& value);

template <class T>
void append_fields(Bytes& out, const T& row) {
    [[maybe_unused]] static const T defaults{};
    for_each_field<T>([&](const auto& field) {
        const auto& value = row.*field.member;
        if (value == defaults.*field.member)
            return;
        Bytes payload;
        append_payload(payload, value);
        append_varint(out, field.number);
        append_varint(out, payload.size());
        out += payload;
    });
    if constexpr (requires { row.unknown; })
        out += row.unknown.fields;
}

template <class T>
bool read_fields(BytesView in, T& row) {
    while (!in.empty()) {
        const BytesView whole = in;
        std::uint64_t number = 0;
        BytesView payload;
        if (!take_varint(in, number) || !take_sized(in, payload))
            return false;
        bool known = false, good = true;
        for_each_field<T>([&](const auto& field) {
            if (field.number == number) {
                known = true;
                good = read_payload(payload, row.*field.member);
            }
        });
        if (!good)
            return false;
        if constexpr (requires { row.unknown; })
            if (!known)
                row.unknown.fields += whole.substr(0, whole.size() - in.size());
    }
    return true;
}

template <class V>
void append_payload(Bytes& out, const V& value) {
    if constexpr (IsOptional<V>::value) {
        append_payload(out, *value);
    } else if constexpr (IsVector<V>::value) {
        for (const auto& item : value) {
            Bytes payload;
            append_payload(payload, item);
            append_varint(out, payload.size());
            out += payload;
        }
    } else if constexpr (std::is_base_of_v<RawId, V>) {
        out += value.view();
    } else if constexpr (std::is_same_v<V, std::string>) {
        out += value;
    } else if constexpr (std::is_same_v<V, Timestamp>) {
        append_varint(out, zigzag(value.ms));
    } else if constexpr (Composite<V>) {
        append_fields(out, value);
    } else {
        append_varint(out, zigzag(static_cast<std::int64_t>(value)));
    }
}

template <class V>
bool read_payload(BytesView in, V& value) {
    if constexpr (IsOptional<V>::value) {
        return read_payload(in, value.emplace());
    } else if constexpr (IsVector<V>::value) {
        value.clear();
        for (BytesView item; !in.empty();)
            if (!take_sized(in, item) || !read_payload(item, value.emplace_back()))
                return false;
        return true;
    } else if constexpr (std::is_base_of_v<RawId, V>) {
        const auto id = V::from_bytes(in);
        if (id)
            value = *id;
        return id.has_value();
    } else if constexpr (std::is_same_v<V, std::string>) {
        value = in;
        return true;
    } else if constexpr (Composite<V>) {
        return read_fields(in, value);
    } else {
        std::uint64_t raw = 0;
        if (!take_varint(in, raw) || !in.empty())
            return false;
        if constexpr (std::is_same_v<V, Timestamp>)
            value.ms = unzigzag(raw);
        else
            value = static_cast<V>(unzigzag(raw));
        return true;
    }
}

} // namespace detail

template <Composite T>
Bytes encode(const T& row) {
    Bytes out(1, '\x01');
    detail::append_fields(out, row);
    return out;
}

// Fails with a fault when the bytes are not such a row.
template <Composite T>
Result<T> decode(BytesView bytes) {
    T row;
    if (!bytes.starts_with('\x01') || !detail::read_fields(bytes.substr(1), row))
        return fault("a stored row cannot be read");
    return row;
}

} // namespace slashpost::data
