#include "core/ops/destinations.h"

#include "core/base/local_host.h"
#include "core/base/url.h"
#include "core/ops/short_address.h"
#include "core/redirect/below.h"
#include "core/schema/routing.h"
#include "core/schema/schema.h"
#include "core/schema/target.h"

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
    auto domain =
        read.has_value() ? TRY(table.find_by(table.by_name, view_, read->host)) : std::optional<Domain>();
    if (const auto name = read.has_value() && !domain ? localhost_for(read->host) : std::nullopt)
        domain = TRY(table.find_by(table.by_name, view_, *name));
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

// What visitors find at a path of a domain.
struct DestinationCheck::Place {
    redirect::PathKind kind = redirect::PathKind::other;
    std::string key;        // of the slashtag
    std::string rest;       // of what is below a link that passes paths on
    bool is_own = false;    // it is that of the link, whether or not that is stored yet
    data::Bytes entry = {}; // of the slashtag, if there is one
};

Result<DestinationCheck::Place> DestinationCheck::place_at(const Domain& domain, std::string_view path) {
    using enum redirect::PathKind;
    const auto& links = schema().links;
    auto read = read_short_path(domain, path);
    const auto kind = read.kind;
    Place place{.kind = kind, .key = std::move(read.slashtag_key), .rest = {}};
    place.is_own = is_own(domain, place.key);
    const bool names_slashtag = kind == slashtag || kind == preview || kind == qr_code;
    if (names_slashtag && !place.is_own)
        place.entry = TRY(links.short_url.find(view_, domain.id, place.key)).value_or(data::Bytes());
    if (kind != other && (!names_slashtag || place.is_own || !place.entry.empty()))
        return place;
    for (auto& above : read_paths_above(domain, path)) {
        const bool own = is_own(domain, above.slashtag_key);
        auto entry = own ? std::nullopt : TRY(links.short_url.find(view_, domain.id, above.slashtag_key));
        const auto target = entry ? redirect::TargetView::decode(*entry) : std::nullopt;
        if (own ? link_->pass_path : target && target->pass_path)
            return Place{.kind = slashtag,
                         .key = std::move(above.slashtag_key),
                         .rest = std::move(above.rest),
                         .is_own = own,
                         .entry = entry ? *std::move(entry) : data::Bytes()};
    }
    return place;
}

// Where one address leads; adds to `further` what is to be looked at next.
Result<DestinationCheck::End> DestinationCheck::step(const std::string& address,
                                                     std::vector<std::string>& further) {
    const auto& domain = *TRY(domain_of(address));
    if (!domain)
        return End::elsewhere;
    const auto place = TRY(place_at(*domain, StoredAddress(address).path));
    const auto kind = place.kind;
    using enum redirect::PathKind;
    if (kind != slashtag && kind != home && kind != other)
        return End::elsewhere; // a page of ours, which leads nobody on
    if (kind == slashtag && place.is_own)
        return End::back;
    const auto target = redirect::TargetView::decode(place.entry);
    const auto ends = kind != home && (!target || target->expires_at || target->active_from);
    if (!link_ && domain->id == domain_ && (place_ == DomainPage::home ? kind == home : ends))
        return End::back;
    const auto name = place.rest.empty() ? place.key : place.key + "/" + place.rest;
    if (!places_.emplace(domain->id, target ? name : kind == home ? "/" : "").second)
        return End::elsewhere;
    bool has_room = true;
    const auto go = [&](std::string_view next) {
        has_room = has_room && (next.empty() || notes(next, further));
    };
    if (target)
        each_destination(*target, [&](std::string_view next) {
            std::string below;
            if (place.rest.empty())
                go(next);
            else if (redirect::append_below(below, next, place.rest))
                go(below);
        });
    if (kind == home)
        go(domain->custom_homepage);
    if (ends && target && !target->expired_url.empty())
        go(target->expired_url);
    else if (ends && target && !domain->expired_url.empty())
        go(domain->expired_url);
    else if (ends)
        go(domain->not_found_url);
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
        places_.clear();
    }
    return end;
}

// Whether paths that nobody knows yet may go on below the address.
Result<bool> DestinationCheck::admit_path(const std::string& stored, Problems& problems,
                                          std::string_view property) {
    if (!redirect::takes_path(stored))
        problems.add(invalid_format(property, "names no host, which a link with passPath has to lead to"));
    else if (TRY(domain_of(stored))->has_value())
        problems.add(invalid_format(
            property, "is on a domain of this server, where a link with passPath cannot lead to"));
    else
        return true;
    return false;
}

Result<bool> DestinationCheck::admit(const std::string& stored, Problems& problems, std::string_view property,
                                     Path path) {
    if (path == Path::goes_on && link_ && link_->pass_path && !TRY(admit_path(stored, problems, property)))
        return false;
    switch (TRY(follow(stored))) {
    case End::elsewhere:
        return true;
    case End::back:
        problems.add(
            invalid_format(property, link_ ? "leads back to this link" : "leads back to this domain"));
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
                                           std::string_view property, Path path) {
    auto read = destination(property, given, schemes_);
    if (!read.has_value()) {
        problems.add(std::move(read).error());
        return std::string();
    }
    return TRY(admit(read->stored, problems, property, path)) ? std::move(read->stored) : std::string();
}

void check_places(std::string_view property, std::string_view stored, Problems& problems) {
    const auto host = stored.substr(0, stored.find_first_of("/?#", stored.find("://") + 3));
    if (host.contains('{') || host.contains("%7B"))
        problems.add(invalid_format(property, "can have {path} and {domain} behind its host only"));
}

Result<std::string> check_destination(Context& ctx, const Link& link, std::string_view given,
                                      Problems& problems, std::string_view property) {
    return DestinationCheck(ctx, link).read(given, problems, property);
}

} // namespace slashpost
