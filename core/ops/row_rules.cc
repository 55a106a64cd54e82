#include "core/ops/row_rules.h"

#include "core/base/any_script.h"
#include "core/base/ed25519.h"
#include "core/base/email.h"
#include "core/base/host.h"
#include "core/base/text.h"
#include "core/base/url.h"
#include "core/model/apps.h"
#include "core/ops/applications.h"
#include "core/ops/domains.h"
#include "core/ops/external_ids.h"
#include "core/ops/field_rules.h"
#include "core/ops/row_fields.h"
#include "core/ops/rule_conditions.h"
#include "core/ops/slashtags.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <tuple>

namespace slashpost {

namespace {

constexpr std::size_t hash_bytes = 32;          // SHA-256
constexpr std::size_t time_zone_bytes_max = 64; // which ones there are is the machine's to say

// The field is an address in its stored form, of a scheme that an operator may allow.
void check_address(std::string_view property, const std::string& stored, Problems& problems) {
    const std::array schemes{lower_ascii(stored.substr(0, stored.find(':')))};
    const auto read = destination(property, stored, schemes, destination_bytes_max);
    if (!read.has_value())
        problems.add(read.error());
    else if (read->stored != stored)
        problems.add(invalid_format(property, "is not in the form in which addresses are stored"));
}

void check_address_if_any(std::string_view property, const std::string& stored, Problems& problems) {
    if (!stored.empty())
        check_address(property, stored, problems);
}

void check_name(const std::string& name, Problems& problems) {
    if (name.empty())
        problems.add(required_field("name"));
}

template <class Row>
void check_made_at(const Row& row, Problems& problems) {
    if (row.created_at != row.id.made_at())
        problems.add(invalid_format("created_at", "is not the time that the id has"));
}

void check_hash(std::string_view property, const std::string& hash, Problems& problems) {
    if (hash.size() != hash_bytes)
        problems.add(invalid_length(property, hash_bytes, hash_bytes));
}

void check_plain_host(std::string_view property, const std::string& host, Problems& problems) {
    if (normal_host(host) != host || host.find(':') != host.npos)
        problems.add(invalid_format(property, "is not the name of a host"));
}

// A slashtag as the most generous domain has it.
void check_slashtag_of_any_domain(const std::string& slashtag, Problems& problems) {
    Domain generous;
    generous.slashtag.length_max = slashtag_length_limit;
    generous.slashtag.charset = SlashtagCharset::unicode;
    generous.slashtag.case_sensitive = true; // some are longer when it does not count
    check_slashtag(generous, slashtag, problems);
    if (shown_slashtag(slashtag) != slashtag)
        problems.add(invalid_format("slashtag", "is not in the form in which slashtags are stored"));
}

void check_conditions(const LinkRule& rule, Problems& problems) {
    ConditionsInput said;
    for (const auto& condition : rule.conditions) {
        if (!is_known(condition.property) || !is_known(condition.op))
            return; // noted before
        said.condition.push_back({.property = property_name(condition),
                                  .op = std::string(operator_name(condition.op)),
                                  .values = condition.values});
    }
    Problems own;
    auto read = read_conditions(said, {}, own);
    for (std::size_t i = 0; i < std::min(read.size(), rule.conditions.size()); ++i)
        read[i].unknown = rule.conditions[i].unknown;
    if (!own.none() || read != rule.conditions)
        problems.add(invalid_format("conditions", "are not in the form in which conditions are stored"));
}

void check_rules(const LinkParts& row, Problems& problems) {
    const auto place = [](const LinkRule& rule) { return std::tuple(rule.rank, rule.id); };
    if (!std::ranges::is_sorted(row.rules, {}, place))
        problems.add(invalid_format("rules", "are not in the order of their ranks"));
    for (const auto& rule : row.rules) {
        check_address("rules", rule.destination, problems);
        check_conditions(rule, problems);
    }
}

void check_deep_link(const DeepLink& deep, Problems& problems) {
    if (find_known_app(deep.app) == nullptr)
        problems.add(unknown_reference("deep_links"));
    if (!is_visible_ascii(deep.path) || deep.path.empty() || deep.path.find('#') != std::string::npos)
        problems.add(invalid_format("deep_links", "has a path that is none within an app"));
}

void check_aliases(const Domain& row, Problems& problems) {
    std::vector<std::string_view> names{row.full_name};
    for (const auto& alias : row.aliases) {
        if (normal_host(alias.full_name) != alias.full_name)
            problems.add(invalid_format("aliases", "has what is not the name of a host in normal form"));
        if (alias.verified && !row.verified)
            problems.add(invalid_format("aliases", "has a verified name of a domain that is not"));
        names.push_back(alias.full_name);
    }
    std::ranges::sort(names);
    if (std::ranges::adjacent_find(names) != names.end())
        problems.add(invalid_format("aliases", "has a name twice"));
}

void check_link_aliases(const Link& row, Problems& problems) {
    auto keys = row.slashtag_keys();
    for (const auto& alias : row.aliases) {
        check_slashtag_of_any_domain(alias.slashtag, problems);
        if (alias.key != alias.slashtag && alias.key != word_form(alias.slashtag, WordCase::folded))
            problems.add(invalid_format("aliases", "has a key that is not that of the slashtag"));
    }
    std::ranges::sort(keys);
    if (std::ranges::adjacent_find(keys) != keys.end())
        problems.add(invalid_format("aliases", "has a slashtag twice"));
}

} // namespace

Problems problems_of(const Account& row) {
    auto problems = problems_of_fields(row);
    check_account(row, problems);
    return problems;
}

Problems problems_of(const AcmeAccount& row) {
    auto problems = problems_of_fields(row);
    if (!is_visible_ascii(row.directory) || row.directory.empty())
        problems.add(invalid_format("directory", "is not an address"));
    return problems;
}

Problems problems_of(const ApiKey& row) {
    auto problems = problems_of_fields(row);
    check_key_name(row.name, problems);
    check_hash("hash", row.hash, problems);
    return problems;
}

Problems problems_of(const Application& row) {
    auto problems = problems_of_fields(row);
    check_application(row, problems);
    return problems;
}

Problems problems_of(const CertificateFiles& row) {
    auto problems = problems_of_fields(row);
    check_plain_host("host", row.host, problems);
    return problems;
}

Problems problems_of(const Conversion& row) {
    auto problems = problems_of_fields(row);
    if (row.event.empty())
        problems.add(required_field("event"));
    if (row.value_thousandths.has_value() != !row.currency.empty())
        problems.add(invalid_format("currency", "belongs to a value, and a value to a currency"));
    return problems;
}

Problems problems_of(const Credentials& row) {
    auto problems = problems_of_fields(row);
    if (row.password_hash.empty() == row.password_set_at.has_value())
        problems.add(invalid_format("password_set_at", "belongs to a password, and a password to a time"));
    if (row.totp_secret.empty() && row.totp_since)
        problems.add(invalid_format("totp_since", "belongs to a secret"));
    for (const auto& hash : row.recovery_hashes)
        check_hash("recovery_hashes", hash, problems);
    return problems;
}

Problems problems_of(const Delivery& row) {
    auto problems = problems_of_fields(row);
    if (row.is_open() == row.ended_at.has_value())
        problems.add(invalid_format("ended_at", "belongs to a delivery that has ended, and only to one"));
    return problems;
}

Problems problems_of(const Domain& row) {
    auto problems = problems_of_fields(row);
    if (normal_host(row.full_name) != row.full_name)
        problems.add(invalid_format("full_name", "is not the name of a host in normal form"));
    check_redirect_type(row.redirect_type, problems);
    check_slashtag_lengths(row.slashtag, problems);
    check_address_if_any("custom_homepage", row.custom_homepage, problems);
    check_address_if_any("not_found_url", row.not_found_url, problems);
    check_address_if_any("expired_url", row.expired_url, problems);
    if (row.forwarding.on_conflict == OnConflict::as_domain)
        problems.add(invalid_format("on_conflict", not_known));
    check_branding(row.branding, problems);
    check_aliases(row, problems);
    return problems;
}

Problems problems_of(const AcmeChallenge& row) { return problems_of_fields(row); }
Problems problems_of(const DomainShare& row) { return problems_of_fields(row); }
Problems problems_of(const Grant& row) { return problems_of_fields(row); }
Problems problems_of(const Identity& row) { return problems_of_fields(row); }
Problems problems_of(const Job& row) { return problems_of_fields(row); }
Problems problems_of(const Mail& row) { return problems_of_fields(row); }
Problems problems_of(const Member& row) { return problems_of_fields(row); }

Problems problems_of(const HostCertificate& row) {
    auto problems = problems_of_fields(row);
    check_plain_host("host", row.host, problems);
    return problems;
}

Problems problems_of(const Invite& row) {
    auto problems = problems_of_fields(row);
    if (row.email.empty() == row.invitee.empty())
        problems.add(invalid_format("email", "belongs to an invite that is to no account, and only to one"));
    if (!row.email.empty() && !is_email(row.email))
        problems.add(invalid_format("email", "must be an e-mail address"));
    if (!row.token_hash.empty())
        check_hash("token_hash", row.token_hash, problems);
    check_made_at(row, problems);
    return problems;
}

Problems problems_of(const Event& row) {
    auto problems = problems_of_fields(row);
    if (!row.link_before.empty() && !data::decode<Link>(row.link_before).has_value())
        problems.add(invalid_format("link_before", "is not the row of a link"));
    if (!row.parts_before.empty() && !data::decode<LinkParts>(row.parts_before).has_value())
        problems.add(invalid_format("parts_before", "is not the row of a link's parts"));
    return problems;
}

Problems problems_of(const KeptAnswer& row) {
    auto problems = problems_of_fields(row);
    check_hash("key_hash", row.key_hash, problems);
    check_hash("fingerprint", row.fingerprint, problems);
    return problems;
}

Problems problems_of(const Link& row) {
    auto problems = problems_of_fields(row);
    check_slashtag_of_any_domain(row.slashtag, problems);
    if (row.slashtag_key != row.slashtag && row.slashtag_key != word_form(row.slashtag, WordCase::folded))
        problems.add(invalid_format("slashtag_key", "is not that of the slashtag"));
    check_link_aliases(row, problems);
    check_address("destination", row.destination, problems);
    check_address_if_any("expired_url", row.expired_url, problems);
    if (row.redirect_type != 0)
        check_redirect_type(row.redirect_type, problems);
    if (row.password_hash.empty() == row.password_set_at.has_value())
        problems.add(invalid_format("password_set_at", "belongs to a password, and a password to a time"));
    if (row.clicks_used > 0 && row.clicks_max == 0)
        problems.add(out_of_range("clicks_used", "belongs to a bound"));
    if (row.forward_always && !row.forward_parameters)
        problems.add(invalid_format("forward_always", "contradicts forward_parameters"));
    check_external_id(row.external_id, problems);
    check_made_at(row, problems);
    return problems;
}

Problems problems_of(const LinkParts& row) {
    auto problems = problems_of_fields(row);
    if (row.nothing())
        problems.add(required_field("rules"));
    check_rules(row, problems);
    for (const auto& arm : row.rotator) {
        check_address("rotator", arm.destination, problems);
        if (arm.weight.value_or(0) < 0)
            problems.add(out_of_range("rotator", "has a weight below zero"));
    }
    if (row.open_graph)
        check_address_if_any("open_graph", row.open_graph->image, problems);
    for (const auto& deep : row.deep_links)
        check_deep_link(deep, problems);
    return problems;
}

Problems problems_of(const Plan& row) {
    auto problems = problems_of_fields(row);
    check_plan_name(row.name, problems);
    check_plan(row, problems);
    return problems;
}

Problems problems_of(const ReleasedSlashtag& row) {
    auto problems = problems_of_fields(row);
    check_slashtag_of_any_domain(row.slashtag_key, problems);
    return problems;
}

Problems problems_of(const Script& row) {
    auto problems = problems_of_fields(row);
    check_name(row.name, problems);
    auto settled = row;
    normalise_script(settled, problems);
    if (settled.uri != row.uri)
        problems.add(invalid_format("uri", "is not in the form in which addresses are stored"));
    check_made_at(row, problems);
    return problems;
}

Problems problems_of(const Session& row) {
    auto problems = problems_of_fields(row);
    check_hash("token_hash", row.token_hash, problems);
    return problems;
}

Problems problems_of(const SignInToken& row) {
    auto problems = problems_of_fields(row);
    check_hash("token_hash", row.token_hash, problems);
    return problems;
}

Problems problems_of(const SignInTries& row) {
    auto problems = problems_of_fields(row);
    check_hash("subject", row.subject, problems);
    return problems;
}

Problems problems_of(const Tag& row) {
    auto problems = problems_of_fields(row);
    check_name(row.name, problems);
    if (!is_stored_color(row.color))
        problems.add(invalid_format("color", "must be six hexadecimal digits"));
    check_made_at(row, problems);
    return problems;
}

Problems problems_of(const Tombstone& row) {
    auto problems = problems_of_fields(row);
    if (row.primary.size() > Tombstone::primary_max)
        problems.add(invalid_length("primary", 0, Tombstone::primary_max));
    return problems;
}

Problems problems_of(const Webhook& row) {
    auto problems = problems_of_fields(row);
    check_address("url", row.url, problems);
    if (row.secret.empty())
        problems.add(required_field("secret"));
    if (!row.public_key.empty() && row.public_key.size() != ed25519_public_key_bytes)
        problems.add(invalid_length("public_key", 0, ed25519_public_key_bytes));
    if (row.old_secret.empty() == row.old_secret_until.has_value())
        problems.add(invalid_format("old_secret_until", "belongs to an old secret, and only to one"));
    check_made_at(row, problems);
    return problems;
}

Problems problems_of(const Workspace& row) {
    auto problems = problems_of_fields(row);
    check_name(row.name, problems);
    check_workspace_name(row.name, problems);
    check_address_if_any("avatar_url", row.avatar_url, problems);
    if (row.time_zone.size() > time_zone_bytes_max ||
        (!row.time_zone.empty() && !is_visible_ascii(row.time_zone)))
        problems.add(invalid_format("time_zone", "is not the name of a time zone"));
    if (row.default_ttl_seconds.value_or(1) < 1)
        problems.add(out_of_range("default_ttl_seconds", "must be above zero"));
    return problems;
}

} // namespace slashpost
