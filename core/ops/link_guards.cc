#include "core/ops/link_guards.h"

#include "core/base/hash_gate.h"
#include "core/base/password_hash.h"
#include "core/base/text.h"

#include <fmt/format.h>

namespace slashpost {

void check_link_password(std::string_view password, Problems& problems) {
    constexpr std::string_view property = "password";
    if (!is_utf8(password) || has_control(password))
        problems.add(invalid_format(property, "has characters that are not allowed"));
    else if (count_code_points(password) < link_password_characters_min)
        problems.add(invalid_format(
            property, fmt::format("must have at least {} characters", link_password_characters_min)));
    else if (password.size() > password_bytes_max)
        problems.add(invalid_format(property, fmt::format("must have at most {} bytes", password_bytes_max)));
}

void check_link_clicks(std::uint32_t clicks, Problems& problems) {
    if (clicks < 1 || clicks > link_clicks_max)
        problems.add(out_of_range("maxClicks", fmt::format("must be between 1 and {}", link_clicks_max)));
}

Result<LinkPassword> make_link_password(std::string_view password, Timestamp now) {
    static HashGate gate;
    return LinkPassword{.hash = TRY(gate.run([&] { return hash_password(password); })), .set_at = now};
}

void set_password(Link& link, LinkPassword password) {
    link.password_hash = std::move(password.hash);
    link.password_set_at = password.set_at;
}

void change_clicks(Link& link, const Change<std::uint32_t>& clicks, Problems& problems) {
    if (clicks.is_clear())
        link.clicks_max = link.clicks_used = 0;
    if (!clicks.is_set())
        return;
    check_link_clicks(clicks.value(), problems);
    link.clicks_max = clicks.value();
}

} // namespace slashpost
