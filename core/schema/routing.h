#pragma once
// What visitors need of a link's parts, compiled when those are written (core/ops/link_parts.h) and carried
// in the link's target, so that a redirect reads and parses nothing else:
//
//   byte      flags: 1 = has a social preview, 2 = has active deep links, 4 = has rules, 8 = is a rotator
//   sized     only with rules: each sized, in the order in which they are tried:
//               id (16), sized destination, then its conditions, each sized:
//                 property, operator (1 byte each), for a query its sized name, then the values:
//                   country            2 characters each
//                   device, os,
//                   browser            4 bytes, big-endian: bit n for the word of number n
//                   (core/model/visitor.h) language, query    sized texts time in, not-in    spans:  1, from
//                   (8), until (8)   milliseconds, big-endian
//                                           or 0, weekdays (1), minutes of begin and end (2 each), sized zone
//                   time before, after a mark: 1, instant (8)
//                                           or 0, minute (2), sized zone
//   sized     only of a rotator: total weight (varint; 0: each in turn), then its arms:
//               id (16), weight (varint), sized destination
//
// `sized` is a length (varint) and as many bytes.
#include "core/data/codec.h"
#include "core/model/link_parts.h"

#include <string_view>

namespace slashpost::redirect {

// The first byte.
inline constexpr unsigned routing_open_graph = 1, routing_deep_links = 2, routing_rules = 4,
                          routing_rotator = 8;

// Nothing when visitors need nothing of them.
data::Bytes compile_routing(const LinkParts& parts);

// Views into compiled bytes. Bytes that are none read as if they ended there.
struct ConditionView {
    RuleProperty property = RuleProperty::country;
    RuleOperator op = RuleOperator::in;
    std::string_view name;   // of a query parameter
    std::string_view values; // compiled
};

struct RuleView {
    RuleId id;
    std::string_view destination;
    std::string_view conditions; // compiled

    // Takes one condition off the front of `left`, which begins as `conditions`; false when there is none.
    static bool take_condition(std::string_view& left, ConditionView& condition);
};

struct ArmView {
    RotatorRuleId id;
    std::uint64_t weight = 0;
    std::string_view destination;
};

class Routing {
  public:
    // Of a target; empty for a link without parts.
    explicit Routing(std::string_view compiled);

    [[nodiscard]] std::string_view rules() const { return rules_; }
    [[nodiscard]] std::string_view arms() const { return arms_; }
    // Zero: each arm has its turn; arms without any weight at all are never chosen, and there are none then.
    [[nodiscard]] std::uint64_t total_weight() const { return total_weight_; }

    // Take one off the front of `left`, which begins as rules() or arms(); false when there is none.
    static bool take_rule(std::string_view& left, RuleView& rule);
    static bool take_arm(std::string_view& left, ArmView& arm);

  private:
    std::uint64_t total_weight_ = 0;
    std::string_view rules_, arms_;
};

} // namespace slashpost::redirect
