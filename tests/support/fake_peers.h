#pragma once
// Other servers, as a test wants them.
#include "core/data/peers.h"

#include <set>

namespace slashpost::test {

class FakePeers final : public data::Peers {
  public:
    [[nodiscard]] data::Bytes name() const override { return own_name; }
    [[nodiscard]] std::uint32_t number() const override { return own_number; }
    Result<bool> is_gone(data::BytesView name) override { return gone.contains(data::Bytes(name)); }
    Result<bool> is_alone() override { return alone; }
    void show(std::uint64_t number) override { shown_by_this = number; }
    [[nodiscard]] Shown shown() const override { return shown_by_others; }

    data::Bytes own_name = "1:1";
    std::uint32_t own_number = 1;
    std::set<data::Bytes> gone;
    bool alone = false;
    std::uint64_t shown_by_this = 0;
    Shown shown_by_others;
};

} // namespace slashpost::test
