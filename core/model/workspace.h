#pragma once
// A workspace groups links, domains, tags and people; a member is an account with a role in one.
#include "core/data/codec.h"

#include <algorithm>
#include <vector>

namespace slashpost {

// On disk: never renumber.
enum class WorkspaceType : std::uint8_t { classic = 1, extended = 2, gallery = 4 };
enum class Role : std::uint8_t { viewer = 1, guest = 2, user = 3, admin = 4, owner = 5 };

// "classic": in events and the admin tool; the wire has the number.
constexpr std::string_view to_string(WorkspaceType type) {
    switch (type) {
    case WorkspaceType::classic:
        return "classic";
    case WorkspaceType::extended:
        return "extended";
    case WorkspaceType::gallery:
        return "gallery";
    }
    return "";
}

// "guest": in documents, mails and the admin tool.
constexpr std::string_view to_string(Role role) {
    switch (role) {
    case Role::viewer:
        return "viewer";
    case Role::guest:
        return "guest";
    case Role::user:
        return "user";
    case Role::admin:
        return "admin";
    case Role::owner:
        return "owner";
    }
    return "";
}

// Values of the five UTM parameters, by a name, for whoever makes links in the workspace.
struct UtmTemplate {
    static constexpr std::size_t per_workspace_max = 50;
    static constexpr std::size_t name_length_max = 64;   // characters
    static constexpr std::size_t value_length_max = 128; // of each

    std::string name;                                    // unique in the workspace, ignoring case
    std::string source, medium, campaign, term, content; // empty: is left out of the address

    bool operator==(const UtmTemplate&) const = default;
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{
            stored(1, "name", &UtmTemplate::name),     stored(2, "source", &UtmTemplate::source),
            stored(3, "medium", &UtmTemplate::medium), stored(4, "campaign", &UtmTemplate::campaign),
            stored(5, "term", &UtmTemplate::term),     stored(6, "content", &UtmTemplate::content)};
    }
};

struct Workspace {
    WorkspaceId id;
    std::string name;
    WorkspaceType type = WorkspaceType::classic;
    AccountId owner;
    bool is_default = false; // its owner's; cannot be deleted
    bool revoked = false;    // by the operator: links go on, changes are refused (interface 3.2)
    bool trashed = false;    // hidden, its links do not redirect
    Timestamp created_at;
    Timestamp updated_at;
    std::optional<std::int64_t> default_ttl_seconds; // for new links without one of their own
    std::string notes;                               // empty: none
    std::string avatar_url;                          // empty: none
    // Conversion tracking (interface 3.5); nothing: never configured.
    std::optional<bool> conversion_enabled;
    std::optional<std::int64_t> attribution_window_days;
    std::string click_id_parameter; // what a visitor carries a click id in; empty: the installation's
    // Gone for ever from then on; the row stays, because its deleted links and cursors name it.
    std::optional<Timestamp> deleted_at;
    // Domains on which its links are as good as deleted, until they are (core/work/retire.h).
    std::vector<DomainId> retiring_domains;
    std::string time_zone;                  // of its statistics, a name of the tz database; empty: UTC
    std::vector<UtmTemplate> utm_templates; // by their names, ignoring case
    data::Unknown unknown;

    // Hidden from everybody but the operator; its links do not redirect.
    [[nodiscard]] bool hidden() const { return trashed || deleted_at.has_value(); }
    [[nodiscard]] bool is_retiring(DomainId domain) const {
        return std::ranges::find(retiring_domains, domain) != retiring_domains.end();
    }

    static constexpr std::size_t primary_bytes = 16;
    static data::Bytes primary_of(const Workspace& w) { return data::Bytes(w.id.view()); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "id", &Workspace::id),
                          stored(2, "name", &Workspace::name),
                          stored(3, "type", &Workspace::type),
                          stored(4, "owner", &Workspace::owner),
                          stored(5, "is_default", &Workspace::is_default),
                          stored(6, "revoked", &Workspace::revoked),
                          stored(7, "trashed", &Workspace::trashed),
                          stored(8, "created_at", &Workspace::created_at),
                          stored(9, "updated_at", &Workspace::updated_at),
                          stored(10, "default_ttl_seconds", &Workspace::default_ttl_seconds),
                          stored(11, "notes", &Workspace::notes),
                          stored(12, "avatar_url", &Workspace::avatar_url),
                          stored(13, "conversion_enabled", &Workspace::conversion_enabled),
                          stored(14, "attribution_window_days", &Workspace::attribution_window_days),
                          stored(15, "deleted_at", &Workspace::deleted_at),
                          stored(16, "click_id_parameter", &Workspace::click_id_parameter),
                          stored(17, "retiring_domains", &Workspace::retiring_domains),
                          stored(18, "time_zone", &Workspace::time_zone),
                          stored(19, "utm_templates", &Workspace::utm_templates)};
    }
};

struct Member {
    WorkspaceId workspace;
    AccountId account;
    Role role = Role::viewer;
    Timestamp created_at;
    // Invites that the member sent up to this one are worth nothing: it came again or lost a role since
    // (core/access/membership.h). Empty: neither ever happened.
    InviteId invites_end;
    data::Unknown unknown;

    static constexpr std::size_t primary_bytes = 32;
    static data::Bytes primary_of(const Member& m) {
        return data::Bytes(m.workspace.view()).append(m.account.view());
    }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "workspace", &Member::workspace), stored(2, "account", &Member::account),
                          stored(3, "role", &Member::role), stored(4, "created_at", &Member::created_at),
                          stored(5, "invites_end", &Member::invites_end)};
    }
};

} // namespace slashpost
