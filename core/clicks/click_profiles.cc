#include "core/clicks/click_profiles.h"

#include "core/base/mix.h"
#include "core/data/packed.h"
#include "core/schema/recent_links.h"

#include <algorithm>
#include <utility>

namespace slashpost::redirect {

namespace {

constexpr CountCode code_in(char group, std::uint32_t beginning = 0, std::uint32_t number = 0) {
    return std::uint64_t{static_cast<unsigned char>(group)} << 56 | std::uint64_t{beginning} << 24 | number;
}

// Visitors can make up any number of looks; what the first ones come to is remembered.
constexpr ProfileCode encoded_max = 1 << 12;

constexpr std::string_view scanned_word = "qr"; // what a scan is called among the counts

Dimension dimension_of(CampaignPart part) {
    switch (part) {
    case CampaignPart::source:
        return Dimension::utm_source;
    case CampaignPart::medium:
        return Dimension::utm_medium;
    case CampaignPart::campaign:
        break;
    }
    return Dimension::utm_campaign;
}

// Compares like the text, as far as it goes.
constexpr std::uint32_t beginning_of(std::string_view text) {
    std::uint32_t beginning = 0;
    for (std::size_t i = 0; i < 4; ++i)
        beginning = beginning << 8 | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
    return beginning;
}

} // namespace

void Adder::add(std::uint64_t code, std::int64_t number) {
    for (auto at = code * golden_odd >> 20;; ++at) {
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

void Adder::grow() {
    const auto size = slots_.size();
    const auto all = drain();
    slots_.assign(2 * size, {});
    for (const auto& tally : all)
        add(tally.code, tally.number);
}

std::vector<Tally> Adder::drain() {
    std::vector<Tally> all;
    drain_into(all);
    return all;
}

void Adder::drain_into(std::vector<Tally>& out) {
    out.clear();
    for (const auto at : used_)
        out.push_back(std::exchange(slots_[at], {}));
    used_.clear();
    std::ranges::sort(out, {}, &Tally::code);
}

std::size_t ClickProfiles::HashProfile::operator()(const ClickProfile& profile) const {
    const auto texts = std::uint64_t{profile.referrer} << 32 | profile.choice;
    const auto words =
        data::big_endian(profile.country.view()) << 24 | data::big_endian(profile.language.view());
    const auto kinds =
        static_cast<std::uint64_t>(profile.device) << 32 | static_cast<std::uint64_t>(profile.system) << 24 |
        static_cast<std::uint64_t>(profile.browser) << 16 | static_cast<std::uint64_t>(profile.chooser) << 8 |
        (profile.part ? static_cast<std::uint64_t>(*profile.part) << 4 : 0U) | (profile.scanned ? 2U : 0U) |
        (profile.counts ? 1U : 0U);
    return mix(mix(texts ^ golden_odd, words ^ golden_odd), kinds ^ golden_odd);
}

std::uint32_t ClickProfiles::Texts::number_of(std::string_view text) {
    if (text.empty())
        return 0;
    auto found = numbers.find(text);
    if (found == numbers.end()) {
        found = numbers.emplace(text, static_cast<std::uint32_t>(texts.size() + 1)).first;
        texts.push_back(&found->first);
    }
    return found->second;
}

void ClickProfiles::Texts::clear() {
    numbers.clear();
    texts.clear();
}

void ClickProfiles::clear() {
    profiles_.clear();
    numbers_.clear();
    encoded_.clear();
    hosts_.clear();
    choices_.clear();
}

// Of what does not count as a click, nothing else is counted.
std::uint32_t ClickProfiles::number_of(const Click& click) {
    ClickProfile profile;
    if (click.counts)
        profile = {.referrer = hosts_.number_of(click.referrer.view()),
                   .choice = click.chooser == Chooser::link ? 0 : choices_.number_of(click.choice.view()),
                   .country = click.country,
                   .language = click.language,
                   .device = click.agent.device,
                   .system = click.agent.system,
                   .browser = click.agent.browser,
                   .counts = true,
                   .scanned = click.scanned,
                   .chooser = click.chooser};
    return number_of(profile);
}

std::uint32_t ClickProfiles::number_of(const CampaignMark& mark) {
    return number_of(ClickProfile{.referrer = hosts_.number_of(mark.value.view()), .part = mark.part});
}

std::uint32_t ClickProfiles::number_of(const ClickProfile& profile) {
    if (last_ < profiles_.size() && profiles_[last_] == profile)
        return last_;
    const auto [found, is_new] = numbers_.emplace(profile, static_cast<std::uint32_t>(profiles_.size()));
    if (is_new)
        profiles_.push_back(profile);
    return last_ = found->second;
}

template <class Add>
void ClickProfiles::count(ProfileCode code, const Add& add) const {
    const auto& profile = look_of(code);
    if (profile.part)
        return add(code_in(group_of(dimension_of(*profile.part)), beginning_of(hosts_.at(profile.referrer)),
                           profile.referrer));
    if (!profile.counts)
        return add(code_in(group::bots));
    add(code_in(group::clicks));
    if ((code - 1) % 2 != 0)
        add(code_in(group::sessions));
    const auto count_word = [&](Dimension dimension, auto value) {
        if (const auto word = word_of(value); !word.empty())
            add(code_in(group_of(dimension), beginning_of(word), static_cast<std::uint32_t>(value)));
    };
    count_word(Dimension::device, profile.device);
    count_word(Dimension::os, profile.system);
    count_word(Dimension::browser, profile.browser);
    if (const auto country = profile.country.view(); !country.empty())
        add(code_in(group_of(Dimension::country), beginning_of(country)));
    if (const auto language = profile.language.view(); !language.empty())
        add(code_in(group_of(Dimension::language), beginning_of(language)));
    if (profile.referrer != 0)
        add(code_in(group_of(Dimension::referrer), beginning_of(hosts_.at(profile.referrer)),
                    profile.referrer));
    if (profile.scanned)
        add(code_in(group_of(Dimension::scan), beginning_of(scanned_word)));
    if (profile.choice != 0)
        add(code_in(group_of(profile.chooser == Chooser::rule ? Dimension::rule : Dimension::arm),
                    beginning_of(choices_.at(profile.choice)), profile.choice));
}

std::int64_t ClickProfiles::clicks_in(std::span<const Tally> profiles) const {
    std::int64_t clicks = 0;
    for (const auto& [code, number] : profiles)
        clicks += look_of(code).counts ? number : 0;
    return clicks;
}

void ClickProfiles::add_up(std::span<const Tally> profiles) {
    if (profiles.size() == 1) { // no two names of one are the same
        tallies_.clear();
        count(profiles[0].code,
              [&](CountCode code) { tallies_.push_back({.code = code, .number = profiles[0].number}); });
        std::ranges::sort(tallies_, {}, &Tally::code);
    } else {
        for (const auto& profile : profiles)
            count(profile.code, [&](CountCode code) { adder_.add(code, profile.number); });
        adder_.drain_into(tallies_);
    }
    sort_by_name(tallies_);
}

void ClickProfiles::sort_by_name(std::span<Tally> tallies) const {
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

std::string_view ClickProfiles::own_name(const CountCode& code, std::array<char, 4>& buffer) const {
    const auto number = static_cast<std::uint32_t>(code & 0xff'ffff);
    switch (static_cast<char>(code >> 56)) {
    case 'D':
        return word_of(static_cast<Device>(number));
    case 'O':
        return word_of(static_cast<System>(number));
    case 'B':
        return word_of(static_cast<Browser>(number));
    case 'R':
    case 'S':
    case 'M':
    case 'N':
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

data::Counts ClickProfiles::counts(std::span<const Tally> profiles) {
    add_up(profiles);
    std::vector<data::Count> counts;
    counts.reserve(tallies_.size());
    for (const auto& [code, number] : tallies_) {
        std::array<char, 4> buffer{};
        data::Bytes name(1, static_cast<char>(code >> 56));
        counts.push_back({.name = name.append(own_name(code, buffer)), .number = number});
    }
    return data::Counts::of(std::move(counts));
}

data::BytesView ClickProfiles::encode(std::span<const Tally> profiles, std::int64_t clicks, bool with_total) {
    const bool is_one_click = profiles.size() == 1 && profiles[0].number == 1;
    if (!is_one_click || profiles[0].code >= encoded_max) {
        add_up(profiles);
        return write(clicks, with_total);
    }
    if (encoded_.size() <= profiles[0].code)
        encoded_.resize(profiles[0].code + 1);
    auto& known = encoded_[profiles[0].code];
    if (known.empty()) {
        add_up(profiles);
        known = write(clicks, with_total);
    }
    return known;
}

// What is in tallies_.
data::Bytes& ClickProfiles::write(std::int64_t clicks, bool with_total) {
    bool total_is_missing = with_total;
    const auto put_total = [&] {
        writer_.put(total_group, {}, clicks);
        total_is_missing = false;
    };
    for (const auto& [code, number] : tallies_) {
        const char group = static_cast<char>(code >> 56);
        if (total_is_missing && group > total_group)
            put_total();
        std::array<char, 4> buffer{};
        writer_.put(group, own_name(code, buffer), number);
    }
    if (total_is_missing)
        put_total();
    return writer_.take();
}

} // namespace slashpost::redirect
