#include "core/ops/destinations.h"

#include "tests/support/counting_engine.h"
#include "tests/support/labels.h"
#include "tests/support/parts.h"

#include <catch2/catch.hpp>

#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::vector<RotatorRuleInput> arms_to(const std::vector<std::string>& addresses) {
    std::vector<RotatorRuleInput> arms;
    for (const auto& address : addresses)
        arms.push_back({.destination = address, .weight = {}, .id = {}});
    return arms;
}

Link make_rotator(World& world, const std::string& slashtag, const std::vector<std::string>& addresses) {
    auto link =
        must(world.create(
                 {.destination = "https://example.com/", .slashtag = slashtag, .type = LinkType::rotator}))
            .link;
    must(change_parts(world, link.id, [&](Context& ctx, const Link& row) {
        return replace_rotator(ctx, row, arms_to(addresses));
    }));
    return link;
}

std::string ours(const std::string& rest) { return "https://go.example.com/" + rest; }

// What a check says of the destinations of a new link, "none" when nothing.
std::string problems_of(World& world, const std::vector<std::string>& given) {
    return must(world.read([&](Context& ctx) -> Result<std::string> {
        const Link link{.domain = world.installed.domain.id, .slashtag = "new", .slashtag_key = "new"};
        DestinationCheck check(ctx, link);
        Problems problems;
        for (const auto& one : given)
            static_cast<void>(TRY(check.read(one, problems)));
        return problems.none() ? "none" : problems.fields().front().message;
    }));
}

const std::string too_far =
    "leads over more than 10 links of this server one behind the other, or to more than 1000 addresses";

} // namespace

TEST_CASE("destinations that meet again are looked at once, however often and with whatever query",
          "[destinations]") {
    auto counting = std::make_unique<CountingEngine>(storage::make_memory_engine(space::all));
    auto& engine = *counting;
    World world(std::move(counting));
    // Eight layers; each rotator leads to all three of the next, over ten addresses each.
    std::vector<std::string> below{"https://example.com/end"};
    for (int layer = 0; layer < 8; ++layer) {
        std::vector<std::string> here;
        for (int i = 0; i < 3; ++i) {
            const auto slashtag = fmt::format("r{}-{}", layer, i);
            make_rotator(world, slashtag, below);
            for (int query = 0; query < 10; ++query)
                here.push_back(ours(fmt::format("{}?{}", slashtag, query)));
        }
        below = here;
    }
    static_cast<void>(engine.take());
    CHECK(problems_of(world, below) == "none");
    const auto seen = engine.take();
    CHECK(seen.gets.at("redirects") == 24);
    CHECK(seen.gets.at("domains") <= 4); // go.example.com and example.com, by name and by id
}

TEST_CASE("what branches to more than 1,000 addresses is refused, and no more of them are looked at",
          "[destinations]") {
    auto counting = std::make_unique<CountingEngine>(storage::make_memory_engine(space::all));
    auto& engine = *counting;
    World world(std::move(counting));
    std::vector<std::string> wheels;
    for (int wheel = 0; wheel < 21; ++wheel) {
        std::vector<std::string> arms;
        for (int arm = 0; arm < 50; ++arm)
            arms.push_back(ours(fmt::format("none-{}-{}", wheel, arm)));
        const auto slashtag = fmt::format("w{}", wheel);
        make_rotator(world, slashtag, arms);
        wheels.push_back(ours(slashtag));
    }
    make_rotator(world, "few", {wheels.begin(), wheels.begin() + 19});
    const auto many = make_rotator(world, "many", {wheels.begin(), wheels.begin() + 19});
    for (const auto& wheel : {wheels[19], wheels[20]}) // each by itself leads to few
        must(change_parts(world, many.id, [&](Context& ctx, const Link& row) {
            return create_rotator_rule(ctx, row, {.destination = wheel, .weight = {}, .id = {}});
        }));
    CHECK(problems_of(world, {ours("few")}) == "none");
    static_cast<void>(engine.take());
    CHECK(problems_of(world, {ours("many")}) == too_far);
    CHECK(engine.take().gets.at("redirects") <= 1'000);
    // All destinations of a call together have this bound.
    CHECK(problems_of(world, wheels) == too_far);
    CHECK(problems_of(world, {wheels.begin(), wheels.begin() + 19}) == "none");
    // Addresses of others cost nothing, and one behind them is no reason to refuse them.
    CHECK(problems_of(world, {"https://example.com/", "https://example.org/?to=" + ours("many")}) == "none");
}

TEST_CASE("each of several destinations that lead back is told", "[destinations]") {
    World world;
    make_rotator(world, "wheel", {ours("new"), "https://example.com/"});
    must(world.create({.destination = ours("wheel"), .slashtag = "behind"}));
    const auto told = must(world.read([&](Context& ctx) -> Result<std::size_t> {
        const Link link{.domain = world.installed.domain.id, .slashtag = "new", .slashtag_key = "new"};
        DestinationCheck check(ctx, link);
        Problems problems;
        for (const auto& one : {ours("wheel"), ours("behind"), ours("wheel?again"), ours("other")})
            static_cast<void>(TRY(check.read(one, problems)));
        return problems.fields().size();
    }));
    CHECK(told == 3);
}

TEST_CASE("ten links one behind the other are fine, eleven are taken for a loop", "[destinations]") {
    World world;
    must(world.create({.destination = "https://example.com/", .slashtag = "l1"}));
    for (int i = 2; i <= 9; ++i)
        must(world.create(
            {.destination = ours(fmt::format("l{}", i - 1)), .slashtag = fmt::format("l{}", i)}));
    CHECK(problems_of(world, {ours("l9")}) == "none");
    must(world.create({.destination = ours("l9"), .slashtag = "l10"}));
    CHECK(problems_of(world, {ours("l10")}) == too_far);
}
