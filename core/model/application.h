#pragma once
// Programs of others that act for accounts (OAuth 2.0): which there are, and what accounts allowed them.
// Secrets are kept as hashes.
#include "core/data/codec.h"
#include "core/data/key.h"

#include <algorithm>
#include <array>
#include <utility>

namespace slashpost {

// What an application may be allowed. On disk: never renumber.
enum class AppScope : std::uint8_t {
    everything = 1,     // that the account may, but what is left to people: keys, sessions, applications
    offline_access = 2, // to go on when the person is gone: refresh tokens
    links_read = 20,
    links_write = 21,
    tags_read = 30,
    tags_write = 31,
    scripts_read = 40,
    scripts_write = 41,
    domains_read = 50,
    domains_write = 51,
    workspaces_read = 60,
    workspaces_write = 61,
    teammates_read = 70,
    teammates_write = 71,
    statistics_read = 80,
    conversions_write = 81,
    events_read = 90,
    webhooks_read = 100,
    webhooks_write = 101,
};

// By their names in the protocol, in the order of documents.
inline constexpr std::array<std::pair<std::string_view, AppScope>, 19> app_scopes{{
    {"rbapi", AppScope::everything},
    {"offline_access", AppScope::offline_access},
    {"links:read", AppScope::links_read},
    {"links:write", AppScope::links_write},
    {"tags:read", AppScope::tags_read},
    {"tags:write", AppScope::tags_write},
    {"scripts:read", AppScope::scripts_read},
    {"scripts:write", AppScope::scripts_write},
    {"domains:read", AppScope::domains_read},
    {"domains:write", AppScope::domains_write},
    {"workspaces:read", AppScope::workspaces_read},
    {"workspaces:write", AppScope::workspaces_write},
    {"teammates:read", AppScope::teammates_read},
    {"teammates:write", AppScope::teammates_write},
    {"stats:read", AppScope::statistics_read},
    {"conversions:write", AppScope::conversions_write},
    {"events:read", AppScope::events_read},
    {"webhooks:read", AppScope::webhooks_read},
    {"webhooks:write", AppScope::webhooks_write},
}};

struct Application {
    ApplicationId id;  // the protocol's client_id
    AccountId account; // who registered it
    std::string name;
    std::string website;                // empty: none
    std::vector<std::string> redirects; // addresses that people are sent back to
    std::string secret_hash;            // SHA-256, 32 bytes; empty: it can keep no secret
    bool implicit = false;              // gets tokens in the address itself, as programs of before do
    Timestamp created_at;
    Timestamp updated_at;
    data::Unknown unknown;

    [[nodiscard]] bool keeps_secret() const { return !secret_hash.empty(); }

    static constexpr std::size_t primary_bytes = 16;
    static data::Bytes primary_of(const Application& a) { return data::Bytes(a.id.view()); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "id", &Application::id),
                          stored(2, "account", &Application::account),
                          stored(3, "name", &Application::name),
                          stored(4, "website", &Application::website),
                          stored(5, "redirects", &Application::redirects),
                          stored(6, "secret_hash", &Application::secret_hash),
                          stored(7, "implicit", &Application::implicit),
                          stored(8, "created_at", &Application::created_at),
                          stored(9, "updated_at", &Application::updated_at)};
    }
};

// One time that a person allowed an application something, with the tokens that came of it. Each token names
// the grant, so nothing else is needed to find it.
struct Grant {
    static constexpr std::int64_t code_seconds = 60;
    static constexpr std::int64_t access_seconds = 3600;
    static constexpr std::int64_t refresh_seconds = 30LL * 24 * 3600; // without being used
    static constexpr std::int64_t grace_seconds = 30;                 // see `sealed`

    GrantId id;
    AccountId account;
    ApplicationId application;
    std::vector<AppScope> scopes; // each once
    WorkspaceId workspace;        // the one that it is for; empty: all of the account's
    Timestamp created_at;
    Timestamp used_at;       // moved at most once an hour
    std::string code_hash;   // of the code that the tokens were, or will be, exchanged for; empty: none
    std::string redirect;    // where the code was sent
    std::string challenge;   // of RFC 7636, by S256
    bool exchanged = false;  // there are tokens
    std::string access_hash; // of this and the next: empty, or a token that is good until its end
    Timestamp access_ends_at;
    std::string old_access_hash; // the one before
    Timestamp old_access_ends_at;
    std::string refresh_hash; // empty: there is none
    Timestamp refreshed_at;
    std::string old_refresh_hash; // that the present tokens were exchanged for; empty: it was the code
    // Those tokens, which only the old refresh token opens: for who did not get the answer, and asks again.
    std::string sealed;
    // Of the access token and of the one before, where they may less than the grant (RFC 6749, 6), each once;
    // empty: all of the grant's.
    std::vector<AppScope> access_scopes;
    std::vector<AppScope> old_access_scopes;
    data::Unknown unknown;

    [[nodiscard]] Timestamp code_ends_at() const { return created_at.plus_seconds(code_seconds); }
    [[nodiscard]] Timestamp refresh_ends_at() const { return refreshed_at.plus_seconds(refresh_seconds); }
    [[nodiscard]] Timestamp ends_at() const {
        if (!exchanged)
            return code_ends_at();
        return refresh_hash.empty() ? access_ends_at : std::max(access_ends_at, refresh_ends_at());
    }

    static constexpr std::size_t primary_bytes = 16;
    static data::Bytes primary_of(const Grant& g) { return data::Bytes(g.id.view()); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "id", &Grant::id),
                          stored(2, "account", &Grant::account),
                          stored(3, "application", &Grant::application),
                          stored(4, "scopes", &Grant::scopes),
                          stored(5, "workspace", &Grant::workspace),
                          stored(6, "created_at", &Grant::created_at),
                          stored(7, "used_at", &Grant::used_at),
                          stored(8, "code_hash", &Grant::code_hash),
                          stored(9, "redirect", &Grant::redirect),
                          stored(10, "challenge", &Grant::challenge),
                          stored(11, "exchanged", &Grant::exchanged),
                          stored(12, "access_hash", &Grant::access_hash),
                          stored(13, "access_ends_at", &Grant::access_ends_at),
                          stored(14, "old_access_hash", &Grant::old_access_hash),
                          stored(15, "old_access_ends_at", &Grant::old_access_ends_at),
                          stored(16, "refresh_hash", &Grant::refresh_hash),
                          stored(17, "refreshed_at", &Grant::refreshed_at),
                          stored(18, "old_refresh_hash", &Grant::old_refresh_hash),
                          stored(19, "sealed", &Grant::sealed),
                          stored(20, "access_scopes", &Grant::access_scopes),
                          stored(21, "old_access_scopes", &Grant::old_access_scopes)};
    }
};

} // namespace slashpost
