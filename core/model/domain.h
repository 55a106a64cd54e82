#pragma once
// A host name under which links live, and its sharing with workspaces.
#include "core/data/codec.h"
#include "core/model/forwarding.h"

#include <array>
#include <string_view>

namespace slashpost {

// On disk: never renumber.
enum class DomainType : std::uint8_t {
    user = 1,    // registered by an account
    service = 2, // of the installation
};

// Which characters slashtags have. On disk: never renumber.
enum class SlashtagCharset : std::uint8_t {
    ascii = 1,   // A to Z, a to z, 0 to 9, "_" and "-" (interface 2.1)
    unicode = 2, // letters and digits of all scripts, too, and "/" between two parts (core/base/any_script.h)
};
inline constexpr std::array<std::string_view, 2> slashtag_charset_words{"ascii", "unicode"};
constexpr std::string_view word_of(SlashtagCharset charset) {
    return slashtag_charset_words.at(charset == SlashtagCharset::unicode ? 1 : 0);
}

// What slashtags look like on a domain (interface 2.1: "Length must comply with the domain's settings").
struct SlashtagRules {
    std::uint32_t length_min = 1;
    std::uint32_t length_max = 40;
    bool case_sensitive = false;
    SlashtagCharset charset = SlashtagCharset::ascii;
    bool operator==(const SlashtagRules&) const = default;

    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "length_min", &SlashtagRules::length_min),
                          stored(2, "length_max", &SlashtagRules::length_max),
                          stored(3, "case_sensitive", &SlashtagRules::case_sensitive),
                          stored(4, "charset", &SlashtagRules::charset)};
    }
};

// How the plain pages of a domain present it. What is empty is as on any other domain.
struct Branding {
    std::string name;      // beside the domain's name, one line
    std::string color;     // six hexadecimal digits in lower case
    std::string logo_url;  // https, stored form
    std::string home_text; // of the page at "/"; may have several lines
    bool operator==(const Branding&) const = default;

    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "name", &Branding::name), stored(2, "color", &Branding::color),
                          stored(3, "logo_url", &Branding::logo_url),
                          stored(4, "home_text", &Branding::home_text)};
    }
};

// A further name of a domain, under which visitors find the same links.
struct DomainAlias {
    std::string full_name; // normal form, unlike every other one of the domain
    bool verified = false; // nobody is answered under it before
    bool operator==(const DomainAlias&) const = default;

    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "full_name", &DomainAlias::full_name),
                          stored(2, "verified", &DomainAlias::verified)};
    }
};

struct Domain {
    DomainId id;
    std::string full_name; // normal form (core/base/host.h); one verified domain has it
    DomainType type = DomainType::user;
    AccountId owner; // of a user domain
    bool verified = false;
    bool active = true;
    bool revoked = false; // by the operator
    Timestamp created_at;
    Timestamp updated_at;
    std::uint32_t redirect_type = 302; // 301, 302, 307 or 308
    std::string custom_homepage;       // where "/" leads; empty: a plain page
    std::string not_found_url; // where unknown slashtags lead; empty: a plain 404 page. "%7Bpath%7D" and
                               // "%7Bdomain%7D" in it stand for what was asked for
    SlashtagRules slashtag;
    // What /.well-known/ answers to the makers of telephones, who ask there which apps may open the domain's
    // addresses: JSON as it was given; empty: nothing there.
    std::string apple_app_site_association;
    std::string asset_links;
    // Of a user domain: where it was registered. Admins of this workspace may set the domain, as long as its
    // owner owns the workspace. Empty: nobody but the owner.
    WorkspaceId registered_in;
    Forwarding forwarding;
    std::string expired_url; // as not_found_url, for links that have ended; empty: as for unknown slashtags
    Branding branding;
    std::vector<DomainAlias> aliases; // verified ones only while the domain is
    data::Unknown unknown;

    static constexpr std::size_t primary_bytes = 16;
    static data::Bytes primary_of(const Domain& d) { return data::Bytes(d.id.view()); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "id", &Domain::id),
                          stored(2, "full_name", &Domain::full_name),
                          stored(3, "type", &Domain::type),
                          stored(4, "owner", &Domain::owner),
                          stored(5, "verified", &Domain::verified),
                          stored(6, "active", &Domain::active),
                          stored(7, "revoked", &Domain::revoked),
                          stored(8, "created_at", &Domain::created_at),
                          stored(9, "updated_at", &Domain::updated_at),
                          stored(10, "redirect_type", &Domain::redirect_type),
                          stored(11, "custom_homepage", &Domain::custom_homepage),
                          stored(12, "not_found_url", &Domain::not_found_url),
                          stored(13, "slashtag", &Domain::slashtag),
                          stored(14, "apple_app_site_association", &Domain::apple_app_site_association),
                          stored(15, "asset_links", &Domain::asset_links),
                          stored(16, "registered_in", &Domain::registered_in),
                          stored(17, "forwarding", &Domain::forwarding),
                          stored(18, "expired_url", &Domain::expired_url),
                          stored(19, "branding", &Domain::branding),
                          stored(20, "aliases", &Domain::aliases)};
    }
};

// That a workspace may make links on a domain. The row stays when that ends, because links may stay, and the
// domain's owner is to find them.
struct DomainShare {
    WorkspaceId workspace;
    DomainId domain;
    Timestamp created_at;
    std::optional<Timestamp> ended_at; // shared no longer
    // The workspace gave the domain back by itself, so its admins may share it again; nobody took it away.
    bool given_back = false;
    data::Unknown unknown;

    [[nodiscard]] bool in_force() const { return !ended_at.has_value(); }

    static constexpr std::size_t primary_bytes = 32;
    static data::Bytes primary_of(const DomainShare& s) {
        return data::Bytes(s.workspace.view()).append(s.domain.view());
    }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{
            stored(1, "workspace", &DomainShare::workspace), stored(2, "domain", &DomainShare::domain),
            stored(3, "created_at", &DomainShare::created_at), stored(4, "ended_at", &DomainShare::ended_at),
            stored(5, "given_back", &DomainShare::given_back)};
    }
};

} // namespace slashpost
