#pragma once
// What an authority is answered that looks whether a host is ours. The answers are rows, so any server of the
// store has them; whoever listens may ask from any thread, for whatever a stranger sends.
#include "core/work/certificates.h"

#include <atomic>

namespace slashpost::acme {

class Challenges {
  public:
    // Nothing is answered before there is a store. Both outlive whoever asks.
    void open(data::Engine& engine, const Clock& clock) {
        clock_ = &clock;
        engine_ = &engine;
    }

    // What is answered to HTTP-01 for a token, or shown by TLS-ALPN-01 for a host; nothing: it is not waited
    // for, or the store cannot be read.
    [[nodiscard]] std::optional<std::string> find(ChallengeKind kind, std::string_view subject) const;

  private:
    const Clock* clock_ = nullptr;
    std::atomic<data::Engine*> engine_ = nullptr;
};

} // namespace slashpost::acme
