#include "core/redirect/rollup_batch.h"

#include "core/data/packed.h"
#include "core/schema/recent_links.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace slashpost::redirect {

namespace {

constexpr std::uint32_t hour_seconds = 3600;
constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;

constexpr RollupBatch::Code code_of(char group, std::uint32_t beginning = 0, std::uint32_t number = 0) {
    return std::uint64_t{static_cast<unsigned char>(group)} << 56 | std::uint64_t{beginning} << 24 | number;
}

// Compares like the text, as far as it goes.
constexpr std::uint32_t beginning_of(std::string_view text) {
    std::uint32_t beginning = 0;
    for (std::size_t i = 0; i < 4; ++i)
        beginning = beginning << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
    return beginning;
}

// How many visits ahead of the one that is counted what Sessions knows is asked for, and before that the
// visit itself.
constexpr std::size_t visits_ahead = 16;
constexpr std::size_t places_ahead = 8; // most have one visit

} // namespace

std::uint32_t seconds_of(Timestamp time) {
    constexpr std::int64_t max = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(time.ms / 1000, 0, max));
}

std::uint32_t RollupBatch::Texts::number_of(std::string_view text) {
    if (text.empty())
        return 0;
    auto found = numbers.find(text);
    if (found == numbers.end()) {
        found = numbers.emplace(text, static_cast<std::uint32_t>(texts.size() + 1)).first;
        texts.push_back(&found->first);
    }
    return found->second;
}

void RollupBatch::Adder::add(Code code, std::int64_t number) {
    for (auto at = code * odd >> 20;; ++at) {
        auto& slot = slots_[at & (slots_.size() - 1)];
        if (slot.code == code) {
            slot.number += number;
            return;
        }
        if (slot.code == 0) {
            slot = {.code = code, .number = number};
            used_.push_back(static_cast<std::uint32_t>(&slot - slots_.data()));
            if (used_.size() > slots_.size() / 2)
                grow();
            return;
        }
    }
}

void RollupBatch::Adder::grow() {
    const auto size = slots_.size();
    const auto all = drain();
    slots_.assign(2 * size, {});
    for (const auto& tally : all)
        add(tally.code, tally.number);
}

std::vector<RollupBatch::Tally> RollupBatch::Adder::drain() {
    std::vector<Tally> all;
    drain_into(all);
    return all;
}

void RollupBatch::Adder::drain_into(std::vector<Tally>& out) {
    out.clear();
    for (const auto at : used_)
        out.push_back(std::exchange(slots_[at], {}));
    used_.clear();
    std::ranges::sort(out, {}, &Tally::code);
}

std::uint32_t RollupBatch::site_of(const Click& click) {
    if (last_site_ < sites_.size() && sites_[last_site_].domain == click.domain &&
        sites_[last_site_].workspace == click.workspace)
        return last_site_;
    const auto [found, is_new] = site_numbers_.emplace(data::key(click.domain, click.workspace),
                                                       static_cast<std::uint32_t>(sites_.size()));
    if (is_new)
        sites_.push_back({.domain = click.domain, .workspace = click.workspace});
    return last_site_ = found->second;
}

void RollupBatch::grow_index() {
    place_index_.assign(2 * place_index_.size(), 0);
    for (std::uint32_t number = 0; number < places_.size(); ++number) {
        auto at = index_of(places_[number].link);
        while (place_index_[at] != 0)
            at = (at + 1) & (place_index_.size() - 1);
        place_index_[at] = number + 1;
    }
}

// Where the search for a link begins.
std::size_t RollupBatch::index_of(const LinkId& link) const {
    return random_half(link) * odd >> 20 & (place_index_.size() - 1);
}

