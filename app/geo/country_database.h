#pragma once
// The countries of one MaxMind-format file, read once and then in memory: whatever happens to the file later,
// also being written over in place, does not reach who reads here.
//
// Both schemas in use are understood: `country_code` (ip-location-db) and `country.iso_code` (GeoLite2).
#include "core/base/result.h"
#include "core/visitors/visitor.h"

#include <cstdint>
#include <filesystem>
#include <memory>

namespace slashpost::geo {

class CountryDatabase {
  public:
    // Reads and checks all of it: every address leads to a record that can be read, and some name a country.
    // Fails for a file that cannot be read, is too large, truncated, damaged, or holds other data.
    static Result<std::shared_ptr<const CountryDatabase>> read(const std::filesystem::path& file);
    ~CountryDatabase();
    CountryDatabase(const CountryDatabase&) = delete;
    CountryDatabase& operator=(const CountryDatabase&) = delete;

    // Empty when it is not known. From any thread.
    [[nodiscard]] CountryCode find(const redirect::Address& address) const noexcept;
    // When its data was put together, in Unix time.
    [[nodiscard]] std::uint64_t built_at() const noexcept;

  private:
    struct Opened;
    explicit CountryDatabase(std::unique_ptr<Opened> opened);
    const std::unique_ptr<Opened> opened_;
};

} // namespace slashpost::geo
