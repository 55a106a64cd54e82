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

// As their workspace is shown them: a secret of HMAC once, "whsec_" and its bytes as base64; that of Ed25519,
// the seed, never, but its public key as often as it likes, with "whpk_".
std::string shown_secret(std::string_view secret);
std::string shown_public_key(std::string_view public_key);

// Gives the webhook a new secret, and the public key of that if it has one; answers the secret's bytes.
Result<std::string> set_webhook_secret(data::Txn& txn, Random& random, WebhookSignature signature,
                                       Webhook& webhook);

// Those that sign for the webhook at that time, the newest first. Fails with a fault when one cannot be
// opened.
Result<std::vector<std::string>> webhook_secrets(data::View& view, const Webhook& webhook, Timestamp now);

// The value of the header webhook-signature: for each secret "v1," and the HMAC of "id.seconds.body", or
// "v1a," and its Ed25519 signature, with spaces between them. `id` has no dot.
std::string webhook_signature(WebhookSignature signature, std::span<const std::string> secrets,
                              std::string_view id, std::int64_t seconds, std::string_view body);

} // namespace slashpost
