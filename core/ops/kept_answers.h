#pragma once
// Answers that are kept for a day, by the Idempotency-Key that the call came with: whoever does not know
// whether a call arrived sends it again, and it is done once. The answer is written in the transaction of the
// call, so that it is there when what the call did is there, on every server and after a crash, and of two
// that come at once one is done.
#include "core/access/context.h"

#include <optional>
#include <string>
#include <string_view>

namespace slashpost {

inline constexpr std::int64_t answers_per_account_max = 100'000; // one more drops the oldest

struct RepeatedCall {
    bool is_same = false; // false: the key came with another call
    std::string answer;
};

// What the account's call with this key was answered; nothing when there was none in the last day.
// `fingerprint` is 32 bytes that differ when the call does. Under a guard with Scope::workspace or
// Scope::account.
Result<std::optional<RepeatedCall>> find_repeated(Context& ctx, std::string_view key,
                                                  std::string_view fingerprint);

// Keeps the answer of a call that find_repeated knew nothing of. Only under a guard with Access::write.
Result<void> keep_answer(Context& ctx, std::string_view key, std::string_view fingerprint,
                         std::string_view answer, std::int64_t answers_max = answers_per_account_max);

// Forgets what is older than a day. A background step: one batch; true when there is more.
Result<bool> prune_kept_answers(SystemContext& system);

} // namespace slashpost
