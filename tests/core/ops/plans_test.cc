// Plans: what they include, how limits are held, and what is shown of them (interface 2.2 and 8).
#include "tests/support/workspaces.h"

#include <atomic>
#include <thread>

using namespace slashpost;
using namespace slashpost::test;

namespace {

using Number = Change<std::int64_t>;
using Names = Change<std::vector<std::string>>;

AccountDetails account_of(World& world) {
    return must(world.service.run(world.caller, {}, account_read, describe_account));
}

Result<bool> nothing(Context&) { return true; }

// "links.notes links.tags!", with ! for revoked ones.
std::string features_of(World& world, std::optional<bool> revoked = {}) {
    std::string out;
    for (const auto& [feature, off] : must(world.read(
             [&](Context& ctx) -> Result<std::vector<OwnedFeature>> { return list_features(ctx, revoked); })))
        out += (out.empty() ? "" : " ") + std::string(to_string(feature)) + (off ? "!" : "");
    return out;
}

std::string problems_of(const Result<Plan>& result) {
    REQUIRE_FALSE(result.has_value());
    std::string out;
    for (const auto& field : result.error().fields)
        out += (out.empty() ? "" : " ") + field.property;
    return out;
}

constexpr auto every_feature =
    "links.notes links.expiration links.bulk links.extended links.opengraph "
    "links.rules links.tags links.scripts links.scripts.shared extra.conversion_tracking";

} // namespace

TEST_CASE("an account without a plan has everything, without bounds", "[plans]") {
    World world;
    CHECK(features_of(world) == every_feature);
    const auto details = account_of(world);
    CHECK(details.plan.shown_category() == "default");
    for (const auto& use : {details.links, details.workspaces, details.domains, details.teammates,
                            details.tags, details.scripts})
        CHECK_FALSE(use.included);
    CHECK_FALSE(details.plan.rate_requests);
}

TEST_CASE("a plan has the features it names, an account its own besides, and revoked ones count for nothing",
          "[plans]") {
    World world;
    set_plan(world, {.features = Names::set({"links.tags", "links.notes"})});
    CHECK(features_of(world) == "links.notes links.tags");
    must(world.operate([&](SystemContext& system) -> Result<Account> {
        return change_account_plan(system, TRY(find_account(system.txn, "admin")),
                                   {.granted_features = Names::set({"links.bulk"}),
                                    .revoked_features = Names::set({"links.tags", "links.rules"})});
    }));
    CHECK(features_of(world) == "links.notes links.bulk links.rules! links.tags!");
    CHECK(features_of(world, true) == "links.rules! links.tags!");
    CHECK(features_of(world, false) == "links.notes links.bulk");
    const auto asks = [&](Feature feature) { return code_of(world.read(nothing, {.feature = feature})); };
    CHECK(asks(Feature::links_notes) == "none");
    CHECK(asks(Feature::links_bulk) == "none");
    CHECK(asks(Feature::links_tags) == "FeatureNotIncluded");
    CHECK(asks(Feature::links_rules) == "FeatureNotIncluded");
    CHECK(asks(Feature::links_scripts) == "FeatureNotIncluded");
}

TEST_CASE("features are those of the workspace's owner, not of whoever calls", "[plans]") {
    World world;
    const auto other = world.stranger("other");
    add_member(world, world.installed.account.default_workspace, other.account.id, Role::owner);
    set_plan(world, {.features = Names::set({})});
    const Guard guard{.feature = Feature::links_tags};
    const auto ask = [&](WorkspaceId workspace) {
        return code_of(world.service.run(other.caller, workspace.hex(), guard, nothing));
    };
    CHECK(ask(world.installed.account.default_workspace) == "FeatureNotIncluded");
    CHECK(ask(other.account.default_workspace) == "none");
}

