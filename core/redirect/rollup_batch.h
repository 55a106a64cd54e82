#pragma once
// Some clicks of the journal on their way to the store: kept small, then added up by link and hour.
//
// All that a visitor can choose is bounded by the number of clicks in the batch: hosts of referrers are kept
// once each. What of them is stored is bounded by core/data/counts.h.
#include "core/redirect/clicks.h"
#include "core/redirect/sessions.h"
#include "core/schema/rollups.h"

#include <array>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace slashpost::redirect {

// Seconds since 1970, as far as they go.
std::uint32_t seconds_of(Timestamp time);

class RollupBatch {
  public:
    // Bound the memory of a fold and the size of its transaction.
    static constexpr std::size_t visits_max = 1 << 16;
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
    // Adds numbers up by code.
    class Adder {
      public:
        explicit Adder(std::size_t slots = 16) : slots_(slots) {}
        void add(Code code, std::int64_t number);
        // What there is, in ascending order of codes; empty then.
        std::vector<Tally> drain();
        void drain_into(std::vector<Tally>& out);

      private:
        void grow();
        std::vector<Tally> slots_; // code 0: free
        std::vector<std::uint32_t> used_;
    };
    // What happened at a place in one hour.
    struct Row {
        std::uint32_t place = 0;
        std::uint32_t hour = 0;
        std::int64_t clicks = 0;
        std::span<const Tally> tallies; // in ascending order of their names
    };

    // Quicker for some clicks at a time, as what is known of their links is anywhere in memory.
    static constexpr std::size_t clicks_at_a_time = 16;
    void add(std::span<const Click> clicks);
    // As if nothing had been added. Keeps the memory, which is cheaper than having it again from the system.
    void clear();
    [[nodiscard]] bool full() const { return visits_.size() >= visits_max || places_.size() >= places_max; }
    [[nodiscard]] bool empty() const { return visits_.empty(); }
    [[nodiscard]] std::size_t clicks() const { return clicks_; }
    [[nodiscard]] const std::vector<Place>& places() const { return places_; }
    [[nodiscard]] const std::vector<Site>& sites() const { return sites_; }

    // Once: decides which clicks begin sessions, adds up and calls `take`, in the order in which RecentLinks
    // (core/schema/recent_links.h) takes what is of one hour. A row is good for that call.
    void each_row(Sessions& sessions, const std::function<void(const Row&)>& take);
    static std::int64_t clicks_of(std::span<const Tally> tallies);
    [[nodiscard]] data::Counts counts(std::span<const Tally> tallies) const;
    // The row's counts, with those for the total of clicks if wanted; until the next call.
    [[nodiscard]] data::BytesView encode(const Row& row, bool with_total);

  private:
    struct Visit {
        std::uint64_t session = 0; // as Sessions has it; 0: nobody knows the visitor
        std::uint32_t seconds = 0;
        std::uint32_t referrer = 0; // 1 + its number; 0: none
        std::uint32_t choice = 0;   // the same
        std::uint16_t place = 0;
        CountryCode country;
        LanguageCode language;
        Device device = Device::unknown;
        System system = System::unknown;
        Browser browser = Browser::unknown;
        bool counts = false;
        Chooser chooser = Chooser::link;
    };
    static_assert(sizeof(Visit) == 32, "two share a line of the processor's cache");
    static_assert(places_max + clicks_at_a_time <= 1 << 16);
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
    void add(const Click& click);
    [[nodiscard]] std::size_t index_of(const LinkId& link) const;
    std::uint32_t place_of(const Click& click);
    std::uint32_t site_of(const Click& click);
    void grow_index();
    // Calls add(code) for each thing to count.
    template <class Add>
    void count(const Visit& visit, bool begins_session, const Add& add) const;
    // The numbers of places in the order of each_row().
    [[nodiscard]] std::vector<std::uint32_t> order() const;
    // The numbers of visits, those of each place together, the places in this order.
    [[nodiscard]] std::vector<std::uint32_t> visits_of(const std::vector<std::uint32_t>& places) const;
    // With tallies_, which are put in the order of their names.
    Row row_of(std::uint32_t place, std::uint32_t hour);
    // Codes are in the order of names but for those that begin alike.
    void sort_by_name(std::span<Tally> tallies) const;
    [[nodiscard]] std::string_view own_name(const Code& code, std::array<char, 4>& buffer) const;

    std::vector<Visit> visits_;
    std::vector<Place> places_;
    std::vector<std::uint32_t> place_index_ = std::vector<std::uint32_t>(1024); // hashed; 1 + number
    std::vector<Site> sites_;
    std::uint32_t last_site_ = 0;
    std::unordered_map<std::string, std::uint32_t> site_numbers_;
    Texts hosts_, choices_;
    std::size_t clicks_ = 0;
    Adder adder_{256};
    std::vector<Tally> tallies_;
    data::CountsWriter writer_;
};

} // namespace slashpost::redirect