std::uint32_t RollupBatch::place_of(const Click& click) {
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

void RollupBatch::clear() {
    visits_.clear();
    places_.clear();
    std::ranges::fill(place_index_, 0);
    sites_.clear();
    site_numbers_.clear();
    hosts_ = choices_ = {};
    clicks_ = 0;
}

void RollupBatch::add(std::span<const Click> clicks) {
    for (const auto& click : clicks)
        __builtin_prefetch(&place_index_[index_of(click.link)]);
    for (const auto& click : clicks)
        if (const auto entry = place_index_[index_of(click.link)]; entry != 0)
            __builtin_prefetch(&places_[entry - 1], 1);
    for (const auto& click : clicks)
        add(click);
}

void RollupBatch::add(const Click& click) {
    Visit visit{.session = click.visitor == 0 ? 0 : Sessions::hash_of(click.link, click.visitor),
                .seconds = seconds_of(click.time),
                .place = static_cast<std::uint16_t>(place_of(click)),
                .country = click.country,
                .language = click.language,
                .device = click.agent.device,
                .system = click.agent.system,
                .browser = click.agent.browser,
                .counts = click.counts,
                .chooser = click.chooser};
    auto& place = places_[visit.place];
    ++place.visits;
    if (click.counts) {
        ++clicks_;
        place.last = std::max(place.last, std::optional(click.time));
        visit.referrer = hosts_.number_of(click.referrer.view());
        if (click.chooser != Chooser::link)
            visit.choice = choices_.number_of(click.choice.view());
    }
    visits_.push_back(visit);
}

template <class Add>
void RollupBatch::count(const Visit& visit, bool begins_session, const Add& add) const {
    if (!visit.counts)
        return add(code_of(group::bots));
    add(code_of(group::clicks));
    if (begins_session)
        add(code_of(group::sessions));
    const auto count_word = [&](Dimension dimension, auto value) {
        if (const auto word = word_of(value); !word.empty())
            add(code_of(group_of(dimension), beginning_of(word), static_cast<std::uint32_t>(value)));
    };
    count_word(Dimension::device, visit.device);
    count_word(Dimension::os, visit.system);
    count_word(Dimension::browser, visit.browser);
    if (const auto country = visit.country.view(); !country.empty())
        add(code_of(group_of(Dimension::country), beginning_of(country)));
    if (const auto language = visit.language.view(); !language.empty())
        add(code_of(group_of(Dimension::language), beginning_of(language)));
    if (visit.referrer != 0)
        add(code_of(group_of(Dimension::referrer), beginning_of(hosts_.at(visit.referrer)), visit.referrer));
    if (visit.choice != 0)
        add(code_of(group_of(visit.chooser == Chooser::rule ? Dimension::rule : Dimension::arm),
                    beginning_of(choices_.at(visit.choice)), visit.choice));
}

std::vector<std::uint32_t> RollupBatch::visits_of(const std::vector<std::uint32_t>& places) const {
    std::vector<std::uint32_t> next(places_.size()); // by place: where its next visit goes
    std::uint32_t before = 0;
    for (const auto place : places)
        next[place] = std::exchange(before, before + places_[place].visits);
    std::vector<std::uint32_t> grouped(visits_.size());
    for (std::uint32_t number = 0; number < visits_.size(); ++number)
        grouped[next[visits_[number].place]++] = number;
    return grouped;
}

std::vector<std::uint32_t> RollupBatch::order() const {
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

    // Compared by what most differ in, without a look at the places, which are anywhere in memory.
    struct Numbered {
        std::uint64_t sheet = 0, beginning = 0; // of the link's id
        std::uint32_t place = 0;
    };
    std::vector<Numbered> order;
    order.reserve(places_.size());
    for (std::uint32_t number = 0; number < places_.size(); ++number) {
        const auto& place = places_[number];
        order.push_back({.sheet = ranks[place.site] << 16 | slot_of(place.link),
                         .beginning = data::big_endian(place.link.view().substr(0, 8)),
                         .place = number});
    }
    std::ranges::sort(order, [&](const Numbered& a, const Numbered& b) {
        if (a.sheet != b.sheet)
            return a.sheet < b.sheet;
        if (a.beginning != b.beginning)
            return a.beginning < b.beginning;
        return std::tie(places_[a.place].link, a.place) < std::tie(places_[b.place].link, b.place);
    });
    std::vector<std::uint32_t> numbers;
    numbers.reserve(order.size());
    for (const auto& one : order)
        numbers.push_back(one.place);
    return numbers;
}

void RollupBatch::each_row(Sessions& sessions, const std::function<void(const Row&)>& take) {
    const auto places = order();
    auto visits = visits_of(places);
    const auto seconds = [&](std::uint32_t number) { return visits_[number].seconds; };
    std::size_t at = 0;
    for (std::size_t number = 0; number < places.size(); ++number) {
        if (number + places_ahead < places.size())
            __builtin_prefetch(&places_[places[number + places_ahead]]);
        const auto place = places[number];
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
            if (here.size() == 1) { // most are; there is nothing to add up
                tallies_.clear();
                count(one, begins, [&](Code code) { tallies_.push_back({.code = code, .number = 1}); });
                std::ranges::sort(tallies_, {}, &Tally::code);
                take(row_of(place, hour));
                continue;
            }
            count(one, begins, [&](Code code) { adder_.add(code, 1); });
            if (at + 1 == end || seconds(visits[at + 1]) / hour_seconds != hour) {
                adder_.drain_into(tallies_);
                take(row_of(place, hour));
            }
        }
    }
}

