#include "app/admin/progress.h"

namespace slashpost::admin {

namespace {

constexpr double too_early = 0.005; // before that, one cannot say how long the rest takes

std::string words_for_time(std::int64_t seconds) {
    if (seconds < 60)
        return fmt::format("{} s", seconds);
    if (seconds < 3600)
        return fmt::format("{} min {} s", seconds / 60, seconds % 60);
    return fmt::format("{} h {} min", seconds / 3600, seconds % 3600 / 60);
}

} // namespace

std::string words_for_rest(double fraction, std::chrono::duration<double> passed) {
    fraction = std::clamp(fraction, 0.0, 1.0);
    auto words = fmt::format("{:.0f} %", std::min(fraction * 100, 99.0)); // whoever is done says so
    if (fraction < too_early)
        return words;
    const auto left = passed.count() / fraction * (1 - fraction);
    return fmt::format("{}, {} left", words, words_for_time(static_cast<std::int64_t>(left + 0.5)));
}

} // namespace slashpost::admin
