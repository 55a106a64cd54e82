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

// OpenSSL's generator, seeded by the operating system. Ends the process if it has no randomness to give.
class SystemRandom final : public Random {
  public:
    void fill(std::span<std::uint8_t> out) override;
};

} // namespace slashpost
