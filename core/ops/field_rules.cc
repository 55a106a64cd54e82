#include "core/ops/field_rules.h"

#include "core/base/ascii.h"
#include "core/base/host.h"
#include "core/base/text.h"
#include "core/base/url.h"
#include "core/ops/domains.h"
#include "core/ops/plans.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace slashpost {

namespace {

constexpr std::size_t text_characters_max = 255;
constexpr std::array<std::uint32_t, 4> redirect_types{301, 302, 307, 308};
constexpr std::size_t plan_name_length_max = 40;
constexpr std::size_t category_length_max = 255;
constexpr std::uint32_t rate_requests_max = 2'147'483'647;
constexpr std::uint32_t rate_period_max = 24 * 3600;
constexpr std::size_t color_digits = 6;

void check_text(std::string_view property, std::string_view text, std::size_t characters_max,
                Problems& problems) {
    if (!is_utf8(text) || has_control(text))
        problems.add(invalid_format(property, "has characters that are not allowed"));
    else if (count_code_points(text) > characters_max)
        problems.add(invalid_length(property, 0, characters_max));
}

// The host becomes a part of a page's policy, in which what else a browser takes for a host, such as one with
// a star or a semicolon, would mean something.
void check_logo(const std::string& url, Problems& problems) {
    constexpr std::string_view property = "branding.logoUrl";
    if (url.empty())
        return;
    const auto read = destination(property, url);
    if (!read.has_value())
        problems.add(read.error());
    else if (read->stored != url || !url.starts_with("https://") || !normal_host(read->host) ||
             read->host.starts_with('['))
        problems.add(invalid_format(property, "must be an https address on a host with a name"));
}

bool is_plan_name(std::string_view name) {
    const auto fits = [](char c) { return ascii::is_lower(c) || ascii::is_digit(c) || c == '-' || c == '_'; };
    return !name.empty() && name.size() <= plan_name_length_max && std::ranges::all_of(name, fits);
}

void check_limits(const PlanLimits& limits, Problems& problems) {
    const auto check = [&](std::string_view property, const std::optional<std::int64_t>& limit) {
        if (limit && (*limit < 0 || *limit > plan_limit_max))
            problems.add(out_of_range(property, fmt::format("must be 0 to {}", plan_limit_max)));
    };
    check("links", limits.links);
    check("workspaces", limits.workspaces);
    check("domains", limits.domains);
    check("teammates", limits.teammates);
    check("tags", limits.tags);
    check("scripts", limits.scripts);
    check("invites", limits.invites_per_day);
}

} // namespace

void check_account(const Account& account, Problems& problems) {
    if (account.username.empty())
        problems.add(required_field("username"));
    check_text("username", account.username, text_characters_max, problems);
    check_text("email", account.email, text_characters_max, problems);
    check_text("fullName", account.full_name, text_characters_max, problems);
}

void check_key_name(std::string_view name, Problems& problems) {
    check_text("name", name, text_characters_max, problems);
}

void check_redirect_type(std::uint32_t type, Problems& problems) {
    if (std::ranges::find(redirect_types, type) == redirect_types.end())
        problems.add(out_of_range("redirectType", "must be 301, 302, 307 or 308"));
}

void check_slashtag_lengths(const SlashtagRules& rules, Problems& problems) {
    if (rules.length_min < 1 || rules.length_min > rules.length_max)
        problems.add(out_of_range("slashtag.minLength", "must be 1 to slashtag.maxLength"));
    if (rules.length_max > slashtag_length_limit)
        problems.add(out_of_range("slashtag.maxLength", "must be at most 255"));
}

void check_branding(const Branding& branding, Problems& problems) {
    check_text("branding.name", branding.name, branding_name_length_max, problems);
    if (!branding.color.empty() && !is_stored_color(branding.color))
        problems.add(invalid_format("branding.color", "must be six hexadecimal digits"));
    check_logo(branding.logo_url, problems);
    auto lines = branding.home_text;
    std::ranges::replace(lines, '\n', ' ');
    check_text("branding.homeText", lines, branding_home_text_length_max, problems);
}

void check_plan_name(std::string_view name, Problems& problems) {
    if (!is_plan_name(name))
        problems.add(invalid_format("name", "must be 1 to 40 of a-z, 0-9, - and _"));
}

void check_plan(const Plan& plan, Problems& problems) {
    if (!is_utf8(plan.category) || has_control(plan.category) ||
        count_code_points(plan.category) > category_length_max)
        problems.add(invalid_length("category", 0, category_length_max));
    check_limits(plan.limits, problems);
    if (plan.rate_requests.value_or(0) > rate_requests_max)
        problems.add(out_of_range("rate", fmt::format("must be 0 to {}", rate_requests_max)));
    if (const auto period = plan.rate_period_seconds.value_or(1); period < 1 || period > rate_period_max)
        problems.add(out_of_range("period", fmt::format("must be 1 to {} seconds", rate_period_max)));
}

void normalise_script(Script& script, Problems& problems) {
    const bool is_read = std::ranges::none_of(problems.fields(), [](const FieldError& problem) {
        return problem.property == "value" || problem.property == "uri";
    });
    if (is_read && script.value.empty() && script.uri.empty())
        problems.add(required_field("value"));
    if (script.uri.empty())
        return;
    auto address = destination("uri", script.uri);
    if (address.has_value())
        script.uri = std::move(address->stored);
    else
        problems.add(std::move(address).error());
}

void check_workspace_name(std::string_view name, Problems& problems) {
    if (has_control(name))
        problems.add(invalid_format("name", "has characters that are not allowed"));
}

bool is_stored_color(std::string_view color) {
    return color.size() == color_digits && color.find_first_not_of("0123456789abcdef") == color.npos;
}

std::string stored_color(std::string_view color) {
    if (color.starts_with('#'))
        color.remove_prefix(1);
    return lower_ascii(color);
}

std::string stored_avatar(const std::string& address, Problems& problems) {
    auto read = destination("avatarUrl", address);
    if (read.has_value())
        return std::move(read->stored);
    problems.add(std::move(read).error());
    return {};
}

} // namespace slashpost
