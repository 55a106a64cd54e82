#include "core/redirect/target.h"

#include "core/data/codec.h"
#include "core/data/key.h"

namespace slashpost::redirect {

namespace {

constexpr std::uint16_t flag_forward_parameters = 1;
constexpr std::uint16_t flag_expires = 2;
constexpr std::size_t fixed_bytes = 34;

std::uint64_t big_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (const char byte : bytes)
        value = value << 8 | static_cast<unsigned char>(byte);
    return value;
}

} // namespace

std::string TargetView::encode_payload() const {
    std::string out;
    out.reserve(fixed_bytes + 10 + destination.size());
    data::append_key(out, workspace);
    data::append_key(out, static_cast<std::uint16_t>((forward_parameters ? flag_forward_parameters : 0) |
                                                     (expires_at ? flag_expires : 0)));
    if (expires_at)
        data::append_key(out, static_cast<std::uint64_t>(expires_at->ms));
    data::append_varint(out, destination.size());
    out += destination;
    return out;
}

std::optional<TargetView> TargetView::decode(std::string_view stored) {
    if (stored.size() < fixed_bytes)
        return std::nullopt;
    TargetView target;
    target.link = *LinkId::from_bytes(stored.substr(0, 16));
    target.workspace = *WorkspaceId::from_bytes(stored.substr(16, 16));
    const auto flags = big_endian(stored.substr(32, 2));
    target.forward_parameters = (flags & flag_forward_parameters) != 0;
    stored.remove_prefix(fixed_bytes);
    if ((flags & flag_expires) != 0) {
        if (stored.size() < 8)
            return std::nullopt;
        target.expires_at = Timestamp{static_cast<std::int64_t>(big_endian(stored.substr(0, 8)))};
        stored.remove_prefix(8);
    }
    if (!data::take_sized(stored, target.destination))
        return std::nullopt;
    return target;
}

} // namespace slashpost::redirect
