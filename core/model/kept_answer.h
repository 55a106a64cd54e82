#pragma once
// What a call with an Idempotency-Key was answered, so that its repetition is answered the same and changes
// nothing.
#include "core/data/codec.h"
#include "core/data/key.h"

namespace slashpost {

struct KeptAnswer {
    static constexpr bool kept_in_dumps = false;
    static constexpr std::int64_t kept_seconds = 24LL * 3600;

    AccountId account;
    std::string key_hash;    // SHA-256 of the key, 32 bytes
    std::string fingerprint; // SHA-256 of the request, 32 bytes
    std::string sealed;      // the answer, which only the key opens: it may have a secret that is shown once
    Timestamp created_at;
    data::Unknown unknown;

    [[nodiscard]] Timestamp ends_at() const { return created_at.plus_seconds(kept_seconds); }

    static constexpr std::size_t primary_bytes = 48;
    static data::Bytes primary_of(const KeptAnswer& a) {
        auto bytes = data::Bytes(a.account.view()) + a.key_hash;
        bytes.resize(primary_bytes);
        return bytes;
    }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{
            stored(1, "account", &KeptAnswer::account), stored(2, "key_hash", &KeptAnswer::key_hash),
            stored(3, "fingerprint", &KeptAnswer::fingerprint), stored(4, "sealed", &KeptAnswer::sealed),
            stored(5, "created_at", &KeptAnswer::created_at)};
    }
};

} // namespace slashpost
