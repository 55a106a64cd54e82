#include "core/data/key.h"
#include "core/schema/spaces.h"
#include "tests/core/redirect/redirect_world.h"
#include "tests/support/wrapped_engine.h"

#include <atomic>
#include <thread>

using namespace slashpost;
using namespace slashpost::test;
using redirect::Resolver;
using redirect::TargetView;

namespace {

std::string destination(Resolver& resolver, std::string_view slashtag) {
    std::string stored;
    const auto found = resolver.find(domain_id, slashtag, stored);
    REQUIRE(found.has_value());
    return *found ? std::string(TargetView::decode(stored).value().destination) : "nothing";
}

} // namespace

TEST_CASE("a resolver answers from the store, then from its cache", "[redirect]") {
    RedirectWorld world;
    WrappedEngine engine(*world.engine);
    Resolver resolver(engine, world.random, 1 << 20);
    world.put(RedirectWorld::link("sale", "https://a.example/"));
    for (int i = 0; i < 3; ++i) {
        CHECK(destination(resolver, "sale") == "https://a.example/");
        CHECK(destination(resolver, "gone") == "nothing");
    }
    CHECK(engine.gets == 2); // what does not exist is remembered, too
    CHECK(resolver.cache_figures().hits == 4);
}

TEST_CASE("a link of one domain does not answer on another", "[redirect]") {
    RedirectWorld world;
    world.put(RedirectWorld::link("sale", "https://a.example/"));
    std::string stored;
    CHECK(world.resolver.find(id_of<DomainId>(0xb2), "sale", stored).value() == false);
    CHECK(world.resolver.find(domain_id, "sale", stored).value() == true);
}

TEST_CASE("a slashtag that is too long is not looked for", "[redirect]") {
    RedirectWorld world;
    std::string stored;
    CHECK(world.resolver.find(domain_id, std::string(256, 'a'), stored).value() == false);
    world.resolver.forget(domain_id, std::string(256, 'a'));
}

TEST_CASE("a change is seen at once when its key is forgotten", "[redirect]") {
    RedirectWorld world;
    CHECK(destination(world.resolver, "sale") == "nothing");
    world.put(RedirectWorld::link("sale", "https://a.example/"));
    CHECK(destination(world.resolver, "sale") == "https://a.example/");
    world.put(RedirectWorld::link("sale", "https://b.example/"));
    CHECK(destination(world.resolver, "sale") == "https://b.example/");
    world.put(RedirectWorld::link("other", "https://b.example/"));
    CHECK(destination(world.resolver, "sale") == "nothing");
    CHECK(destination(world.resolver, "other") == "https://b.example/");
    auto deleted = RedirectWorld::link("other", "https://b.example/");
    deleted.status = LinkStatus::deleted;
    world.put(deleted);
    CHECK(destination(world.resolver, "other") == "nothing");
}

TEST_CASE("a look-up that began before a commit does not put the old target back", "[redirect]") {
    RedirectWorld world;
    WrappedEngine engine(*world.engine);
    Resolver resolver(engine, world.random, 1 << 20);
    world.put(RedirectWorld::link("sale", "https://old.example/"));
    engine.after_get = [&] { // the value was read, and is not kept yet
        engine.after_get = nullptr;
        world.put(RedirectWorld::link("sale", "https://new.example/"));
        resolver.forget(domain_id, "sale");
    };
    (void)destination(resolver, "sale");
    CHECK(destination(resolver, "sale") == "https://new.example/");
}

TEST_CASE("a look-up that began before a link was made does not say later that there is none", "[redirect]") {
    RedirectWorld world;
    WrappedEngine engine(*world.engine);
    Resolver resolver(engine, world.random, 1 << 20);
    engine.after_get = [&] {
        engine.after_get = nullptr;
        world.put(RedirectWorld::link("sale", "https://new.example/"));
        resolver.forget(domain_id, "sale");
    };
    CHECK(destination(resolver, "sale") == "nothing");
    CHECK(destination(resolver, "sale") == "https://new.example/");
}

TEST_CASE("after anything may have changed, the store is asked again", "[redirect]") {
    RedirectWorld world;
    WrappedEngine engine(*world.engine);
    Resolver resolver(engine, world.random, 1 << 20);
    world.put(RedirectWorld::link("sale", "https://a.example/"));
    for (int i = 0; i < 2; ++i) {
        CHECK(destination(resolver, "sale") == "https://a.example/");
        CHECK(destination(resolver, "gone") == "nothing");
        resolver.forget_all();
    }
    CHECK(engine.gets == 4);
}

