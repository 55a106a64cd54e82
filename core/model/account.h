#pragma once
// A person with keys and workspaces; and the API keys that act for one.
#include "core/data/codec.h"

namespace slashpost {

struct Account {
    AccountId id;
    std::string username; // unique, ignoring case
    std::string email;
    std::string full_name;
    std::string avatar_url;
    Timestamp created_at;
    WorkspaceId default_workspace;             // where requests without a Workspace header go
    std::string plan;                          // its name; empty: the default plan (core/model/plan.h)
    std::vector<std::string> granted_features; // besides those of the plan
    std::vector<std::string> revoked_features; // taken away by the operator, whatever the plan says
    std::optional<Timestamp> plan_since;       // nothing: since the account was made
    std::uint32_t invites_day = 0;             // of the last invite into its workspaces: days since 1970, UTC
    std::int64_t invites_sent = 0;             // how many there were on that day
    bool is_operator = false;                  // runs the installation
    // By an operator: the person is let in nowhere, nor are its keys; its links go on.
    std::optional<Timestamp> suspended_at;
    data::Unknown unknown;

    static constexpr std::size_t primary_bytes = 16;
    static data::Bytes primary_of(const Account& a) { return data::Bytes(a.id.view()); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "id", &Account::id),
                          stored(2, "username", &Account::username),
                          stored(3, "email", &Account::email),
                          stored(4, "full_name", &Account::full_name),
                          stored(5, "avatar_url", &Account::avatar_url),
                          stored(6, "created_at", &Account::created_at),
                          stored(7, "default_workspace", &Account::default_workspace),
                          stored(8, "plan", &Account::plan),
                          stored(9, "granted_features", &Account::granted_features),
                          stored(10, "revoked_features", &Account::revoked_features),
                          stored(11, "plan_since", &Account::plan_since),
                          stored(12, "invites_day", &Account::invites_day),
                          stored(13, "invites_sent", &Account::invites_sent),
                          stored(14, "is_operator", &Account::is_operator),
                          stored(15, "suspended_at", &Account::suspended_at)};
    }
};

// What a key may not do although its account may.
struct KeyLimits {
    bool read_only = false;  // calls that change something
    bool links_only = false; // calls that are not about links (Guard::limited_keys)
    WorkspaceId workspace;   // calls anywhere else; empty: it goes wherever the account does
    std::optional<Timestamp> expires_at;
    bool operator==(const KeyLimits&) const = default;
};

// The key itself is shown once and never stored.
struct ApiKey {
    ApiKeyId id;
    AccountId account;
    std::string name;
    std::string hash; // SHA-256 of the key's characters, 32 bytes (core/base/secret.h)
    std::string hint; // the key's first characters, so that people can tell their keys apart
    Timestamp created_at;
    std::optional<Timestamp> last_used_at; // moved at most once an hour
    bool read_only = false;                // this and the next three as KeyLimits has them
    bool links_only = false;
    WorkspaceId workspace;
    std::optional<Timestamp> expires_at;
    data::Unknown unknown;

    [[nodiscard]] KeyLimits limits() const {
        return {.read_only = read_only,
                .links_only = links_only,
                .workspace = workspace,
                .expires_at = expires_at};
    }

    static constexpr std::size_t primary_bytes = 16;
    static data::Bytes primary_of(const ApiKey& k) { return data::Bytes(k.id.view()); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "id", &ApiKey::id),
                          stored(2, "account", &ApiKey::account),
                          stored(3, "name", &ApiKey::name),
                          stored(4, "hash", &ApiKey::hash),
                          stored(5, "hint", &ApiKey::hint),
                          stored(6, "created_at", &ApiKey::created_at),
                          stored(7, "last_used_at", &ApiKey::last_used_at),
                          stored(8, "read_only", &ApiKey::read_only),
                          stored(9, "links_only", &ApiKey::links_only),
                          stored(10, "workspace", &ApiKey::workspace),
                          stored(11, "expires_at", &ApiKey::expires_at)};
    }
};

} // namespace slashpost
