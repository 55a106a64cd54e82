#pragma once
// The other servers that use the same store at the same time, as one of them sees them.
//
// A server that is not heard of for ten seconds is taken for dead by the others: from then on it is gone,
// which means that it commits nothing any more, also when it wakes up.
#include "core/data/engine.h"

namespace slashpost::data {

class Peers {
  public:
    virtual ~Peers() = default;

    // Names this server from when it opened the store until it is gone; nobody else is ever called so.
    [[nodiscard]] virtual Bytes name() const = 0;
    // Tells this server from those that use the store with it; who comes later may be given it again.
    [[nodiscard]] virtual std::uint32_t number() const = 0;
    // Whether the server of that name is gone. What it has committed is seen by whoever begins to read then.
    // Fails as unavailable when the store cannot be asked.
    virtual Result<bool> is_gone(BytesView name) = 0;
    // Whether no other server uses the store. Fails likewise.
    virtual Result<bool> is_alone() = 0;

    // A number of this server that only rises: the others know it within a second.
    virtual void show(std::uint64_t number) = 0;
    // The lowest and the highest that the others had shown a moment ago, but those that are gone; 0: none has
    // shown any since it opened the store.
    struct Shown {
        std::uint64_t lowest = 0;
        std::uint64_t highest = 0;
    };
    [[nodiscard]] virtual Shown shown() const = 0;
};

} // namespace slashpost::data
