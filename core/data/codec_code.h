#pragma once
// The bodies of encode and decode (core/data/codec.h), for the one file per row type that says
// SLASHPOST_CODEC_CODE(Row) in namespace slashpost. Compiled wherever a row is read, they were half of what
// the compiler did.
#include "core/data/codec.h"

#define SLASHPOST_CODEC_CODE(Row)                                                                            \
    template data::Bytes data::encode(const Row&);                                                           \
    template Result<Row> data::decode(data::BytesView)

namespace slashpost::data {

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

template <Composite T>
Result<T> decode(BytesView bytes) {
    T row;
    if (!bytes.starts_with('\x01') || !detail::read_fields(bytes.substr(1), row))
        return fault("a stored row cannot be read");
    return row;
}

} // namespace slashpost::data
