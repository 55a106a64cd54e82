#include "core/redirect/below.h"

#include "core/base/percent.h"
#include "core/redirect/location.h"

#include <algorithm>

namespace slashpost::redirect {

namespace {

constexpr std::string_view before_host = "://";

// Whether a part of it is "..". What stands behind a destination undoes escapes, and some take '\' for '/'.
bool climbs(std::string_view rest) {
    std::size_t dots = 0, others = 0; // of the part
    while (!rest.empty()) {
        const char c = take_percent_decoded(rest);
        if (c != '/' && c != '\\') {
            ++(c == '.' ? dots : others);
            continue;
        }
        if (dots == 2 && others == 0)
            return true;
        dots = others = 0;
    }
    return dots == 2 && others == 0;
}

} // namespace

PathsAbove::PathsAbove(std::string_view path, SlashtagForm form) : path_(path), form_(form) {
    if (climbs(path)) // before what is glued to a slashtag is taken off, dots among it
        return;
    auto slash = path.find('/', std::min(path.find_first_not_of('/'), path.size()));
    while (slash != path.npos && slash + 1 < path.size() && left_ < parts_above_max) {
        slashes_.at(left_++) = slash;
        slash = path.find('/', slash + 1);
    }
}

std::optional<VisitedPath> PathsAbove::next(AddressBuffer& buffer) {
    while (left_ > 0) {
        const auto slash = slashes_.at(--left_);
        auto found = visited_path(path_.substr(0, slash), form_, buffer);
        if (found.kind != PathKind::slashtag)
            continue;
        found.kind = PathKind::below;
        found.rest = path_.substr(slash + 1);
        return found;
    }
    return std::nullopt;
}

bool takes_path(std::string_view destination) {
    return destination.substr(std::min(destination.find(':'), destination.size())).starts_with(before_host);
}

bool append_below(std::string& out, std::string_view destination, std::string_view rest) {
    rest = rest.substr(0, rest.find('#')); // a browser never sends one, and here it would begin a fragment
    if (!takes_path(destination) || climbs(rest))
        return false;
    const auto host = destination.find(before_host) + before_host.size();
    const auto behind = std::min(destination.find_first_of("?#", host), destination.size());
    auto base = destination.substr(0, behind);
    if (base.size() > host && base.ends_with('/'))
        base.remove_suffix(1);
    const auto begin = out.size();
    append_location(out, base);
    out += '/';
    append_uri_text(out, rest);
    append_location(out, destination.substr(behind));
    if (has_room(std::string_view(out).substr(begin)))
        return true;
    out.resize(begin);
    return false;
}

} // namespace slashpost::redirect
