#include "core/ops/account_domains.h"

#include "core/access/limits.h"
#include "core/base/ascii.h"
#include "core/base/host.h"
#include "core/base/text.h"
#include "core/ops/dashboard_host.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <fmt/format.h>

namespace slashpost {

namespace {

constexpr std::string_view record_label = "_slashpost.";
constexpr std::size_t dns_name_max = 253; // RFC 1035, 2.3.4, in presentation form without the last dot

// The name without its port; nothing for an address, which is no name of the DNS.
std::optional<std::string_view> dns_name(std::string_view full_name) {
    const auto name = full_name.substr(0, full_name.find(':'));
    const auto last_label = name.substr(name.rfind('.') + 1);
    const bool is_address = full_name.starts_with('[') || std::ranges::all_of(last_label, ascii::is_digit);
    return is_address ? std::nullopt : std::optional(name);
}

Result<void> check_name(Context& ctx, std::string_view given, Problems& problems) {
    const auto& domains = schema().domains;
    const auto full_name = normal_host(given);
    if (!full_name || !dns_name(*full_name))
        problems.add(invalid_format("fullName", "is not the name of a host"));
    else if (!can_be_proved(*full_name))
        problems.add(invalid_length("fullName", 1, dns_name_max - record_label.size()));
    else if (is_dashboard_host(ctx.settings, *full_name))
        problems.add(dashboard_host_refused("fullName"));
    else if (TRY(domains.by_name.find(ctx.view(), *full_name)) ||
             TRY(domains.own_name.find(ctx.view(), ctx.payer.id, *full_name)))
        problems.add(already_exists("fullName"));
    return {};
}

} // namespace

VerificationRecord verification_record(const Domain& domain) {
    return verification_record(domain, domain.full_name);
}

VerificationRecord verification_record(const Domain& domain, std::string_view full_name) {
    return {.name = fmt::format("{}{}", record_label, dns_name(full_name).value_or(full_name)),
            .value = fmt::format("slashpost-verification={}", domain.id.hex())};
}

bool can_be_proved(std::string_view full_name) {
    const auto name = dns_name(full_name);
    return name && record_label.size() + name->size() <= dns_name_max;
}

Result<void> expect_record(const VerificationRecord& record, std::span<const std::string> texts) {
    if (std::ranges::any_of(texts, [&](const auto& text) { return trim(text) == record.value; }))
        return {};
    auto absent = unknown_reference("verification");
    absent.message = fmt::format("was not found: no TXT record at {} says {}", record.name, record.value);
    return invalid("domain", {std::move(absent)});
}

Result<Domain> register_domain(Context& ctx, std::string_view full_name, Problems problems) {
    if (!full_name.empty())
        TRY(check_name(ctx, full_name, problems));
    TRY(problems.result("domain"));
    TRY(admit_more(ctx, Limit::domains));

    auto system = ctx.system_context();
    const NewDomain in{.full_name = std::string(full_name),
                       .type = DomainType::user,
                       .owner = ctx.payer.id,
                       .registered_in = ctx.workspace.id,
                       .slashtag = {}};
    auto domain = TRY(add_domain(system, in));
    TRY(share_domain(system, domain.id, ctx.workspace.id));
    return domain;
}

Result<Domain> verify_domain(Context& ctx, const Domain& domain, std::span<const std::string> texts) {
    if (domain.verified)
        return domain;
    if (is_dashboard_host(ctx.settings, domain.full_name))
        return invalid("domain", {dashboard_host_refused("fullName")});
    if (TRY(schema().domains.by_name.find(ctx.view(), domain.full_name)))
        return invalid("domain", {already_exists("fullName")});
    TRY(expect_record(verification_record(domain), texts));
    auto system = ctx.system_context();
    return change_domain(system, domain, {.verified = Change<bool>::set(true)});
}

Result<Domain> update_domain(Context& ctx, const Domain& domain, const DomainChange& change,
                             Problems problems) {
    auto system = ctx.system_context();
    return change_domain(system, domain, change, std::move(problems));
}

Result<Domain> delete_domain(Context& ctx, const Domain& domain) {
    auto system = ctx.system_context();
    TRY(remove_domain(system, domain));
    return domain;
}

Result<void> share_domain_here(Context& ctx, const Domain& domain) {
    auto system = ctx.system_context();
    return share_domain(system, domain.id, ctx.workspace.id);
}

Result<void> unshare_domain_here(Context& ctx, const Domain& domain) {
    auto system = ctx.system_context();
    return unshare_domain(system, domain.id, ctx.workspace.id, LinksLeft::keep, UnsharedBy::workspace);
}

} // namespace slashpost
