// What a click's record says of the visitor.
#include "tests/core/redirect/redirect_world.h"

using namespace slashpost;
using namespace slashpost::redirect;
using namespace slashpost::test;

namespace {

class TwoCountries final : public CountryFinder {
  public:
    [[nodiscard]] CountryCode find(const Address& address) const noexcept override {
        return CountryCode::of(!address.known ? "" : address.is_v4() ? "de" : "fr");
    }
};

struct FactsWorld : RedirectWorld {
    FactsWorld() {
        put(link("sale", "https://a.example/"));
        redirector = make_redirector(
            {.directory = directory,
             .resolver = resolver,
             .engine = *engine,
             .clock = clock,
             .random = random,
             .figures = figures,
             .countries = &countries,
             .honours_objections = true,
             .ignores = [](const Address& visitor) { return visitor == Address::of("198.51.100.9"); }});
    }
    // The record of one visit.
    Click click(Visit given) {
        given.path = "/sale";
        REQUIRE(visit(given).outcome == Outcome::forward);
        return *decode_click(lane.records.back());
    }
    TwoCountries countries;
};

constexpr std::string_view phone =
    "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/120.0.0.0 Mobile Safari/537.36";

} // namespace

TEST_CASE("a click says what is known of its visitor", "[redirect]") {
    FactsWorld world;
    const auto click = world.click({.user_agent = phone,
                                    .accept_language = "de-AT,de;q=0.9,en;q=0.5",
                                    .referrer = "https://News.example.org/today",
                                    .address = Address::of("192.0.2.1")});
    CHECK(click.counts);
    CHECK(click.agent == Agent{Device::mobile, System::android, Browser::chrome, false});
    CHECK(click.country.view() == "de");
    CHECK(click.language.view() == "de");
    CHECK(click.referrer.view() == "news.example.org");
    CHECK(click.visitor != 0);
}

TEST_CASE("a visitor who tells nothing counts, and nothing is known", "[redirect]") {
    FactsWorld world;
    const auto click = world.click({});
    CHECK(click.counts);
    CHECK(click.agent == Agent{});
    CHECK(click.country.view().empty());
    CHECK(click.language.view().empty());
    CHECK(click.referrer.view().empty());
    CHECK(click.visitor == 0);
}

TEST_CASE("two visitors behind one address with other programs are two", "[redirect]") {
    FactsWorld world;
    const auto address = Address::of("2001:db8::7");
    const auto one = world.click({.user_agent = phone, .address = address});
    CHECK(one.country.view() == "fr");
    CHECK(world.click({.user_agent = phone, .address = address}).visitor == one.visitor);
    CHECK(world.click({.user_agent = "another", .address = address}).visitor != one.visitor);
    CHECK(world.click({.user_agent = phone, .address = Address::of("2001:db8::8")}).visitor != one.visitor);
}

TEST_CASE("visits that do not count are recorded with who it was", "[redirect]") {
    FactsWorld world;
    const auto bot = world.click({.user_agent = "Mozilla/5.0 (compatible; Googlebot/2.1; "
                                                "+http://www.google.com/bot.html)"});
    CHECK_FALSE(bot.counts);
    CHECK(bot.agent.device == Device::bot);
    const auto prefetch = world.click({.user_agent = phone, .counts = false}); // or HEAD
    CHECK_FALSE(prefetch.counts);
    CHECK(prefetch.agent == Agent{Device::mobile, System::android, Browser::chrome, false});
    CHECK(world.clicks() == 0);
}

TEST_CASE("of a visitor who asks not to be tracked the click counts, and nothing is known", "[redirect]") {
    FactsWorld world;
    const auto click = world.click({.user_agent = phone,
                                    .accept_language = "de-AT,de;q=0.9,en;q=0.5",
                                    .referrer = "https://News.example.org/today",
                                    .address = Address::of("192.0.2.1"),
                                    .objects = true});
    CHECK(click.counts);
    CHECK(click.agent == Agent{});
    CHECK(click.country.view().empty());
    CHECK(click.language.view().empty());
    CHECK(click.referrer.view().empty());
    CHECK(click.visitor == 0);
}

TEST_CASE("one's own people are redirected and count no click", "[redirect]") {
    FactsWorld world;
    CHECK_FALSE(world.click({.user_agent = phone, .address = Address::of("198.51.100.9")}).counts);
    CHECK(world.click({.user_agent = phone, .address = Address::of("198.51.100.10")}).counts);
}

TEST_CASE("headers of odd bytes and of any length leave a plain record", "[redirect]") {
    FactsWorld world;
    const std::string flood(16'000, '\xff');
    const auto click = world.click({.user_agent = flood,
                                    .accept_language = flood,
                                    .referrer = "https://" + flood,
                                    .address = Address::of("192.0.2.1")});
    CHECK_FALSE(click.counts);
    CHECK(click.agent == Agent{.device = Device::bot});
    CHECK(click.language.view().empty());
    CHECK(click.referrer.view().empty());
    CHECK(click.visitor != 0);
}

TEST_CASE("no address of a visitor is in a record", "[redirect][threat-40]") {
    FactsWorld world;
    world.click({.user_agent = phone,
                 .referrer = "https://user@example.org/",
                 .address = Address::of("203.0.113.77")});
    const auto& record = world.lane.records.back();
    CHECK(record.find(std::string("\xcb\0\x71\x4d", 4)) == record.npos); // its four bytes
    CHECK(record.find("203.0") == record.npos);
    CHECK(record.find("user") == record.npos);
}
