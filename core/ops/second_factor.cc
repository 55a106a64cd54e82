#include "core/ops/second_factor.h"

#include "core/base/errors.h"
#include "core/base/secret.h"
#include "core/base/text.h"
#include "core/base/totp.h"
#include "core/ops/sign_in_tries.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <array>

namespace slashpost {

namespace {

constexpr std::size_t recovery_code_bytes = 10; // 80 bits, 16 characters

const CredentialsTable& table() { return schema().credentials; }

Result<std::optional<Credentials>> stored_of(Context& ctx) {
    return table().find(ctx.view(), ctx.account.id.view());
}

std::unexpected<Error> wrong_code() {
    return invalid("session", {invalid_format("code", "is not the code that is shown now")});
}

// As it is hashed: people write it in groups, and in small letters.
std::string recovery_code_as_made(std::string_view typed) {
    std::string out;
    for (const char c : lower_ascii(typed))
        if (c != ' ' && c != '-')
            out += c;
    return out;
}

std::string make_recovery_code(Random& random) {
    std::array<std::uint8_t, recovery_code_bytes> bits{};
    random.fill(bits);
    return lower_ascii(base32({reinterpret_cast<const char*>(bits.data()), bits.size()}));
}

// The codes, whose hashes are in the row then, in place of those before.
std::vector<std::string> put_recovery_codes(Random& random, Credentials& credentials) {
    credentials.recovery_hashes.clear();
    std::vector<std::string> shown;
    while (shown.size() < recovery_codes_count) {
        shown.push_back(make_recovery_code(random));
        credentials.recovery_hashes.push_back(sha256(shown.back()));
    }
    return shown;
}

// Uses the code up, and answers the row as it is then. A conflict without a second factor, invalid for a
// wrong code.
Result<Credentials> prove(Context& ctx, std::string_view code) {
    const auto stored = TRY(stored_of(ctx));
    if (!stored || !asks_for_code(*stored))
        return conflict("There is no second factor.");
    if (!TRY(take_code(ctx.txn(), *stored, code, ctx.now)))
        return wrong_code();
    auto system = ctx.system_context();
    TRY(give_back_try(system, TryKind::by_account, ctx.account.id.hex()));
    return TRY(stored_of(ctx)).value();
}

Result<void> drop(Context& ctx, const Credentials& credentials) {
    auto changed = credentials;
    changed.totp_secret.clear();
    changed.totp_since.reset();
    changed.recovery_hashes.clear();
    return table().update(ctx.txn(), credentials, changed);
}

} // namespace

std::unexpected<Error> code_required() {
    return std::unexpected(
        Error{.kind = ErrorKind::unauthenticated,
              .code = "CodeRequired",
              .message = "Send the code that your authenticator app shows, or a recovery code.",
              .source = "session",
              .id = {},
              .fields = {}});
}

Result<bool> take_code(data::Txn& txn, const Credentials& credentials, std::string_view code, Timestamp now) {
    auto changed = credentials;
    if (const auto step = totp_step_of(code, credentials.totp_secret, now, credentials.totp_step)) {
        changed.totp_step = *step;
    } else {
        const auto hash = sha256(recovery_code_as_made(code));
        if (std::erase_if(changed.recovery_hashes,
                          [&](const std::string& one) { return equal_in_constant_time(one, hash); }) == 0)
            return false;
    }
    TRY(table().update(txn, credentials, changed));
    return true;
}

Result<std::optional<std::size_t>> recovery_codes_left(Context& ctx) {
    const auto stored = TRY(stored_of(ctx));
    return stored && asks_for_code(*stored) ? std::optional(stored->recovery_hashes.size()) : std::nullopt;
}

Result<SecondFactorOffer> offer_second_factor(Context& ctx) {
    const auto stored = TRY(stored_of(ctx));
    if (stored && asks_for_code(*stored))
        return conflict("There is a second factor already; take it away first.");
    auto changed = stored.value_or(Credentials{.account = ctx.account.id, .password_hash = {}});
    changed.totp_secret = make_totp_secret(ctx.random);
    if (stored)
        TRY(table().update(ctx.txn(), *stored, changed));
    else
        TRY(table().insert(ctx.txn(), changed));
    return SecondFactorOffer{.secret = base32(changed.totp_secret),
                             .address = totp_address("Slashpost", ctx.account.username, changed.totp_secret)};
}

Result<std::vector<std::string>> confirm_second_factor(Context& ctx, std::string_view code) {
    const auto stored = TRY(stored_of(ctx));
    if (!stored || stored->totp_secret.empty() || asks_for_code(*stored))
        return conflict("There is no new second factor to confirm; ask for one first.");
    const auto step = totp_step_of(code, stored->totp_secret, ctx.now, stored->totp_step);
    if (!step)
        return wrong_code();
    auto changed = *stored;
    changed.totp_since = ctx.now;
    changed.totp_step = *step;
    auto shown = put_recovery_codes(ctx.random, changed);
    TRY(table().update(ctx.txn(), *stored, changed));
    auto system = ctx.system_context();
    TRY(give_back_try(system, TryKind::by_account, ctx.account.id.hex()));
    return shown;
}

Result<std::vector<std::string>> renew_recovery_codes(Context& ctx, std::string_view code) {
    const auto proved = TRY(prove(ctx, code));
    auto changed = proved;
    auto shown = put_recovery_codes(ctx.random, changed);
    TRY(table().update(ctx.txn(), proved, changed));
    return shown;
}

Result<void> end_second_factor(Context& ctx, std::string_view code) {
    return drop(ctx, TRY(prove(ctx, code)));
}

Result<void> drop_second_factor(Context& ctx) {
    const auto stored = TRY(stored_of(ctx));
    if (!stored || !asks_for_code(*stored))
        return conflict("There is no second factor.");
    return drop(ctx, *stored);
}

} // namespace slashpost
