#pragma once
// Some clicks of the journal on their way to the store: kept small, then added up by link and hour.
#include "core/clicks/click_profiles.h"
#include "core/clicks/sessions.h"

#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace slashpost::redirect {

// Seconds since 1970, as far as they go.
std::uint32_t seconds_of(Timestamp time);

class ClickBatch {
  public:
    // Bound the memory of a fold and the size of its transaction.
    static constexpr std::size_t visits_max = 1 << 16;
    static constexpr std::size_t places_max = 1 << 15;

    // A link as it was clicked: its domain may change, and its tags.
    struct Source {
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
    // What happened at a place in one hour.
    struct Row {
        std::uint32_t place = 0;
        std::uint32_t hour = 0;
        std::int64_t clicks = 0;
        std::span<const Tally> profiles; // of the visits
    };

    // Quicker for some clicks at a time, as what is known of their links is anywhere in memory.
    static constexpr std::size_t clicks_at_a_time = 16;
    void add(std::span<const Click> clicks);
    void add(const CampaignMark& mark);
    // As if nothing had been added. Keeps the memory, which is cheaper than having it again from the system.
    void clear();
    [[nodiscard]] bool full() const { return visits_.size() >= visits_max || places_.size() >= places_max; }
    [[nodiscard]] bool empty() const { return visits_.empty(); }
    [[nodiscard]] std::size_t clicks() const { return clicks_; }
    [[nodiscard]] const std::vector<Source>& places() const { return places_; }
    [[nodiscard]] const std::vector<Site>& sites() const { return sites_; }

    // Once, when all are added: puts places into the order in which RecentLinks (core/schema/recent_links.h)
    // takes them, as they are added up one after the other, and what is known of them is found there.
    void put_in_order();
    // Once, after that: decides which clicks begin sessions, adds up and calls `take`, in the order of
    // places. A row is good for that call.
    void each_row(Sessions& sessions, const std::function<void(const Row&)>& take);
    // What the profiles in rows count for.
    [[nodiscard]] ClickProfiles& profiles() { return profiles_; }

  private:
    struct Visit {
        std::uint64_t session = 0; // as Sessions has it; 0: nobody knows the visitor
        std::uint32_t seconds = 0;
        std::uint32_t profile = 0; // its number
        std::uint16_t place = 0;
        bool counts = false;
    };
    static_assert(places_max + clicks_at_a_time <= 1 << 16, "a visit has 16 bits for its place");
    void add(const Click& click);
    [[nodiscard]] std::size_t index_of(const LinkId& link) const;
    std::uint32_t place_of(const Click& click);
    std::uint32_t site_of(const Click& click);
    void grow_index();
    // Compared by what most differ in, without a look at the places, which are anywhere in memory.
    struct Numbered {
        std::uint64_t sheet = 0, beginning = 0; // of the link's id
        std::uint32_t place = 0;
    };
    // Into order_: where the places stand now, in the order in which they are to stand.
    void number_places();
    // Into grouped_: the numbers of visits, those of each place together, the places as in order_.
    void group_visits();

    std::vector<Visit> visits_;
    std::vector<Source> places_;
    std::vector<std::uint32_t> place_index_ = std::vector<std::uint32_t>(1024); // hashed; 1 + number
    std::vector<Site> sites_;
    std::uint32_t last_site_ = 0;
    std::unordered_map<std::string, std::uint32_t> site_numbers_;
    ClickProfiles profiles_;
    std::size_t clicks_ = 0;
    std::vector<Numbered> order_;                   // of places
    std::vector<std::uint32_t> grouped_, next_for_; // next_for_: by place, where its next visit goes
};

} // namespace slashpost::redirect
