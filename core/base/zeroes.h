#pragma once
// Memory for large tables that are looked up here and there.
#include <cstddef>
#include <optional>
#include <span>

namespace slashpost {

// Zeroes, straight from the system, which gives them when they are touched first.
class Zeroes {
  public:
    // Large pages cost the processor fewer look-ups of where things are, but are given two megabytes at a
    // time. The system may have none of them; then they are usual ones.
    enum class Pages { usual, large };

    Zeroes() = default;
    // Nothing when the system gives no more memory. Begins at a page.
    static std::optional<Zeroes> take(std::size_t bytes, Pages pages);
    ~Zeroes();
    Zeroes(Zeroes&& other) noexcept;
    Zeroes& operator=(Zeroes&& other) noexcept;

    [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
    // What is before `offset` is not needed any more: the system gets back whole pages of it.
    void give_back_before(std::size_t offset);

  private:
    explicit Zeroes(std::span<std::byte> bytes) : bytes_(bytes) {}
    std::span<std::byte> bytes_;
    std::size_t given_back_ = 0; // bytes at the front
};

} // namespace slashpost
