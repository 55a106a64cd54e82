#include "core/visitors/visitor.h"

#include <catch2/catch.hpp>

#include <set>
#include <thread>
#include <vector>

using namespace slashpost;
using namespace slashpost::redirect;

namespace {

std::string language(std::string_view header) { return std::string(first_language(header).view()); }
std::string host(std::string_view referrer, std::string_view own = "go.example.com") {
    return std::string(referrer_host(referrer, own).view());
}

// 1, 2, 3, ... so that each key is another.
class CountingRandom final : public Random {
  public:
    void fill(std::span<std::uint8_t> out) override {
        ++fills;
        std::ranges::fill(out, static_cast<std::uint8_t>(fills.load()));
    }
    std::atomic<int> fills = 0;
};

constexpr std::int64_t hour_ms = 3'600'000;

} // namespace

TEST_CASE("addresses are read as they are written, and IPv4 is part of IPv6", "[visitor]") {
    CHECK(Address::of("192.0.2.1").text() == "192.0.2.1");
    CHECK(Address::of("2001:DB8:0::1").text() == "2001:db8::1");
    CHECK(Address::of("::ffff:192.0.2.1") == Address::of("192.0.2.1"));
    CHECK(Address::of("192.0.2.1").is_v4());
    CHECK_FALSE(Address::of("::1").is_v4());
    for (const auto* text :
         {"", "192.0.2", "192.0.2.256", "192.0.2.01", "0x7f.1", "1.2.3.4 ", "::g", "fe80::1%eth0", "[::1]",
          "unknown", "1:2:3:4:5:6:7:8:9:a:b:c:d:e:f:0:1:2:3:4:5:6:7:8:9"}) {
        INFO(text);
        CHECK_FALSE(Address::of(text).known);
        CHECK(Address::of(text) == Address{});
    }
    CHECK(Address{}.text().empty());
}

TEST_CASE("the language is the one that is wanted most", "[visitor]") {
    CHECK(language("de") == "de");
    CHECK(language("de-DE,de;q=0.9,en;q=0.8") == "de");
    CHECK(language("en;q=0.8, fr ;q=0.95, de;q=0.9") == "fr");
    CHECK(language("fr;q=0.5,de;q=0.5") == "fr");
    CHECK(language("PT-br") == "pt");
    CHECK(language("fil-PH") == "fil");
    CHECK(language("zh-Hant-TW") == "zh");
    CHECK(language("en;Q=0.125, es;q=0.126") == "es");
    CHECK(language(" \tnl\t , de") == "nl");
    CHECK(language("da;q=1.000") == "da");
}

TEST_CASE("what is no language, and none that is wanted, is passed over", "[visitor]") {
    for (const auto* header : {"",           "*",
                               "*;q=0.5",    "de;q=0",
                               "de;q=0.000", "de;q=2",
                               "de;q=1.001", "de;q=0.1234",
                               "de;q=-1",    "de;q=",
                               "de;q=.5",    "de;q=x",
                               "de;level=1", "de;q=0.5;q=0.7",
                               "d",          "deutsch",
                               "x-klingon",  "i-default",
                               "de_DE",      "de-",
                               "de--DE",     "de-waytoolongsubtag",
                               "1e",         "\xc3\xa9t",
                               ",,,",        ";q=1",
                               "de DE"}) {
        INFO(header);
        CHECK(language(header).empty());
    }
    CHECK(language("*, de;q=0, xx_1, it;q=0.1") == "it");
    CHECK(language("\xff\xfe, sv") == "sv");
}

