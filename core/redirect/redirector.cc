#include "core/redirect/redirector.h"

#include "core/clicks/campaigns.h"
#include "core/clicks/click_ids.h"
#include "core/clicks/clicks.h"
#include "core/data/journal.h"
#include "core/redirect/address.h"
#include "core/redirect/below.h"
#include "core/redirect/choose.h"
#include "core/redirect/dead_ends.h"
#include "core/redirect/directory.h"
#include "core/redirect/gate.h"
#include "core/redirect/location.h"
#include "core/redirect/pages.h"
#include "core/redirect/resolver.h"
#include "core/redirect/rotators.h"
#include "core/redirect/unknown_hosts.h"
#include "core/schema/target.h"
#include "core/visitors/agents.h"
#include "core/visitors/languages.h"

#include <algorithm>
#include <mutex>

namespace slashpost::redirect {

namespace {

constexpr unsigned found = 302;     // how pages are reached that are not a link's
constexpr unsigned see_other = 303; // so that a form's text goes no further

unsigned redirect_type_of(const TargetView& target, const DomainFacts& domain) {
    return target.redirect_type != 0 ? target.redirect_type : domain.redirect_type;
}

class LiveRedirector final : public Redirector {
  public:
    explicit LiveRedirector(const RedirectorTools& tools)
        : tools_(tools),
          hasher_(tools.random, tools.visitor_key_seconds) {}

    void answer(const Visit& visit, data::JournalLane& lane, Answer& answer) override {
        answer.redirect_type = found;
        answer.location.clear();
        answer.brand.reset();
        answer.page.reset();
        answer.order.reset();
        answer.outcome = find_answer(visit, lane, answer);
    }

    bool keeps_method(std::string_view host, std::string_view path) override {
        AddressBuffer buffer;
        const auto* const domain = tools_.directory.now().find(visited_host(host, buffer));
        if (!domain || !domain->serves)
            return false;
        std::string stored;
        const auto target = target_at(*domain, path, stored);
        if (target && target->guarded)
            return false;
        const auto type = target ? redirect_type_of(*target, *domain) : domain->redirect_type;
        return type == 307 || type == 308;
    }

    bool is_guarded(std::string_view host, std::string_view path) override {
        AddressBuffer buffer;
        const auto* const domain = tools_.directory.now().find(visited_host(host, buffer));
        std::string stored;
        const auto target =
            domain && domain->serves ? target_at(*domain, path, stored) : std::optional<TargetView>();
        return target && target->guarded;
    }

    void make(const PageOrder& order, Answer& answer) override {
        answer.location.clear();
        answer.brand.reset();
        answer.page.reset();
        answer.order.reset();
        answer.outcome = order.kind == Page::Kind::gate && order.guarded ? come_to_gate(order, answer)
                                                                         : make_page(tools_, order, answer);
    }

  private:
    Outcome find_answer(const Visit& visit, data::JournalLane& lane, Answer& answer);
    Outcome follow(const Visit& visit, const DirectoryTable& table, const DomainFacts& domain,
                   const VisitedPath& path, data::JournalLane& lane, Answer& answer);
    Outcome follow_with_parameters(Visit visit, const DirectoryTable& table, const DomainFacts& domain,
                                   VisitedPath path, data::JournalLane& lane, Answer& answer) {
        path.kind = PathKind::slashtag;
        if (visit.query.empty())
            visit.query = path.rest;
        return follow(visit, table, domain, path, lane, answer);
    }
    // Of what no slashtag is: by the link that it is below of, if there is one that passes paths on.
    Outcome follow_below(const Visit& visit, const DirectoryTable& table, const DomainFacts& domain,
                         data::JournalLane& lane, Answer& answer);
    [[nodiscard]] bool is_ignored(const Address& visitor) const {
        return tools_.ignores && tools_.ignores(visitor);
    }
    // Of the link at the path, if there is one; its texts are in `stored`.
    std::optional<TargetView> target_at(const DomainFacts& domain, std::string_view path,
                                        std::string& stored);
    Outcome come_to_gate(const PageOrder& order, Answer& answer);
    Outcome go_through(const PageOrder& order, Answer& answer);
    Outcome has_ended(const PageOrder& order, Answer& answer);
    // By the link's rules or its rotator; says in the click what chose.
    std::string_view choose_destination(const Visit& visit, const TargetView& target, Click& click);
    void locate(const Seen& seen, const Click& click, bool carries_id, std::string_view destination,
                const WorkspaceFacts* workspace, std::string& location);
    bool record(const Click& click, data::JournalLane& lane);
    void record_marks(const CampaignQuery& campaign, const Click& click, const TagMarks& tags,
                      data::JournalLane& lane);

