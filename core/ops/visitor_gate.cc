#include "core/ops/visitor_gate.h"

#include "core/access/link_rows.h"
#include "core/base/password_hash.h"
#include "core/data/trail.h"
#include "core/ops/sign_in_tries.h"
#include "core/schema/schema.h"

#include <fmt/format.h>

namespace slashpost {

namespace {

using redirect::Admission, redirect::Passage;

bool is_over(const Link& link, Timestamp now) {
    return link.has_ended() || (link.expires_at && *link.expires_at <= now) ||
           (link.active_from && *link.active_from > now);
}

std::string who_tries(const Link& link, const redirect::GuardedVisit& visit) {
    return fmt::format("{} {}", link.id.hex(), visit.address.network().text());
}

} // namespace

Admission VisitorGate::admit(LinkId link, const redirect::GuardedVisit& visit, bool is_person) {
    const auto looked = look(link, visit, is_person);
    return looked.has_value() ? *looked : Admission{.passage = Passage::unavailable};
}

Result<Admission> VisitorGate::look(LinkId id, const redirect::GuardedVisit& visit, bool is_person) {
    const auto link =
        TRY(engine_.read([&](data::View& view) { return schema().links.find(view, id.view()); }));
    if (!link || !link->holds_slashtag())
        return Admission{.passage = Passage::gone};
    if (is_over(*link, clock_.now()))
        return Admission{.passage = Passage::ended};
    if (!link->password_hash.empty())
        if (const auto compared = TRY(compare(*link, visit)); compared.passage != Passage::open)
            return compared;
    if (link->clicks_max == 0)
        return Admission{.passage = Passage::open};
    if (!is_person || !visit.counts)
        return Admission{.passage = Passage::shut};
    return take_click(id);
}

// A try is counted before it is made, so that many at once are no more than one after the other.
Result<Admission> VisitorGate::compare(const Link& link, const redirect::GuardedVisit& visit) {
    if (!visit.password)
        return Admission{.passage = Passage::asks};
    const auto who = who_tries(link, visit);
    const auto wait = TRY(service_.run_as_operator(
        [&](SystemContext& system) { return take_try(system, TryKind::link_by_address, who); }));
    if (wait > 0)
        return Admission{.passage = Passage::waits, .wait_seconds = wait};
    const auto same =
        hashes_.run([&]() -> Result<bool> { return is_password(link.password_hash, *visit.password); });
    if (same.has_value() && !*same)
        return Admission{.passage = Passage::wrong};
    TRY(service_.run_as_operator(
        [&](SystemContext& system) { return give_back_try(system, TryKind::link_by_address, who); }));
    return Admission{.passage = same.has_value() ? Passage::open : Passage::busy};
}

// In a transaction on the link's row: of two visitors at once one is the last. Only its end is an event.
Result<Admission> VisitorGate::take_click(LinkId id) {
    return service_.run_as_operator([&](SystemContext& system) -> Result<Admission> {
        const auto link = TRY(schema().links.find(system.txn, id.view()));
        if (!link || !link->holds_slashtag())
            return Admission{.passage = Passage::gone};
        if (is_over(*link, system.now) || link->is_used_up())
            return Admission{.passage = Passage::ended};
        if (link->clicks_max == 0) // taken away just now
            return Admission{.passage = Passage::open};
        auto used = *link;
        ++used.clicks_used;
        if (used.is_used_up()) {
            used.status = LinkStatus::expired;
            TRY(change_link(system, *link, used));
        } else {
            const data::Unfollowed no_event(system.txn);
            TRY(change_link(system, *link, used));
        }
        return Admission{.passage = Passage::open};
    });
}

} // namespace slashpost
