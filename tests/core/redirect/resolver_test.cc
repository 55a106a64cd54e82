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
    CHECK(engine.gets == 4); // it does not remember what does not exist
    CHECK(resolver.cache_figures().hits == 2);
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
    constexpr std::uint32_t count = 3000; // enough to learn from
    for (std::uint32_t i = 0; i < count; ++i) {
        auto link = RedirectWorld::link("sale" + std::to_string(i), "https://a.example/" + std::to_string(i));
        link.id.bytes[14] = static_cast<std::uint8_t>(i >> 8);
        link.id.bytes[15] = static_cast<std::uint8_t>(i);
        world.put(link);
    }
    int steps = 0;
    while (resolver.fill().value())
        ++steps;
    CHECK(steps < 100); // it comes to an end
    const auto gets = engine.gets.load();
    for (std::uint32_t i = 0; i < count; ++i)
        CHECK(destination(resolver, "sale" + std::to_string(i)) == "https://a.example/" + std::to_string(i));
    CHECK(engine.gets - gets < 300);
    auto changed = RedirectWorld::link("sale1", "https://b.example/");
    changed.id.bytes[14] = 0;
    changed.id.bytes[15] = 1;
    world.put(changed);
    resolver.forget(domain_id, "sale1");
    CHECK_FALSE(resolver.fill().value());
    CHECK(destination(resolver, "sale1") == "https://b.example/");
}

TEST_CASE("a resolver that was filled does not look for what does not exist", "[redirect]") {
    RedirectWorld world;
    WrappedEngine engine(*world.engine);
    Resolver resolver(engine, world.random, 1 << 20);
    world.put(RedirectWorld::link("sale", "https://a.example/"));
    while (resolver.fill().value()) {
    }
    for (int i = 0; i < 1000; ++i)
        CHECK(destination(resolver, "unknown" + std::to_string(i)) == "nothing");
    CHECK(engine.gets < 20);

    world.put(RedirectWorld::link("news", "https://b.example/"));
    resolver.forget(domain_id, "sale");
    resolver.forget(domain_id, "news");
    CHECK(destination(resolver, "news") == "https://b.example/");
    CHECK(destination(resolver, "sale") == "nothing"); // it was the same link
}

TEST_CASE("a link that is made while a resolver is filled is found, wherever the filling stands",
          "[redirect]") {
    RedirectWorld world;
    Resolver resolver(*world.engine, world.random, 1 << 20);
    constexpr std::uint32_t others = 3000;
    const auto put = [&](std::uint32_t number, const std::string& slashtag) {
        auto link = RedirectWorld::link(slashtag, "https://a.example/");
        link.id.bytes[14] = static_cast<std::uint8_t>(number >> 8);
        link.id.bytes[15] = static_cast<std::uint8_t>(number);
        world.put(link);
        resolver.forget(domain_id, slashtag);
    };
    for (std::uint32_t i = 0; i < others; ++i)
        put(i, "m" + std::to_string(i));
    std::uint32_t made = 0;
    for (bool more = true; more; ++made) {
        more = resolver.fill().value();
        put(others + 2 * made, "a" + std::to_string(made));     // before all others
        put(others + 2 * made + 1, "z" + std::to_string(made)); // behind them
    }
    CHECK(made > 10);
    for (std::uint32_t i = 0; i < made; ++i) {
        CHECK(destination(resolver, "a" + std::to_string(i)) == "https://a.example/");
        CHECK(destination(resolver, "z" + std::to_string(i)) == "https://a.example/");
    }
}

TEST_CASE("a resolver with very many links for its memory comes to an end, too, and asks the store",
          "[redirect]") {
    RedirectWorld world;
    WrappedEngine engine(*world.engine);
    Resolver resolver(engine, world.random, 1 << 14);
    REQUIRE(world.engine
                ->transact([&](data::Txn& txn) -> Result<void> {
                    for (int i = 0; i < 50'000; ++i)
                        TRY(txn.put_blind(space::redirects, data::key(domain_id, "key" + std::to_string(i)),
                                          "stored"));
                    return {};
                })
                .has_value());
    int steps = 0;
    while (resolver.fill().value())
        ++steps;
    CHECK(steps < 150);
    const auto gets = engine.gets.load();
    CHECK(destination(resolver, "unknown") == "nothing");
    CHECK(engine.gets == gets + 1);
}

TEST_CASE("a resolver knows what does not exist of any number of links, and when they become many",
          "[redirect]") {
    RedirectWorld world;
    WrappedEngine engine(*world.engine);
    Resolver resolver(engine, world.random, 4 << 20);
    constexpr int at_a_time = 100'000;
    const auto key_of = [](int i) { return "key" + std::to_string(i); };
    for (const int made : {0, at_a_time}) {
        REQUIRE(world.engine
                    ->transact([&](data::Txn& txn) -> Result<void> {
                        for (int i = made; i < made + at_a_time; ++i)
                            TRY(txn.put_blind(space::redirects, data::key(domain_id, key_of(i)), "stored"));
                        return {};
                    })
                    .has_value());
        for (int i = made; i < made + at_a_time; ++i)
            resolver.forget(domain_id, key_of(i));
        while (resolver.fill().value()) {
        }
        const auto gets = engine.gets.load();
        std::string stored;
        for (int i = 0; i < 10'000; ++i)
            CHECK_FALSE(resolver.find(domain_id, "unknown" + std::to_string(i), stored).value());
        CHECK(engine.gets - gets < 200);
        CHECK(resolver.find(domain_id, key_of(made + 1), stored).value());
    }
}
