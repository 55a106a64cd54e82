#include "core/work/certificate_plan.h"

#include <algorithm>

namespace slashpost {

namespace {

constexpr std::int64_t minute_seconds = 60, hour_seconds = 3600, day_seconds = 24 * hour_seconds,
                       week_seconds = 7 * day_seconds;
constexpr std::int64_t orders_window = 3 * hour_seconds;
constexpr std::int64_t usual_question = 6 * hour_seconds;
constexpr std::uint32_t doublings_max = 16;
constexpr std::size_t short_label_max = 3;
constexpr std::size_t country_label = 2;

std::int64_t doubled(std::int64_t first, std::uint32_t failures, std::int64_t longest) {
    return std::min(first << std::min(std::max(failures, 1U) - 1, doublings_max), longest);
}

// From when on fewer than `allowed` of these lie within the time that counts.
Timestamp room_from(std::vector<Timestamp> times, std::size_t allowed, std::int64_t seconds, Timestamp now) {
    std::erase_if(times, [&](Timestamp at) { return at.plus_seconds(seconds) <= now; });
    if (times.size() < allowed)
        return now;
    std::ranges::sort(times);
    return times[times.size() - allowed].plus_seconds(seconds);
}

} // namespace

std::int64_t seconds_before_next_order(std::uint32_t failures) {
    return doubled(hour_seconds, failures, day_seconds);
}

std::int64_t seconds_before_next_call(std::uint32_t failures) {
    return doubled(minute_seconds, failures, hour_seconds);
}

Timestamp renewal_time(const HostCertificate& certificate, std::uint32_t share) {
    if (certificate.window_start && certificate.window_end) {
        const auto start = certificate.window_start->ms;
        return {start + (certificate.window_end->ms - start) / 1000 * share};
    }
    const auto life = certificate.not_after.ms - certificate.not_before.ms;
    return {certificate.not_before.ms + life / 3 * 2};
}

std::int64_t seconds_before_next_question(std::optional<std::int64_t> said) {
    return std::clamp(said.value_or(usual_question), hour_seconds, day_seconds);
}

std::string_view registered_domain(std::string_view host) {
    const auto last = host.rfind('.');
    if (last == host.npos || last == 0)
        return host;
    const auto second = host.rfind('.', last - 1);
    if (second == host.npos || second == 0)
        return host;
    const bool below_country =
        host.size() - last - 1 == country_label && last - second - 1 <= short_label_max;
    if (!below_country)
        return host.substr(second + 1);
    const auto third = host.rfind('.', second - 1);
    return third == host.npos ? host : host.substr(third + 1);
}

Timestamp may_order_from(const HostCertificate& certificate, std::span<const HostCertificate> all,
                         Timestamp now) {
    const auto domain = registered_domain(certificate.host);
    std::vector<Timestamp> orders, issued;
    for (const auto& one : all) {
        orders.insert(orders.end(), one.orders.begin(), one.orders.end());
        if (one.issued_at && registered_domain(one.host) == domain)
            issued.push_back(*one.issued_at);
    }
    return std::max({room_from(certificate.orders, orders_of_host_per_hour, hour_seconds, now),
                     room_from(std::move(orders), orders_per_three_hours, orders_window, now),
                     room_from(std::move(issued), certificates_per_week, week_seconds, now)});
}

void note_order(HostCertificate& certificate, Timestamp now) {
    std::erase_if(certificate.orders, [&](Timestamp at) { return at.plus_seconds(orders_window) <= now; });
    certificate.orders.push_back(now);
}

} // namespace slashpost
