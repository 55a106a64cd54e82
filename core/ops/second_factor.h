#pragma once
// A second factor besides the password: codes of an authenticator app (core/base/totp.h), or one of ten
// recovery codes, each good once. Nobody has it unless they turned it on and showed that their app makes the
// right codes.
#include "core/access/context.h"
#include "core/model/sign_in.h"

namespace slashpost {

inline constexpr std::size_t recovery_codes_count = 10;

[[nodiscard]] inline bool asks_for_code(const Credentials& credentials) {
    return credentials.totp_since.has_value();
}

// What who has a second factor and sends no code is told.
std::unexpected<Error> code_required();

// Whether the code is right; then it is used up, and the row stored so.
Result<bool> take_code(data::Txn& txn, const Credentials& credentials, std::string_view code, Timestamp now);

// How many recovery codes of the caller's were not used yet; nothing: there is no second factor.
Result<std::optional<std::size_t>> recovery_codes_left(Context& ctx);

struct SecondFactorOffer {
    std::string secret;  // for people who type it
    std::string address; // for apps, as a QR code
};
// A new secret, which counts for nothing until a code of it was seen. A conflict when there is a second
// factor.
Result<SecondFactorOffer> offer_second_factor(Context& ctx);
// Turns it on, and answers the recovery codes, which are shown this once. Invalid for a wrong code.
Result<std::vector<std::string>> confirm_second_factor(Context& ctx, std::string_view code);
// New recovery codes in place of those that are left. Invalid for a wrong code.
Result<std::vector<std::string>> renew_recovery_codes(Context& ctx, std::string_view code);
// Takes it away from who shows that they have it. Invalid for a wrong code.
Result<void> end_second_factor(Context& ctx, std::string_view code);
// Takes it away from who has shown in another way that they may. A conflict when there is none.
Result<void> drop_second_factor(Context& ctx);

} // namespace slashpost
