// Invites (interface 3.4 and 4.5, wire "Workspaces, people"): shapes, routes, and handlers of one core call
// each.
#include "core/ops/invites.h"
#include "http/api/paging.h"
#include "http/api/path_resource.h"
#include "http/api/replies.h"
#include "http/api/routes.h"

namespace slashpost::api {

using wire::example, wire::field, wire::length, wire::note, wire::part, wire::required;
using wire::Fields;

namespace {

constexpr std::size_t message_length_max = 2000;

struct InviteInput {
    std::vector<std::string> emails;
    Role role = Role::user;
    std::string message;
    static constexpr std::string_view wire_name = "InviteInput";
    static Fields fields() {
        return {
            field("emails", &InviteInput::emails, required,
                  note("E-mail addresses. Whoever is invited again gets a new invite in place of the one "
                       "that is open. A plan includes 100 addresses a day unless it says otherwise, over all "
                       "workspaces of the owner.")),
            field("role", &InviteInput::role,
                  note("user when absent; at most the caller's own. owner is an offer to take the workspace "
                       "over, for one address, a teammate's too.")),
            field("message", &InviteInput::message, length(0, message_length_max),
                  note("Some words of yours that become part of the mail."), example("Join us!"))};
    }
    [[nodiscard]] NewInvites to_new_invites() const {
        return {.emails = emails, .role = role, .message = message};
    }
};

struct SenderReply {
    AccountId id;
    std::string full_name;
    static constexpr std::string_view wire_name = "InviteSender";
    static Fields fields() {
        return {field("id", &SenderReply::id, note("Id of the sender's account.")),
                field("fullName", &SenderReply::full_name, note("The sender's name."))};
    }
};

// Of whom nothing else is said to people who work nowhere with them.
struct InviteeReply {
    AccountId id;
    std::string full_name;
    static constexpr std::string_view wire_name = "Invitee";
    static Fields fields() {
        return {field("id", &InviteeReply::id, note("Of the account.")),
                field("fullName", &InviteeReply::full_name,
                      note("The name of the person; the username where there is none."))};
    }
};

struct InviteReply {
    InviteId id;
    std::optional<std::string> email;
    std::optional<InviteeReply> invitee;
    Role role = Role::viewer;
    InviteStatus status = InviteStatus::pending;
    std::optional<std::string> message;
    Timestamp created_at;
    Timestamp expires_at;
    SenderReply created_by;
    static constexpr std::string_view wire_name = "Invite";
    static Fields fields() {
        return {field("id", &InviteReply::id, note("Id of the invite.")),
                field("email", &InviteReply::email,
                      note("The address that is invited; absent for an invite to an account.")),
                field("invitee", &InviteReply::invitee,
                      note("Who is invited, when the invite is to an account.")),
                field("role", &InviteReply::role, note("The role that whoever accepts it gets.")),
                field("status", &InviteReply::status, note("pending, accepted or expired.")),
                field("message", &InviteReply::message,
                      note("The words of whoever sent it; absent when there are none.")),
                field("createdAt", &InviteReply::created_at, note("When the invite was made.")),
                field("expiresAt", &InviteReply::expires_at,
                      note("When the invite expires: 30 days after createdAt.")),
                field("createdBy", &InviteReply::created_by, note("Who sent the invite."))};
    }
    static InviteReply of(const InviteDetails& details, Timestamp now) {
        const auto& [invite, sender, invitee] = details;
        std::optional<InviteeReply> shown;
        if (invitee)
            shown = InviteeReply{.id = invitee->id,
                                 .full_name =
                                     invitee->full_name.empty() ? invitee->username : invitee->full_name};
        return {.id = invite.id,
                .email = invite.email.empty() ? std::nullopt : std::optional(invite.email),
                .invitee = std::move(shown),
                .role = invite.role,
                .status = invite.status(now),
                .message = invite.message.empty() ? std::nullopt : std::optional(invite.message),
                .created_at = invite.created_at,
                .expires_at = invite.expires_at(),
                .created_by = {.id = sender.id, .full_name = sender.full_name}};
    }
};

struct SentInviteReply {
    InviteReply invite;
    std::optional<std::string> accept_url;
    static constexpr std::string_view wire_name = "SentInvite";
    static Fields fields() {
        return wire::joined(
            {part(&SentInviteReply::invite),
             {field("acceptUrl", &SentInviteReply::accept_url,
                    note("Where whoever is invited posts to. Shown this once, and only by a server "
                         "that sends no mail; others mail it."))}});
    }
};

struct SentInvitesReply {
    std::int64_t count = 0;
    std::vector<SentInviteReply> invites;
    static constexpr std::string_view wire_name = "SentInvites";
    static Fields fields() {
        return {field("count", &SentInvitesReply::count, note("How many invites were made.")),
                field("invites", &SentInvitesReply::invites, note("The invites."))};
    }
};

struct InvitingWorkspaceReply {
    WorkspaceId id;
    std::string name;
    static constexpr std::string_view wire_name = "InvitingWorkspace";
    static Fields fields() {
        return {field("id", &InvitingWorkspaceReply::id, note("Id of the workspace.")),
                field("name", &InvitingWorkspaceReply::name, note("What the workspace is called."))};
    }
};

struct AcceptedInviteReply {
    InviteReply invite;
    InvitingWorkspaceReply workspace;
    static constexpr std::string_view wire_name = "AcceptedInvite";
    static Fields fields() {
        return wire::joined({part(&AcceptedInviteReply::invite),
                             {field("workspace", &AcceptedInviteReply::workspace,
                                    note("Where the caller works from now on."))}});
    }
};

struct ReceivedInviteReply {
    InviteReply invite;
    InvitingWorkspaceReply workspace;
    static constexpr std::string_view wire_name = "ReceivedInvite";
    static Fields fields() {
        return wire::joined(
            {part(&ReceivedInviteReply::invite),
             {field("workspace", &ReceivedInviteReply::workspace, note("Where the caller would work."))}});
    }
};

struct InviteFilterQuery {
    InviteStatus status = InviteStatus::pending;
    static constexpr std::string_view wire_name = "InviteFilter";
    static Fields fields() {
        return {field("status", &InviteFilterQuery::status,
                      note("Only invites in this state; pending when absent."))};
    }
};

struct InviteListQuery {
    InviteFilterQuery filter;
    PageQuery page;
    std::string order_by;
    static constexpr std::string_view wire_name = "InviteList";
    static Fields fields() {
        return wire::joined({part(&InviteListQuery::filter),
                             part(&InviteListQuery::page),
                             {field("orderBy", &InviteListQuery::order_by, wire::one_of(invite_orders()),
                                    note("What the invites are sorted by; there is createdAt only."))}});
    }
};

Result<SentInvitesReply> create(Context& ctx, const Draft<Body<InviteInput>>& body) {
    SentInvitesReply out;
    for (const auto& sent : TRY(create_invites(ctx, body->to_new_invites(), body.problems)))
        out.invites.push_back(
            {.invite = InviteReply::of(sent.details, ctx.now),
             .accept_url = sent.address.empty() ? std::nullopt : std::optional(sent.address)});
    out.count = std::ssize(out.invites);
    return out;
}

Result<std::vector<InviteReply>> list(Context& ctx, const Draft<Query<InviteListQuery>>& query) {
    std::vector<InviteReply> out;
    for (const auto& details :
         TRY(list_invites(ctx, query->filter.status, query->page.request(query->order_by), query.problems)))
        out.push_back(InviteReply::of(details, ctx.now));
    return out;
}

Result<CountReply> count(Context& ctx, const Draft<Query<InviteFilterQuery>>& query) {
    return CountReply{.count = TRY(count_invites(ctx, query->status, query.problems))};
}

Result<std::vector<ReceivedInviteReply>> list_received(Context& ctx) {
    std::vector<ReceivedInviteReply> out;
    for (const auto& [details, workspace] : TRY(list_received_invites(ctx)))
        out.push_back({.invite = InviteReply::of(details, ctx.now),
                       .workspace = {.id = workspace.id, .name = workspace.name}});
    return out;
}

Result<InviteReply> withdraw(Context& ctx, const Invite& invite) {
    return InviteReply::of(TRY(withdraw_invite(ctx, invite)), ctx.now);
}

Result<AcceptedInviteReply> accept(Context& ctx, const Invite& invite) {
    const auto accepted = TRY(accept_invite(ctx, invite));
    return AcceptedInviteReply{.invite = InviteReply::of(accepted.details, ctx.now),
                               .workspace = {.id = accepted.workspace.id, .name = accepted.workspace.name}};
}

Result<ReceivedInviteReply> decline(Context& ctx, const Invite& invite) {
    const auto declined = TRY(decline_invite(ctx, invite));
    return ReceivedInviteReply{.invite = InviteReply::of(declined.details, ctx.now),
                               .workspace = {.id = declined.workspace.id, .name = declined.workspace.name}};
}

} // namespace

const RouteList& invite_routes() {
    using enum http::Method;
    using enum Role;
    constexpr auto write = Access::write;
    // clang-format off
    static const RouteList routes{"invite", {
        {post, "/workspaces/{workspace_id}/invite", "inviteTeammates", {.access = write, .role = admin}, on(create),
         "Invite people by e-mail.",
         {"LimitReached"}},
        {get,  "/workspaces/{workspace_id}/invites", "listInvites", {.role = viewer}, on(list),
         "List the invites into a workspace, those of one status."},
        {get,  "/workspaces/{workspace_id}/invites/count", "countInvites", {.role = viewer}, on(count),
         "Count the invites into a workspace, those of one status."},
        {del,  "/workspaces/{workspace_id}/invites/{invite_id}", "withdrawInvite",
         {.access = write, .role = admin}, on(withdraw),
         "Withdraw an invite that was not accepted yet."},
        {get,  "/account/invites", "listReceivedInvites", {.scope = Scope::account}, on(list_received),
         "List the invites that the caller can accept: those to its account or its e-mail address, oldest first, "
         "at most 100."},
        {post, "/invites/{token}/accept", "acceptInvite",
         {.access = write, .scope = Scope::account}, on(accept),
         "Accept an invite to the caller's account or its e-mail address, by its token or its id; an account without "
         "an address may by the token, where the operator lets it.",
         {"FeatureNotIncluded", "LimitReached"}},
        {post, "/invites/{token}/decline", "declineInvite",
         {.access = write, .scope = Scope::account}, on(decline),
         "Refuse an invite to the caller's account or its e-mail address, by its token or its id; it is gone then."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api
