#pragma once
// A branded short link (interface 2.1), and the trace that a given-up slashtag leaves.
#include "core/data/codec.h"
#include "core/data/key.h"
#include "core/model/forwarding.h"

#include <algorithm>
#include <vector>

namespace slashpost {

// Numbers are of the wire and on disk (interface 2.1, wire "Link"): never renumber.
enum class LinkStatus : std::uint8_t {
    active = 1,
    expired = 2,
    deleted = 3,
    paused = 4, // by whoever may edit it, until they let it go on
};
// "active": in events, files that leave and mails; the wire has the number.
constexpr std::string_view to_string(LinkStatus status) {
    switch (status) {
    case LinkStatus::active:
        return "active";
    case LinkStatus::expired:
        return "expired";
    case LinkStatus::deleted:
        return "deleted";
    case LinkStatus::paused:
        return "paused";
    }
    return "";
}
enum class LinkType : std::uint8_t { standard = 1, rotator = 2 };

// Another slashtag of a link, on the same domain.
struct LinkAlias {
    std::string slashtag; // as given
    std::string key;      // as Link::slashtag_key
    data::Unknown unknown;
    bool operator==(const LinkAlias&) const = default;

    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "slashtag", &LinkAlias::slashtag), stored(2, "key", &LinkAlias::key)};
    }
};

struct Link {
    LinkId id;
    WorkspaceId workspace;
    DomainId domain;
    AccountId creator;
    std::string slashtag;     // as given, for display
    std::string slashtag_key; // what is unique on the domain: folded unless the domain minds the case
    std::string destination;  // stored form of core/base/url.h
    std::string title;
    std::string description; // empty: none
    LinkType type = LinkType::standard;
    LinkStatus status = LinkStatus::active;
    bool favourite = false;
    bool forward_parameters = true; // false: never; true: if the domain does, or `forward_always`
    Timestamp created_at;           // always id.made_at()
    Timestamp updated_at;
    std::optional<Timestamp> expires_at;
    std::vector<TagId> tags;       // in the order of attaching, each once; some may be deleted meanwhile:
    std::vector<ScriptId> scripts; // readers skip those, and core/work/detach.h takes them off
    data::Bytes routing; // the link's parts as visitors need them (core/schema/routing.h), compiled when
                         // those are written
    OnConflict on_conflict = OnConflict::as_domain;
    std::string expired_url;     // where it leads when it has ended; empty: as its domain says. Says what was
                                 // asked for as Domain::not_found_url does
    bool forward_always = false; // parameters, whatever the domain says
    std::optional<Timestamp> active_from; // before it, visitors get what they get when it has ended
    std::uint32_t redirect_type = 0;      // 301, 302, 307 or 308; 0: as its domain says
    bool pass_path = false;  // answers what is below its address, too, and passes that on to its destination
    std::string external_id; // what a system of the workspace's own calls it (core/ops/external_ids.h);
                             // empty: nothing. A deleted link keeps it for display, but does not hold it
    // What visitors have to know, as core/base/password_hash.h keeps it; empty: nothing.
    std::string password_hash;
    std::optional<Timestamp> password_set_at; // with a password, and only then
    std::uint32_t clicks_max = 0;             // so many visitors get to the destination, then it ends; 0: all
    std::uint32_t clicks_used = 0;            // of those; counted only where there is such a bound
    std::vector<LinkAlias> aliases; // in the order of adding; none has the key of another, or the link's
    data::Unknown unknown;

    [[nodiscard]] OwnForwarding own_forwarding() const {
        const bool is_own = forward_always || !forward_parameters;
        return {.parameters = is_own ? std::optional(forward_parameters) : std::nullopt,
                .on_conflict = on_conflict};
    }
    // Nothing: as its domain says.
    void forward(std::optional<bool> parameters) {
        forward_parameters = parameters.value_or(true);
        forward_always = parameters.value_or(false);
    }

