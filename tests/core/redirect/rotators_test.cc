#include "core/redirect/rotators.h"

#include "core/redirect/choose.h"
#include "tests/core/redirect/redirect_world.h"

#include <cmath>
#include <random>
#include <span>
#include <thread>

using namespace slashpost;
using namespace slashpost::redirect;
using namespace slashpost::test;
using enum Rotators::Turn;

namespace {

// Arms 1, 2, ... with these weights.
data::Bytes compiled(const std::vector<std::optional<std::int64_t>>& weights) {
    LinkParts parts;
    for (const auto& weight : weights)
        parts.rotator.push_back({.id = id_of<RotatorRuleId>(parts.rotator.size() + 1),
                                 .destination = "https://a.example/",
                                 .weight = weight});
    return compile_routing(parts);
}

// The same in every run, so that chance cannot fail the test.
class SeededRandom final : public Random {
  public:
    void fill(std::span<std::uint8_t> out) override {
        for (auto& byte : out)
            byte = static_cast<std::uint8_t>(engine_());
    }

  private:
    std::mt19937_64 engine_{20'261'120};
};

using Counts = std::map<std::uint64_t, std::uint64_t>;
std::uint64_t number_of(const RotatorRuleId& id) { return id.bytes[15]; }

Counts visit_often(Rotators& rotators, const data::Bytes& routing_bytes, std::uint64_t visits) {
    const Routing routing(routing_bytes);
    Counts counts;
    for (std::uint64_t i = 0; i < visits; ++i)
        ++counts[number_of(arm_of(routing, rotators.number_for(link_id, routing, take)).value().id)];
    return counts;
}

} // namespace

TEST_CASE("of a million visits each arm gets its weight's share", "[rotators]") {
    SeededRandom random;
    Rotators rotators(random);
    constexpr std::uint64_t visits = 1'000'000;
    auto counts = visit_often(rotators, compiled({70, 20, std::nullopt, 0, 9}), visits);
    const auto is_fair = [&](std::uint64_t arm, double share) {
        const auto deviation = std::sqrt(static_cast<double>(visits) * share * (1 - share));
        return std::abs(static_cast<double>(counts[arm]) - static_cast<double>(visits) * share) <
               3 * deviation;
    };
    CHECK(is_fair(1, 0.70));
    CHECK(is_fair(2, 0.20));
    CHECK(is_fair(3, 0.01)); // without a weight among weights: 1
    CHECK(counts[4] == 0);
    CHECK(is_fair(5, 0.09));
}

TEST_CASE("without weights each arm has its turn", "[rotators]") {
    SystemRandom random;
    Rotators rotators(random);
    const auto bytes = compiled({std::nullopt, std::nullopt, std::nullopt});
    const Routing routing(bytes);
    std::string order;
    for (int i = 0; i < 7; ++i)
        order += std::to_string(
            number_of(arm_of(routing, rotators.number_for(link_id, routing, take)).value().id));
    CHECK(order == "1231231");
}

TEST_CASE("turns are exact over whole cycles however many threads visit", "[rotators]") {
    SystemRandom random;
    Rotators rotators(random);
    const auto bytes = compiled(std::vector<std::optional<std::int64_t>>(7));
    constexpr std::uint64_t per_thread = 7'000;
    std::vector<Counts> counts(4);
    {
        std::vector<std::jthread> threads;
        for (auto& own : counts)
            threads.emplace_back([&] { own = visit_often(rotators, bytes, per_thread); });
    }
    Counts sum;
    for (const auto& own : counts)
        for (const auto& [arm, visits] : own)
            sum[arm] += visits;
    CHECK(sum == Counts{{1, 4'000}, {2, 4'000}, {3, 4'000}, {4, 4'000}, {5, 4'000}, {6, 4'000}, {7, 4'000}});
}

TEST_CASE("who only looks uses up nobody's turn", "[rotators]") {
    SystemRandom random;
    Rotators rotators(random);
    const auto bytes = compiled({std::nullopt, std::nullopt});
    const Routing routing(bytes);
    CHECK(rotators.number_for(link_id, routing, look) == 0);
    CHECK(rotators.number_for(link_id, routing, take) == 0);
    CHECK(rotators.number_for(link_id, routing, look) == 1);
    CHECK(rotators.number_for(link_id, routing, look) == 1);
    CHECK(rotators.number_for(link_id, routing, take) == 1);
}

TEST_CASE("each link has turns of its own, and a flood of links stays bounded", "[rotators][long]") {
    SystemRandom random;
    Rotators rotators(random);
    const auto bytes = compiled({std::nullopt, std::nullopt});
    const Routing routing(bytes);
    for (std::uint64_t link = 1; link <= 400'000; ++link)
        REQUIRE(rotators.number_for(id_of<LinkId>(link), routing, take) == 0);
}

TEST_CASE("arms that have no weight at all are never chosen", "[rotators]") {
    const auto bytes = compiled({0, 0});
    CHECK_FALSE(arm_of(Routing(bytes), 0));
    CHECK(Routing(bytes).arms().empty());
}
