#include "app/admin/backup_keep.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <ranges>
#include <set>
#include <utility>

namespace slashpost::admin {

namespace {

constexpr std::uint32_t number_max = 10'000;
constexpr std::int64_t monday_shift = 3; // 1970-01-01 was a Thursday

struct Unit {
    char letter;
    std::uint32_t BackupKeep::* number;
    std::int64_t (*period)(Timestamp); // ascends with time
};

std::int64_t day_of(Timestamp at) {
    return std::chrono::floor<std::chrono::days>(std::chrono::milliseconds(at.ms)).count();
}

std::int64_t hour_of(Timestamp at) {
    return std::chrono::floor<std::chrono::hours>(std::chrono::milliseconds(at.ms)).count();
}

std::int64_t week_of(Timestamp at) { return (day_of(at) + monday_shift) / 7; }

std::int64_t month_of(Timestamp at) {
    const std::chrono::year_month_day day{std::chrono::sys_days(std::chrono::days(day_of(at)))};
    return static_cast<int>(day.year()) * std::int64_t{12} + static_cast<unsigned>(day.month());
}

constexpr std::array<Unit, 4> units{{{'h', &BackupKeep::hours, hour_of},
                                     {'d', &BackupKeep::days, day_of},
                                     {'w', &BackupKeep::weeks, week_of},
                                     {'m', &BackupKeep::months, month_of}}};

} // namespace

std::string BackupKeep::text() const {
    std::string out;
    for (const auto& unit : units)
        if (const auto number = this->*unit.number; number > 0)
            out += fmt::format("{}{}{}", out.empty() ? "" : ",", number, unit.letter);
    return out;
}

std::optional<BackupKeep> parse_backup_keep(std::string_view text) {
    BackupKeep keep;
    for (const auto part : std::views::split(text, ',')) {
        const std::string_view word(part.begin(), part.end());
        std::uint32_t number = 0;
        const auto* const last = word.data() + word.size();
        const auto [end, error] = std::from_chars(word.data(), last, number);
        if (error != std::errc{} || end + 1 != last || number < 1 || number > number_max)
            return std::nullopt;
        const auto* const unit = std::ranges::find(units, *end, &Unit::letter);
        if (unit == units.end() || keep.*unit->number != 0)
            return std::nullopt;
        keep.*unit->number = number;
    }
    return keep == BackupKeep() ? std::nullopt : std::optional(keep);
}

std::vector<Timestamp> backups_to_remove(std::span<const Timestamp> backups, const BackupKeep& keep) {
    std::set<Timestamp> stay;
    if (!backups.empty())
        stay.insert(backups.back());
    for (const auto& unit : units) {
        std::set<std::int64_t> periods;
        for (const auto at : backups | std::views::reverse) {
            if (periods.size() == keep.*unit.number)
                break;
            if (periods.insert(unit.period(at)).second)
                stay.insert(at);
        }
    }
    std::vector<Timestamp> out;
    std::ranges::copy_if(backups, std::back_inserter(out), [&](Timestamp at) { return !stay.contains(at); });
    return out;
}

} // namespace slashpost::admin
