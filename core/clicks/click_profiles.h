#pragma once
// What is counted of clicks: those that look alike, which most do, count for the same, so it is found out
// once.
//
// All that a visitor can choose is bounded by the number of clicks that were added: hosts of referrers are
// kept once each. What of them is stored is bounded by core/data/counts.h.
#include "core/clicks/clicks.h"
#include "core/schema/rollups.h"

#include <array>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace slashpost::redirect {

// What is counted: its name without the string. Ascending like the names, nearly.
//   group (8 bits) | beginning of the name (32 bits) | number of the name among the profiles (24 bits)
using CountCode = std::uint64_t;
// A profile, and whether the click begins a session.
using ProfileCode = std::uint64_t;

struct Tally {
    std::uint64_t code = 0; // of either kind; never 0
    std::int64_t number = 0;
};

// Adds numbers up by code.
class Adder {
  public:
    explicit Adder(std::size_t slots = 16) : slots_(slots) {}
    void add(std::uint64_t code, std::int64_t number);
    // What there is, in ascending order of codes; empty then.
    std::vector<Tally> drain();
    void drain_into(std::vector<Tally>& out);

  private:
    void grow();
    std::vector<Tally> slots_; // code 0: free
    std::vector<std::uint32_t> used_;
};

class ClickProfiles {
  public:
    // The number of the click's profile: the same until clear() for all that look like it.
    std::uint32_t number_of(const Click& click);
    std::uint32_t number_of(const CampaignMark& mark);
    static ProfileCode code_of(std::uint32_t number, bool begins_session) {
        return 1 + 2 * std::uint64_t{number} + (begins_session ? 1 : 0);
    }
    [[nodiscard]] std::int64_t clicks_in(std::span<const Tally> profiles) const;
    // What so many clicks of each of these profiles count for.
    [[nodiscard]] data::Counts counts(std::span<const Tally> profiles);
    // The same, encoded, with the total of `clicks` if wanted; until the next call. All calls between two
    // clear() want the total, or none does.
    [[nodiscard]] data::BytesView encode(std::span<const Tally> profiles, std::int64_t clicks,
                                         bool with_total);
    // As if none had been added.
    void clear();

  private:
    struct ClickProfile {
        std::uint32_t referrer = 0; // 1 + its number; 0: none; of a campaign's mark the number of its value
        std::uint32_t choice = 0;   // the same
        CountryCode country;
        LanguageCode language;
        Device device = Device::unknown;
        System system = System::unknown;
        Browser browser = Browser::unknown;
        bool counts = false;
        bool scanned = false;
        Chooser chooser = Chooser::link;
        std::optional<CampaignPart> part; // of a mark
        bool operator==(const ClickProfile&) const = default;
    };
    struct HashProfile {
        std::size_t operator()(const ClickProfile& profile) const;
    };
    struct HashBytes {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    // Texts, each kept once.
    struct Texts {
        std::uint32_t number_of(std::string_view text); // 0 for an empty one
        [[nodiscard]] std::string_view at(std::uint32_t number) const { return *texts[number - 1]; }
        void clear();
        std::unordered_map<std::string, std::uint32_t, HashBytes, std::equal_to<>> numbers;
        std::vector<const std::string*> texts;
    };
    [[nodiscard]] const ClickProfile& look_of(ProfileCode code) const { return profiles_[(code - 1) / 2]; }
    // Calls add(CountCode) for each thing to count of a click.
    template <class Add>
    void count(ProfileCode code, const Add& add) const;
    // Into tallies_, which are put in the order of their names.
    void add_up(std::span<const Tally> profiles);
    // Codes are in the order of names but for those that begin alike.
    void sort_by_name(std::span<Tally> tallies) const;
    [[nodiscard]] std::string_view own_name(const CountCode& code, std::array<char, 4>& buffer) const;
    [[nodiscard]] data::Bytes& write(std::int64_t clicks, bool with_total);

    std::vector<ClickProfile> profiles_;
    std::unordered_map<ClickProfile, std::uint32_t, HashProfile> numbers_;
    std::uint32_t last_ = 0;           // number
    std::vector<data::Bytes> encoded_; // of one click, by code; empty: not asked for yet
    [[nodiscard]] std::uint32_t number_of(const ClickProfile& profile);
    Texts hosts_, choices_; // hosts_: the values of marks, too
    Adder adder_{256};
    std::vector<Tally> tallies_;
    data::CountsWriter writer_;
};

} // namespace slashpost::redirect
