#include "core/access/webhook_signing.h"

#include "core/base/base64.h"
#include "core/base/ed25519.h"
#include "core/base/sealed.h"
#include "core/base/secret.h"
#include "core/schema/store.h"

#include <array>
#include <fmt/format.h>

namespace slashpost {

std::string shown_secret(std::string_view secret) { return "whsec_" + base64(secret); }

std::string shown_public_key(std::string_view public_key) { return "whpk_" + base64(public_key); }

Result<std::string> set_webhook_secret(data::Txn& txn, Random& random, WebhookSignature signature,
                                       Webhook& webhook) {
    static_assert(webhook_secret_bytes == ed25519_seed_bytes);
    const auto own = TRY(ensure_click_id_key(txn, random));
    std::array<std::uint8_t, webhook_secret_bytes> bits{};
    random.fill(bits);
    std::string bytes(bits.begin(), bits.end());
    webhook.secret = seal(bytes, own, random);
    webhook.public_key = signature == WebhookSignature::ed25519 ? ed25519_public_key(bytes) : data::Bytes();
    return bytes;
}

Result<std::vector<std::string>> webhook_secrets(data::View& view, const Webhook& webhook, Timestamp now) {
    const auto own = TRY(click_id_key(view)).value_or(data::Bytes());
    std::vector<std::string> out;
    const auto open = [&](const data::Bytes& sealed) -> Result<void> {
        auto secret = unseal(sealed, own);
        if (!secret)
            return fault("a webhook's secret cannot be opened");
        out.push_back(*std::move(secret));
        return {};
    };
    TRY(open(webhook.secret));
    if (webhook.old_secret_until && now < *webhook.old_secret_until)
        TRY(open(webhook.old_secret));
    return out;
}

std::string webhook_signature(WebhookSignature signature, std::span<const std::string> secrets,
                              std::string_view id, std::int64_t seconds, std::string_view body) {
    const auto text = fmt::format("{}.{}.{}", id, seconds, body);
    const bool is_hmac = signature == WebhookSignature::hmac;
    std::string out;
    for (const auto& secret : secrets)
        out += fmt::format("{}{},{}", out.empty() ? "" : " ", is_hmac ? "v1" : "v1a",
                           base64(is_hmac ? hmac_sha256(text, secret) : ed25519_sign(text, secret)));
    return out;
}

} // namespace slashpost
