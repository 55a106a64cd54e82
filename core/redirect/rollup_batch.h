#pragma once
// Some clicks of the journal on their way to the rollups: kept small, then added up by link and hour.
//
// All that a visitor can choose is bounded by the number of clicks in the batch: hosts of referrers are kept
// once each. What of them is stored is bounded by core/data/counts.h.
#include "core/redirect/clicks.h"
#include "core/redirect/sessions.h"
#include "core/schema/rollups.h"

#include <unordered_map>
#include <vector>

namespace slashpost::redirect {

// Seconds since 1970, as far as they go.
std::uint32_t seconds_of(Timestamp time);

class RollupBatch {
  public:
    // Bound the memory of a fold and the size of its transaction.
    static constexpr std::size_t visits_max = 1 << 17;
    static constexpr std::size_t places_max = 1 << 15;

    // A link as it was clicked: its domain may change, and its tags.
    struct Place {
        LinkId link;
        std::uint32_t site = 0;
        bool tagged = false;
        TagMarks tags;
        std::uint32_t visits = 0;
        std::optional<Timestamp> last; // click
    };
    // A domain in a workspace.
    struct Site {
        DomainId domain;
        WorkspaceId workspace;
        auto operator<=>(const Site&) const = default;
    };
    // What is counted: its name without the string. Ascending like the names, nearly.
    //   group (8 bits) | beginning of the name (32 bits) | number of the name in this batch (24 bits)
    using Code = std::uint64_t;
    struct Tally {
        Code code = 0;
        std::int64_t number = 0;
    };
    // Tallies of something in one hour.
    struct Row {
        std::uint32_t of = 0; // a place, or what `sum` was told
        std::uint32_t hour = 0;
        std::size_t begin = 0, end = 0; // among the tallies
    };

    void add(const Click& click);
    [[nodiscard]] bool full() const { return visits_.size() >= visits_max || places_.size() >= places_max; }
    [[nodiscard]] bool empty() const { return visits_.empty(); }
    [[nodiscard]] std::size_t clicks() const { return clicks_; }
    [[nodiscard]] const std::vector<Place>& places() const { return places_; }
    [[nodiscard]] const std::vector<Site>& sites() const { return sites_; }

    // Decides which clicks begin sessions and adds up: a row per place and hour, in the order of links,
    // places and hours.
    std::vector<Row> add_up(Sessions& sessions);
    // The sum of some of those rows.
    Row sum(std::uint32_t of, std::uint32_t hour, const std::vector<std::uint32_t>& numbers,
            const std::vector<Row>& rows);
    [[nodiscard]] data::Counts counts(const Row& row) const;

  private:
    struct Visit {
        std::uint64_t visitor = 0;
        std::uint32_t seconds = 0;
        std::uint32_t place = 0;
        std::uint32_t referrer = 0; // 1 + its number; 0: none
        std::uint32_t choice = 0;   // the same
        CountryCode country;
        LanguageCode language;
        Device device = Device::unknown;
        System system = System::unknown;
        Browser browser = Browser::unknown;
        bool counts = false;
        Chooser chooser = Chooser::link;
    };
    struct HashBytes {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    // Texts, each kept once.
    struct Texts {
        std::uint32_t number_of(std::string_view text); // 0 for an empty one
        [[nodiscard]] std::string_view at(std::uint32_t number) const { return *texts[number - 1]; }
        std::unordered_map<std::string, std::uint32_t, HashBytes, std::equal_to<>> numbers;
        std::vector<const std::string*> texts;
    };
    // Adds numbers up by code; empty again after drain().
    class Adder {
      public:
        void add(Code code, std::int64_t number);
        void drain(std::vector<Tally>& out);

      private:
        void grow();
        std::vector<Tally> slots_ = std::vector<Tally>(256); // code 0: free
        std::vector<std::uint32_t> used_;
    };

    std::uint32_t place_of(const Click& click);
    std::uint32_t site_of(const Click& click);
    void grow_index();
    void count(const Visit& visit, bool begins_session);
    Row drain(std::uint32_t of, std::uint32_t hour);
    [[nodiscard]] data::Bytes name_of(Code code) const;

    std::vector<Visit> visits_;
    std::vector<Place> places_;
    std::vector<std::uint32_t> place_index_ = std::vector<std::uint32_t>(1024); // hashed; 1 + number
    std::vector<Site> sites_;
    std::uint32_t last_site_ = 0;
    std::unordered_map<std::string, std::uint32_t> site_numbers_;
    Texts hosts_, choices_;
    std::size_t clicks_ = 0;
    Adder adder_;
    std::vector<Tally> tallies_;
};

} // namespace slashpost::redirect
