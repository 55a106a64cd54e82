#pragma once
// Memory for large tables that are looked up here and there.
#include <cstddef>
#include <optional>
#include <span>

namespace slashpost {

// Zeroes, straight from the system, which gives them when they are touched first.
class Zeroes {
  public:
    Zeroes() = default;
    // Nothing when the system gives no more memory. Begins at a page.
    static std::optional<Zeroes> take(std::size_t bytes);
    ~Zeroes();
    Zeroes(Zeroes&& other) noexcept;
    Zeroes& operator=(Zeroes&& other) noexcept;

    [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }

  private:
    explicit Zeroes(std::span<std::byte> bytes) : bytes_(bytes) {}
    std::span<std::byte> bytes_;
};

} // namespace slashpost