    // Listed by default; holds its place among the links that people see.
    [[nodiscard]] bool active() const { return status == LinkStatus::active; }
    // Not deleted, but visitors do not get to its destination.
    [[nodiscard]] bool has_ended() const {
        return status == LinkStatus::expired || status == LinkStatus::paused;
    }
    // Not every visitor gets to its destination, so each is looked at (core/redirect/gate.h).
    [[nodiscard]] bool is_guarded() const { return !password_hash.empty() || clicks_max != 0; }
    // As many visitors have got to its destination as may.
    [[nodiscard]] bool is_used_up() const { return clicks_max != 0 && clicks_used >= clicks_max; }
    [[nodiscard]] bool has_key(std::string_view key) const {
        return slashtag_key == key || std::ranges::find(aliases, key, &LinkAlias::key) != aliases.end();
    }
    // Of all its addresses, its own first.
    [[nodiscard]] std::vector<std::string> slashtag_keys() const {
        std::vector<std::string> keys{slashtag_key};
        for (const auto& alias : aliases)
            keys.push_back(alias.key);
        return keys;
    }
    // Holds its slashtag: everything but deleted.
    [[nodiscard]] bool holds_slashtag() const { return status != LinkStatus::deleted; }

    static constexpr std::size_t primary_bytes = 16;
    static data::Bytes primary_of(const Link& l) { return data::Bytes(l.id.view()); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "id", &Link::id),
                          stored(2, "workspace", &Link::workspace),
                          stored(3, "domain", &Link::domain),
                          stored(4, "creator", &Link::creator),
                          stored(5, "slashtag", &Link::slashtag),
                          stored(6, "slashtag_key", &Link::slashtag_key),
                          stored(7, "destination", &Link::destination),
                          stored(8, "title", &Link::title),
                          stored(9, "description", &Link::description),
                          stored(10, "type", &Link::type),
                          stored(11, "status", &Link::status),
                          stored(12, "favourite", &Link::favourite),
                          stored(13, "forward_parameters", &Link::forward_parameters),
                          stored(14, "created_at", &Link::created_at),
                          stored(15, "updated_at", &Link::updated_at),
                          stored(16, "expires_at", &Link::expires_at),
                          stored(17, "tags", &Link::tags),
                          stored(18, "scripts", &Link::scripts),
                          stored(19, "routing", &Link::routing),
                          stored(20, "on_conflict", &Link::on_conflict),
                          stored(21, "expired_url", &Link::expired_url),
                          stored(22, "forward_always", &Link::forward_always),
                          stored(23, "redirect_type", &Link::redirect_type),
                          stored(24, "active_from", &Link::active_from),
                          stored(25, "pass_path", &Link::pass_path),
                          stored(26, "external_id", &Link::external_id),
                          stored(27, "password_hash", &Link::password_hash),
                          stored(28, "password_set_at", &Link::password_set_at),
                          stored(29, "clicks_max", &Link::clicks_max),
                          stored(30, "clicks_used", &Link::clicks_used),
                          stored(31, "aliases", &Link::aliases)};
    }
};

// A slashtag that a workspace gave up by deleting, renaming or moving a link. Until `until` nobody else may
// take it (wire "Link": quarantine), so that old printed addresses cannot be hijacked.
struct ReleasedSlashtag {
    DomainId domain;
    std::string slashtag_key;
    WorkspaceId workspace;
    Timestamp until;
    data::Unknown unknown;

    static constexpr std::size_t primary_bytes = 0; // varies; no index is declared on these
    static data::Bytes primary_of(const ReleasedSlashtag& r) { return data::key(r.domain, r.slashtag_key); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "domain", &ReleasedSlashtag::domain),
                          stored(2, "slashtag_key", &ReleasedSlashtag::slashtag_key),
                          stored(3, "workspace", &ReleasedSlashtag::workspace),
                          stored(4, "until", &ReleasedSlashtag::until)};
    }
};

} // namespace slashpost
