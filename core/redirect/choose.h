#pragma once
// Where a visitor of a link is sent, and why: a pure function of the link's target, of what is told of the
// visitor, and of the time (wire "Parts of a link"). The first rule whose conditions all hold wins; else the
// arm of a rotator whose turn it is; else the link's own destination.
//
// What is not known of a visitor is none of the values of a condition: `in` does not hold, `not-in` does,
// `before` and `after` do not.
#include "core/base/zones.h"
#include "core/clicks/clicks.h"
#include "core/model/visitor.h"
#include "core/schema/routing.h"

namespace slashpost::redirect {

struct VisitorFacts {
    Agent agent;
    CountryCode country;
    std::string_view language; // the one liked best, as sent
    std::string_view query;    // of the address visited
    Timestamp now;
};

// Tells which conditions hold for one visitor. What several of them ask for is found out once: the parameters
// of the query, what the clock shows in a time zone. Of a query the first 1,000 parameters are looked at.
// A thread has one at a time; `visitor` outlives it. In the steady state nothing is allocated.
class Examiner {
  public:
    explicit Examiner(const VisitorFacts& visitor);
    Examiner(const Examiner&) = delete;
    Examiner& operator=(const Examiner&) = delete;

    [[nodiscard]] bool holds(const ConditionView& condition);
    // All its conditions; one that cannot be read does not.
    [[nodiscard]] bool matches(const RuleView& rule);

    // How much it has looked at so far.
    struct Figures {
        std::size_t parameters = 0; // of the query, taken apart
        std::size_t zones = 0;      // whose clocks were read
    };
    [[nodiscard]] Figures figures() const { return figures_; }

  private:
    struct Known;
    [[nodiscard]] bool has_language(std::string_view ranges);
    [[nodiscard]] bool has_time(std::string_view spans);
    [[nodiscard]] bool holds_for_time(const ConditionView& condition);
    [[nodiscard]] bool holds_for_query(const ConditionView& condition);
    [[nodiscard]] std::optional<std::int64_t> from_limit(std::string_view mark);
    [[nodiscard]] std::optional<WallClock> clock_in(std::string_view zone);
    void read_query();
    [[nodiscard]] std::size_t place_of(std::uint64_t name) const;
    [[nodiscard]] std::optional<std::string_view> sent_as(std::string_view name);

    const VisitorFacts& visitor_;
    Known& known_;
    bool query_is_read_ = false;
    Figures figures_;
};

// The first that matches; nothing when none does.
[[nodiscard]] std::optional<RuleView> first_match(const Routing& routing, const VisitorFacts& visitor);

// The arm to which the number falls: by turns, of so many arms the one whose turn is the `number`th; by
// weight, each gets its share of all numbers. Nothing when there are no arms.
[[nodiscard]] std::optional<ArmView> arm_of(const Routing& routing, std::uint64_t number);

struct Choice {
    Chooser chooser = Chooser::link;
    RawId id;                     // the rule's or the arm's
    std::string_view destination; // empty with Chooser::link
};

// `next_number()` is asked for once when a rotator has to choose.
template <class NextNumber>
Choice choose(const Routing& routing, const VisitorFacts& visitor, NextNumber&& next_number) {
    if (!routing.rules().empty())
        if (const auto rule = first_match(routing, visitor))
            return {.chooser = Chooser::rule, .id = rule->id, .destination = rule->destination};
    if (!routing.arms().empty())
        if (const auto arm = arm_of(routing, next_number()))
            return {.chooser = Chooser::arm, .id = arm->id, .destination = arm->destination};
    return {};
}

} // namespace slashpost::redirect