TEST_CASE("of an endless list of languages the beginning counts", "[visitor]") {
    CHECK(language("de;q=0.5," + std::string(16'000, ',') + "fr") == "de");
    CHECK(language(std::string(16'000, 'a')).empty());
    // The last one within sight may go on beyond it.
    CHECK(language(std::string(509, ' ') + ",fil").empty());
    CHECK(language("sv;q=0.2," + std::string(501, ' ') + "deutsch") == "sv");
}

TEST_CASE("a referrer is its host, without what tells more", "[visitor]") {
    CHECK(host("https://News.Example.org/a?b=c#d") == "news.example.org");
    CHECK(host("http://example.org") == "example.org");
    CHECK(host("HTTPS://example.org:8443/") == "example.org");
    CHECK(host("https://user:secret@example.org/") == "example.org");
    CHECK(host("https://a@b@example.org/") == "example.org");
    CHECK(host("https://example.org./") == "example.org");
    CHECK(host("https://www.example.org/") == "example.org");
    CHECK(host("https://www.de/") == "www.de");
    CHECK(host("https://xn--bcher-kva.example/") == "xn--bcher-kva.example");
    CHECK(host("https://192.0.2.7/x") == "192.0.2.7");
    CHECK(host("https://localhost:3000/") == "localhost");
    CHECK(host("https://evil.example\\@good.example/") == "evil.example");
}

TEST_CASE("of a long host the last labels that fit are kept", "[visitor]") {
    CHECK(host("https://abcdefghijklmnopqrstuvw.example.com/") ==
          "abcdefghijklmnopqrstuvw.example.com"); // 35
    CHECK(host("https://abcdefghijklmnopqrstuvwx.example.com/") ==
          "abcdefghijklmnopqrstuvwx.example.com"); // 36
    CHECK(host("https://abcdefghijklmnopqrstuvwxy.example.com/") == "example.com");
    CHECK(host("https://a.b." + std::string(30, 'c') + ".org/") == "b." + std::string(30, 'c') + ".org");
    CHECK(host("https://" + std::string(37, 'a') + "/").empty());
    CHECK(host("https://" + std::string(63, 'a') + "." + std::string(63, 'b') + ".com/") == "com");
}

TEST_CASE("what names no other site is no referrer", "[visitor]") {
    for (const auto& referrer : {std::string(),
                                 std::string("about:blank"),
                                 std::string("android-app://com.example/"),
                                 std::string("javascript:alert(1)"),
                                 std::string("data:text/html,x"),
                                 std::string("ftp://example.org/"),
                                 std::string("//example.org/"),
                                 std::string("https:/example.org/"),
                                 std::string("https:example.org"),
                                 std::string("https://"),
                                 std::string("https:///path"),
                                 std::string("https://@/"),
                                 std::string("https://:80/"),
                                 std::string("https://.example.org/"),
                                 std::string("https://a..b/"),
                                 std::string("https://exa mple.org/"),
                                 std::string("https://b\xc3\xbc"
                                             "cher.example/"),
                                 std::string("https://\xff\xfe/"),
                                 std::string("https://a%2eb.example/"),
                                 std::string("https://<script>.example/"),
                                 std::string("https://[2001:db8::1]/"),
                                 std::string("https://exam\0ple.org/", 21),
                                 std::string("https://example.org\r\nX: y"),
                                 "https://" + std::string(300, 'a') + ".example.org/",
                                 "https://" + std::string(5'000, 'u') + "@example.org/",
                                 std::string(16'000, 'h')}) {
        INFO(referrer.substr(0, 100));
        CHECK(host(referrer).empty());
    }
}

TEST_CASE("a page of the domain itself is no referrer", "[visitor]") {
    CHECK(host("https://go.example.com/a").empty());
    CHECK(host("https://GO.example.com:443/a", "go.Example.com:8080").empty());
    CHECK(host("https://go.example.com./", "go.example.com.").empty());
    CHECK(host("https://www.go.example.com/").empty());
    CHECK(host("https://example.com/", "WWW.example.com").empty());
    CHECK(host("https://example.com/a") == "example.com");
    CHECK(host("https://other.go.example.com/a") == "other.go.example.com");
}

TEST_CASE("visitors are told apart by address and program", "[visitor]") {
    SystemRandom random;
    VisitorHasher hasher(random);
    const Timestamp now{1'767'225'600'000};
    const auto one = hasher.hash(Address::of("192.0.2.1"), 7, now);
    CHECK(one != 0);
    CHECK(hasher.hash(Address::of("192.0.2.1"), 7, {now.ms + hour_ms}) == one);
    CHECK(hasher.hash(Address::of("192.0.2.2"), 7, now) != one);
    CHECK(hasher.hash(Address::of("192.0.2.1"), 8, now) != one);
    CHECK(hasher.hash(Address::of("192.0.2.1"), 0, now) != 0);
    CHECK(hasher.hash({}, 7, now) == 0);
    VisitorHasher other(random);
    CHECK(other.hash(Address::of("192.0.2.1"), 7, now) != one);
}

TEST_CASE("after a day the key is another one, whichever way the clock goes", "[visitor]") {
    CountingRandom random;
    VisitorHasher hasher(random);
    const auto address = Address::of("2001:db8::1");
    const std::int64_t begin = 1'767'225'600'000;
    const auto at = [&](std::int64_t hours, std::int64_t ms = 0) {
        return hasher.hash(address, 1, {begin + hours * hour_ms + ms});
    };
    const auto first = at(0);
    CHECK(at(24, -1) == first);
    CHECK(at(-23) == first);
    CHECK(random.fills == 1);
    const auto second = at(24);
    CHECK(second != first);
    CHECK(random.fills == 2);
    CHECK(at(30) == second);
    CHECK(at(10) == second); // a little back
    CHECK(at(0) != first);   // a day back: a new key, not the old one
    CHECK(random.fills == 3);
}

TEST_CASE("threads that meet the end of a key all get the same next one", "[visitor]") {
    CountingRandom random;
    VisitorHasher hasher(random);
    const auto address = Address::of("192.0.2.1");
    for (std::int64_t day = 0; day < 50; ++day) {
        std::vector<std::uint64_t> hashes(4);
        std::vector<std::jthread> threads;
        threads.reserve(hashes.size());
        for (auto& hash : hashes)
            threads.emplace_back([&] { hash = hasher.hash(address, 1, {day * 24 * hour_ms}); });
        threads.clear();
        CHECK(std::set(hashes.begin(), hashes.end()).size() == 1);
    }
    CHECK(random.fills == 50);
}
