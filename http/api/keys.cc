// The API keys of the caller's account, and where it is signed in at the dashboard: shapes, routes, and
// handlers of one core call each.
#include "core/ops/api_keys.h"
#include "core/ops/sessions.h"
#include "http/api/names.h"
#include "http/api/path_resource.h"
#include "http/api/replies.h"
#include "http/api/routes.h"

#include <array>

namespace slashpost::wire {

template <>
struct EnumNames<SignInWay> {
    static constexpr std::array<std::pair<std::string_view, SignInWay>, 4> all{
        {{"password", SignInWay::password},
         {"address", SignInWay::address},
         {"invite", SignInWay::invite},
         {"provider", SignInWay::provider}}};
};

} // namespace slashpost::wire

namespace slashpost::api {

using wire::field, wire::note, wire::part;
using wire::Fields;

namespace {

struct KeyWorkspaceReply {
    WorkspaceId id;
    std::string name;
    static constexpr std::string_view wire_name = "KeyWorkspace";
    static Fields fields() {
        return {field("id", &KeyWorkspaceReply::id, note("Id of the workspace.")),
                field("name", &KeyWorkspaceReply::name, note("What the workspace is called."))};
    }
};

struct KeyReply {
    ApiKeyId id;
    std::string name;
    std::string hint;
    Timestamp created_at;
    std::optional<Timestamp> last_used_at;
    bool read_only = false;
    bool links_only = false;
    std::optional<KeyWorkspaceReply> workspace;
    std::optional<Timestamp> expires_at;
    bool current = false;
    static constexpr std::string_view wire_name = "ApiKey";
    static Fields fields() {
        return {field("id", &KeyReply::id, note("Id of the key.")),
                field("name", &KeyReply::name, note("What the key is for; empty: nobody said.")),
                field("hint", &KeyReply::hint, note("The key's first characters, to tell it by.")),
                field("createdAt", &KeyReply::created_at, note("When the key was made.")),
                field("lastUsedAt", &KeyReply::last_used_at,
                      note("When the key was used last, to the hour; absent: never.")),
                field("readOnly", &KeyReply::read_only,
                      note("Whether the key is refused every call that changes something.")),
                field("linksOnly", &KeyReply::links_only,
                      note("Whether the key may do what is below /links, read tags, domains, apps and the "
                           "account, and "
                           "nothing else.")),
                field("workspace", &KeyReply::workspace,
                      note("The one workspace that the key can enter; absent: all of the account's.")),
                field("expiresAt", &KeyReply::expires_at,
                      note("From when on the key is refused; absent: it has no end.")),
                field("current", &KeyReply::current, note("Whether this call was made with the key."))};
    }
    static Result<KeyReply> of(Context& ctx, const ApiKey& key) {
        KeyReply out{.id = key.id,
                     .name = key.name,
                     .hint = key.hint,
                     .created_at = key.created_at,
                     .last_used_at = key.last_used_at,
                     .read_only = key.read_only,
                     .links_only = key.links_only,
                     .expires_at = key.expires_at,
                     .current = key.id == ctx.caller.key};
        if (!key.workspace.empty()) {
            out.workspace = KeyWorkspaceReply{.id = key.workspace, .name = TRY(workspace_of_key(ctx, key))};
        }
        return out;
    }
};

struct IssuedKeyReply {
    KeyReply row;
    std::string key;
    static constexpr std::string_view wire_name = "IssuedApiKey";
    static Fields fields() {
        return wire::joined({part(&IssuedKeyReply::row),
                             {field("key", &IssuedKeyReply::key,
                                    note("The key itself. Shown this once, and stored as a hash only."))}});
    }
};

struct KeyInput {
    std::string name;
    bool read_only = false;
    bool links_only = false;
    wire::Reference workspace;
    std::optional<Timestamp> expires_at;
    static constexpr std::string_view wire_name = "ApiKeyInput";
    static Fields fields() {
        return {
            field("name", &KeyInput::name, note("What the key is for, in at most 255 characters."),
                  wire::example("Newsletter")),
            field("readOnly", &KeyInput::read_only,
                  note("true: the key is refused every call that changes something.")),
            field("linksOnly", &KeyInput::links_only,
                  note("true: the key may do what is below /links, read tags, domains, apps and the account, "
                       "and nothing else.")),
            field("workspace", &KeyInput::workspace,
                  note("The one workspace that the key can enter; all of the account's when absent.")),
            field("expiresAt", &KeyInput::expires_at,
                  note("From when on the key is refused; never when absent. No later than the key ends that "
                       "the call is made with."))};
    }
    [[nodiscard]] NewKey to_new_key(Problems& problems) const {
        NewKey out{.name = name,
                   .limits = {.read_only = read_only, .links_only = links_only, .expires_at = expires_at}};
        if (workspace.id.empty())
            return out;
        if (const auto id = WorkspaceId::parse(workspace.id))
            out.limits.workspace = *id;
        else
            problems.add(unknown_reference("workspace"));
        return out;
    }
};

struct SessionReply {
    SessionId id;
    std::string client;
    SignInWay way = SignInWay::password;
    Timestamp created_at;
    Timestamp used_at;
    Timestamp ends_at;
    bool current = false;
    static constexpr std::string_view wire_name = "Session";
    static Fields fields() {
        return {
            field("id", &SessionReply::id, note("Id of the session.")),
            field("client", &SessionReply::client,
                  note("The program that signed in, as it said of itself: \"Firefox on Linux\".")),
            field("signedInBy", &SessionReply::way, note("What the person signed in with.")),
            field("createdAt", &SessionReply::created_at, note("When the person signed in.")),
            field("lastUsedAt", &SessionReply::used_at,
                  note("When the session was used last, to the minute.")),
            field("expiresAt", &SessionReply::ends_at,
                  note("When the session is over if it is not used again.")),
            field("current", &SessionReply::current, note("Whether this call was made with the session."))};
    }
    static SessionReply of(const Context& ctx, const Session& session) {
        return {.id = session.id,
                .client = session.client,
                .way = session.way,
                .created_at = session.created_at,
                .used_at = session.used_at,
                .ends_at = session.ends_at(),
                .current = session.id == ctx.caller.session};
    }
};

// What a path names, for the handlers below.
struct KeyId {
    std::string text;
};
struct NamedSession {
    Session row;
};

Result<std::vector<KeyReply>> list(Context& ctx) {
    std::vector<KeyReply> out;
    for (const auto& key : TRY(list_own_keys(ctx)))
        out.push_back(TRY(KeyReply::of(ctx, key)));
    return out;
}

Result<IssuedKeyReply> create(Context& ctx, const Draft<Body<KeyInput>>& body) {
    auto problems = body.problems;
    const auto in = body->to_new_key(problems);
    const auto issued = TRY(create_own_key(ctx, in, problems));
    return IssuedKeyReply{.row = TRY(KeyReply::of(ctx, issued.row)), .key = issued.key};
}

Result<KeyReply> revoke(Context& ctx, const KeyId& id) {
    return KeyReply::of(ctx, TRY(revoke_own_key(ctx, id.text)));
}

Result<std::vector<SessionReply>> list_open(Context& ctx) {
    std::vector<SessionReply> out;
    for (const auto& session : TRY(list_sessions(ctx)))
        out.push_back(SessionReply::of(ctx, session));
    return out;
}

Result<EmptyReply> end(Context& ctx, const NamedSession& session) {
    TRY(end_session(ctx.txn(), session.row));
    return EmptyReply{};
}

} // namespace

template <>
struct Argument<KeyId> {
    static Result<KeyId> take(Context&, const Input& input) { return KeyId{std::string(input.at("key_id"))}; }
    static void describe(Operation&) {}
};

template <>
struct Argument<NamedSession> {
    static Result<NamedSession> take(Context& ctx, const Input& input) {
        return NamedSession{TRY(find_session(ctx, input.at("session_id")))};
    }
    static void describe(Operation&) {}
};

const RouteList& key_routes() {
    using enum http::Method;
    constexpr Guard reading{.scope = Scope::account};
    constexpr Guard writing{.access = Access::write, .scope = Scope::account, .while_revoked = true};
    // clang-format off
    static const RouteList routes{"key", {
        {get,  "/account/keys", "listKeys", reading, on(list),
         "List the API keys of the caller's account, oldest first."},
        {post, "/account/keys", "createKey", writing, on(create),
         "Make an API key, of which an account may have 50. It may do no more than who makes it.",
         {"LimitReached"}},
        {del,  "/account/keys/{key_id}", "deleteKey", writing, on(revoke),
         "Revoke an API key, which is refused from then on."},
    }};
    // clang-format on
    return routes;
}

const RouteList& session_routes() {
    using enum http::Method;
    // clang-format off
    static const RouteList routes{"session", {
        {get, "/account/sessions", "listSessions", {.scope = Scope::account}, on(list_open),
         "List where the caller is signed in at the dashboard, the session used last first."},
        {del, "/account/sessions/{session_id}", "deleteSession",
         {.access = Access::write, .scope = Scope::account, .while_revoked = true}, on(end),
         "End a session at the dashboard."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api
