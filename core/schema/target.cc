#include "core/schema/target.h"

#include "core/data/key.h"
#include "core/data/packed.h"

#include <algorithm>
#include <array>

namespace slashpost::redirect {

namespace {

constexpr std::uint16_t flag_forward_parameters = 1;
constexpr std::uint16_t flag_expires = 2;
constexpr std::uint16_t flag_tagged = 4;
constexpr std::uint16_t flag_scripts = 8;
constexpr std::uint16_t flag_routing = 16;
constexpr std::uint16_t flag_tag_marks = 32;
constexpr unsigned on_conflict_shift = 6; // two bits
constexpr std::uint16_t flag_expired_url = 256;
constexpr std::uint16_t flag_forward_always = 512;
constexpr unsigned redirect_type_shift = 10; // three bits: a place in the list, from 1
constexpr std::array<unsigned, 5> redirect_types{0, 301, 302, 307, 308};
constexpr std::uint16_t flag_active_from = 8192;
constexpr std::uint16_t flag_pass_path = 16384;
constexpr std::uint16_t flag_guarded = 32768;
constexpr std::uint16_t flags_rare = flag_scripts | flag_routing | flag_tag_marks | flag_expired_url;
constexpr std::size_t fixed_bytes = 34;

unsigned place_of_type(unsigned redirect_type) {
    const auto found = std::ranges::find(redirect_types, redirect_type);
    return found == redirect_types.end() ? 0 : static_cast<unsigned>(found - redirect_types.begin());
}

// 0 for a place that a later build may have.
unsigned redirect_type_of(std::uint64_t flags) {
    const auto place = (flags >> redirect_type_shift) & 7U;
    return place < redirect_types.size() ? redirect_types.at(place) : 0;
}

std::uint16_t flags_of(const TargetView& target) {
    const auto& forwarding = target.forwarding;
    return static_cast<std::uint16_t>(
        (forwarding.parameters.value_or(true) ? flag_forward_parameters : 0) |
        (forwarding.parameters.value_or(false) ? flag_forward_always : 0) |
        ((static_cast<unsigned>(forwarding.on_conflict) & 3U) << on_conflict_shift) |
        (target.expired_url.empty() ? 0 : flag_expired_url) | (target.expires_at ? flag_expires : 0) |
        (target.active_from ? flag_active_from : 0) | (target.tagged ? flag_tagged : 0) |
        (target.scripts.empty() ? 0 : flag_scripts) | (target.routing.empty() ? 0 : flag_routing) |
        (target.tags.told() ? flag_tag_marks : 0) | (target.pass_path ? flag_pass_path : 0) |
        (target.guarded ? flag_guarded : 0) | (place_of_type(target.redirect_type) << redirect_type_shift));
}

OwnForwarding forwarding_of(std::uint64_t flags) {
    const bool forwards = (flags & flag_forward_parameters) != 0;
    const bool is_own = !forwards || (flags & flag_forward_always) != 0;
    return {.parameters = is_own ? std::optional(forwards) : std::nullopt,
            .on_conflict = static_cast<OnConflict>((flags >> on_conflict_shift) & 3U)};
}

// False when there is none.
bool take_time(std::string_view& stored, std::optional<Timestamp>& into) {
    if (stored.size() < 8)
        return false;
    into = Timestamp{static_cast<std::int64_t>(data::big_endian(stored.substr(0, 8)))};
    stored.remove_prefix(8);
    return true;
}

// What few links have. False when the bytes are none of a target.
bool take_rare(std::uint64_t flags, std::string_view& stored, TargetView& target) {
    if (((flags & flag_scripts) != 0 && !data::take_sized(stored, target.scripts)) ||
        ((flags & flag_routing) != 0 && !data::take_sized(stored, target.routing)))
        return false;
    std::string_view marks;
    if ((flags & flag_tag_marks) != 0) {
        if (!data::take_sized(stored, marks))
            return false;
        target.tags = TagMarks::from_bytes(marks);
    }
    return (flags & flag_expired_url) == 0 || data::take_sized(stored, target.expired_url);
}

} // namespace

std::string TargetView::encode_payload() const {
    std::string out;
    out.reserve(fixed_bytes + 16 + destination.size() + scripts.size() + routing.size() + expired_url.size());
    data::append_key(out, workspace);
    data::append_key(out, flags_of(*this));
    if (expires_at)
        data::append_key(out, static_cast<std::uint64_t>(expires_at->ms));
    if (active_from)
        data::append_key(out, static_cast<std::uint64_t>(active_from->ms));
    data::append_sized(out, destination);
    if (!scripts.empty())
        data::append_sized(out, scripts);
    if (!routing.empty())
        data::append_sized(out, routing);
    if (tags.told())
        data::append_sized(out, tags.view());
    if (!expired_url.empty())
        data::append_sized(out, expired_url);
    return out;
}

std::optional<TargetView> TargetView::decode(std::string_view stored) {
    if (stored.size() < fixed_bytes)
        return std::nullopt;
    TargetView target;
    target.link = *LinkId::from_bytes(stored.substr(0, 16));
    target.workspace = *WorkspaceId::from_bytes(stored.substr(16, 16));
    const auto flags = data::big_endian(stored.substr(32, 2));
    target.forwarding = forwarding_of(flags);
    target.redirect_type = redirect_type_of(flags);
    target.pass_path = (flags & flag_pass_path) != 0;
    stored.remove_prefix(fixed_bytes);
    if (((flags & flag_expires) != 0 && !take_time(stored, target.expires_at)) ||
        ((flags & flag_active_from) != 0 && !take_time(stored, target.active_from)))
        return std::nullopt;
    target.tagged = (flags & flag_tagged) != 0;
    target.guarded = (flags & flag_guarded) != 0;
    if (!data::take_sized(stored, target.destination) ||
        ((flags & flags_rare) != 0 && !take_rare(flags, stored, target)))
        return std::nullopt;
    return target;
}

} // namespace slashpost::redirect