TEST_CASE("a store that cannot be read is an error, and nothing is kept of it", "[redirect]") {
    RedirectWorld world;
    WrappedEngine engine(*world.engine);
    Resolver resolver(engine, world.random, 1 << 20);
    world.put(RedirectWorld::link("sale", "https://a.example/"));
    engine.fails = WrappedEngine::Fails::reading;
    std::string stored;
    CHECK_FALSE(resolver.find(domain_id, "sale", stored).has_value());
    engine.fails = WrappedEngine::Fails::never;
    CHECK(destination(resolver, "sale") == "https://a.example/");
}

TEST_CASE("nobody is sent to an old address after its change was acknowledged", "[redirect]") {
    RedirectWorld world;
    constexpr int rounds = 2'000;
    std::atomic<int> acknowledged = 0;
    std::atomic<int> wrong = 0;
    world.put(RedirectWorld::link("sale", "0"));
    std::vector<std::thread> readers;
    readers.reserve(3);
    for (int i = 0; i < 3; ++i)
        readers.emplace_back([&] {
            std::string stored;
            for (int seen = 0; seen < rounds;) {
                const auto least = acknowledged.load();
                const auto found = world.resolver.find(domain_id, "sale", stored);
                if (!found.has_value() || !*found) {
                    ++wrong;
                    return;
                }
                seen = std::stoi(std::string(TargetView::decode(stored)->destination));
                wrong += seen < least;
            }
        });
    for (int round = 1; round <= rounds; ++round) {
        world.put(RedirectWorld::link("sale", std::to_string(round)));
        acknowledged = round;
    }
    for (auto& reader : readers)
        reader.join();
    CHECK(wrong == 0);
}

TEST_CASE("a resolver that was filled answers from its cache, as long as nothing changes", "[redirect]") {
    RedirectWorld world;
    WrappedEngine engine(*world.engine);
    Resolver resolver(engine, world.random, 1 << 20);
    constexpr std::uint32_t count = 3000;
    const auto link = [](std::uint32_t number, const std::string& slashtag, const std::string& to) {
        auto made = RedirectWorld::link(slashtag, to);
        made.id = id_of<LinkId>(number);
        return made;
    };
    for (std::uint32_t i = 0; i < count; ++i)
        world.put(link(i, "sale" + std::to_string(i), "https://a.example/" + std::to_string(i)));
    int steps = 0;
    while (resolver.fill().value())
        ++steps;
    CHECK(steps == 6);
    for (std::uint32_t i = 0; i < count; ++i)
        CHECK(destination(resolver, "sale" + std::to_string(i)) == "https://a.example/" + std::to_string(i));
    CHECK(engine.gets == 0);

    world.put(link(1, "sale1", "https://b.example/"));
    resolver.forget(domain_id, "sale1");
    CHECK_FALSE(resolver.fill().value());
    CHECK(destination(resolver, "sale1") == "https://b.example/");
    resolver.forget_all();
    CHECK(resolver.fill().value());
}

TEST_CASE("a link that changes while a resolver is filled is found as it is, wherever the filling stands",
          "[redirect]") {
    RedirectWorld world;
    WrappedEngine engine(*world.engine);
    Resolver resolver(engine, world.random, 1 << 20);
    world.put(RedirectWorld::link("sale", "https://old.example/"));
    engine.in_snapshot = [&] { // which has the old row
        engine.in_snapshot = nullptr;
        world.put(RedirectWorld::link("sale", "https://new.example/"));
        resolver.forget(domain_id, "sale");
    };
    CHECK_FALSE(resolver.fill().value());
    CHECK(destination(resolver, "sale") == "https://new.example/");
}

TEST_CASE("filling a cache that has not room for all links comes to an end", "[redirect]") {
    RedirectWorld world;
    Resolver resolver(*world.engine, world.random, 1 << 16);
    REQUIRE(world.engine
                ->transact([&](data::Txn& txn) -> Result<void> {
                    for (int i = 0; i < 50'000; ++i)
                        TRY(txn.put_blind(space::redirects, data::key(domain_id, "key" + std::to_string(i)),
                                          std::string(100, 'x')));
                    return {};
                })
                .has_value());
    int steps = 0;
    while (resolver.fill().value())
        ++steps;
    CHECK(steps < 5);
}
