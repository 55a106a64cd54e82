#include "core/base/id.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <span>

namespace slashpost {

std::string RawId::hex() const {
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    out.reserve(32);
    for (const auto byte : bytes) {
        out += digits[byte >> 4];
        out += digits[byte & 15];
    }
    return out;
}

Timestamp RawId::made_at() const {
    std::int64_t ms = 0;
    for (std::size_t i = 0; i < 6; ++i)
        ms = ms << 8 | bytes[i];
    return {ms};
}

RawId RawId::first_at(Timestamp time) {
    RawId id;
    for (std::size_t i = 0; i < 6; ++i)
        id.bytes[i] = static_cast<std::uint8_t>(time.ms >> (40 - 8 * i));
    return id;
}

std::optional<RawId> RawId::parse(std::string_view text) {
    RawId id;
    if (text.size() != 2 * id.bytes.size())
        return std::nullopt;
    for (std::size_t i = 0; i < id.bytes.size(); ++i) {
        const int high = ascii::hex_value(text[2 * i]), low = ascii::hex_value(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return std::nullopt;
        id.bytes[i] = static_cast<std::uint8_t>(high << 4 | low);
    }
    return id;
}

std::optional<RawId> RawId::from_bytes(std::string_view raw) {
    RawId id;
    if (raw.size() != id.bytes.size())
        return std::nullopt;
    std::memcpy(id.bytes.data(), raw.data(), raw.size());
    return id;
}

RawId IdSource::next_raw() {
    std::uint64_t stamp = 0;
    {
        const std::lock_guard lock(mutex_);
        last_ = std::max(last_ + 1, static_cast<std::uint64_t>(clock_.now().ms) << 16);
        stamp = last_;
    }
    RawId id;
    for (std::size_t i = 0; i < 8; ++i)
        id.bytes[i] = static_cast<std::uint8_t>(stamp >> (56 - 8 * i));
    random_.fill(std::span(id.bytes).subspan(8));
    return id;
}

} // namespace slashpost
