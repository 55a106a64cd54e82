#pragma once
// Secrets of webhooks, which only their workspace and this server have, and what is signed with them
// (https://www.standardwebhooks.com).
//
// A secret is stored sealed with that of the installation, which lies in the same store: so it shows in no
// row of a dump and in no listing of the schema, but who has the whole store has it.
#include "core/access/context.h"
#include "core/model/webhook.h"

#include <span>

namespace slashpost {

inline constexpr std::size_t webhook_secret_bytes = 32;
inline constexpr std::int64_t old_secret_seconds = 24LL * 3600; // that a secret signs on after its end

// As its workspace is shown it, once: "whsec_" and its bytes as base64.
std::string shown_secret(std::string_view secret);

// A new one, and the same sealed.
struct WebhookSecret {
    std::string bytes;
    data::Bytes sealed;
};
Result<WebhookSecret> make_webhook_secret(data::Txn& txn, Random& random);

// Those that sign for the webhook at that time, the newest first. Fails with a fault when one cannot be
// opened.
Result<std::vector<std::string>> webhook_secrets(data::View& view, const Webhook& webhook, Timestamp now);

// The value of the header webhook-signature: for each secret "v1," and the HMAC of "id.seconds.body", with
// spaces between them. `id` has no dot.
std::string webhook_signature(std::span<const std::string> secrets, std::string_view id, std::int64_t seconds,
                              std::string_view body);

} // namespace slashpost
