#include "core/ops/link_addresses.h"

#include "core/access/doors.h"
#include "core/access/link_rows.h"
#include "core/base/host.h"
#include "core/ops/slashtags.h"
#include "core/schema/store.h"

#include <algorithm>
#include <fmt/format.h>

namespace slashpost {

namespace {

bool has_address(const Link* link, DomainId domain, std::string_view key) {
    return link != nullptr && link->domain == domain && link->has_key(key);
}

bool is_named(const Domain& domain, const DomainChoice& choice) {
    return choice.id ? *choice.id == domain.id : normal_host(choice.full_name) == domain.full_name;
}

// The domain that a change names, if it is not the link's: whether that may be used is not asked then.
Result<std::optional<Domain>> choose_other_domain(Context& ctx, const DomainChoice& change, const Domain& own,
                                                  Problems& problems) {
    std::optional<Domain> chosen;
    std::string_view property;
    const auto take = [&](const DomainChoice& choice) -> Result<void> {
        if (!choice.given() || is_named(own, choice))
            return {};
        auto domain = TRY(choose_domain(ctx, choice));
        if (chosen && chosen->id != domain.id) {
            problems.add(
                invalid_format(property, fmt::format("names another domain than {}", choice.property)));
            problems.add(
                invalid_format(choice.property, fmt::format("names another domain than {}", property)));
        }
        if (!chosen)
            property = choice.property;
        chosen = std::move(domain);
        return {};
    };
    TRY(take(change));
    for (const auto& other : change.others)
        TRY(take(other));
    return chosen;
}

// What the link has, without the one that is its own slashtag now.
std::vector<std::string> kept_aliases(const Domain& domain, const Link& link) {
    std::vector<std::string> out;
    for (const auto& alias : link.aliases)
        if (slashtag_key(domain, alias.slashtag) != slashtag_key(domain, link.slashtag))
            out.push_back(alias.slashtag);
    return out;
}

} // namespace

Result<Domain> choose_domain(Context& ctx, const DomainChoice& choice) {
    if (choice.id)
        return find_domain(ctx, *choice.id);
    if (!choice.full_name.empty())
        return find_domain_by_name(ctx, choice.full_name);
    const auto id = TRY(default_domain(ctx.view()));
    if (!id)
        return not_found("domain", "");
    return find_domain(ctx, *id);
}

Result<void> need_in_force(const Domain& domain) {
    return domain.revoked ? refused("RevokedDomain", "domain", "The domain is revoked.") : Result<void>();
}

Result<void> admit_domain(const Domain& domain, Problems& problems) {
    TRY(need_in_force(domain));
    if (!domain.verified)
        problems.add(not_verified("domain"));
    if (!domain.active)
        problems.add(not_active("domain"));
    return {};
}

Result<void> check_chosen_slashtag(Context& ctx, const Domain& domain, const Link* was,
                                   const std::string& slashtag, Problems& problems) {
    const auto key = slashtag_key(domain, slashtag);
    if (has_address(was, domain.id, key))
        return {};
    Problems own;
    check_slashtag(domain, slashtag, own);
    if (own.none())
        if (auto taken = TRY(slashtag_is_taken(ctx, domain, key)))
            own.add(std::move(*taken));
    for (const auto& problem : own.fields())
        problems.add(problem);
    return {};
}

Result<std::vector<LinkAlias>> read_aliases(Context& ctx, const Domain& domain, const Link* was,
                                            std::string_view own_key, const std::vector<std::string>& given,
                                            Problems& problems) {
    std::vector<LinkAlias> out;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const auto property = fmt::format("aliases[{}]", i);
        LinkAlias alias{.slashtag = shown_slashtag(given[i]), .key = {}};
        alias.key = slashtag_key(domain, alias.slashtag);
        Problems own;
        if (alias.key == own_key || std::ranges::find(out, alias.key, &LinkAlias::key) != out.end())
            own.add(already_exists("slashtag", "is another slashtag of the link"));
        else
            TRY(check_chosen_slashtag(ctx, domain, was, alias.slashtag, own));
        for (auto problem : own.fields()) {
            problem.property = property;
            problems.add(std::move(problem));
        }
        out.push_back(std::move(alias));
    }
    return out;
}

Result<void> change_address(Context& ctx, const LinkChange& change, Link& link, Domain& domain,
                            Problems& problems) {
    const bool comes_back = link.status == LinkStatus::deleted; // and has no address of its own any more
    const auto stored = link;
    const auto* const was = comes_back ? nullptr : &stored;
    if (auto chosen = TRY(choose_other_domain(ctx, change.domain, domain, problems))) {
        TRY(admit_domain(*chosen, problems));
        TRY(need_in_force(domain));
        domain = *std::move(chosen);
    } else if (comes_back) {
        TRY(admit_domain(domain, problems));
    }
    if (change.slashtag.is_set())
        link.slashtag = shown_slashtag(change.slashtag.value());
    const auto key = slashtag_key(domain, link.slashtag);
    TRY(check_chosen_slashtag(ctx, domain, was, link.slashtag, problems));
    const bool stays = was && domain.id == stored.domain && key == stored.slashtag_key;
    if (!change.aliases.is_keep() || (!stays && !link.aliases.empty()))
        link.aliases = TRY(read_aliases(ctx, domain, was, key,
                                        change.aliases.is_set()     ? change.aliases.value()
                                        : change.aliases.is_clear() ? std::vector<std::string>()
                                                                    : kept_aliases(domain, link),
                                        problems));
    link.domain = domain.id;
    link.slashtag_key = key;
    return {};
}

Result<void> claim_addresses(Context& ctx, const Link* was, const Link& now) {
    if (was)
        for (const auto& key : was->slashtag_keys())
            if (!has_address(&now, was->domain, key))
                TRY(release_slashtag(ctx.system_context(), *was, key));
    for (const auto& key : now.slashtag_keys())
        if (!has_address(was, now.domain, key))
            TRY(claim_slashtag(ctx, now, key));
    return {};
}

} // namespace slashpost
