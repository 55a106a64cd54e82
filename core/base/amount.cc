#include "core/base/amount.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slashpost {

namespace {

constexpr Amount largest{std::numeric_limits<std::int64_t>::max()};
constexpr Amount smallest{std::numeric_limits<std::int64_t>::min()};
constexpr std::size_t decimals_max = 3;
constexpr std::size_t digits_max = 15; // before the point: with three behind it, less than 2^63

} // namespace

std::optional<Amount> read_amount(std::string_view text) {
    const bool negative = text.starts_with('-');
    text.remove_prefix(negative ? 1 : 0);
    const auto point = std::min(text.find('.'), text.size());
    auto whole = text.substr(0, point);
    const auto decimals = point == text.size() ? std::string_view("0") : text.substr(point + 1);
    if (!ascii::are_digits(whole) || !ascii::are_digits(decimals) || decimals.size() > decimals_max)
        return std::nullopt;
    whole.remove_prefix(std::min(whole.find_first_not_of('0'), whole.size()));
    if (whole.size() > digits_max)
        return negative ? smallest : largest;
    std::int64_t thousandths = 0;
    for (const char digit : whole)
        thousandths = thousandths * 10 + (digit - '0');
    for (std::size_t i = 0; i < decimals_max; ++i)
        thousandths = thousandths * 10 + (i < decimals.size() ? decimals[i] - '0' : 0);
    return Amount{negative ? -thousandths : thousandths};
}

Amount whole_amount(std::int64_t units) {
    constexpr auto units_max = std::numeric_limits<std::int64_t>::max() / 1000;
    if (units > units_max)
        return largest;
    return units < -units_max ? smallest : Amount{units * 1000};
}

std::optional<Amount> read_amount(double number) {
    constexpr double exact_below = 1e12; // from there on doubles are coarser than thousandths
    if (std::isnan(number))
        return std::nullopt;
    if (std::abs(number) >= exact_below)
        return number < 0 ? smallest : largest;
    const auto thousandths = std::llround(number * 1000);
    const auto distance = std::abs(number - static_cast<double>(thousandths) / 1000);
    if (distance > std::abs(number) * 4 * std::numeric_limits<double>::epsilon())
        return std::nullopt;
    return Amount{thousandths};
}

} // namespace slashpost
