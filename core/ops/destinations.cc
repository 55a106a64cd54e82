#include "core/ops/destinations.h"

#include "core/base/percent.h"
#include "core/base/url.h"
#include "core/ops/slashtags.h"
#include "core/redirect/routing.h"
#include "core/redirect/target.h"
#include "core/schema/schema.h"

#include <set>
#include <utility>

namespace slashpost {

namespace {

// What leads over more of our own short links than these is taken for a loop.
constexpr std::size_t hops_max = 10;   // one behind the other
constexpr std::size_t links_max = 200; // in all, rules and rotators branching

// The slashtag that an http or https address would ask its host for; empty when its path is none.
std::string slashtag_of(std::string_view stored) {
    auto rest = stored.substr(stored.find("://") + 3);
    const auto path_begin = rest.find_first_of("/?#");
    if (path_begin == rest.npos || rest[path_begin] != '/')
        return {};
    rest = rest.substr(path_begin + 1);
    rest = rest.substr(0, rest.find_first_of("?#"));
    if (rest.ends_with('/'))
        rest.remove_suffix(1);
    return percent_decoded(rest);
}

// Where visitors may be sent from one of our own short addresses.
struct Hop {
    DomainId domain;
    std::string slashtag_key;
    std::vector<std::string>
        destinations; // of the link found there, of its rules and arms; empty: no such link
};

void add_destinations(const redirect::TargetView& target, std::vector<std::string>& out) {
    out.emplace_back(target.destination);
    const redirect::Routing routing(target.routing);
    auto rules = routing.rules(), arms = routing.arms();
    for (redirect::RuleView rule; redirect::Routing::take_rule(rules, rule);)
        out.emplace_back(rule.destination);
    for (redirect::ArmView arm; redirect::Routing::take_arm(arms, arm);)
        out.emplace_back(arm.destination);
}

// Where an address leads within this server; nothing when its host is none of ours.
Result<std::optional<Hop>> follow(Context& ctx, const Destination& destination) {
    const auto& domains = schema().domains;
    const auto domain = TRY(domains.find_by(domains.by_name, ctx.view(), destination.host));
    if (!domain)
        return std::optional<Hop>();
    Hop hop{.domain = domain->id,
            .slashtag_key = slashtag_key(*domain, slashtag_of(destination.stored)),
            .destinations = {}};
    const auto entry = TRY(schema().links.short_url.find(ctx.view(), hop.domain, hop.slashtag_key));
    if (entry)
        if (const auto target = redirect::TargetView::decode(*entry))
            add_destinations(*target, hop.destinations);
    return std::optional(std::move(hop));
}

// Goes from link to link, those that are equally far together, and to none twice.
Result<bool> leads_back(Context& ctx, const Link& link, Destination destination) {
    std::set<std::pair<DomainId, std::string>> seen;
    std::vector<Destination> here{std::move(destination)};
    for (std::size_t hops = 0; hops < hops_max && !here.empty(); ++hops) {
        std::vector<Destination> further;
        for (const auto& one : here) {
            const auto hop = TRY(follow(ctx, one));
            if (!hop)
                continue;
            if (hop->domain == link.domain && hop->slashtag_key == link.slashtag_key)
                return true;
            if (!seen.emplace(hop->domain, hop->slashtag_key).second)
                continue;
            if (seen.size() > links_max)
                return true;
            for (const auto& text : hop->destinations)
                if (auto next = slashpost::destination("destination", text); next.has_value())
                    further.push_back(std::move(*next));
        }
        here = std::move(further);
    }
    return !here.empty();
}

} // namespace

Result<std::string> check_destination(Context& ctx, const Link& link, std::string_view given,
                                      Problems& problems, std::string_view property) {
    auto read = destination(property, given, ctx.settings.destination_schemes);
    if (!read.has_value()) {
        problems.add(std::move(read).error());
        return std::string();
    }
    if (TRY(leads_back(ctx, link, *read))) {
        problems.add(invalid_format(property, "leads back to this link"));
        return std::string();
    }
    return std::move(read->stored);
}

} // namespace slashpost
