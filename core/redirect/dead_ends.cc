#include "core/redirect/dead_ends.h"

#include "core/redirect/location.h"
#include "core/redirect/pages.h"

namespace slashpost::redirect {

Outcome missing(const DomainFacts& domain, const Visit& visit, Answer& answer) {
    append_not_found(domain, visit, answer.location);
    answer.brand = domain.brand; // of the plain page, if it leads nowhere
    return Outcome::missing;
}

Outcome expired(const Seen& seen, Answer& answer) {
    const auto& [target, domain, visit, slashtag] = seen;
    if (!target.expired_url.empty())
        append_place(answer.location, target.expired_url, target.forwarding.on(domain.forwarding), domain,
                     visit);
    else if (!domain.expired_url.empty())
        append_place(answer.location, domain.expired_url, domain.forwarding, domain, visit);
    else
        append_not_found(domain, visit, answer.location);
    answer.brand = domain.brand;
    return Outcome::expired;
}

Outcome home(const DomainFacts& domain, const Visit& visit, Answer& answer) {
    const auto& [forwards, on_conflict] = domain.forwarding;
    answer.brand = domain.brand; // of the plain page, if it leads nowhere
    if (domain.custom_homepage.empty() || !has_room(domain.custom_homepage))
        return Outcome::home;
    if (visit.query.empty() || !forwards)
        append_location(answer.location, domain.custom_homepage);
    else
        append_forwarded(answer.location, domain.custom_homepage, visit.query, on_conflict);
    return Outcome::home;
}

} // namespace slashpost::redirect
