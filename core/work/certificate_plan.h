#pragma once
// What is decided about certificates that the server gets by itself: when the next order begins. Pure
// functions of what is stored, so that tests say what happens in a year.
//
// Authorities bound what one may ask of them. Let's Encrypt's bounds are the smallest that are known, and the
// budgets here stay below them: 5 failed validations of a host in an hour, 300 orders of an account in three
// hours, 50 certificates of a registered domain in a week.
#include "core/model/certificate.h"

#include <span>

namespace slashpost {

inline constexpr std::size_t orders_of_host_per_hour = 4;
inline constexpr std::size_t orders_per_three_hours = 270;
inline constexpr std::size_t certificates_per_week = 45; // of one registered domain

// After so many failures in a row, the last of them now: 1 h, then twice as long each time, up to 24 h.
[[nodiscard]] std::int64_t seconds_before_next_order(std::uint32_t failures);

// After so many times in a row that the authority could not be reached, of which it knows nothing: a minute,
// then twice as long each time, up to an hour.
[[nodiscard]] std::int64_t seconds_before_next_call(std::uint32_t failures);

// When a certificate is renewed: at the place `share`, 0 to 999 thousandths, of the authority's window if it
// has named one, else after two thirds of its life.
[[nodiscard]] Timestamp renewal_time(const HostCertificate& certificate, std::uint32_t share);

// When the authority is asked again when to renew: as long as it says, at least an hour and at most a day.
[[nodiscard]] std::int64_t seconds_before_next_question(std::optional<std::int64_t> said);

// What counts as one registered domain: the last two labels, and the last three below a country whose second
// level is short, as "example.co.uk". There is no list of all of them here; where this is wrong the authority
// says so and is heeded.
[[nodiscard]] std::string_view registered_domain(std::string_view host);

// From when on the budgets let an order for the host begin, if nothing else is ordered until then: `now`, or
// later. `all` are the rows of all hosts.
[[nodiscard]] Timestamp may_order_from(const HostCertificate& certificate,
                                       std::span<const HostCertificate> all, Timestamp now);

// Writes down that an order begins now, and forgets those that no budget counts any more.
void note_order(HostCertificate& certificate, Timestamp now);

} // namespace slashpost