RollupBatch::Row RollupBatch::row_of(std::uint32_t place, std::uint32_t hour) {
    sort_by_name(tallies_);
    return {.place = place, .hour = hour, .clicks = clicks_of(tallies_), .tallies = tallies_};
}

std::int64_t RollupBatch::clicks_of(std::span<const Tally> tallies) {
    const auto found = std::ranges::find(tallies, code_of(group::clicks), &Tally::code);
    return found == tallies.end() ? 0 : found->number;
}

void RollupBatch::sort_by_name(std::span<Tally> tallies) const {
    const auto beginning = [](const Tally& tally) { return tally.code >> 24; };
    const auto by_name = [&](const Tally& a, const Tally& b) {
        std::array<char, 4> of_a{}, of_b{};
        return own_name(a.code, of_a) < own_name(b.code, of_b);
    };
    for (auto at = tallies.begin(); at != tallies.end();) {
        auto end = at + 1;
        while (end != tallies.end() && beginning(*end) == beginning(*at))
            ++end;
        if (end - at > 1)
            std::ranges::sort(at, end, by_name);
        at = end;
    }
}

std::string_view RollupBatch::own_name(const Code& code, std::array<char, 4>& buffer) const {
    const auto number = static_cast<std::uint32_t>(code & 0xff'ffff);
    switch (static_cast<char>(code >> 56)) {
    case 'D':
        return word_of(static_cast<Device>(number));
    case 'O':
        return word_of(static_cast<System>(number));
    case 'B':
        return word_of(static_cast<Browser>(number));
    case 'R':
        return hosts_.at(number);
    case 'r':
    case 'a':
        return choices_.at(number);
    default: { // the beginning is all
        std::size_t length = 0;
        for (int shift = 48; shift >= 24 && (code >> shift & 0xff) != 0; shift -= 8)
            buffer[length++] = static_cast<char>(code >> shift & 0xff);
        return {buffer.data(), length};
    }
    }
}

data::Counts RollupBatch::counts(std::span<const Tally> tallies) const {
    std::vector<data::Count> counts;
    counts.reserve(tallies.size());
    for (const auto& [code, number] : tallies) {
        std::array<char, 4> buffer{};
        data::Bytes name(1, static_cast<char>(code >> 56));
        counts.push_back({.name = name.append(own_name(code, buffer)), .number = number});
    }
    return data::Counts::of(std::move(counts));
}

data::BytesView RollupBatch::encode(const Row& row, bool with_total) {
    bool total_is_missing = with_total;
    const auto put_total = [&] { writer_.put(total_group, {}, row.clicks); };
    for (const auto& [code, number] : row.tallies) {
        const char group = static_cast<char>(code >> 56);
        if (total_is_missing && group > total_group) {
            put_total();
            total_is_missing = false;
        }
        std::array<char, 4> buffer{};
        writer_.put(group, own_name(code, buffer), number);
    }
    if (total_is_missing)
        put_total();
    return writer_.take();
}

} // namespace slashpost::redirect