    const RedirectorTools tools_;
    Rotators rotators_{tools_.random};
    VisitorHasher hasher_;
    std::mutex workers_; // who has it may write to their lane
};

Outcome LiveRedirector::find_answer(const Visit& visit, data::JournalLane& lane, Answer& answer) {
    AddressBuffer host;
    const auto& table = tools_.directory.now();
    const auto* const domain = table.find(visited_host(visit.host, host));
    if (!domain || !domain->serves) {
        if (tools_.unknown_hosts)
            tools_.unknown_hosts->note(visit.host, domain ? HostIs::out_of_service : HostIs::unknown);
        return Outcome::unknown_host;
    }

    AddressBuffer buffer;
    const auto path = visited_path(visit.path, domain->slashtag, buffer);
    switch (path.kind) {
    case PathKind::robots:
        return Outcome::robots;
    case PathKind::favicon:
        return Outcome::favicon;
    case PathKind::well_known:
        return well_known_page(*domain, visit.path, answer);
    case PathKind::other:
        return follow_below(visit, table, *domain, lane, answer);
    case PathKind::home:
        return home(*domain, visit, answer);
    case PathKind::slashtag_and_parameters:
        return follow_with_parameters(visit, table, *domain, path, lane, answer);
    case PathKind::slashtag:
    case PathKind::below:
    case PathKind::preview:
    case PathKind::qr_code:
        break;
    }
    return follow(visit, table, *domain, path, lane, answer);
}

std::optional<TargetView> LiveRedirector::target_at(const DomainFacts& domain, std::string_view path,
                                                    std::string& stored) {
    AddressBuffer buffer;
    const auto find = [&](std::string_view slashtag) {
        const auto known = tools_.resolver.find(domain.id, slashtag, stored);
        return known.has_value() && *known ? TargetView::decode(stored) : std::nullopt;
    };
    auto target = find(visited_path(path, domain.slashtag, buffer).slashtag);
    PathsAbove above(path, domain.slashtag);
    while (!target) {
        const auto next = above.next(buffer);
        if (!next)
            break;
        target = find(next->slashtag);
        if (target && !target->pass_path)
            target.reset();
    }
    return target;
}

Outcome LiveRedirector::follow_below(const Visit& visit, const DirectoryTable& table,
                                     const DomainFacts& domain, data::JournalLane& lane, Answer& answer) {
    thread_local std::string stored;
    AddressBuffer buffer;
    PathsAbove above(visit.path, domain.slashtag);
    while (const auto path = above.next(buffer)) {
        const auto known = tools_.resolver.find(domain.id, path->slashtag, stored);
        if (known.has_value() && !*known)
            continue;
        const auto target = known.has_value() ? TargetView::decode(stored) : std::nullopt;
        if (!target || target->pass_path) // what cannot be read is told there
            return follow(visit, table, domain, *path, lane, answer);
    }
    return missing(domain, visit, answer);
}

Outcome LiveRedirector::come_to_gate(const PageOrder& order, Answer& answer) {
    const bool is_person = know_agent(order.guarded->user_agent).agent.device != Device::bot;
    const auto [passage, wait_seconds] =
        tools_.gate ? tools_.gate->admit(order.link, *order.guarded, is_person) : Admission{};
    const auto page = [&, seconds = wait_seconds](GateNote note) {
        make_gate_page(tools_, order, note, seconds, answer);
        return Outcome::page;
    };
    switch (passage) {
    case Passage::open:
        return go_through(order, answer);
    case Passage::asks:
        return page(GateNote::asks);
    case Passage::wrong:
        return page(GateNote::wrong);
    case Passage::waits:
        return page(GateNote::waits);
    case Passage::busy:
        return page(GateNote::busy);
    case Passage::shut:
        return page(GateNote::shut);
    case Passage::ended:
        return has_ended(order, answer);
    case Passage::gone:
        answer.location = order.location_of_missing;
        answer.brand = order.brand;
        return Outcome::missing;
    case Passage::unavailable:
        break;
    }
    tools_.figures.store_failures.fetch_add(1, std::memory_order_relaxed);
    return Outcome::unavailable;
}

// As any visitor of the link, with rules, arms and what it has in front of its destination; and with a click.
Outcome LiveRedirector::go_through(const PageOrder& order, Answer& answer) {
    auto visit = order.guarded->visit();
    visit.admitted = true;
    data::NoLane none;
    const std::lock_guard lock(workers_);
    const auto lane = tools_.lane_of_workers ? tools_.lane_of_workers() : Result<data::JournalLane*>(&none);
    auto outcome = find_answer(visit, lane.has_value() ? **lane : none, answer);
    // A browser asks again each time, and takes no password along.
    answer.redirect_type = visit.posts ? see_other : found;
    if (outcome == Outcome::ordered) {
        const auto further = std::move(answer.order);
        further->redirect_type = answer.redirect_type;
        outcome = make_page(tools_, *further, answer);
    }
    return outcome;
}

// Where the link says that visitors go then, or its domain does.
Outcome LiveRedirector::has_ended(const PageOrder& order, Answer& answer) {
    const auto visit = order.guarded->visit();
    data::NoLane none;
    const auto outcome = find_answer(visit, none, answer);
    if (outcome != Outcome::ordered)
        return outcome;
    answer.order.reset(); // another server has ended it, and this one does not know yet
    answer.brand = order.brand;
    return Outcome::expired;
}

Outcome LiveRedirector::follow(const Visit& visit, const DirectoryTable& table, const DomainFacts& domain,
                               const VisitedPath& path, data::JournalLane& lane, Answer& answer) {
    thread_local std::string stored, below; // keep their room from visit to visit
    const auto known = tools_.resolver.find(domain.id, path.slashtag, stored);
    if (known.has_value() && !*known) {
        // Where slashtags have slashes within, it may be below one that is shorter.
        const bool looks_further = domain.slashtag.any_script && path.kind != PathKind::below;
        return looks_further ? follow_below(visit, table, domain, lane, answer)
                             : missing(domain, visit, answer);
    }
    const auto target = known.has_value() ? TargetView::decode(stored) : std::nullopt;
    if (!target) {
        tools_.figures.store_failures.fetch_add(1, std::memory_order_relaxed);
        return Outcome::unavailable;
    }
    const auto now = tools_.clock.now();
    const auto* const workspace = table.unusual(target->workspace);
    if (workspace && workspace->is_closed(domain.id))
        return missing(domain, visit, answer);
    const Seen seen{.target = *target, .domain = domain, .visit = visit, .slashtag = path.slashtag};
    // Who was admitted may have been the last.
    if (((target->expires_at && *target->expires_at <= now) ||
         (target->active_from && *target->active_from > now)) &&
        !visit.admitted)
        return expired(seen, answer);
    if (target->guarded && !visit.admitted && path.kind != PathKind::qr_code) [[unlikely]]
        return order_gate(seen, path.kind == PathKind::preview, answer);
    if (path.kind > PathKind::below && !visit.admitted) [[unlikely]]
        return path.kind == PathKind::preview ? order_preview(seen, answer) : order_code(seen, answer);

    const auto program = know_agent(visit.user_agent);
    Click click{.link = target->link,
                .workspace = target->workspace,
                .domain = domain.id,
                .time = now,
                .counts = visit.counts && program.agent.device != Device::bot && !is_ignored(visit.address),
                .tagged = target->tagged,
                .tags = target->tags,
                .visitor = hasher_.hash(visit.address, program.mark, now),
                .country = tools_.countries ? tools_.countries->find(visit.address) : CountryCode{},
                .language = first_language(visit.accept_language),
                .agent = program.agent,
                .referrer = referrer_host(visit.referrer, visit.host)};
    const CampaignQuery campaign(visit.query);
    click.scanned = campaign.scanned();
    auto destination =
        target->routing.empty() ? target->destination : choose_destination(visit, *target, click);
    if (path.kind == PathKind::below) [[unlikely]] {
        below.clear();
        if (!target->pass_path || !append_below(below, destination, path.rest))
            return missing(domain, visit, answer);
        destination = below;
    }
    const bool forgets = visit.objects && tools_.honours_objections;
    locate(seen, click, click.counts && !forgets, destination, workspace, answer.location);
    answer.redirect_type = redirect_type_of(*target, domain);
    auto outcome = Outcome::forward;
    if (!has_room(destination)) [[unlikely]]
        outcome = order_way_on(seen, answer);
    else if (may_have_page(*target)) [[unlikely]]
        outcome = order_page_in_front(seen, click.agent, answer);
    if (forgets) [[unlikely]]
        forget_visitor(click);
    if (record(click, lane) && !visit.query.empty() && click.counts)
        record_marks(campaign, click, target->tags, lane);
    return outcome;
}

std::string_view LiveRedirector::choose_destination(const Visit& visit, const TargetView& target,
                                                    Click& click) {
    const Routing routing(target.routing);
    const auto choice =
        choose(routing,
               {.agent = click.agent,
                .country = click.country,
                .language = preferred_language(visit.accept_language),
                .query = visit.query,
                .now = click.time},
               [&] {
                   using enum Rotators::Turn;
                   return rotators_.number_for(target.link, routing, click.counts ? take : look);
               });
    click.chooser = choice.chooser;
    click.choice = choice.id;
    return choice.chooser == Chooser::link ? target.destination : choice.destination;
}

// Where the visitor goes: the destination, with what they brought along, and with the click's id if the
// workspace tracks conversions. Who is no person, only looks, or does not want to be tracked carries none.
void LiveRedirector::locate(const Seen& seen, const Click& click, bool carries_id,
                            std::string_view destination, const WorkspaceFacts* workspace,
                            std::string& location) {
    const auto forwarding = seen.target.forwarding.on(seen.domain.forwarding);
    const auto query = forwarding.parameters ? seen.visit.query : std::string_view();
    if (workspace && workspace->tracks_conversions && tools_.click_ids && is_web(destination)) {
        std::optional<ClickId> id;
        if (carries_id)
            id = tools_.click_ids->make(click.workspace, {.link = click.link, .time = click.time},
                                        tools_.random);
        const std::string_view named = workspace->click_id_parameter;
        const OwnParameter own{.name = named.empty() ? tools_.click_id_parameter : named,
                               .value = id ? id->view() : std::string_view()};
        append_forwarded(location, destination, query, forwarding.on_conflict, &own);
    } else if (!query.empty()) {
        append_forwarded(location, destination, query, forwarding.on_conflict);
    } else {
        append_location(location, destination);
    }
}

// A click that cannot be kept is no reason not to redirect.
bool LiveRedirector::record(const Click& click, data::JournalLane& lane) {
    const auto bytes = encode_click(click);
    const bool kept = lane.append({bytes.data(), bytes.size()});
    if (!kept)
        tools_.figures.clicks_lost.fetch_add(1, std::memory_order_relaxed);
    return kept;
}

// What the visited address says of its campaign; `tags` are the link's.
void LiveRedirector::record_marks(const CampaignQuery& campaign, const Click& click, const TagMarks& tags,
                                  data::JournalLane& lane) {
    for (const auto part : {CampaignPart::source, CampaignPart::medium, CampaignPart::campaign}) {
        const auto value = campaign.value(part);
        if (value.view().empty())
            continue;
        const auto bytes = encode_mark({.link = click.link,
                                        .workspace = click.workspace,
                                        .domain = click.domain,
                                        .time = click.time,
                                        .tagged = click.tagged,
                                        .tags = tags,
                                        .part = part,
                                        .value = value});
        if (!lane.append({bytes.data(), bytes.size()}))
            return;
    }
}

} // namespace

std::unique_ptr<Redirector> make_redirector(const RedirectorTools& tools) {
    return std::make_unique<LiveRedirector>(tools);
}

} // namespace slashpost::redirect
