#include "core/ops/destinations.h"

#include "core/base/local_host.h"
#include "core/base/percent.h"
#include "core/base/url.h"
#include "core/ops/slashtags.h"
#include "core/redirect/routing.h"
#include "core/redirect/target.h"
#include "core/schema/schema.h"

#include <fmt/format.h>

#include <utility>

namespace slashpost {

namespace {

// Scheme and host of a stored address, and the part behind them that says which page of it; where it leads
// within this server does not hang on more.
struct StoredAddress {
    std::string_view origin;
    std::string_view path;

    explicit StoredAddress(std::string_view stored) {
        const auto colon = stored.find("://");
        const auto host = colon == stored.npos ? stored.size() : colon + 3;
        const auto path_begin = std::min(stored.find_first_of("/?#", host), stored.size());
        origin = stored.substr(0, path_begin);
        path = stored.substr(path_begin);
        path = path.substr(0, path.find_first_of("?#"));
    }
};

// The slashtag that an address with this path asks its host for; empty when it is none.
std::string slashtag_of(std::string_view path) {
    if (path.starts_with('/'))
        path.remove_prefix(1);
    if (path.ends_with('/'))
        path.remove_suffix(1);
    return percent_decoded(path);
}

// Calls `visit(destination)` for that of a link, and those of its rules and arms.
template <class Visit>
void each_destination(const redirect::TargetView& target, Visit&& visit) {
    visit(target.destination);
    const redirect::Routing routing(target.routing);
    auto rules = routing.rules(), arms = routing.arms();
    for (redirect::RuleView rule; redirect::Routing::take_rule(rules, rule);)
        visit(rule.destination);
    for (redirect::ArmView arm; redirect::Routing::take_arm(arms, arm);)
        visit(arm.destination);
}

} // namespace

// The domain of ours that an address is on.
Result<const std::optional<Domain>*> DestinationCheck::domain_of(std::string_view address) {
    const StoredAddress parts(address);
    if (const auto known = domains_.find(parts.origin); known != domains_.end())
        return &known->second;
    const auto read = destination("destination", parts.origin);
    const auto& table = schema().domains;
    auto domain = read.has_value() ? TRY(table.find_by(table.by_name, ctx_.view(), read->host))
                                   : std::optional<Domain>();
    if (const auto name = read.has_value() && !domain ? localhost_for(read->host) : std::nullopt)
        domain = TRY(table.find_by(table.by_name, ctx_.view(), *name));
    return &domains_.emplace(parts.origin, std::move(domain)).first->second;
}

// Whether there is still room for one more; adds it to `out` unless it was looked at before.
bool DestinationCheck::notes(std::string_view stored, std::vector<std::string>& out) {
    const StoredAddress parts(stored);
    std::string address(parts.origin);
    address += parts.path;
    if (addresses_.contains(address))
        return true;
    if (++noted_ > addresses_max)
        return false;
    out.push_back(*addresses_.insert(std::move(address)).first);
    return true;
}

// Where one address leads; adds to `further` what is to be looked at next.
Result<DestinationCheck::End> DestinationCheck::step(const std::string& address,
                                                     std::vector<std::string>& further) {
    const auto& domain = *TRY(domain_of(address));
    if (!domain)
        return End::elsewhere;
    const auto key = slashtag_key(*domain, slashtag_of(StoredAddress(address).path));
    if (domain->id == link_.domain && key == link_.slashtag_key && !key.empty())
        return End::link;
    if (!links_.emplace(domain->id, key).second)
        return End::elsewhere;
    const auto entry = TRY(schema().links.short_url.find(ctx_.view(), domain->id, key));
    const auto target = entry ? redirect::TargetView::decode(*entry) : std::nullopt;
    if (!target)
        return End::elsewhere;
    bool has_room = true;
    each_destination(*target, [&](std::string_view next) { has_room = has_room && notes(next, further); });
    return has_room ? End::elsewhere : End::too_far;
}

// Goes from link to link, those that are equally far together, and to none twice, also not for another
// destination of the same call: what led elsewhere before does so again.
Result<DestinationCheck::End> DestinationCheck::follow(const std::string& stored) {
    std::vector<std::string> here;
    if (!TRY(domain_of(stored))->has_value() || (notes(stored, here) && here.empty()))
        return End::elsewhere;
    auto end = here.empty() ? End::too_far : End::elsewhere;
    for (std::size_t hops = 0; end == End::elsewhere && !here.empty(); ++hops) {
        std::vector<std::string> further;
        for (auto one = here.begin(); one != here.end() && end == End::elsewhere; ++one)
            end = hops < hops_max ? TRY(step(*one, further)) : End::too_far;
        here = std::move(further);
    }
    if (end != End::elsewhere) { // what was looked at on the way may lead back as well
        addresses_.clear();
        links_.clear();
    }
    return end;
}

Result<bool> DestinationCheck::admit(const std::string& stored, Problems& problems,
                                     std::string_view property) {
    switch (TRY(follow(stored))) {
    case End::elsewhere:
        return true;
    case End::link:
        problems.add(invalid_format(property, "leads back to this link"));
        return false;
    case End::too_far:
        break;
    }
    problems.add(
        invalid_format(property, fmt::format("leads over more than {} links of this server one behind "
                                             "the other, or to more than {} addresses",
                                             hops_max, addresses_max)));
    return false;
}

Result<std::string> DestinationCheck::read(std::string_view given, Problems& problems,
                                           std::string_view property) {
    auto read = destination(property, given, ctx_.settings.destination_schemes);
    if (!read.has_value()) {
        problems.add(std::move(read).error());
        return std::string();
    }
    return TRY(admit(read->stored, problems, property)) ? std::move(read->stored) : std::string();
}

Result<std::string> check_destination(Context& ctx, const Link& link, std::string_view given,
                                      Problems& problems, std::string_view property) {
    return DestinationCheck(ctx, link).read(given, problems, property);
}

} // namespace slashpost
