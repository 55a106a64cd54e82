#include "core/redirect/redirector.h"

#include "core/clicks/campaigns.h"
#include "core/clicks/click_ids.h"
#include "core/clicks/clicks.h"
#include "core/data/journal.h"
#include "core/redirect/address.h"
#include "core/redirect/choose.h"
#include "core/redirect/directory.h"
#include "core/redirect/location.h"
#include "core/redirect/pages.h"
#include "core/redirect/resolver.h"
#include "core/redirect/rotators.h"
#include "core/redirect/unknown_hosts.h"
#include "core/schema/target.h"
#include "core/visitors/agents.h"
#include "core/visitors/languages.h"

#include <algorithm>

namespace slashpost::redirect {

namespace {

constexpr unsigned found = 302; // how pages are reached that are not a link's

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
        const auto type = redirect_type_at(*domain, path);
        return type == 307 || type == 308;
    }

    void make(const PageOrder& order, Answer& answer) override {
        answer.location.clear();
        answer.brand.reset();
        answer.page.reset();
        answer.order.reset();
        answer.outcome = make_page(tools_, order, answer);
    }

  private:
    Outcome find_answer(const Visit& visit, data::JournalLane& lane, Answer& answer);
    Outcome follow(const Visit& visit, const DirectoryTable& table, const DomainFacts& domain,
                   const VisitedPath& path, data::JournalLane& lane, Answer& answer);
    Outcome follow_with_parameters(Visit visit, const DirectoryTable& table, const DomainFacts& domain,
                                   VisitedPath path, data::JournalLane& lane, Answer& answer) {
        path.kind = PathKind::slashtag;
        if (visit.query.empty())
            visit.query = path.parameters;
        return follow(visit, table, domain, path, lane, answer);
    }
    [[nodiscard]] bool is_ignored(const Address& visitor) const {
        return tools_.ignores && tools_.ignores(visitor);
    }
    // Of the link at the path, if there is one; else the domain's.
    unsigned redirect_type_at(const DomainFacts& domain, std::string_view path);
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
};

// Other schemes open an app, which expects no such parameter.
bool is_web(std::string_view destination) {
    const auto begins_with = [&](std::string_view scheme) {
        return std::ranges::equal(destination.substr(0, scheme.size()), scheme,
                                  [](char c, char lower) { return (c | 0x20) == (lower | 0x20); });
    };
    return begins_with("https://") || begins_with("http://");
}

unsigned redirect_type_of(const TargetView& target, const DomainFacts& domain) {
    return target.redirect_type != 0 ? target.redirect_type : domain.redirect_type;
}

// What is known of who it was; that somebody came, and what the link did, stays.
void forget_visitor(Click& click) {
    click.visitor = 0;
    click.country = {};
    click.language = {};
    click.agent = {};
    click.referrer = {};
}

Outcome missing(const DomainFacts& domain, const Visit& visit, Answer& answer) {
    append_not_found(domain, visit, answer.location);
    answer.brand = domain.brand; // of the plain page, if it leads nowhere
    return Outcome::missing;
}

// A link leads where it says itself, else where its domain says, else where what is not found does.
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
    const auto path = visited_path(visit.path, domain->letters, buffer);
    switch (path.kind) {
    case PathKind::robots:
        return Outcome::robots;
    case PathKind::favicon:
        return Outcome::favicon;
    case PathKind::well_known:
        return well_known_page(*domain, visit.path, answer);
    case PathKind::other:
        return missing(*domain, visit, answer);
    case PathKind::home:
        return home(*domain, visit, answer);
    case PathKind::slashtag_and_parameters:
        return follow_with_parameters(visit, table, *domain, path, lane, answer);
    case PathKind::slashtag:
    case PathKind::preview:
    case PathKind::qr_code:
        break;
    }
    return follow(visit, table, *domain, path, lane, answer);
}

unsigned LiveRedirector::redirect_type_at(const DomainFacts& domain, std::string_view path) {
    AddressBuffer buffer;
    std::string stored;
    const auto known =
        tools_.resolver.find(domain.id, visited_path(path, domain.letters, buffer).slashtag, stored);
    const auto target =
        known.has_value() && *known ? TargetView::decode(stored) : std::optional<TargetView>();
    return target ? redirect_type_of(*target, domain) : domain.redirect_type;
}

Outcome LiveRedirector::follow(const Visit& visit, const DirectoryTable& table, const DomainFacts& domain,
                               const VisitedPath& path, data::JournalLane& lane, Answer& answer) {
    thread_local std::string stored; // keeps its room from visit to visit
    const auto known = tools_.resolver.find(domain.id, path.slashtag, stored);
    if (known.has_value() && !*known)
        return missing(domain, visit, answer);
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
    if ((target->expires_at && *target->expires_at <= now) ||
        (target->active_from && *target->active_from > now))
        return expired(seen, answer);
    if (path.kind != PathKind::slashtag) [[unlikely]]
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
    const auto destination =
        target->routing.empty() ? target->destination : choose_destination(visit, *target, click);
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
