#pragma once
// An amount of money without its currency, exact: whole thousandths, as fine as any currency is divided.
#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

namespace slashpost {

struct Amount {
    std::int64_t thousandths = 0;
    auto operator<=>(const Amount&) const = default;
};

// What one conversion may be worth: 9999999999.999. Of those almost a million can be added up.
inline constexpr Amount amount_max{9'999'999'999'999};

// What amounts add up to at most. Beyond it there is room for as many of them as can come at the same time.
inline constexpr Amount amount_sum_max{9'000'000'000'000'000'000};

// Each reads a number with at most three decimals, however large: one that has no room becomes the largest or
// the smallest Amount. Nothing when it is no such number.
[[nodiscard]] std::optional<Amount> read_amount(std::string_view text); // "19.99", "-5"
[[nodiscard]] Amount whole_amount(std::int64_t units);
// A double is never 19.99, only near it: taken for the number with three decimals that it cannot be told
// from.
[[nodiscard]] std::optional<Amount> read_amount(double number);

} // namespace slashpost
