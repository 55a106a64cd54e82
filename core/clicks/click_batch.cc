#include "core/clicks/click_batch.h"

#include "core/base/mix.h"
#include "core/data/packed.h"
#include "core/schema/recent_links.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace slashpost::redirect {

namespace {

constexpr std::uint32_t hour_seconds = 3600;

// How many visits ahead of the one that is counted what Sessions knows is asked for, and before that the
// visit itself.
constexpr std::size_t visits_ahead = 16;

} // namespace

std::uint32_t seconds_of(Timestamp time) {
    constexpr std::int64_t max = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(time.ms / 1000, 0, max));
}

std::uint32_t ClickBatch::site_of(const Click& click) {
    if (last_site_ < sites_.size() && sites_[last_site_].domain == click.domain &&
        sites_[last_site_].workspace == click.workspace)
        return last_site_;
    const auto [found, is_new] = site_numbers_.emplace(data::key(click.domain, click.workspace),
                                                       static_cast<std::uint32_t>(sites_.size()));
    if (is_new)
        sites_.push_back({.domain = click.domain, .workspace = click.workspace});
    return last_site_ = found->second;
}

void ClickBatch::grow_index() {
    place_index_.assign(2 * place_index_.size(), 0);
    for (std::uint32_t number = 0; number < places_.size(); ++number) {
        auto at = index_of(places_[number].link);
        while (place_index_[at] != 0)
            at = (at + 1) & (place_index_.size() - 1);
        place_index_[at] = number + 1;
    }
}

// Where the search for a link begins.
std::size_t ClickBatch::index_of(const LinkId& link) const {
    return random_half(link) * golden_odd >> 20 & (place_index_.size() - 1);
}

std::uint32_t ClickBatch::place_of(const Click& click) {
    for (auto at = index_of(click.link);; at = (at + 1) & (place_index_.size() - 1)) {
        auto& entry = place_index_[at];
        if (entry == 0) {
            entry = static_cast<std::uint32_t>(places_.size() + 1);
            places_.push_back({.link = click.link,
                               .site = site_of(click),
                               .tagged = click.tagged,
                               .tags = click.tags,
                               .last = {}});
            if (places_.size() > place_index_.size() / 2)
                grow_index();
            return static_cast<std::uint32_t>(places_.size() - 1);
        }
        auto& place = places_[entry - 1];
        if (place.link == click.link && place.tagged == click.tagged &&
            (place.tags == click.tags || !place.tags.told() || !click.tags.told()) &&
            sites_[place.site].domain == click.domain && sites_[place.site].workspace == click.workspace) {
            if (click.tags.told()) // what a rule or an arm decided does not say it
                place.tags = click.tags;
            return entry - 1;
        }
    }
}

void ClickBatch::clear() {
    visits_.clear();
    places_.clear();
    std::ranges::fill(place_index_, 0);
    sites_.clear();
    site_numbers_.clear();
    profiles_.clear();
    clicks_ = 0;
}

void ClickBatch::add(std::span<const Click> clicks) {
    for (const auto& click : clicks)
        __builtin_prefetch(&place_index_[index_of(click.link)]);
    for (const auto& click : clicks)
        if (const auto entry = place_index_[index_of(click.link)]; entry != 0)
            __builtin_prefetch(&places_[entry - 1], 1);
    for (const auto& click : clicks)
        add(click);
}

void ClickBatch::add(const Click& click) {
    const Visit visit{.session = click.visitor == 0 ? 0 : Sessions::hash_of(click.link, click.visitor),
                      .seconds = seconds_of(click.time),
                      .profile = profiles_.number_of(click),
                      .place = static_cast<std::uint16_t>(place_of(click)),
                      .counts = click.counts};
    auto& place = places_[visit.place];
    ++place.visits;
    if (click.counts) {
        ++clicks_;
        place.last = std::max(place.last, std::optional(click.time));
    }
    visits_.push_back(visit);
}

