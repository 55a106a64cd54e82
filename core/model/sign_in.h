#pragma once
// How a person signs in at the dashboard, and where they are signed in. Secrets are kept as hashes.
#include "core/data/codec.h"
#include "core/data/key.h"

#include <algorithm>

namespace slashpost {

// On disk: never renumber.
enum class SignInWay : std::uint8_t {
    password = 1,
    address = 2,  // a one-time address
    invite = 3,   // by accepting one, which made the account
    provider = 4, // somebody else's word, by OpenID Connect
};

// A browser that is signed in. Its token is in its cookie only.
struct Session {
    static constexpr bool kept_in_dumps = false; // nobody is signed in at a restored store
    static constexpr std::int64_t idle_seconds = 12LL * 3600;
    static constexpr std::int64_t seconds_max = 7LL * 24 * 3600;

    SessionId id;
    AccountId account;
    std::string token_hash; // SHA-256, 32 bytes
    Timestamp created_at;
    Timestamp used_at;  // moved at most once a minute
    std::string client; // "Firefox on Linux"
    SignInWay way = SignInWay::password;
    data::Unknown unknown;

    [[nodiscard]] Timestamp ends_at() const {
        return std::min(used_at.plus_seconds(idle_seconds), created_at.plus_seconds(seconds_max));
    }

    static constexpr std::size_t primary_bytes = 16;
    static data::Bytes primary_of(const Session& s) { return data::Bytes(s.id.view()); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "id", &Session::id),
                          stored(2, "account", &Session::account),
                          stored(3, "token_hash", &Session::token_hash),
                          stored(4, "created_at", &Session::created_at),
                          stored(5, "used_at", &Session::used_at),
                          stored(6, "client", &Session::client),
                          stored(7, "way", &Session::way)};
    }
};

// What an account proves itself with at the dashboard. A row of its own, so that no answer that shows an
// account can have any of it.
struct Credentials {
    AccountId account;
    std::string password_hash; // as core/base/password_hash.h makes it; empty: there is no password
    std::optional<Timestamp> password_set_at;
    std::string totp_secret;                  // of RFC 6238, its bytes; empty: there is no second factor
    std::optional<Timestamp> totp_since;      // nothing: the secret was shown, and no code of it seen yet
    std::int64_t totp_step = 0;               // of the last code that was taken: none is taken twice
    std::vector<std::string> recovery_hashes; // SHA-256 of each code that was not used yet
    data::Unknown unknown;

    static constexpr std::size_t primary_bytes = 16;
    static data::Bytes primary_of(const Credentials& c) { return data::Bytes(c.account.view()); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "account", &Credentials::account),
                          stored(2, "password_hash", &Credentials::password_hash),
                          stored(3, "password_set_at", &Credentials::password_set_at),
                          stored(4, "totp_secret", &Credentials::totp_secret),
                          stored(5, "totp_since", &Credentials::totp_since),
                          stored(6, "totp_step", &Credentials::totp_step),
                          stored(7, "recovery_hashes", &Credentials::recovery_hashes)};
    }
};

// A one-time address that was given out and not used.
struct SignInToken {
    static constexpr bool kept_in_dumps = false;
    static constexpr std::int64_t valid_seconds = 15LL * 60;

    SignInTokenId id;
    AccountId account;
    std::string token_hash; // SHA-256, 32 bytes
    Timestamp created_at;
    bool by_mail = false;     // else the operator gave it out
    std::string email;        // not empty: it signs nobody in, but proves that this address is the account's
    bool by_provider = false; // it is good with the second factor only: all else the provider has vouched for
    data::Unknown unknown;

    [[nodiscard]] Timestamp ends_at() const { return created_at.plus_seconds(valid_seconds); }

    static constexpr std::size_t primary_bytes = 16;
    static data::Bytes primary_of(const SignInToken& t) { return data::Bytes(t.id.view()); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "id", &SignInToken::id),
                          stored(2, "account", &SignInToken::account),
                          stored(3, "token_hash", &SignInToken::token_hash),
                          stored(4, "created_at", &SignInToken::created_at),
                          stored(5, "by_mail", &SignInToken::by_mail),
                          stored(6, "email", &SignInToken::email),
                          stored(7, "by_provider", &SignInToken::by_provider)};
    }
};

// Who an account is at the provider that people may sign in with. An account is one person there at most.
struct Identity {
    AccountId account;
    std::string issuer;  // the provider
    std::string subject; // by which it knows the person, whatever becomes of their name and address
    std::string email;   // as it was told last, to be shown; empty: none that is proved
    Timestamp connected_at;
    Timestamp used_at;
    data::Unknown unknown;

    static constexpr std::size_t primary_bytes = 16;
    static data::Bytes primary_of(const Identity& i) { return data::Bytes(i.account.view()); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{
            stored(1, "account", &Identity::account),           stored(2, "issuer", &Identity::issuer),
            stored(3, "subject", &Identity::subject),           stored(4, "email", &Identity::email),
            stored(5, "connected_at", &Identity::connected_at), stored(6, "used_at", &Identity::used_at)};
    }
};

// How often somebody tried lately, so that nobody guesses at speed, across restarts too.
struct SignInTries {
    static constexpr bool kept_in_dumps = false;

    std::string subject; // whose tries: a hash of 32 bytes (core/ops/sign_in_tries.h)
    std::int64_t count = 0;
    Timestamp last_at;
    Timestamp forgotten_at;
    data::Unknown unknown;

    static constexpr std::size_t primary_bytes = 32;
    static data::Bytes primary_of(const SignInTries& t) {
        auto bytes = t.subject;
        bytes.resize(primary_bytes);
        return bytes;
    }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "subject", &SignInTries::subject),
                          stored(2, "count", &SignInTries::count),
                          stored(3, "last_at", &SignInTries::last_at),
                          stored(4, "forgotten_at", &SignInTries::forgotten_at)};
    }
};

} // namespace slashpost
