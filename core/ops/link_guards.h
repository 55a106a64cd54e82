#pragma once
// What a link asks of its visitors: a password, or to be among so many.
#include "core/base/change.h"
#include "core/base/errors.h"
#include "core/model/link.h"

#include <string>
#include <string_view>

namespace slashpost {

// Less than of an account: people tell it each other, and read it from paper.
inline constexpr std::size_t link_password_characters_min = 6; // at most password_bytes_max
inline constexpr std::uint32_t link_clicks_max = 1'000'000'000;

// A password's hash, with when it was set.
struct LinkPassword {
    std::string hash;
    std::optional<Timestamp> set_at;
    bool operator==(const LinkPassword&) const = default;
};

// Adds a problem with the field `password` when the text may be none.
void check_link_password(std::string_view password, Problems& problems);
// Adds a problem with the field `maxClicks`.
void check_link_clicks(std::uint32_t clicks, Problems& problems);

// Takes 100 ms, or as long as others' passwords take as well. Fails as unavailable when too many are made
// at once.
Result<LinkPassword> make_link_password(std::string_view password, Timestamp now);
void set_password(Link& link, LinkPassword password);
// `clicks` visitors in all, those who were there already among them; nothing: any number.
void change_clicks(Link& link, const Change<std::uint32_t>& clicks, Problems& problems);

} // namespace slashpost
