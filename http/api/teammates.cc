// The people of a workspace (interface 4.5, wire "Workspaces, people"): shapes, routes, and handlers of one
// core call each.
#include "core/ops/teammates.h"
#include "http/api/paging.h"
#include "http/api/path_resource.h"
#include "http/api/replies.h"
#include "http/api/routes.h"
#include "http/api/term.h"

namespace slashpost::api {

using wire::field, wire::note, wire::part, wire::required;
using wire::Fields;

// The roles that can be given, with the values of core's; that of the owner is not one of them.
enum class GivenRole : std::uint8_t {
    viewer = static_cast<std::uint8_t>(Role::viewer),
    guest = static_cast<std::uint8_t>(Role::guest),
    user = static_cast<std::uint8_t>(Role::user),
    admin = static_cast<std::uint8_t>(Role::admin),
};

} // namespace slashpost::api

namespace slashpost::wire {

template <>
struct EnumNames<api::GivenRole> {
    static constexpr std::array<std::pair<std::string_view, api::GivenRole>, 4> all{
        {{"admin", api::GivenRole::admin},
         {"user", api::GivenRole::user},
         {"guest", api::GivenRole::guest},
         {"viewer", api::GivenRole::viewer}}};
};

} // namespace slashpost::wire

namespace slashpost::api {

namespace {

struct TeammateReply {
    AccountId id;
    std::string username;
    std::string email;
    std::string full_name;
    std::string avatar_url;
    Role role = Role::viewer;
    Timestamp created_at;
    static constexpr std::string_view wire_name = "Teammate";
    static Fields fields() {
        return {field("id", &TeammateReply::id, note("Id of the person's account.")),
                field("username", &TeammateReply::username, note("The person's username.")),
                field("email", &TeammateReply::email, note("The person's e-mail address.")),
                field("fullName", &TeammateReply::full_name, note("The person's name.")),
                field("avatarUrl", &TeammateReply::avatar_url,
                      note("Address of a picture of the person; empty: none.")),
                field("role", &TeammateReply::role, note("The person's role in the workspace.")),
                field("createdAt", &TeammateReply::created_at,
                      note("Since when the person works in the workspace."))};
    }
    static TeammateReply of(const Teammate& teammate) {
        const auto& [account, member] = teammate;
        return {.id = account.id,
                .username = account.username,
                .email = account.email,
                .full_name = account.full_name,
                .avatar_url = account.avatar_url,
                .role = member.role,
                .created_at = member.created_at};
    }
};

struct SetTeammateReply {
    AccountId id;
    std::optional<std::string> username;
    std::optional<std::string> email;
    std::string full_name;
    std::optional<std::string> avatar_url;
    Role role = Role::viewer;
    std::optional<Timestamp> created_at;
    std::optional<InviteId> invite_id;
    static constexpr std::string_view wire_name = "SetTeammate";
    static Fields fields() {
        using Reply = SetTeammateReply;
        return {
            field("id", &Reply::id, note("Of the person's account.")),
            field("username", &Reply::username, note("Of a teammate.")),
            field("email", &Reply::email, note("Of a teammate.")),
            field("fullName", &Reply::full_name,
                  note("The name of the person; of one who is invited the username where there is none.")),
            field("avatarUrl", &Reply::avatar_url, note("Of a teammate.")),
            field("role", &Reply::role, note("That the person has, or is invited to.")),
            field("createdAt", &Reply::created_at, note("Since then in this workspace, of a teammate.")),
            field("inviteId", &Reply::invite_id,
                  note("The person is no teammate yet, but has this invite, to be accepted or not."))};
    }
    static SetTeammateReply of(const SetTeammate& set) {
        const auto& [account, member, invite] = set;
        SetTeammateReply out{.id = account.id, .full_name = account.full_name};
        if (member) {
            out.role = member->role;
            out.username = account.username;
            out.email = account.email;
            out.avatar_url = account.avatar_url;
            out.created_at = member->created_at;
        } else {
            out.role = invite->role;
            out.invite_id = invite->id;
            if (out.full_name.empty())
                out.full_name = account.username;
        }
        return out;
    }
};

struct TeammateInput {
    GivenRole role = GivenRole::viewer;
    static constexpr std::string_view wire_name = "TeammateInput";
    static Fields fields() {
        return {field(
            "role", &TeammateInput::role, required,
            note(
                "The person's role then. A workspace gets another owner by an invite with the role owner."))};
    }
};

struct TeammateFilterQuery {
    std::string term;
    static constexpr std::string_view wire_name = "TeammateFilter";
    static Fields fields() {
        return {field(
            "term", &TeammateFilterQuery::term, wire::length(0, term_length_max),
            note("Only people with this in their full name, username or e-mail address, ignoring case."))};
    }
    [[nodiscard]] TeammateFilter filter() const { return {.term = term}; }
};

struct TeammateListQuery {
    TeammateFilterQuery filter;
    PageQuery page;
    std::string order_by;
    static constexpr std::string_view wire_name = "TeammateList";
    static Fields fields() {
        return wire::joined({part(&TeammateListQuery::filter),
                             part(&TeammateListQuery::page),
                             {field("orderBy", &TeammateListQuery::order_by, wire::one_of(teammate_orders()),
                                    note("What the people are sorted by; createdAt when absent."))}});
    }
};

Result<std::vector<TeammateReply>> list(Context& ctx, const Draft<Query<TeammateListQuery>>& query) {
    std::vector<TeammateReply> out;
    for (const auto& teammate : TRY(list_teammates(ctx, query->filter.filter(),
                                                   query->page.request(query->order_by), query.problems)))
        out.push_back(TeammateReply::of(teammate));
    return out;
}

Result<CountReply> count(Context& ctx, const Draft<Query<TeammateFilterQuery>>& query) {
    return CountReply{.count = TRY(count_teammates(ctx, query->filter(), query.problems))};
}

Result<TeammateReply> read(Context& ctx, const Member& member) {
    return TeammateReply::of(TRY(describe_teammate(ctx, member)));
}

Result<SetTeammateReply> set(Context& ctx, const Account& person, const Body<TeammateInput>& body) {
    return SetTeammateReply::of(TRY(set_teammate(ctx, person, static_cast<Role>(body->role))));
}

Result<EmptyReply> remove(Context& ctx, const Member& member) {
    TRY(remove_teammate(ctx, member));
    return EmptyReply{};
}

} // namespace

const RouteList& teammate_routes() {
    using enum http::Method;
    using enum Role;
    constexpr auto write = Access::write;
    // clang-format off
    static const RouteList routes{"teammate", {
        {get,  "/workspaces/{workspace_id}/teammates", "listTeammates", {.role = viewer}, on(list),
         "List the people of a workspace, its owner too."},
        {get,  "/workspaces/{workspace_id}/teammates/count", "countTeammates", {.role = viewer}, on(count),
         "Count the people of a workspace."},
        {get,  "/workspaces/{workspace_id}/teammates/{teammate_id}", "getTeammate", {.role = viewer}, on(read),
         "Read one person of a workspace."},
        {post, "/workspaces/{workspace_id}/teammates/{teammate_id}", "setTeammate",
         {.access = write, .role = admin}, on(set),
         "Change the role of a teammate, or invite the account to become one; it is one at once if it works with the "
         "caller elsewhere already. Not possible for the owner.",
         {"LimitReached"}},
        {del,  "/workspaces/{workspace_id}/teammates/{teammate_id}", "removeTeammate",
         {.access = write, .role = admin}, on(remove),
         "Take a person out of a workspace; not its owner. What they made stays."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api
