#pragma once
// Links on the wire: what a caller sends (interface 2.1, wire "Link") and what it gets.
#include "core/ops/link_lists.h"
#include "core/ops/links.h"
#include "http/api/forwarding_shapes.h"
#include "http/api/paging.h"
#include "http/api/status_words.h"

namespace slashpost::api {

// "/domains/<id>", as replies give it and inputs may take it.
inline constexpr std::string_view domain_ref_prefix = "/domains/";

struct DomainInput {
    std::optional<DomainId> id;
    std::string ref;
    std::string full_name;
    std::string id_or_name; // a text in place of the object
    static constexpr std::string_view wire_name = "DomainInput";
    static wire::Fields fields();
};

struct LinkInput {
    std::string destination;
    std::optional<DomainId> domain_id;
    DomainInput domain;
    std::string slashtag;
    std::optional<std::string> title;
    std::string description;
    bool favourite = false;
    std::optional<bool> forward_parameters;
    LinkForwardingInput forwarding;
    std::string expired_url;
    std::optional<std::uint32_t> redirect_type;
    LinkType type = LinkType::standard;
    std::optional<std::int64_t> ttl_seconds;
    std::optional<Timestamp> expires_at;
    std::optional<Timestamp> active_from;
    bool pass_path = false;
    std::string password;
    std::optional<std::uint32_t> max_clicks;
    std::vector<std::string> aliases;
    std::vector<wire::Reference> tags;
    std::vector<wire::Reference> scripts;
    std::string external_id;
    static constexpr std::string_view wire_name = "LinkInput";
    static wire::Fields fields();

    // Adds to `problems` what only the fields together show.
    [[nodiscard]] NewLink to_new_link(Problems& problems) const;
};

// Null takes a title, a description, a beginning, an end, an expiredUrl, a redirectType, a password,
// maxClicks, aliases, an externalId or what is said of forwarding away; for all other fields it means "not
// given".
struct LinkChangeInput {
    std::optional<std::string> destination;
    std::optional<DomainId> domain_id;
    DomainInput domain;
    std::optional<std::string> slashtag;
    Change<std::string> title;
    Change<std::string> description;
    std::optional<bool> favourite;
    std::optional<bool> forward_parameters;
    Change<LinkForwardingInput> forwarding;
    Change<std::string> expired_url;
    Change<std::uint32_t> redirect_type;
    std::optional<bool> active;
    std::optional<LinkType> type;
    Change<std::int64_t> ttl_seconds;
    Change<Timestamp> expires_at;
    Change<Timestamp> active_from;
    std::optional<bool> pass_path;
    Change<std::string> password;
    Change<std::uint32_t> max_clicks;
    Change<std::vector<std::string>> aliases;
    std::optional<std::vector<wire::Reference>> tags;
    std::optional<std::vector<wire::Reference>> scripts;
    Change<std::string> external_id;
    static constexpr std::string_view wire_name = "LinkChange";
    static wire::Fields fields();

    [[nodiscard]] LinkChange to_change(Problems& problems) const;
};

struct FavouriteInput {
    bool favourite = false;
    static constexpr std::string_view wire_name = "FavouriteInput";
    static wire::Fields fields() {
        return {wire::field("favourite", &FavouriteInput::favourite, wire::required,
                            wire::note("true makes the link a favourite, false makes it none."))};
    }
};

struct DomainFilterInput {
    std::vector<DomainId> id;
    std::vector<std::string> names; // full names; a text in place of the object may be an id, too
    static constexpr std::string_view wire_name = "DomainFilter";
    static wire::Fields fields();
};
struct CreatorFilterInput {
    std::vector<AccountId> id;
    static constexpr std::string_view wire_name = "CreatorFilter";
    static wire::Fields fields();
};
struct TagFilterInput {
    std::vector<TagId> id;
    static constexpr std::string_view wire_name = "LinkTagFilter";
    static wire::Fields fields();
};
struct StatusFilterInput {
    bool active = true;
    StatusWords words; // a text in place of the object
    static constexpr std::string_view wire_name = "StatusFilter";
    static wire::Fields fields();
};

struct LinkFilterQuery {
    DomainFilterInput domain;
    std::string slashtag;
    CreatorFilterInput creator;
    TagFilterInput tag;
    std::optional<bool> favourite;
    StatusFilterInput status;
    std::optional<Timestamp> date_from;
    std::optional<Timestamp> date_to; // the first moment of the last day
    static constexpr std::string_view wire_name = "LinkFilter";
    static wire::Fields fields();

    [[nodiscard]] LinkFilter filter() const;
};

enum class ExportFormat : std::uint8_t { csv, jsonl };

struct LinkListQuery {
    LinkFilterQuery filter;
    PageQuery page;
    std::string order_by;
    static constexpr std::string_view wire_name = "LinkList";
    static wire::Fields fields();
};

struct ProtocolReply {
    std::vector<std::string> allowed{"http", "https"};
    std::string preferred = "https";
    static constexpr std::string_view wire_name = "DomainProtocol";
    static wire::Fields fields();
};
struct SharingReply {
    ProtocolReply protocol;
    static constexpr std::string_view wire_name = "DomainSharing";
    static wire::Fields fields();
};
struct DomainReply {
    DomainId id;
    std::string ref;
    std::string full_name;
    SharingReply sharing;
    bool active = true;
    static constexpr std::string_view wire_name = "LinkDomain";
    static wire::Fields fields();
};
struct CreatorReply {
    AccountId id;
    std::string full_name;
    std::string avatar_url;
    static constexpr std::string_view wire_name = "LinkCreator";
    static wire::Fields fields();
};

struct LinkTagReply {
    TagId id;
    std::string name;
    std::string color;
    bool active = true;
    std::int64_t clicks = 0;
    static constexpr std::string_view wire_name = "LinkTag";
    static wire::Fields fields();
};
struct LinkScriptReply {
    ScriptId id;
    std::string name;
    static constexpr std::string_view wire_name = "LinkScript";
    static wire::Fields fields();
};

struct LinkReply {
    LinkId id;
    std::string title;
    std::string slashtag;
    std::string destination;
    std::string short_url;
    DomainId domain_id;
    std::string domain_name;
    DomainReply domain;
    LinkType type = LinkType::standard;
    LinkStatus status = LinkStatus::active;
    bool favourite = false;
    bool forward_parameters = true; // itself or by its domain
    std::optional<LinkForwardingReply> forwarding;
    bool https = true;
    bool is_public = false;
    bool integrated = false;
    std::vector<LinkTagReply> tags;
    std::vector<LinkScriptReply> scripts;
    std::int64_t clicks = 0;
    std::int64_t sessions = 0;
    Timestamp created_at;
    Timestamp updated_at;
    CreatorReply creator;
    std::optional<std::string> description;
    std::optional<Timestamp> expires_at;
    std::optional<Timestamp> active_from;
    std::optional<std::string> expired_url;
    std::optional<std::uint32_t> redirect_type;
    std::optional<bool> pass_path;
    std::optional<std::vector<std::string>> aliases;
    std::optional<Timestamp> password_set_at;
    std::optional<std::uint32_t> max_clicks;
    std::optional<std::uint32_t> clicks_left; // of those
    std::optional<std::string> external_id;
    std::optional<Timestamp> last_click_at;
    std::optional<Timestamp> last_click_date; // its alias, for older clients
    static constexpr std::string_view wire_name = "Link";
    static wire::Fields fields();

    static LinkReply of(const LinkDetails& details);
};

} // namespace slashpost::api
