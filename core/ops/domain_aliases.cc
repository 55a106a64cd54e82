#include "core/ops/domain_aliases.h"

#include "core/base/host.h"
#include "core/base/url.h"
#include "core/ops/dashboard_host.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <fmt/format.h>

namespace slashpost {

namespace {

bool is_named(const std::vector<std::string>& names, std::string_view full_name) {
    return std::ranges::any_of(names, [&](const auto& name) { return normal_host(name) == full_name; });
}

// Another domain has it, as a verified name.
Result<bool> is_taken(data::View& view, const Domain& domain, std::string_view full_name) {
    const auto owner = TRY(schema().domains.by_name.find(view, std::string(full_name)));
    return owner && *owner != domain.id.view();
}

bool leads_to(const std::string& address, std::string_view full_name) {
    const auto read = destination("aliases", address);
    return read.has_value() && read->host == full_name;
}

// What is wrong with a name that the domain did not have.
Result<void> check_new(SystemContext& system, const Domain& domain, std::string_view property,
                       const std::string& full_name, Problems& problems) {
    if (is_dashboard_host(system.tools.settings, full_name))
        problems.add(dashboard_host_refused(property));
    else if (TRY(is_taken(system.txn, domain, full_name)))
        problems.add(already_exists(property));
    else if (leads_to(domain.custom_homepage, full_name) || leads_to(domain.not_found_url, full_name) ||
             leads_to(domain.expired_url, full_name))
        problems.add(invalid_format(property, "is where the domain itself leads"));
    return {};
}

// The names that are given, with what is known of those that the domain has.
Result<std::vector<DomainAlias>> read_names(SystemContext& system, const DomainChange& change,
                                            const Domain& domain, Problems& problems) {
    std::vector<DomainAlias> out;
    const auto& given = change.aliases.value();
    if (given.size() > domain_aliases_max)
        problems.add(out_of_range("aliases", fmt::format("must be at most {} names", domain_aliases_max)));
    for (std::size_t i = 0; i < std::min(given.size(), domain_aliases_max); ++i) {
        if (given[i].empty()) // who read it knows why
            continue;
        const auto property = fmt::format("aliases[{}]", i);
        const auto full_name = normal_host(given[i]);
        const auto has_name = [&](const DomainAlias& alias) { return alias.full_name == full_name; };
        if (!full_name || !(can_be_proved(*full_name) || is_named(change.proved_aliases, *full_name)))
            problems.add(invalid_format(property, "is not the name of a host"));
        else if (full_name == domain.full_name || std::ranges::any_of(out, has_name))
            problems.add(invalid_format(property, "is a name of the domain already"));
        else if (const auto known = std::ranges::find_if(domain.aliases, has_name);
                 known != domain.aliases.end())
            out.push_back(*known);
        else {
            TRY(check_new(system, domain, property, *full_name, problems));
            out.push_back({.full_name = *full_name});
        }
    }
    return out;
}

// Whether the name is "www." and a verified one.
bool is_www_of(const Domain& domain, std::string_view full_name) {
    constexpr std::string_view www = "www.";
    if (!full_name.starts_with(www))
        return false;
    full_name.remove_prefix(www.size());
    return full_name == domain.full_name ||
           std::ranges::any_of(domain.aliases, [&](const DomainAlias& alias) {
               return alias.verified && alias.full_name == full_name;
           });
}

} // namespace

Result<void> change_aliases(SystemContext& system, const DomainChange& change, Domain& domain,
                            Problems& problems) {
    if (change.aliases.is_clear())
        domain.aliases.clear();
    if (change.aliases.is_set())
        domain.aliases = TRY(read_names(system, change, domain, problems));
    if (!domain.verified)
        return {};
    const auto may_have = [&](const std::string& full_name) -> Result<bool> {
        return !is_dashboard_host(system.tools.settings, full_name) &&
               !TRY(is_taken(system.txn, domain, full_name));
    };
    for (auto& alias : domain.aliases)
        alias.verified = alias.verified ||
                         (is_named(change.proved_aliases, alias.full_name) && TRY(may_have(alias.full_name)));
    for (auto& alias : domain.aliases)
        alias.verified =
            alias.verified || (is_www_of(domain, alias.full_name) && TRY(may_have(alias.full_name)));
    return {};
}

const DomainAlias* find_alias(const Domain& domain, std::string_view name) {
    const auto full_name = normal_host(name);
    const auto found = std::ranges::find_if(
        domain.aliases, [&](const DomainAlias& alias) { return alias.full_name == full_name; });
    return found == domain.aliases.end() ? nullptr : &*found;
}

Result<Domain> verify_alias(Context& ctx, const Domain& domain, const DomainAlias& alias,
                            std::span<const std::string> texts) {
    if (alias.verified)
        return domain;
    if (!domain.verified)
        return invalid("domain", {not_verified("fullName")});
    if (is_dashboard_host(ctx.settings, alias.full_name))
        return invalid("domain", {dashboard_host_refused("aliases")});
    if (TRY(is_taken(ctx.view(), domain, alias.full_name)))
        return invalid("domain", {already_exists("aliases")});
    TRY(expect_record(verification_record(domain, alias.full_name), texts));
    auto system = ctx.system_context();
    return change_domain(system, domain, {.proved_aliases = {alias.full_name}});
}

} // namespace slashpost
