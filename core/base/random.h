#pragma once
// Where unguessable bytes come from: ids, API keys, slashtags. Tests give an exact sequence instead.
#include <cstddef>
#include <cstdint>
#include <span>

namespace slashpost {

class Random {
  public:
    virtual ~Random() = default;
    // Fills `out`. Safe to call from any thread.
    virtual void fill(std::span<std::uint8_t> out) = 0;

    // Uniform in [0, bound); bound is at least 1. Without the bias of a plain remainder.
    std::uint32_t below(std::uint32_t bound);
};

// The operating system's. Takes no memory; ends the process if there is no randomness.
class SystemRandom final : public Random {
  public:
    SystemRandom();
    void fill(std::span<std::uint8_t> out) override;
};

} // namespace slashpost
