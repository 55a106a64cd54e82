#include "http/api/domain_shapes.h"

#include "http/api/term.h"
#include "http/wire/formats.h"

#include <algorithm>

namespace slashpost::api {

namespace {

using wire::example;
using wire::field;
using wire::Fields;
using wire::note;
using wire::range;
using wire::required;

constexpr std::string_view apple_note =
    "What /.well-known/apple-app-site-association answers: JSON, as text. Null for nothing.";
constexpr std::string_view asset_note =
    "What /.well-known/assetlinks.json answers: JSON, as text. Null for nothing.";
constexpr std::string_view name_note = "What stands at the head of the pages, such as a company's name.";
constexpr std::string_view color_note = "Colour of the pages, such as ff8800.";
constexpr std::string_view logo_note =
    "Address of a picture at the head of the pages: https, on a host with a name.";
constexpr std::string_view home_text_note = "What the page at / says, without a customHomepage.";
constexpr std::string_view term_note = "Part of the name, ignoring case.";

// "go.example.com:8080" without its port. An address has no labels and is left as it is.
std::string_view host_of(const std::string& full_name) {
    const std::string_view name = full_name;
    return name.starts_with('[') ? name : name.substr(0, name.find(':'));
}

std::optional<std::string> set_text(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

template <class T>
Change<T> change_of(const std::optional<T>& value) {
    return Change<T>::of(value);
}

} // namespace

Fields NewDomainInput::fields() {
    return {field("fullName", &NewDomainInput::full_name, required,
                  note("The name of a host, with its port unless that is 80 or 443."),
                  example("go.example.net"))};
}

Fields SlashtagRulesChangeInput::fields() {
    return {field("minLength", &SlashtagRulesChangeInput::length_min, range(1, slashtag_length_limit),
                  note("How many characters a new slashtag has at least.")),
            field("maxLength", &SlashtagRulesChangeInput::length_max, range(1, slashtag_length_limit),
                  note("How many characters a new slashtag has at most.")),
            field("caseSensitive", &SlashtagRulesChangeInput::case_sensitive,
                  note("Whether slashtags that differ only in case are different ones. Can change only while "
                       "the domain has no links.")),
            field("charset", &SlashtagRulesChangeInput::charset,
                  note("ascii: slashtags have letters without accents, digits, _ and -. unicode: letters and "
                       "digits of all scripts, too, and / between two parts. Can become ascii only while the "
                       "domain has no links."))};
}

Fields BrandingInput::fields() {
    return {field("name", &BrandingInput::name, wire::length(0, branding_name_length_max), note(name_note)),
            field("color", &BrandingInput::color, wire::formats::hex_color, note(color_note)),
            field("logoUrl", &BrandingInput::logo_url, wire::formats::uri, note(logo_note)),
            field("homeText", &BrandingInput::home_text, wire::length(0, branding_home_text_length_max),
                  note(home_text_note))};
}

Fields AliasInput::fields() {
    return {field("fullName", &AliasInput::full_name, required,
                  note("The name of a host, with its port unless that is 80 or 443."),
                  example("www.go.example.com")),
            field("", &AliasInput::full_name,
                  note("The name of a host, with its port unless that is 80 or 443."))};
}

Fields DomainChangeInput::fields() {
    return {
        field("customHomepage", &DomainChangeInput::custom_homepage, wire::formats::uri,
              note("Where / leads; null for a plain page.")),
        field("notFoundUrl", &DomainChangeInput::not_found_url, wire::formats::uri,
              note("Where unknown slashtags lead, with {path} and {domain} for what was asked for; null for "
                   "a plain page.")),
        field("expiredUrl", &DomainChangeInput::expired_url, wire::formats::uri,
              note("Where links lead that have expired or are paused, unless they say so themselves, with "
                   "{path} and {domain} for what was asked for; null: where unknown slashtags do.")),
        field("forwarding", &DomainChangeInput::forwarding, note(forwarding_note)),
        field("redirectType", &DomainChangeInput::redirect_type,
              note("The status of redirects: 301, 302, 307 or 308.")),
        field("slashtag", &DomainChangeInput::slashtag, note("What new slashtags on the domain look like.")),
        field("active", &DomainChangeInput::active, note("Whether the domain answers visitors at all.")),
        field("appleAppSiteAssociation", &DomainChangeInput::apple_app_site_association, wire::formats::json,
              wire::length(0, domain_document_bytes_max), note(apple_note)),
        field("assetLinks", &DomainChangeInput::asset_links, wire::formats::json,
              wire::length(0, domain_document_bytes_max), note(asset_note)),
        field("branding", &DomainChangeInput::branding,
              note("How the domain's plain pages present it. Fields that are absent stay; null takes one "
                   "away, or all of them.")),
        field("aliases", &DomainChangeInput::aliases, wire::items_max(domain_aliases_max),
              note("All further names under which visitors find the same links. Each is to be verified, but "
                   "for www. before a name that is."))};
}

namespace {

BrandingChange change_of(const Change<BrandingInput>& branding) {
    if (branding.is_set()) {
        const auto& in = branding.value();
        return {.name = in.name, .color = in.color, .logo_url = in.logo_url, .home_text = in.home_text};
    }
    const auto all = branding.is_clear() ? Change<std::string>::clear() : Change<std::string>::keep();
    return {.name = all, .color = all, .logo_url = all, .home_text = all};
}

Change<std::vector<std::string>> change_of(const Change<std::vector<AliasInput>>& aliases) {
    using Names = Change<std::vector<std::string>>;
    if (!aliases.is_set())
        return aliases.is_clear() ? Names::clear() : Names::keep();
    std::vector<std::string> names;
    for (const auto& alias : aliases.value())
        names.push_back(alias.full_name);
    return Names::set(std::move(names));
}

VerificationReply reply_of(VerificationRecord record) {
    VerificationReply out;
    out.name = std::move(record.name);
    out.value = std::move(record.value);
    return out;
}

AliasReply reply_of(const Domain& domain, const DomainAlias& alias) {
    AliasReply out{.full_name = alias.full_name, .verified = alias.verified, .verification = {}};
    if (!alias.verified)
        out.verification = reply_of(verification_record(domain, alias.full_name));
    return out;
}

} // namespace

DomainChange DomainChangeInput::to_change() const {
    return {.verified = {},
            .active = change_of(active),
            .revoked = {},
            .redirect_type = change_of(redirect_type),
            .custom_homepage = custom_homepage,
            .not_found_url = not_found_url,
            .expired_url = expired_url,
            .forward_parameters = change_of(forwarding.parameters),
            .on_conflict = change_of(forwarding.on_conflict),
            .slashtag_length_min = change_of(slashtag.length_min),
            .slashtag_length_max = change_of(slashtag.length_max),
            .slashtag_case_sensitive = change_of(slashtag.case_sensitive),
            .slashtag_charset = change_of(slashtag.charset),
            .apple_app_site_association = apple_app_site_association,
            .asset_links = asset_links,
            .branding = change_of(branding),
            .aliases = change_of(aliases),
            .proved_aliases = {}};
}

Fields DomainListFilterQuery::fields() {
    return {
        field(
            "active", &DomainListFilterQuery::active,
            note("true: only domains on which links can be made now, which are verified, switched on and not "
                 "revoked; false: only the others.")),
        field("verified", &DomainListFilterQuery::verified,
              note("Only verified domains, or only the others.")),
        field("type", &DomainListFilterQuery::type,
              note("user: only domains of accounts; service: only those of the installation.")),
        field("shared", &DomainListFilterQuery::shared,
              note("true, as when absent: the workspace's domains. false: those that the caller could "
                   "share with it instead.")),
        field("term", &DomainListFilterQuery::term, wire::length(0, term_length_max),
              note("Only domains with this in their name, ignoring case."))};
}

DomainFilter DomainListFilterQuery::filter() const {
    return {.scope = shared.value_or(true) ? DomainScope::shared : DomainScope::shareable,
            .term = term,
            .active = active,
            .verified = verified,
            .type = type,
            .status = {}};
}

Fields WorkspaceDomainFilterQuery::fields() {
    return {
        field("type", &WorkspaceDomainFilterQuery::type,
              note("user: only domains of accounts; system: only those of the installation, called "
                   "service elsewhere.")),
        field("status", &WorkspaceDomainFilterQuery::status,
              note("Only domains in this state. active: it serves; pending: not verified; inactive: "
                   "switched off; revoked: by the operator.")),
        field("term", &WorkspaceDomainFilterQuery::term, wire::length(0, term_length_max), note(term_note))};
}

DomainFilter WorkspaceDomainFilterQuery::filter() const {
    DomainFilter out{.term = term, .active = {}, .verified = {}, .type = {}, .status = status};
    if (type)
        out.type = *type == SystemOrUser::user ? DomainType::user : DomainType::service;
    return out;
}

Fields SlashtagRulesReply::fields() {
    return {field("minLength", &SlashtagRulesReply::length_min,
                  note("How many characters a slashtag has at least.")),
            field("maxLength", &SlashtagRulesReply::length_max,
                  note("How many characters a slashtag has at most.")),
            field("caseSensitive", &SlashtagRulesReply::case_sensitive,
                  note("Whether slashtags that differ only in case are different ones.")),
            field("charset", &SlashtagRulesReply::charset,
                  note("ascii: slashtags have letters without accents, digits, _ and -. unicode: letters and "
                       "digits of all scripts, too, and / between two parts."))};
}

Fields BrandingReply::fields() {
    return {field("name", &BrandingReply::name, note(name_note)),
            field("color", &BrandingReply::color, note(color_note)),
            field("logoUrl", &BrandingReply::logo_url, note(logo_note)),
            field("homeText", &BrandingReply::home_text, note(home_text_note))};
}

Fields DomainStatusReply::fields() {
    return {
        field("dns", &DomainStatusReply::dns,
              note("verified, or pending: its TXT record has not been found yet.")),
        field("encryption", &DomainStatusReply::encryption,
              note("active once the domain is verified and addresses on it work with https: where this "
                   "server ends TLS itself, it has a certificate for the host. Where it gets certificates "
                   "by itself: pending until it has one, failed when it could not get one, which it tries "
                   "again.")),
        field("encryptionError", &DomainStatusReply::encryption_error,
              note("Why there is no certificate, in words; absent unless encryption is failed."))};
}

Fields VerificationReply::fields() {
    return {field("type", &VerificationReply::type, note("Type of the record in the DNS.")),
            field("name", &VerificationReply::name, note("Name of the record.")),
            field("value", &VerificationReply::value, note("The text that the record has to have."))};
}

Fields AliasReply::fields() {
    return {field("fullName", &AliasReply::full_name,
                  note("The further name, with its port unless that is 80 or 443.")),
            field("verified", &AliasReply::verified,
                  note("Whether it is proved. Only then visitors are answered under it.")),
            field("verification", &AliasReply::verification,
                  note("The record to set in the DNS; absent once the name is verified."))};
}

Fields FullDomainReply::fields() {
    return {
        field("id", &FullDomainReply::id, note("Id of the domain.")),
        field("ref", &FullDomainReply::ref, note("/domains/ and the id.")),
        field("fullName", &FullDomainReply::full_name,
              note("The domain's name, with its port unless that is 80 or 443.")),
        field("topLevelDomain", &FullDomainReply::top_level_domain,
              note("The last label of the name, such as com.")),
        field("level", &FullDomainReply::level, note("How many labels the name has.")),
        field("subdomains", &FullDomainReply::subdomains, note("Always 0; kept for older clients.")),
        field("type", &FullDomainReply::type,
              note("user: registered by an account; service: of the installation, called system under "
                   "/workspaces.")),
        field(
            "active", &FullDomainReply::active,
            note("Whether it is switched on. It answers visitors, and the filter active finds it, once it is "
                 "verified, too.")),
        field("verified", &FullDomainReply::verified,
              note("Whether it was proved that the name belongs to its owner. Only then links can be made on "
                   "it.")),
        field("revoked", &FullDomainReply::revoked,
              note("Whether the operator has revoked it: links go on, most changes are refused.")),
        field("https", &FullDomainReply::https, note("Always true; kept for older clients.")),
        field("managed", &FullDomainReply::managed, note("Always false; kept for older clients.")),
        field("createdAt", &FullDomainReply::created_at, note("When the domain was registered.")),
        field("updatedAt", &FullDomainReply::updated_at, note("When the domain was last changed.")),
        field("creationDate", &FullDomainReply::creation_date,
              note("The same as createdAt, for older clients.")),
        field("ownerId", &FullDomainReply::owner_id,
              note("Id of the account that owns it; absent for one of the installation.")),
        field("customHomepage", &FullDomainReply::custom_homepage,
              note("Where / leads; empty: a plain page.")),
        field("notFoundUrl", &FullDomainReply::not_found_url,
              note("Where unknown slashtags lead, with {path} and {domain} for what was asked for; empty: a "
                   "plain page.")),
        field("expiredUrl", &FullDomainReply::expired_url,
              note("Where links lead that have expired or are paused, unless they say so themselves; empty: "
                   "where unknown slashtags do.")),
        field(
            "forwarding", &FullDomainReply::forwarding,
            note("What becomes of the parameters that visitors bring along, unless a link says so itself.")),
        field("redirectType", &FullDomainReply::redirect_type,
              note("The status of redirects: 301, 302, 307 or 308.")),
        field("slashtag", &FullDomainReply::slashtag, note("What slashtags on the domain look like.")),
        field("branding", &FullDomainReply::branding,
              note("How the domain's plain pages present it; empty texts: as any other domain.")),
        field("aliases", &FullDomainReply::aliases,
              note("Further names under which visitors find the same links.")),
        field("status", &FullDomainReply::status, note("What is known of its records and its encryption.")),
        field("clicks", &FullDomainReply::clicks, note("Clicks on the workspace's links on the domain.")),
        field("sessions", &FullDomainReply::sessions,
              note("Sessions on the workspace's links on the domain.")),
        field("lastClickAt", &FullDomainReply::last_click_at,
              note("Time of the last of these clicks; absent before the first.")),
        field("verification", &FullDomainReply::verification,
              note("The record to set in the DNS; absent once the domain is verified.")),
        field("appleAppSiteAssociation", &FullDomainReply::apple_app_site_association,
              note("What /.well-known/apple-app-site-association answers; absent when nothing is set, and in "
                   "lists.")),
        field("assetLinks", &FullDomainReply::asset_links,
              note("What /.well-known/assetlinks.json answers; absent when nothing is set, and in lists."))};
}

FullDomainReply FullDomainReply::of(const DomainDetails& details, ShownDomainType service) {
    const auto& domain = details.domain;
    const auto host = host_of(domain.full_name);
    FullDomainReply out{.id = domain.id,
                        .ref = "/domains/" + domain.id.hex(),
                        .full_name = domain.full_name,
                        .top_level_domain = std::string(host.substr(host.rfind('.') + 1)),
                        .level = 1 + std::ranges::count(host, '.'),
                        .type = domain.type == DomainType::user ? ShownDomainType::user : service,
                        .active = domain.active,
                        .verified = domain.verified,
                        .revoked = domain.revoked,
                        .created_at = domain.created_at,
                        .updated_at = domain.updated_at,
                        .creation_date = domain.created_at,
                        .owner_id =
                            domain.type == DomainType::user ? std::optional(domain.owner) : std::nullopt,
                        .custom_homepage = domain.custom_homepage,
                        .not_found_url = shown_place(domain.not_found_url),
                        .expired_url = shown_place(domain.expired_url),
                        .forwarding = ForwardingReply::of(domain.forwarding),
                        .redirect_type = domain.redirect_type,
                        .slashtag = {.length_min = domain.slashtag.length_min,
                                     .length_max = domain.slashtag.length_max,
                                     .case_sensitive = domain.slashtag.case_sensitive,
                                     .charset = domain.slashtag.charset},
                        .branding = {.name = domain.branding.name,
                                     .color = domain.branding.color,
                                     .logo_url = domain.branding.logo_url,
                                     .home_text = domain.branding.home_text},
                        .aliases = {},
                        .status = {.dns = domain.verified ? DnsStatus::verified : DnsStatus::pending,
                                   .encryption = details.encryption,
                                   .encryption_error = details.encryption == Encryption::failed
                                                           ? std::optional(details.encryption_error)
                                                           : std::nullopt},
                        .clicks = details.clicks,
                        .sessions = details.sessions,
                        .last_click_at = details.last_click_at,
                        .verification = {},
                        .apple_app_site_association = set_text(domain.apple_app_site_association),
                        .asset_links = set_text(domain.asset_links)};
    if (!domain.verified)
        out.verification = reply_of(verification_record(domain));
    for (const auto& alias : domain.aliases)
        out.aliases.push_back(reply_of(domain, alias));
    return out;
}

std::vector<FullDomainReply> FullDomainReply::of_all(const std::vector<DomainDetails>& all,
                                                     ShownDomainType service) {
    std::vector<FullDomainReply> out;
    out.reserve(all.size());
    for (const auto& details : all) {
        auto& one = out.emplace_back(of(details, service));
        one.apple_app_site_association.reset(); // a page of large documents would help nobody
        one.asset_links.reset();
    }
    return out;
}

} // namespace slashpost::api