// As a visit that counts for nothing but what the mark says.
void ClickBatch::add(const CampaignMark& mark) {
    const auto place = place_of({.link = mark.link,
                                 .workspace = mark.workspace,
                                 .domain = mark.domain,
                                 .time = mark.time,
                                 .tagged = mark.tagged,
                                 .tags = mark.tags});
    visits_.push_back({.seconds = seconds_of(mark.time),
                       .profile = profiles_.number_of(mark),
                       .place = static_cast<std::uint16_t>(place)});
    ++places_[place].visits;
}

void ClickBatch::group_visits() {
    next_for_.resize(places_.size());
    std::uint32_t before = 0;
    for (const auto& one : order_)
        next_for_[one.place] = std::exchange(before, before + places_[one.place].visits);
    grouped_.resize(visits_.size());
    for (std::uint32_t number = 0; number < visits_.size(); ++number)
        grouped_[next_for_[visits_[number].place]++] = number;
}

void ClickBatch::number_places() {
    std::vector<WorkspaceId> workspaces;
    workspaces.reserve(sites_.size());
    for (const auto& site : sites_)
        workspaces.push_back(site.workspace);
    std::ranges::sort(workspaces);
    std::vector<std::uint64_t> ranks; // of sites by their workspace
    ranks.reserve(sites_.size());
    for (const auto& site : sites_)
        ranks.push_back(static_cast<std::uint64_t>(std::ranges::lower_bound(workspaces, site.workspace) -
                                                   workspaces.begin()));

    order_.clear();
    order_.reserve(places_.size());
    for (std::uint32_t number = 0; number < places_.size(); ++number) {
        const auto& place = places_[number];
        order_.push_back({.sheet = ranks[place.site] << 16 | slot_of(place.link),
                          .beginning = data::big_endian(place.link.view().substr(0, 8)),
                          .place = number});
    }
    std::ranges::sort(order_, [&](const Numbered& a, const Numbered& b) {
        if (a.sheet != b.sheet)
            return a.sheet < b.sheet;
        if (a.beginning != b.beginning)
            return a.beginning < b.beginning;
        return std::tie(places_[a.place].link, a.place) < std::tie(places_[b.place].link, b.place);
    });
}

void ClickBatch::put_in_order() {
    number_places();
    group_visits();
    for (std::uint32_t first = 0; first < places_.size(); ++first) { // each goes around until it is closed
        const auto place = places_[first];
        auto at = first;
        for (auto from = order_[at].place; from != first; from = order_[at].place) {
            places_[at] = places_[from];
            order_[at].place = at;
            at = from;
        }
        places_[at] = place;
        order_[at].place = at;
    }
}

void ClickBatch::each_row(Sessions& sessions, const std::function<void(const Row&)>& take) {
    auto& visits = grouped_;
    const auto seconds = [&](std::uint32_t number) { return visits_[number].seconds; };
    Adder adder;
    std::vector<Tally> profiles;
    std::size_t at = 0;
    for (std::uint32_t place = 0; place < places_.size(); ++place) {
        const auto end = at + places_[place].visits;
        const auto here = std::span(visits).subspan(at, end - at);
        if (!std::ranges::is_sorted(here, {}, seconds))
            std::ranges::sort(here, {}, seconds); // in a second, the order changes nothing
        for (; at != end; ++at) {
            if (at + 2 * visits_ahead < visits.size())
                __builtin_prefetch(&visits_[visits[at + 2 * visits_ahead]]);
            if (at + visits_ahead < visits.size())
                sessions.prefetch(visits_[visits[at + visits_ahead]].session);
            const auto& one = visits_[visits[at]];
            const bool begins = one.counts && (one.session == 0 || sessions.begins(one.session, one.seconds));
            const auto hour = one.seconds / hour_seconds;
            const auto profile = ClickProfiles::code_of(one.profile, begins);
            if (here.size() == 1) { // most are; there is nothing to add up
                profiles.assign(1, {.code = profile, .number = 1});
            } else {
                adder.add(profile, 1);
                if (at + 1 != end && seconds(visits[at + 1]) / hour_seconds == hour)
                    continue;
                adder.drain_into(profiles);
            }
            take({.place = place,
                  .hour = hour,
                  .clicks = profiles_.clicks_in(profiles),
                  .profiles = profiles});
        }
    }
}

} // namespace slashpost::redirect
