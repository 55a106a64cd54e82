// Applications that the caller's account registered, and those of others that it is connected to (OAuth 2.0):
// shapes, routes, and handlers of one core call each.
#include "core/ops/applications.h"
#include "core/ops/grants.h"
#include "http/api/path_resource.h"
#include "http/api/routes.h"
#include "http/wire/formats.h"

#include <array>

namespace slashpost::wire {

template <>
struct EnumNames<AppScope> {
    static constexpr auto all = app_scopes;
};

} // namespace slashpost::wire

namespace slashpost::api {

using wire::example, wire::field, wire::items_max, wire::length, wire::note, wire::part, wire::required;
using wire::Fields;

namespace {

constexpr std::string_view name_note =
    "What people are asked whether to allow it, in at most 100 characters.";
constexpr std::string_view website_note = "The application's website, which people are shown.";
constexpr std::string_view redirects_note =
    "Where people are sent back to: https addresses, compared letter by letter. http only at 127.0.0.1 and "
    "[::1], "
    "with any port; an app's own scheme has a dot in it, as in com.example.app:/back.";
constexpr std::string_view implicit_note = "Whether it may ask for response_type=token, which puts the token "
                                           "into an address. For programs of before; "
                                           "others ask for a code.";

struct ApplicationReply {
    ApplicationId id;
    std::string name;
    std::string website;
    std::vector<std::string> redirects;
    bool confidential = false;
    bool implicit = false;
    std::int64_t grants = 0;
    Timestamp created_at;
    Timestamp updated_at;
    static constexpr std::string_view wire_name = "Application";
    static Fields fields() {
        return {
            field("id", &ApplicationReply::id, note("Id of the application: the client_id of OAuth 2.0.")),
            field("name", &ApplicationReply::name, note(name_note)),
            field("website", &ApplicationReply::website, note(website_note)),
            field("redirects", &ApplicationReply::redirects, note(redirects_note)),
            field("confidential", &ApplicationReply::confidential,
                  note("Whether it has a secret, which it shows whenever it asks for tokens.")),
            field("legacyImplicit", &ApplicationReply::implicit, note(implicit_note)),
            field("grants", &ApplicationReply::grants,
                  note("How many times people have allowed it something that goes on.")),
            field("createdAt", &ApplicationReply::created_at, note("When it was registered.")),
            field("updatedAt", &ApplicationReply::updated_at, note("When it was changed last."))};
    }
    static Result<ApplicationReply> of(Context& ctx, const Application& row) {
        const auto grants = TRY(grants_of_application(ctx.view(), row.id));
        return ApplicationReply{.id = row.id,
                                .name = row.name,
                                .website = row.website,
                                .redirects = row.redirects,
                                .confidential = row.keeps_secret(),
                                .implicit = row.implicit,
                                .grants = grants,
                                .created_at = row.created_at,
                                .updated_at = row.updated_at};
    }
};

struct IssuedApplicationReply {
    ApplicationReply row;
    std::optional<std::string> secret;
    static constexpr std::string_view wire_name = "IssuedApplication";
    static Fields fields() {
        return wire::joined(
            {part(&IssuedApplicationReply::row),
             {field("secret", &IssuedApplicationReply::secret,
                    note("The secret. Shown this once, and stored as a hash only; absent: it has none."))}});
    }
    static Result<IssuedApplicationReply> of(Context& ctx, const IssuedApplication& issued) {
        IssuedApplicationReply out{.row = TRY(ApplicationReply::of(ctx, issued.row)), .secret = {}};
        if (!issued.secret.empty())
            out.secret = issued.secret;
        return out;
    }
};

struct ApplicationInput {
    std::string name;
    std::string website;
    std::vector<std::string> redirects;
    bool confidential = false;
    bool implicit = false;
    static constexpr std::string_view wire_name = "ApplicationInput";
    static Fields fields() {
        return {
            field("name", &ApplicationInput::name, required, length(1, application_name_length_max),
                  note(name_note), example("Calendar")),
            field("website", &ApplicationInput::website, note(website_note)),
            field("redirects", &ApplicationInput::redirects, required, items_max(redirects_max),
                  note(redirects_note)),
            field("confidential", &ApplicationInput::confidential,
                  note("true for one that runs on a server of its makers: it gets a secret. false for one "
                       "that runs on people's devices or in their browsers. It stays so.")),
            field("legacyImplicit", &ApplicationInput::implicit, note(implicit_note))};
    }
};

struct ApplicationChangeInput {
    std::optional<std::string> name;
    Change<std::string> website;
    Change<std::vector<std::string>> redirects;
    Change<bool> implicit;
    static constexpr std::string_view wire_name = "ApplicationChange";
    static Fields fields() {
        return {field("name", &ApplicationChangeInput::name, length(1, application_name_length_max),
                      note(name_note)),
                field("website", &ApplicationChangeInput::website, note(website_note)),
                field("redirects", &ApplicationChangeInput::redirects, items_max(redirects_max),
                      note(redirects_note)),
                field("legacyImplicit", &ApplicationChangeInput::implicit, note(implicit_note))};
    }
    [[nodiscard]] ApplicationChange to_change() const {
        return {.name = Change<std::string>::of(name),
                .website = website,
                .redirects = redirects,
                .implicit = implicit};
    }
};

struct ConnectionWorkspaceReply {
    WorkspaceId id;
    std::string name;
    static constexpr std::string_view wire_name = "ConnectionWorkspace";
    static Fields fields() {
        return {field("id", &ConnectionWorkspaceReply::id, note("Id of the workspace.")),
                field("name", &ConnectionWorkspaceReply::name, note("What the workspace is called."))};
    }
};

struct ConnectionReply {
    ApplicationId id;
    std::string name;
    std::string website;
    std::string registered_by;
    std::vector<AppScope> scopes;
    std::vector<ConnectionWorkspaceReply> workspaces;
    Timestamp created_at;
    Timestamp used_at;
    static constexpr std::string_view wire_name = "Connection";
    static Fields fields() {
        return {field("id", &ConnectionReply::id, note("Id of the application.")),
                field("name", &ConnectionReply::name, note("What the application is called.")),
                field("website", &ConnectionReply::website, note(website_note)),
                field("registeredBy", &ConnectionReply::registered_by,
                      note("User name of the account that registered the application.")),
                field("scopes", &ConnectionReply::scopes, note("What the application was allowed.")),
                field("workspaces", &ConnectionReply::workspaces,
                      note("The workspaces that it may enter; empty: all of the account's.")),
                field("createdAt", &ConnectionReply::created_at, note("When it was allowed first.")),
                field("lastUsedAt", &ConnectionReply::used_at, note("When it was used last, to the hour."))};
    }
    static ConnectionReply of(const Connection& row) {
        ConnectionReply out{.id = row.application.id,
                            .name = row.application.name,
                            .website = row.application.website,
                            .registered_by = row.registered_by,
                            .scopes = row.scopes,
                            .workspaces = {},
                            .created_at = row.created_at,
                            .used_at = row.used_at};
        for (const auto& workspace : row.workspaces)
            out.workspaces.push_back({.id = workspace.id, .name = workspace.name});
        return out;
    }
};

// What a path names, for the handlers below.
struct ConnectionId {
    std::string text;
};

Result<std::vector<ApplicationReply>> list(Context& ctx) {
    std::vector<ApplicationReply> out;
    for (const auto& application : TRY(list_applications(ctx)))
        out.push_back(TRY(ApplicationReply::of(ctx, application)));
    return out;
}

Result<IssuedApplicationReply> create(Context& ctx, const Draft<Body<ApplicationInput>>& body) {
    return IssuedApplicationReply::of(ctx, TRY(create_application(ctx,
                                                                  {.name = body->name,
                                                                   .website = body->website,
                                                                   .redirects = body->redirects,
                                                                   .keeps_secret = body->confidential,
                                                                   .implicit = body->implicit},
                                                                  body.problems)));
}

Result<ApplicationReply> read(Context& ctx, const Application& application) {
    return ApplicationReply::of(ctx, application);
}

Result<ApplicationReply> update(Context& ctx, const Application& application,
                                const Update<ApplicationChangeInput>& sent) {
    const auto body = TRY(sent.differing_from(TRY(ApplicationReply::of(ctx, application))));
    return ApplicationReply::of(ctx,
                                TRY(update_application(ctx, application, body->to_change(), body.problems)));
}

Result<ApplicationReply> remove(Context& ctx, const Application& application) {
    return ApplicationReply::of(ctx, TRY(delete_application(ctx, application)));
}

Result<IssuedApplicationReply> renew_secret(Context& ctx, const Application& application) {
    return IssuedApplicationReply::of(ctx, TRY(renew_application_secret(ctx, application)));
}

Result<std::vector<ConnectionReply>> list_connected(Context& ctx) {
    std::vector<ConnectionReply> out;
    for (const auto& connection : TRY(list_connections(ctx)))
        out.push_back(ConnectionReply::of(connection));
    return out;
}

Result<ConnectionReply> disconnect(Context& ctx, const ConnectionId& id) {
    return ConnectionReply::of(TRY(end_connection(ctx, id.text)));
}

} // namespace

template <>
struct Argument<Application> {
    static Result<Application> take(Context& ctx, const Input& input) {
        return find_own_application(ctx, input.at("application_id"));
    }
    static void describe(Operation&) {}
};

template <>
struct Argument<ConnectionId> {
    static Result<ConnectionId> take(Context&, const Input& input) {
        return ConnectionId{std::string(input.at("connection_id"))};
    }
    static void describe(Operation&) {}
};

const RouteList& application_routes() {
    using enum http::Method;
    constexpr Guard reading{.scope = Scope::account};
    constexpr Guard writing{.access = Access::write, .scope = Scope::account, .while_revoked = true};
    // clang-format off
    static const RouteList routes{"application", {
        {get,  "/account/applications", "listApplications", reading, on(list),
         "List the applications that the caller's account registered, oldest first."},
        {post, "/account/applications", "createApplication", writing, on(create),
         "Register an application, which may then ask people for access by OAuth 2.0. An account may have 20.",
         {"LimitReached"}},
        {get,  "/account/applications/{application_id}", "getApplication", reading, on(read),
         "Read one application."},
        {post, "/account/applications/{application_id}", "updateApplication", writing, on(update),
         "Change the name, the website or the addresses of an application."},
        {del,  "/account/applications/{application_id}", "deleteApplication", writing, on(remove),
         "Delete an application, whose tokens are refused from then on."},
        {post, "/account/applications/{application_id}/secret", "renewApplicationSecret", writing, on(renew_secret),
         "Give an application a new secret; the one before is none any more.",
         {"WrongApplicationType"}},
    }};
    // clang-format on
    return routes;
}

const RouteList& connection_routes() {
    using enum http::Method;
    // clang-format off
    static const RouteList routes{"connection", {
        {get, "/account/connections", "listConnections", {.scope = Scope::account}, on(list_connected),
         "List the applications that the caller's account is connected to, and what they may do."},
        {del, "/account/connections/{connection_id}", "deleteConnection",
         {.access = Access::write, .scope = Scope::account, .while_revoked = true}, on(disconnect),
         "Cut off an application, whose tokens for the account are refused from then on."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api
