#pragma once
// What the enumerations of core are called on the wire.
#include "core/access/guard.h"
#include "core/base/page.h"
#include "core/model/invite.h"
#include "core/model/link.h"
#include "http/wire/fields.h"

#include <array>

namespace slashpost::wire {

template <>
struct EnumNames<LinkStatus> {
    static constexpr std::array<std::pair<std::string_view, LinkStatus>, 4> all{
        {{"active", LinkStatus::active},
         {"expired", LinkStatus::expired},
         {"deleted", LinkStatus::deleted},
         {"paused", LinkStatus::paused}}};
};
template <>
struct EnumNames<LinkType> {
    static constexpr std::array<std::pair<std::string_view, LinkType>, 2> all{
        {{"standard", LinkType::standard}, {"rotator", LinkType::rotator}}};
};
template <>
struct EnumNames<Direction> {
    static constexpr std::array<std::pair<std::string_view, Direction>, 2> all{
        {{"asc", Direction::ascending}, {"desc", Direction::descending}}};
};
template <>
struct EnumNames<Role> {
    static constexpr std::array<std::pair<std::string_view, Role>, 5> all{{{"viewer", Role::viewer},
                                                                           {"guest", Role::guest},
                                                                           {"user", Role::user},
                                                                           {"admin", Role::admin},
                                                                           {"owner", Role::owner}}};
};
template <>
struct EnumNames<WorkspaceType> {
    static constexpr std::array<std::pair<std::string_view, WorkspaceType>, 3> all{
        {{"classic", WorkspaceType::classic},
         {"extended", WorkspaceType::extended},
         {"gallery", WorkspaceType::gallery}}};
};

template <>
struct EnumNames<InviteStatus> {
    static constexpr std::array<std::pair<std::string_view, InviteStatus>, 3> all{
        {{"pending", InviteStatus::pending},
         {"accepted", InviteStatus::accepted},
         {"expired", InviteStatus::expired}}};
};

template <class E>
constexpr std::string_view name_of(E value) {
    for (const auto& [name, one] : EnumNames<E>::all)
        if (one == value)
            return name;
    return {};
}

} // namespace slashpost::wire
