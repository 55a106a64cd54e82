#pragma once
// Which of many backups stay.
#include "core/base/time.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost::admin {

// Of each of so many hours, days, weeks (from Monday) and months of UTC, the newest backup. Hours and so on
// in which there is none do not count, so that a pause takes nothing.
struct BackupKeep {
    std::uint32_t hours = 0, days = 0, weeks = 0, months = 0;
    bool operator==(const BackupKeep&) const = default;
    // "24h,7d,4w,12m"
    [[nodiscard]] std::string text() const;
};
// At least one of the four, each once, from 1 to 10,000.
std::optional<BackupKeep> parse_backup_keep(std::string_view text);

// Those that go; the newest of all stays in any case. `backups` ascend.
std::vector<Timestamp> backups_to_remove(std::span<const Timestamp> backups, const BackupKeep& keep);

} // namespace slashpost::admin
