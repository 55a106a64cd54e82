#pragma once
// How often one may try to sign in, or to open a link: counted in rows, so that a restart gives nobody new
// tries.
//
// An account's wrong tries make each further one wait twice as long: ten of them take a quarter of an hour,
// and from then on there is one in a quarter of an hour. They are forgotten an hour after the last, or by
// signing in. What is counted by address is so many in a quarter of an hour.
#include "core/access/context.h"

namespace slashpost {

// Each is a budget of its own.
enum class TryKind : std::uint8_t {
    by_account,      // tries with the password or the second factor of an account; or of nobody's name
    by_address,      // tries from a network address, whoever they are for
    mail_to_account, // one-time addresses mailed to one account
    mail_by_address, // asked for from a network address
    link_by_address, // tries with the password of one link from one network address
};

inline constexpr std::int64_t tries_period_seconds = 15LL * 60;
inline constexpr std::int64_t tries_per_address = 50; // of a period; this and the next three
inline constexpr std::int64_t link_tries_per_address = 10;
inline constexpr std::int64_t mails_per_account = 3;
inline constexpr std::int64_t mails_per_address = 20;
// How long the next try has to wait after so many wrong ones for an account.
std::int64_t seconds_before_next_try(std::int64_t wrong_tries);

// Counts a try of `who` before it is made, so that many at once are no more than one after the other. Not 0:
// it was not counted, and may be made in so many seconds.
Result<std::int64_t> take_try(SystemContext& system, TryKind kind, std::string_view who);
// It went well: by account, all are forgotten; else that one is.
Result<void> give_back_try(SystemContext& system, TryKind kind, std::string_view who);
// Whose tries those for a name that nobody has are: that of one of 4,096, so that they fill no store.
std::string nobody_called(std::string_view name);

} // namespace slashpost
