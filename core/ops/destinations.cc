#include "core/ops/destinations.h"

#include "core/base/percent.h"
#include "core/base/url.h"
#include "core/ops/slashtags.h"
#include "core/redirect/target.h"
#include "core/schema/schema.h"

namespace slashpost {

namespace {

// Longer chains of our own short links are taken for a loop.
constexpr int hops_max = 10;

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

struct Hop {
    DomainId domain;
    std::string slashtag_key;
    std::string destination; // of the link found there; empty: no such link
};

// Where an address leads within this server; nothing when its host is none of ours.
Result<std::optional<Hop>> follow(Context& ctx, const Destination& destination) {
    const auto& domains = schema().domains;
    const auto domain = TRY(domains.find_by(domains.by_name, ctx.view(), destination.host));
    if (!domain)
        return std::optional<Hop>();
    Hop hop{.domain = domain->id,
            .slashtag_key = slashtag_key(*domain, slashtag_of(destination.stored)),
            .destination = {}};
    const auto entry = TRY(schema().links.short_url.find(ctx.view(), hop.domain, hop.slashtag_key));
    if (entry)
        if (const auto target = redirect::TargetView::decode(*entry))
            hop.destination = target->destination;
    return std::optional(std::move(hop));
}

Result<bool> leads_back(Context& ctx, const Link& link, Destination destination) {
    for (int hops = 0; hops < hops_max; ++hops) {
        const auto hop = TRY(follow(ctx, destination));
        if (!hop)
            return false;
        if (hop->domain == link.domain && hop->slashtag_key == link.slashtag_key)
            return true;
        auto next = slashpost::destination("destination", hop->destination);
        if (!next.has_value())
            return false;
        destination = std::move(*next);
    }
    return true;
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
