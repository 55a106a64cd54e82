#pragma once
// Tells at most once a second how far a long command has come, and ends it when its caller has gone.
#include "core/base/errors.h"
#include "tools/admin/console.h"

#include <chrono>
#include <cstdint>
#include <fmt/format.h>

namespace slashpost::admin {

class Progress {
  public:
    Progress(Console& console, std::string_view what) : console_(console), what_(what) {}

    // One more row. Fails when the caller has gone.
    Result<void> step() {
        if (++rows_ % 1024 != 0)
            return {};
        if (console_.stopped())
            return unavailable(fmt::format("{} was stopped", what_));
        const auto now = Time::now();
        if (now - told_ >= std::chrono::seconds(1)) {
            told_ = now;
            console_.note(summary());
        }
        return {};
    }
    [[nodiscard]] std::uint64_t rows() const { return rows_; }
    // "dump: 120000 rows, 85000 rows/s".
    [[nodiscard]] std::string summary() const {
        const auto seconds = std::chrono::duration<double>(Time::now() - begun_).count();
        return fmt::format("{}: {} rows, {:.0f} rows/s", what_, rows_,
                           static_cast<double>(rows_) / std::max(seconds, 0.001));
    }

  private:
    using Time = std::chrono::steady_clock;
    Console& console_;
    std::string_view what_;
    std::uint64_t rows_ = 0;
    Time::time_point begun_ = Time::now();
    Time::time_point told_ = begun_;
};

} // namespace slashpost::admin
