#pragma once
// Which keys there may be: a Bloom filter that looks at one line of memory per key. Never wrong about a key
// that was added; of those that were not, it takes one in some hundred for one that was when it holds as many
// as it was made for. For one thread at a time.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace slashpost::redirect {

class KeyFilter {
  public:
    using Line = std::array<std::uint64_t, 8>;
    static constexpr std::size_t keys_per_line = 50; // some ten bits each

    // Knows nothing: there may be any key.
    KeyFilter() = default;
    // In zeroes, one line at least.
    explicit KeyFilter(std::span<Line> lines) : lines_(lines) {}

    // By their hashes, all bits of which are taken.
    void add(std::uint64_t hash);
    [[nodiscard]] bool may_have(std::uint64_t hash) const;
    // Different keys that were added, or a few less.
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    [[nodiscard]] std::size_t line_of(std::uint64_t hash) const;
    std::span<Line> lines_;
    std::size_t size_ = 0;
};

} // namespace slashpost::redirect
