#pragma once
// Domains on the wire (interface 4.4 and 4.5, wire "Domains").
#include "core/ops/account_domains.h"
#include "core/ops/domain_lists.h"
#include "http/api/forwarding_shapes.h"
#include "http/api/paging.h"

namespace slashpost::api {

struct NewDomainInput {
    std::string full_name;
    static constexpr std::string_view wire_name = "NewDomain";
    static wire::Fields fields();
};

struct SlashtagRulesChangeInput {
    std::optional<std::uint32_t> length_min;
    std::optional<std::uint32_t> length_max;
    std::optional<bool> case_sensitive;
    std::optional<SlashtagCharset> charset;
    static constexpr std::string_view wire_name = "SlashtagRulesChange";
    static wire::Fields fields();
};
struct BrandingInput {
    Change<std::string> name;
    Change<std::string> color;
    Change<std::string> logo_url;
    Change<std::string> home_text;
    static constexpr std::string_view wire_name = "BrandingChange";
    static wire::Fields fields();
};
struct AliasInput {
    std::string full_name;
    static constexpr std::string_view wire_name = "AliasInput";
    static wire::Fields fields();
};
// Null takes an address, a document, a branding or all further names away.
struct DomainChangeInput {
    Change<std::string> custom_homepage;
    Change<std::string> not_found_url;
    Change<std::string> expired_url;
    ForwardingChangeInput forwarding;
    std::optional<std::uint32_t> redirect_type;
    SlashtagRulesChangeInput slashtag;
    std::optional<bool> active;
    Change<std::string> apple_app_site_association;
    Change<std::string> asset_links;
    Change<BrandingInput> branding;
    Change<std::vector<AliasInput>> aliases;
    static constexpr std::string_view wire_name = "DomainChange";
    static wire::Fields fields();

    [[nodiscard]] DomainChange to_change() const;
};

// Of GET /domains.
struct DomainListFilterQuery {
    std::optional<bool> active;
    std::optional<bool> verified;
    std::optional<DomainType> type;
    std::optional<bool> shared;
    std::string term;
    static constexpr std::string_view wire_name = "DomainListFilter";
    static wire::Fields fields();

    [[nodiscard]] DomainFilter filter() const;
};

// What a domain of the installation is called under a workspace.
enum class SystemOrUser : std::uint8_t { user, system };
// Of GET /workspaces/{workspace_id}/domains.
struct WorkspaceDomainFilterQuery {
    std::optional<SystemOrUser> type;
    std::optional<DomainStatus> status;
    std::string term;
    static constexpr std::string_view wire_name = "WorkspaceDomainFilter";
    static wire::Fields fields();

