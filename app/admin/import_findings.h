#pragma once
// What the check of an import finds in its file.
#include "app/admin/console.h"
#include "app/admin/run.h"
#include "core/base/random.h"
#include "core/base/siphash.h"
#include "core/data/key.h"

#include <array>
#include <bit>
#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>

namespace slashpost::admin {

// Tells what is wrong with lines.
class Complaints {
  public:
    Complaints(Console& console, std::uint64_t shown_max) : console_(console), shown_max_(shown_max) {}
    Result<void> add(std::uint64_t line, const Error& error) {
        return ++count_ > shown_max_ ? Result<void>()
                                     : console_.write(fmt::format("line {}: {}\n", line, explain(error)));
    }
    Result<void> end() {
        return count_ <= shown_max_ ? Result<void>()
                                    : console_.write(fmt::format("and {} more lines that are not valid\n",
                                                                 count_ - shown_max_));
    }
    [[nodiscard]] std::uint64_t count() const { return count_; }

  private:
    Console& console_;
    std::uint64_t shown_max_;
    std::uint64_t count_ = 0;
};

// Slashtags of the file, by their hashes.
class Slashtags {
  public:
    explicit Slashtags(Random& random) {
        std::array<std::uint8_t, sizeof(SipKey)> bits{};
        random.fill(bits);
        key_ = std::bit_cast<SipKey>(bits);
    }
    // False when it was there.
    bool add(DomainId domain, std::string_view slashtag_key) {
        return hashes_.insert(siphash(key_, data::key(domain, slashtag_key))).second;
    }

  private:
    SipKey key_;
    boost::unordered_flat_set<std::uint64_t> hashes_;
};

} // namespace slashpost::admin
