#pragma once
// What the check of an import finds in its file.
#include "app/admin/console.h"
#include "core/base/random.h"
#include "core/base/siphash.h"
#include "core/data/key.h"
#include "core/model/link.h"

#include <array>
#include <bit>
#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <vector>

namespace slashpost::admin {

// Tells what is wrong with lines.
class Complaints {
  public:
    Complaints(Console& console, std::uint64_t shown_max) : console_(console), shown_max_(shown_max) {}
    Result<void> add(std::uint64_t line, std::string_view words) {
        return ++count_ > shown_max_ ? Result<void>()
                                     : console_.write(fmt::format("line {}: {}\n", line, words));
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

// How many lines are what, and the first of those that somebody should look at.
class LineTable {
  public:
    enum class Kind : std::uint8_t { made, same, conflict, invalid, foreign };
    static constexpr std::size_t shown_max = 10;

    void add(Kind kind, std::uint64_t line, const std::function<std::string()>& words) {
        auto& found = kinds_.at(static_cast<std::size_t>(kind));
        ++found.count;
        if (kind != Kind::made && kind != Kind::same && found.first.size() < shown_max)
            found.first.push_back(fmt::format("line {}: {}", line, words()));
    }
    // Of a line whose domain is none of ours.
    void add_domain(const std::string& name) {
        if (domains_.size() < different_domains_max || domains_.contains(name))
            ++domains_[name];
    }
    [[nodiscard]] std::uint64_t count(Kind kind) const {
        return kinds_.at(static_cast<std::size_t>(kind)).count;
    }
    [[nodiscard]] std::string text() const;

  private:
    static constexpr std::size_t different_domains_max = 1000;
    struct Found {
        std::uint64_t count = 0;
        std::vector<std::string> first;
    };
    std::array<Found, 5> kinds_;
    std::map<std::string, std::uint64_t> domains_;
};

inline SipKey random_sip_key(Random& random) {
    std::array<std::uint8_t, sizeof(SipKey)> bits{};
    random.fill(bits);
    return std::bit_cast<SipKey>(bits);
}

// Slashtags of the file and where they lead, by their hashes.
class Slashtags {
  public:
    enum class Found : std::uint8_t { is_new, same, other_case, taken };

    explicit Slashtags(Random& random) : key_(random_sip_key(random)) {}
    // What was there before it.
    Found add(const Link& link) {
        const Seen seen{.slashtag = static_cast<std::uint32_t>(siphash(key_, link.slashtag)),
                        .destination = static_cast<std::uint32_t>(siphash(key_, link.destination))};
        const auto [before, is_new] =
            hashes_.emplace(siphash(key_, data::key(link.domain, link.slashtag_key)), seen);
        if (is_new)
            return Found::is_new;
        if (before->second.destination == seen.destination)
            return Found::same;
        return before->second.slashtag == seen.slashtag ? Found::taken : Found::other_case;
    }

  private:
    struct Seen {
        std::uint32_t slashtag = 0, destination = 0;
    };
    SipKey key_;
    boost::unordered_flat_map<std::uint64_t, Seen> hashes_;
};

// External ids of the file and the addresses of the links that have them, by their hashes.
class ExternalIds {
  public:
    explicit ExternalIds(Random& random) : key_(random_sip_key(random)) {}
    // Whether a line may give it to the link: no earlier one gives it to a link at another address. One whose
    // slashtag is to be made is at an address of its own.
    bool add(std::string_view external_id, const Link& link) {
        if (external_id.empty())
            return true;
        const auto address =
            link.slashtag_key.empty() ? 0 : siphash(key_, data::key(link.domain, link.slashtag_key));
        const auto [before, is_new] = hashes_.emplace(siphash(key_, external_id), address);
        return is_new || (address != 0 && before->second == address);
    }

  private:
    SipKey key_;
    boost::unordered_flat_map<std::uint64_t, std::uint64_t> hashes_;
};

} // namespace slashpost::admin