    [[nodiscard]] DomainFilter filter() const;
};

template <class FilterQuery>
struct DomainPageQuery {
    FilterQuery filter;
    PageQuery page;
    std::string order_by;
    static constexpr std::string_view wire_name = "DomainPage";
    static wire::Fields fields() {
        return wire::joined(
            {wire::part(&DomainPageQuery::filter),
             wire::part(&DomainPageQuery::page),
             {wire::field("orderBy", &DomainPageQuery::order_by, wire::one_of(domain_orders()),
                          wire::note("What the domains are sorted by; createdAt when absent."))}});
    }
};

struct SlashtagRulesReply {
    std::uint32_t length_min = 1;
    std::uint32_t length_max = 40;
    bool case_sensitive = false;
    SlashtagCharset charset = SlashtagCharset::ascii;
    static constexpr std::string_view wire_name = "SlashtagRules";
    static wire::Fields fields();
};
struct BrandingReply {
    std::string name;
    std::string color;
    std::string logo_url;
    std::string home_text;
    static constexpr std::string_view wire_name = "Branding";
    static wire::Fields fields();
};
enum class DnsStatus : std::uint8_t { verified, pending };
struct DomainStatusReply {
    DnsStatus dns = DnsStatus::pending;
    Encryption encryption = Encryption::none;
    std::optional<std::string> encryption_error;
    static constexpr std::string_view wire_name = "DomainStatus";
    static wire::Fields fields();
};
struct VerificationReply {
    std::string type = "TXT";
    std::string name;
    std::string value;
    static constexpr std::string_view wire_name = "DomainVerification";
    static wire::Fields fields();
};
struct AliasReply {
    std::string full_name;
    bool verified = false;
    std::optional<VerificationReply> verification;
    static constexpr std::string_view wire_name = "Alias";
    static wire::Fields fields();
};
enum class ShownDomainType : std::uint8_t { user, service, system };

struct FullDomainReply {
    DomainId id;
    std::string ref;
    std::string full_name;
    std::string top_level_domain;
    std::int64_t level = 0;
    std::int64_t subdomains = 0;
    ShownDomainType type = ShownDomainType::user;
    bool active = true;
    bool verified = false;
    bool revoked = false;
    bool https = true;
    bool managed = false;
    Timestamp created_at;
    Timestamp updated_at;
    Timestamp creation_date; // alias of created_at
    std::optional<AccountId> owner_id;
    std::string custom_homepage;
    std::string not_found_url;
    std::string expired_url;
    ForwardingReply forwarding;
    std::uint32_t redirect_type = 0;
    SlashtagRulesReply slashtag;
    BrandingReply branding;
    std::vector<AliasReply> aliases;
    DomainStatusReply status;
    std::int64_t clicks = 0;
    std::int64_t sessions = 0;
    std::optional<Timestamp> last_click_at;
    std::optional<VerificationReply> verification;
    std::optional<std::string> apple_app_site_association;
    std::optional<std::string> asset_links;
    static constexpr std::string_view wire_name = "Domain";
    static wire::Fields fields();

    // `service` is what a domain of the installation is called.
    static FullDomainReply of(const DomainDetails& details, ShownDomainType service);
    static std::vector<FullDomainReply> of_all(const std::vector<DomainDetails>& all,
                                               ShownDomainType service);
};

} // namespace slashpost::api

namespace slashpost::wire {

template <>
struct EnumNames<DomainType> {
    static constexpr std::array<std::pair<std::string_view, DomainType>, 2> all{
        {{"user", DomainType::user}, {"service", DomainType::service}}};
};
template <>
struct EnumNames<api::SystemOrUser> {
    static constexpr std::array<std::pair<std::string_view, api::SystemOrUser>, 2> all{
        {{"user", api::SystemOrUser::user}, {"system", api::SystemOrUser::system}}};
};
template <>
struct EnumNames<api::ShownDomainType> {
    static constexpr std::array<std::pair<std::string_view, api::ShownDomainType>, 3> all{
        {{"user", api::ShownDomainType::user},
         {"service", api::ShownDomainType::service},
         {"system", api::ShownDomainType::system}}};
};
template <>
struct EnumNames<SlashtagCharset> {
    static constexpr std::array<std::pair<std::string_view, SlashtagCharset>, 2> all{
        {{"ascii", SlashtagCharset::ascii}, {"unicode", SlashtagCharset::unicode}}};
};
template <>
struct EnumNames<DomainStatus> {
    static constexpr std::array<std::pair<std::string_view, DomainStatus>, 4> all{
        {{"active", DomainStatus::active},
         {"pending", DomainStatus::pending},
         {"inactive", DomainStatus::inactive},
         {"revoked", DomainStatus::revoked}}};
};
template <>
struct EnumNames<api::DnsStatus> {
    static constexpr std::array<std::pair<std::string_view, api::DnsStatus>, 2> all{
        {{"verified", api::DnsStatus::verified}, {"pending", api::DnsStatus::pending}}};
};
template <>
struct EnumNames<Encryption> {
    static constexpr std::array<std::pair<std::string_view, Encryption>, 4> all{
        {{"active", Encryption::active},
         {"none", Encryption::none},
         {"pending", Encryption::pending},
         {"failed", Encryption::failed}}};
};

} // namespace slashpost::wire
