#pragma once
// Tells at most once a second how far a long command has come, and ends it when its caller has gone.
#include "app/admin/console.h"
#include "core/base/errors.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <optional>

namespace slashpost::admin {

// "45 %, 1 min 20 s left", of what began so long ago and is done to this fraction.
std::string words_for_rest(double fraction, std::chrono::duration<double> passed);

class Progress {
  public:
    // How much of it all is done, from 0 to 1; nothing while nobody knows.
    using Fraction = std::function<std::optional<double>()>;

    Progress(Console& console, std::string_view what, Fraction fraction = {})
        : console_(console),
          what_(what),
          fraction_(std::move(fraction)) {}

    // So many rows more. Fails when the caller has gone.
    Result<void> step(std::uint64_t rows = 1) {
        rows_ += rows;
        if (rows_ < next_look_)
            return {};
        next_look_ = rows_ + rows_between_looks;
        return look();
    }
    // Tells, when it is time, without more rows. Fails when the caller has gone.
    Result<void> look() {
        if (console_.stopped())
            return unavailable(fmt::format("{} was stopped", what_));
        const auto now = Time::now();
        if (now - told_ >= std::chrono::seconds(1)) {
            told_ = now;
            tell();
        }
        return {};
    }
    [[nodiscard]] std::uint64_t rows() const { return rows_; }
    // "dump: 120000 rows, 85000 rows/s".
    [[nodiscard]] std::string summary() const {
        return fmt::format("{}: {} rows, {:.0f} rows/s", what_, rows_,
                           static_cast<double>(rows_) / std::max(passed().count(), 0.001));
    }

  private:
    using Time = std::chrono::steady_clock;
    static constexpr std::uint64_t rows_between_looks = 1024;

    [[nodiscard]] std::chrono::duration<double> passed() const { return Time::now() - begun_; }
    void tell() {
        const auto done = fraction_ ? fraction_() : std::nullopt;
        if (!done)
            return console_.progress(summary());
        const auto rest = words_for_rest(*done, passed());
        console_.progress(rows_ > 0 ? fmt::format("{}, {}", summary(), rest)
                                    : fmt::format("{}: {}", what_, rest));
    }

    Console& console_;
    std::string_view what_;
    Fraction fraction_;
    std::uint64_t rows_ = 0;
    std::uint64_t next_look_ = rows_between_looks;
    Time::time_point begun_ = Time::now();
    Time::time_point told_ = begun_;
};

} // namespace slashpost::admin
