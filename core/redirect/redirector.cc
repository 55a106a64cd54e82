#include "core/redirect/redirector.h"

#include "core/data/journal.h"
#include "core/redirect/address.h"
#include "core/redirect/agents.h"
#include "core/redirect/choose.h"
#include "core/redirect/clicks.h"
#include "core/redirect/directory.h"
#include "core/redirect/languages.h"
#include "core/redirect/location.h"
#include "core/redirect/pages.h"
#include "core/redirect/resolver.h"
#include "core/redirect/rotators.h"
#include "core/redirect/target.h"

namespace slashpost::redirect {

namespace {

constexpr unsigned found = 302; // how pages are reached that are not a link's

class LiveRedirector final : public Redirector {
  public:
    explicit LiveRedirector(const RedirectorTools& tools) : tools_(tools), hasher_(tools.random) {}

    void answer(const Visit& visit, data::JournalLane& lane, Answer& answer) override {
        answer.redirect_type = found;
        answer.location.clear();
        answer.page.reset();
        answer.outcome = find_answer(visit, lane, answer);
    }

  private:
    Outcome find_answer(const Visit& visit, data::JournalLane& lane, Answer& answer);
    Outcome follow(const Visit& visit, const DirectoryTable& table, const DomainFacts& domain,
                   const VisitedPath& path, data::JournalLane& lane, Answer& answer);
    // By the link's rules or its rotator; says in the click what chose.
    std::string_view choose_destination(const Visit& visit, const TargetView& target, Click& click);
    void record(const Click& click, data::JournalLane& lane);

    const RedirectorTools tools_;
    Rotators rotators_{tools_.random};
    VisitorHasher hasher_;
};

Outcome missing(const DomainFacts& domain, Answer& answer) {
    append_location(answer.location, domain.not_found_url);
    return Outcome::missing;
}

Outcome LiveRedirector::find_answer(const Visit& visit, data::JournalLane& lane, Answer& answer) {
    AddressBuffer host;
    const auto& table = tools_.directory.now();
    const auto* const domain = table.find(visited_host(visit.host, host));
    if (!domain || !domain->serves)
        return Outcome::unknown_host;

    AddressBuffer buffer;
    const auto path = visited_path(visit.path, domain->letters, buffer);
    switch (path.kind) {
    case PathKind::robots:
        return Outcome::robots;
    case PathKind::favicon:
        return Outcome::favicon;
    case PathKind::well_known:
        return well_known_page(*domain, visit.path, answer);
    case PathKind::other:
        return missing(*domain, answer);
    case PathKind::home:
        append_location(answer.location, domain->custom_homepage);
        return Outcome::home;
    case PathKind::slashtag:
    case PathKind::preview:
    case PathKind::qr_code:
        break;
    }
    return follow(visit, table, *domain, path, lane, answer);
}

Outcome LiveRedirector::follow(const Visit& visit, const DirectoryTable& table, const DomainFacts& domain,
                               const VisitedPath& path, data::JournalLane& lane, Answer& answer) {
    thread_local std::string stored; // keeps its room from visit to visit
    const auto known = tools_.resolver.find(domain.id, path.slashtag, stored);
    if (known.has_value() && !*known)
        return missing(domain, answer);
    const auto target = known.has_value() ? TargetView::decode(stored) : std::nullopt;
    if (!target) {
        tools_.figures.store_failures.fetch_add(1, std::memory_order_relaxed);
        return Outcome::unavailable;
    }
    const auto now = tools_.clock.now();
    if ((target->expires_at && *target->expires_at <= now) || table.suspended(target->workspace))
        return missing(domain, answer);
    const Seen seen{.target = *target, .domain = domain, .visit = visit, .slashtag = path.slashtag};
    if (path.kind != PathKind::slashtag) [[unlikely]]
        return path.kind == PathKind::preview ? preview_page(tools_, seen, answer)
                                              : qr_code_page(seen, answer);

    const auto program = know_agent(visit.user_agent);
    Click click{.link = target->link,
                .workspace = target->workspace,
                .domain = domain.id,
                .time = now,
                .counts = visit.counts && program.agent.device != Device::bot,
                .tagged = target->tagged,
                .visitor = hasher_.hash(visit.address, program.mark, now),
                .country = tools_.countries ? tools_.countries->find(visit.address) : CountryCode{},
                .language = first_language(visit.accept_language),
                .agent = program.agent,
                .referrer = referrer_host(visit.referrer, visit.host)};
    const auto destination =
        target->routing.empty() ? target->destination : choose_destination(visit, *target, click);
    if (target->forward_parameters && !visit.query.empty())
        append_forwarded(answer.location, destination, visit.query);
    else
        append_location(answer.location, destination);
    answer.redirect_type = domain.redirect_type;
    auto outcome = Outcome::forward;
    if (may_have_page(*target)) [[unlikely]]
        outcome = page_in_front(tools_, seen, click.agent, answer);
    record(click, lane);
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

// A click that cannot be kept is no reason not to redirect.
void LiveRedirector::record(const Click& click, data::JournalLane& lane) {
    const auto bytes = encode_click(click);
    if (!lane.append({bytes.data(), bytes.size()}))
        tools_.figures.clicks_lost.fetch_add(1, std::memory_order_relaxed);
}

} // namespace

std::unique_ptr<Redirector> make_redirector(const RedirectorTools& tools) {
    return std::make_unique<LiveRedirector>(tools);
}

} // namespace slashpost::redirect