TEST_CASE("extended workspaces and times to live need their features", "[plans]") {
    World world;
    set_plan(world, {.features = Names::set({})});
    CHECK(code_of(try_workspace(world, {.name = "abc", .type = WorkspaceType::extended}, world.caller)) ==
          "FeatureNotIncluded");
    CHECK(code_of(try_workspace(world, {.name = "abc", .default_ttl_seconds = 60}, world.caller)) ==
          "FeatureNotIncluded");
    CHECK(code_of(try_workspace(world, {.name = "abc", .type = WorkspaceType::gallery}, world.caller)) ==
          "none");
    const auto change = [&](std::int64_t ttl) {
        return code_of(world.write(
            [&](Context& ctx) { return update_workspace(ctx, {.default_ttl_seconds = Number::set(ttl)}); }));
    };
    CHECK(change(60) == "FeatureNotIncluded");
    must(world.operate([&](SystemContext& system) -> Result<Workspace> { // as it was before the plan changed
        const auto was = TRY(find_any_workspace(system.txn, "admin"));
        auto now = was;
        now.default_ttl_seconds = 60;
        TRY(schema().workspaces.update(system.txn, was, now));
        return now;
    }));
    CHECK(change(60) == "none"); // what is so already may be said again
    CHECK(change(61) == "FeatureNotIncluded");
}

TEST_CASE("links count up to the plan's limit, in all workspaces of the account together", "[plans]") {
    World world;
    set_plan(world, {.links = Number::set(3)});
    const auto second = make_workspace(world, "abc");
    must(link_in(world, second.id, "a"));
    const auto b = must(world.create({.destination = "https://example.com/", .slashtag = "b"})).link;
    must(world.create({.destination = "https://example.com/", .slashtag = "c"}));
    CHECK(code_of(link_in(world, second.id, "d")) == "LimitReached");
    CHECK(account_of(world).links.used == 3);
    CHECK(account_of(world).links.included == 3);
    must(world.remove(b.id));
    CHECK(account_of(world).links.used == 2);
    CHECK(code_of(link_in(world, second.id, "d")) == "none");
    CHECK(code_of(link_in(world, second.id, "e")) == "LimitReached");
    must(remove_in(world, second.id, Removal::deleted)); // what is gone counts no more, at once
    CHECK(account_of(world).links.used == 1);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an expired link counts, because it can come back", "[plans]") {
    World world;
    set_plan(world, {.links = Number::set(1)});
    must(world.create({.destination = "https://example.com/", .ttl_seconds = 60}));
    world.clock.advance_seconds(61);
    CHECK(must(world.count({})) == 0);
    CHECK(code_of(world.create({.destination = "https://example.com/"})) == "LimitReached");
}

TEST_CASE("a limit of 0 links allows none", "[plans]") {
    World world;
    set_plan(world, {.links = Number::set(0)});
    CHECK(code_of(world.create({.destination = "https://example.com/"})) == "LimitReached");
}

TEST_CASE("workspaces count up to the plan's limit, hidden ones do not", "[plans]") {
    World world;
    set_plan(world, {.workspaces = Number::set(2)});
    const auto second = make_workspace(world, "abc");
    const auto refused = try_workspace(world, {.name = "def"}, world.caller);
    REQUIRE(code_of(refused) == "LimitReached");
    CHECK(refused.error().source == "workspace");
    CHECK(account_of(world).workspaces.used == 2);
    must(remove_in(world, second.id, Removal::trashed));
    CHECK(account_of(world).workspaces.used == 1);
    CHECK(code_of(try_workspace(world, {.name = "def"}, world.caller)) == "none");
    CHECK(code_of(try_workspace(world, {.name = "ghi"}, world.caller)) == "LimitReached");
}

TEST_CASE("the numbers of a subscription are those of the account alone", "[plans]") {
    World world;
    const auto other = world.stranger("other");
    const auto second = make_workspace(world, "abc");
    add_member(world, second.id, other.account.id, Role::user);
    add_member(world, world.installed.account.default_workspace, other.account.id, Role::guest);
    must(world.operate([&](SystemContext& system) {
        return add_domain(system, {.full_name = "own.example",
                                   .type = DomainType::user,
                                   .owner = world.installed.account.id,
                                   .slashtag = {}});
    }));
    const auto mine = account_of(world);
    CHECK(mine.workspaces.used == 2);
    CHECK(mine.teammates.used == 2);
    CHECK(mine.domains.used == 1); // a service domain is the installation's
    const auto theirs = must(world.service.run(other.caller, {}, account_read, describe_account));
    CHECK(theirs.workspaces.used == 1);
    CHECK(theirs.teammates.used == 0);
    CHECK(theirs.domains.used == 0);
}

