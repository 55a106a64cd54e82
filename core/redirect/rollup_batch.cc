#include "core/redirect/rollup_batch.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace slashpost::redirect {

namespace {

constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
constexpr std::uint32_t hour_seconds = 3600;

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

std::uint64_t hash_of(const LinkId& link) { return random_half(link) * odd; }

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
    std::vector<Tally> all;
    const auto size = slots_.size();
    drain(all);
    slots_.assign(2 * size, {});
    for (const auto& tally : all)
        add(tally.code, tally.number);
}

void RollupBatch::Adder::drain(std::vector<Tally>& out) {
    const auto before = static_cast<std::ptrdiff_t>(out.size());
    for (const auto at : used_)
        out.push_back(std::exchange(slots_[at], {}));
    used_.clear();
    std::ranges::sort(out.begin() + before, out.end(), {}, &Tally::code);
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
        auto at = hash_of(places_[number].link) >> 20;
        while (place_index_[at & (place_index_.size() - 1)] != 0)
            ++at;
        place_index_[at & (place_index_.size() - 1)] = number + 1;
    }
}

std::uint32_t RollupBatch::place_of(const Click& click) {
    for (auto at = hash_of(click.link) >> 20;; ++at) {
        auto& entry = place_index_[at & (place_index_.size() - 1)];
        if (entry == 0) {
            entry = static_cast<std::uint32_t>(places_.size() + 1);
            places_.push_back(
                {.link = click.link, .site = site_of(click), .tagged = click.tagged, .tags = click.tags});
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

void RollupBatch::add(const Click& click) {
    Visit visit{.visitor = click.visitor,
                .seconds = seconds_of(click.time),
                .place = place_of(click),
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

void RollupBatch::count(const Visit& visit, bool begins_session) {
    if (!visit.counts)
        return adder_.add(code_of(group::bots), 1);
    adder_.add(code_of(group::clicks), 1);
    if (begins_session)
        adder_.add(code_of(group::sessions), 1);
    const auto count_word = [&](Dimension dimension, auto value) {
        if (const auto word = word_of(value); !word.empty())
            adder_.add(code_of(group_of(dimension), beginning_of(word), static_cast<std::uint32_t>(value)),
                       1);
    };
    count_word(Dimension::device, visit.device);
    count_word(Dimension::os, visit.system);
    count_word(Dimension::browser, visit.browser);
    if (const auto country = visit.country.view(); !country.empty())
        adder_.add(code_of(group_of(Dimension::country), beginning_of(country)), 1);
    if (const auto language = visit.language.view(); !language.empty())
        adder_.add(code_of(group_of(Dimension::language), beginning_of(language)), 1);
    if (visit.referrer != 0)
        adder_.add(
            code_of(group_of(Dimension::referrer), beginning_of(hosts_.at(visit.referrer)), visit.referrer),
            1);
    if (visit.choice != 0)
        adder_.add(code_of(group_of(visit.chooser == Chooser::rule ? Dimension::rule : Dimension::arm),
                           beginning_of(choices_.at(visit.choice)), visit.choice),
                   1);
}

RollupBatch::Row RollupBatch::drain(std::uint32_t of, std::uint32_t hour) {
    Row row{.of = of, .hour = hour, .begin = tallies_.size()};
    adder_.drain(tallies_);
    row.end = tallies_.size();
    return row;
}

std::vector<RollupBatch::Row> RollupBatch::add_up(Sessions& sessions) {
    // The visits of each place together.
    std::vector<std::uint32_t> ends(places_.size());
    std::uint32_t before = 0;
    for (std::size_t i = 0; i < places_.size(); ++i)
        ends[i] = std::exchange(before, before + places_[i].visits);
    std::vector<const Visit*> grouped(visits_.size());
    for (const auto& visit : visits_)
        grouped[ends[visit.place]++] = &visit;

    // In the order of their keys rows are written at the least cost.
    std::vector<std::uint32_t> order(places_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t place) { return std::pair(places_[place].link, place); });

    std::vector<Row> rows;
    rows.reserve(places_.size());
    for (const auto number : order) {
        const auto& place = places_[number];
        const std::span visits(grouped.data() + (ends[number] - place.visits), place.visits);
        // Those of one second stay in the order in which they were added, which is that of their places.
        const auto when = [](const Visit* visit) { return std::pair(visit->seconds, visit); };
        if (!std::ranges::is_sorted(visits, {}, when))
            std::ranges::sort(visits, {}, when);
        const auto seed = Sessions::seed_of(place.link);
        for (std::size_t i = 0; i < visits.size(); ++i) {
            const auto& visit = *visits[i];
            count(visit, visit.counts &&
                             (visit.visitor == 0 || sessions.begins(seed, visit.visitor, visit.seconds)));
            const auto hour = visit.seconds / hour_seconds;
            if (i + 1 == visits.size() || visits[i + 1]->seconds / hour_seconds != hour)
                rows.push_back(drain(number, hour));
        }
    }
    return rows;
}

RollupBatch::Row RollupBatch::sum(std::uint32_t of, std::uint32_t hour,
                                  const std::vector<std::uint32_t>& numbers, const std::vector<Row>& rows) {
    for (const auto number : numbers)
        for (auto at = rows[number].begin; at < rows[number].end; ++at)
            adder_.add(tallies_[at].code, tallies_[at].number);
    return drain(of, hour);
}

data::Bytes RollupBatch::name_of(Code code) const {
    const char group = static_cast<char>(code >> 56);
    const auto number = static_cast<std::uint32_t>(code & 0xff'ffff);
    data::Bytes name(1, group);
    switch (group) {
    case 'D':
        return name.append(word_of(static_cast<Device>(number)));
    case 'O':
        return name.append(word_of(static_cast<System>(number)));
    case 'B':
        return name.append(word_of(static_cast<Browser>(number)));
    case 'R':
        return name.append(hosts_.at(number));
    case 'r':
    case 'a':
        return name.append(choices_.at(number));
    default: // the beginning is all
        for (int shift = 48; shift >= 24 && (code >> shift & 0xff) != 0; shift -= 8)
            name += static_cast<char>(code >> shift & 0xff);
        return name;
    }
}

data::Counts RollupBatch::counts(const Row& row) const {
    std::vector<data::Count> counts;
    counts.reserve(row.end - row.begin);
    for (auto at = row.begin; at < row.end; ++at)
        counts.push_back({.name = name_of(tallies_[at].code), .number = tallies_[at].number});
    return data::Counts::of(std::move(counts));
}

} // namespace slashpost::redirect
