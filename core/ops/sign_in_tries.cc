#include "core/ops/sign_in_tries.h"

#include "core/base/secret.h"
#include "core/base/text.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <fmt/format.h>

namespace slashpost {

namespace {

constexpr std::int64_t free_tries = 3; // that wait for nothing
constexpr std::int64_t wait_seconds_max = tries_period_seconds;
constexpr std::int64_t account_remembered_seconds = 3600;
constexpr unsigned nobodies_mask = 0xfff;

// Of a period; by account there is no such bound, but waiting.
std::int64_t tries_max(TryKind kind) {
    switch (kind) {
    case TryKind::by_account:
        break;
    case TryKind::by_address:
        return tries_per_address;
    case TryKind::mail_to_account:
        return mails_per_account;
    case TryKind::mail_by_address:
        return mails_per_address;
    case TryKind::link_by_address:
        return link_tries_per_address;
    }
    return 0;
}

std::string subject_of(TryKind kind, std::string_view who) {
    return sha256(fmt::format("{} {}", static_cast<unsigned>(kind), who));
}

std::int64_t seconds_until(Timestamp then, Timestamp now) {
    constexpr std::int64_t ms = 1000;
    return std::max<std::int64_t>((then.ms - now.ms + ms - 1) / ms, 0);
}

std::int64_t seconds_to_wait(TryKind kind, const SignInTries& tries, Timestamp now) {
    if (kind == TryKind::by_account)
        return seconds_until(tries.last_at.plus_seconds(seconds_before_next_try(tries.count)), now);
    return tries.count < tries_max(kind) ? 0 : seconds_until(tries.forgotten_at, now);
}

} // namespace

std::int64_t seconds_before_next_try(std::int64_t wrong_tries) {
    constexpr std::int64_t doublings_max = 20;
    if (wrong_tries < free_tries)
        return 0;
    return std::min(std::int64_t{1} << std::min(wrong_tries - 1, doublings_max), wait_seconds_max);
}

Result<std::int64_t> take_try(SystemContext& system, TryKind kind, std::string_view who) {
    const auto& table = schema().sign_in_tries;
    const auto now = system.now;
    const SignInTries fresh{.subject = subject_of(kind, who), .last_at = now, .forgotten_at = now};
    const auto stored = TRY(table.find(system.txn, SignInTries::primary_of(fresh)));
    // A clock that jumped back locks nobody out until it has caught up.
    const bool counts = stored && stored->forgotten_at > now && stored->last_at <= now;
    auto tries = counts ? *stored : fresh;
    if (const auto wait = seconds_to_wait(kind, tries, now); wait > 0)
        return wait;
    ++tries.count;
    tries.last_at = now;
    if (kind == TryKind::by_account)
        tries.forgotten_at = now.plus_seconds(account_remembered_seconds);
    else if (!counts)
        tries.forgotten_at = now.plus_seconds(tries_period_seconds);
    if (stored)
        TRY(table.update(system.txn, *stored, tries));
    else
        TRY(table.insert(system.txn, tries));
    return 0;
}

Result<void> give_back_try(SystemContext& system, TryKind kind, std::string_view who) {
    const auto& table = schema().sign_in_tries;
    const auto stored = TRY(table.find(
        system.txn,
        SignInTries::primary_of({.subject = subject_of(kind, who), .last_at = {}, .forgotten_at = {}})));
    if (!stored)
        return {};
    if (kind == TryKind::by_account || stored->count <= 1)
        return table.remove(system.txn, *stored);
    auto fewer = *stored;
    --fewer.count;
    return table.update(system.txn, *stored, fewer);
}

std::string nobody_called(std::string_view name) {
    const auto hash = sha256(fold_case(name));
    const auto number = static_cast<unsigned char>(hash[0]) * 256U + static_cast<unsigned char>(hash[1]);
    return fmt::format("nobody {}", number & nobodies_mask);
}

} // namespace slashpost
