#pragma once
// What people allow applications of others, and the tokens that come of it (OAuth 2.0). A code is good once,
// for a minute; an access token for an hour; a refresh token once, for thirty days
// (core/model/application.h). An application that shows a code or a refresh token again loses the grant:
// somebody else has it too.
#include "core/access/context.h"
#include "core/ops/app_requests.h"

namespace slashpost {

inline constexpr std::size_t connections_per_account_max = 50;
inline constexpr std::size_t grants_per_connection_max = 20; // one more ends the one not used for longest

struct IssuedTokens {
    std::string access;
    std::string refresh; // empty: none
    std::int64_t expires_in_seconds = 0;
    std::vector<AppScope> scopes; // of `access`
};

// What a person allowed, on the page that asks for it.
struct Consent {
    Application application;
    AppWish wish;
    std::string redirect;  // one of the application's
    WorkspaceId workspace; // empty: all of the account's
};

// Whether the account need not be asked again: the application keeps a secret, and has all of it already.
Result<bool> is_allowed_already(Context& ctx, const Application& application, const AppWish& wish);
// Both are refused with LimitReached for one application too many, and invalid on `workspace` where the
// account does not work.
Result<std::string> issue_code(Context& ctx, const Consent& consent);
// Of a wish that is implicit.
Result<IssuedTokens> issue_access_token(Context& ctx, const Consent& consent);

// All that applications of one name were allowed.
struct Connection {
    Application application;
    std::string registered_by; // user name
    std::vector<AppScope> scopes;
    std::vector<Workspace> workspaces; // empty: all of the account's
    Timestamp created_at;
    Timestamp used_at;
};
// Of the caller's account, in the order of the applications' ids; without those that are gone.
Result<std::vector<Connection>> list_connections(Context& ctx);
// All tokens of the application are refused from the commit on. Fails as not found.
Result<Connection> end_connection(Context& ctx, std::string_view application_id);

// The application that says its id and secret; nothing unless both are right, the secret as empty as it is.
Result<std::optional<Application>> identify_application(data::View& view, std::string_view client_id,
                                                        std::string_view secret);

struct CodeExchange {
    std::string code;
    std::string redirect; // empty: not said again
    std::string verifier;
};
Result<OrRefusal<IssuedTokens>> exchange_code(SystemContext& system, const Application& application,
                                              const CodeExchange& exchange);
// `scope` may be empty, or name no more than was allowed; with less, the access token may less, and the next
// refresh starts from all of the grant again (RFC 6749, 6). Within half a minute the answer that got lost is
// given again, to who asks for no less than its access token may.
Result<OrRefusal<IssuedTokens>> refresh_tokens(SystemContext& system, const Application& application,
                                               std::string_view token, std::string_view scope);
// With a refresh token the grant ends, with an access token that token. What is none, or another's, is as
// good (RFC 7009, 2.2).
Result<void> revoke_app_token(SystemContext& system, const Application& application, std::string_view token);

struct TokenFacts {
    std::string username;
    AccountId account;
    std::vector<AppScope> scopes; // of a refresh token: all that it may be exchanged for
    Timestamp ends_at;
    bool is_refresh = false;
};
// Of a token of the application that is good; else nothing.
Result<std::optional<TokenFacts>> look_at_token(SystemContext& system, const Application& application,
                                                std::string_view token);

// Erases what is over; a background step. One bounded batch; true when there is more.
Result<bool> prune_grants(SystemContext& system);

} // namespace slashpost