TEST_CASE("two that take the last place at the same time do not both get it", "[plans]") {
    constexpr int threads_count = 8;
    constexpr int links_max = 5;
    struct NobodyListens final : ChangeListener {
        void changed(const Changes&) override {}
    };
    World world;
    set_plan(world, {.links = Number::set(links_max)});
    NobodyListens listener;
    SystemRandom random;
    Service service(*world.engine, world.clock, Tools{world.ids, random, world.settings}, listener);
    std::atomic<int> made = 0, refused = 0;
    {
        std::vector<std::jthread> threads;
        threads.reserve(threads_count);
        for (int i = 0; i < threads_count; ++i)
            threads.emplace_back([&] {
                for (int tries = 0; tries < 3; ++tries) {
                    const auto one = service.run(
                        world.caller, {}, {.access = Access::write}, [](Context& ctx) -> Result<void> {
                            TRY(create_link(ctx, {.destination = "https://example.com/"}));
                            return {};
                        });
                    ++(one.has_value() ? made : refused);
                }
            });
    }
    CHECK(made == links_max);
    CHECK(made + refused == threads_count * 3);
    CHECK(account_of(world).links.used == links_max);
}

TEST_CASE("a plan's name, features and numbers are checked, all at once", "[plans]") {
    World world;
    const auto make = [&](const std::string& name, const PlanChange& change) {
        return world.operate([&](SystemContext& system) { return create_plan(system, name, change); });
    };
    for (const auto& bad : {std::string(), std::string("Big"), std::string("a b"), std::string(41, 'a')})
        CHECK(problems_of(make(bad, {})) == "name");
    CHECK(problems_of(make("default", {})) == "name");
    must(make(std::string(40, 'a'), {}));
    CHECK(problems_of(make(std::string(40, 'a'), {})) == "name");
    CHECK(problems_of(make("b", {.features = Names::set({"links.nope"}),
                                 .links = Number::set(-1),
                                 .tags = Number::set(2'147'483'648),
                                 .rate_requests = Change<std::uint32_t>::set(2'147'483'648U),
                                 .rate_period_seconds = Change<std::uint32_t>::set(0)})) ==
          "features links tags rate period");
    CHECK(problems_of(make("b", {.rate_period_seconds = Change<std::uint32_t>::set(86'401)})) == "period");
    must(make("b", {.links = Number::set(2'147'483'647),
                    .rate_requests = Change<std::uint32_t>::set(2'147'483'647U),
                    .rate_period_seconds = Change<std::uint32_t>::set(86'400)}));
}

TEST_CASE("the default plan can be changed, for everybody without another", "[plans]") {
    World world;
    const auto other = world.stranger("other");
    set_plan(world, {}); // the world's account has a plan of its own
    const auto change = [&](const PlanChange& what) {
        return must(world.operate([&](SystemContext& system) -> Result<Plan> {
            return change_plan(system, TRY(find_plan(system.txn, "default")), what);
        }));
    };
    change({.workspaces = Number::set(1)});
    CHECK(code_of(try_workspace(world, {.name = "abc"}, other.caller)) == "LimitReached");
    CHECK(code_of(try_workspace(world, {.name = "abc"}, world.caller)) == "none");
    change({.workspaces = Number::clear()});
    CHECK(code_of(try_workspace(world, {.name = "abc"}, other.caller)) == "none");
    const auto plans = must(world.engine->read([](data::View& view) { return list_plans(view); }));
    REQUIRE(plans.size() == 2);
    CHECK(plans[0].name == "default");
    CHECK(plans[1].name == "test");
}

TEST_CASE("an account cannot have a plan that does not exist", "[plans]") {
    World world;
    const auto refused = world.operate([&](SystemContext& system) -> Result<Account> {
        return change_account_plan(system, TRY(find_account(system.txn, "admin")),
                                   {.plan = Change<std::string>::set("nope")});
    });
    CHECK(code_of(refused) == "NotFound");
}

TEST_CASE("a caller brings the rate of its account's plan", "[plans]") {
    World world;
    CHECK_FALSE(must(world.service.authenticate(world.installed.key.key)).rate.requests);
    set_plan(world, {.rate_requests = Change<std::uint32_t>::set(5),
                     .rate_period_seconds = Change<std::uint32_t>::set(7)});
    const auto rate = must(world.service.authenticate(world.installed.key.key)).rate;
    CHECK(rate.requests == 5U);
    CHECK(rate.period_seconds == 7U);
}
