#include "http/server/client_address.h"

#include <catch2/catch.hpp>

namespace slashpost::http {

namespace {

using redirect::Address;

const std::vector<std::string> networks{"10.0.0.0/8", "2001:db8:aa::/48", "192.0.2.10/32"};

// "ADDRESS" or "ADDRESS https" that is taken for the client of a request with these headers.
std::string client(const std::string& headers, std::string_view peer = "10.0.0.1", bool secure = false) {
    const std::string text = "GET /a HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n";
    RequestHead head;
    REQUIRE(parse_head(text, Limits(), head) == HeadStatus::complete);
    const auto found =
        TrustedProxies(networks).client_of(head, {.address = Address::of(peer), .secure = secure});
    return found.address.text() + (found.secure ? " https" : "");
}

std::string normal(std::string_view text) { return TrustedProxies::normal_network(text).value_or("none"); }

} // namespace

TEST_CASE("networks have one normal form", "[proxies]") {
    CHECK(normal("10.0.0.0/8") == "10.0.0.0/8");
    CHECK(normal("10.1.2.3/8") == "10.0.0.0/8");
    CHECK(normal("192.0.2.1") == "192.0.2.1/32");
    CHECK(normal("2001:DB8::1/32") == "2001:db8::/32");
    CHECK(normal("::1") == "::1/128");
    for (const auto* text :
         {"", "x", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "10.0.0/8", "0.0.0.0/0", "::/0",
          "::/129", "/8", "10.0.0.0/8 ", "localhost", "fe80::%eth0/64", "10.0.0.0/0x8"}) {
        INFO(text);
        CHECK(normal(text) == "none");
    }
}

TEST_CASE("a network covers its addresses and no others", "[proxies]") {
    const TrustedProxies proxies({"10.0.0.0/8", "172.16.0.0/12", "2001:db8::/33", "192.0.2.1/32", "::/1"});
    for (const auto* inside : {"10.0.0.0", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.0.2.1",
                               "2001:db8:7fff::1", "::1", "::ffff:10.1.1.1"}) {
        INFO(inside);
        CHECK(proxies.cover(Address::of(inside)));
    }
    for (const auto* outside : {"11.0.0.0", "9.255.255.255", "172.32.0.0", "172.15.255.255", "192.0.2.0",
                                "127.0.0.1", "8000::1", "fe80::1"}) {
        INFO(outside);
        CHECK_FALSE(proxies.cover(Address::of(outside)));
    }
    CHECK_FALSE(proxies.cover({}));
    CHECK_FALSE(TrustedProxies().cover(Address::of("127.0.0.1")));
}

TEST_CASE("from a stranger no header changes anything", "[proxies][threat-30]") {
    for (const auto* header :
         {"X-Forwarded-For: 198.51.100.1\r\n", "Forwarded: for=198.51.100.1;proto=https\r\n",
          "X-Forwarded-Proto: https\r\n", "X-Real-IP: 198.51.100.1\r\n", "CF-Connecting-IP: 198.51.100.1\r\n",
          "True-Client-IP: 198.51.100.1\r\n", "CF-IPCountry: DE\r\n", "X-Forwarded-Host: other.example\r\n",
          "X-Forwarded-For: 10.0.0.1\r\nForwarded: for=10.0.0.1\r\n"})
        for (const auto* peer :
             {"203.0.113.1", "127.0.0.1", "::1", "11.0.0.1", "2001:db8:ab::1", "192.0.2.11"}) {
            INFO(header << peer);
            CHECK(client(header, peer) == peer);
            CHECK(client(header, peer, true) == std::string(peer) + " https");
        }
}

TEST_CASE("only the two headers of proxies are read, even from a trusted one", "[proxies]") {
    CHECK(
        client("X-Real-IP: 198.51.100.1\r\nCF-Connecting-IP: 198.51.100.2\r\nTrue-Client-IP: 1.2.3.4\r\n") ==
        "10.0.0.1");
    CHECK(client("") == "10.0.0.1");
}

TEST_CASE("behind a trusted proxy the last address that is none is the client", "[proxies]") {
    CHECK(client("X-Forwarded-For: 198.51.100.1\r\n") == "198.51.100.1");
    CHECK(client("x-forwarded-for: 198.51.100.1:4711\r\n") == "198.51.100.1");
    CHECK(client("X-Forwarded-For: 2001:db8::7\r\n") == "2001:db8::7");
    CHECK(client("X-Forwarded-For: [2001:db8::7]:443\r\n") == "2001:db8::7");
    // What stands further to the front came with the request.
    CHECK(client("X-Forwarded-For: 1.1.1.1, 8.8.8.8,198.51.100.1\r\n") == "198.51.100.1");
    CHECK(client("X-Forwarded-For: 1.1.1.1, 198.51.100.1, 10.9.9.9, 192.0.2.10\r\n") == "198.51.100.1");
    CHECK(client("X-Forwarded-For: 1.1.1.1\r\nX-Forwarded-For: 198.51.100.1\r\n") == "198.51.100.1");
    CHECK(client("X-Forwarded-For: 198.51.100.1\r\nX-Forwarded-For: 10.2.2.2\r\n") == "198.51.100.1");
    CHECK(client("X-Forwarded-For: 198.51.100.1\r\n", "2001:db8:aa::1") == "198.51.100.1");
    // All of them are ours: somebody within the network.
    CHECK(client("X-Forwarded-For: 10.3.3.3, 10.2.2.2\r\n") == "10.3.3.3");
}

TEST_CASE("a chain that cannot be read ends at the last one who is known", "[proxies]") {
    for (const auto* header :
         {"X-Forwarded-For: unknown\r\n", "X-Forwarded-For: 198.51.100.1, garbage\r\n",
          "X-Forwarded-For: \r\n", "X-Forwarded-For: 198.51.100.1,\r\n",
          "X-Forwarded-For: 198.51.100.1, 1.2.3.4.5\r\n", "X-Forwarded-For: [::1\r\n",
          "X-Forwarded-For: \xff\xfe\r\n", "Forwarded: for=_hidden\r\n", "Forwarded: for=\"\r\n",
          "Forwarded: by=198.51.100.1\r\n", "Forwarded: for\r\n", "Forwarded: ;;,=\r\n"}) {
        INFO(header);
        CHECK(client(header) == "10.0.0.1");
    }
    CHECK(client("X-Forwarded-For: 198.51.100.1, garbage, 10.2.2.2\r\n") == "10.2.2.2");
    std::string many = "X-Forwarded-For: 198.51.100.1";
    for (int i = 0; i < 500; ++i)
        many += ",10.0.0.9";
    CHECK(client(many + "\r\n") == "10.0.0.9");
}

TEST_CASE("Forwarded is read as RFC 7239 writes it", "[proxies]") {
    CHECK(client("Forwarded: for=198.51.100.1\r\n") == "198.51.100.1");
    CHECK(client("Forwarded: For=\"[2001:db8:cafe::17]:4711\"\r\n") == "2001:db8:cafe::17");
    CHECK(client("Forwarded: for=198.51.100.1;proto=https;by=203.0.113.43\r\n") == "198.51.100.1 https");
    CHECK(client("Forwarded: proto=http; for=198.51.100.1\r\n", "10.0.0.1", true) == "198.51.100.1");
    CHECK(client("Forwarded: for=1.1.1.1;proto=https, for=198.51.100.1;proto=http\r\n") == "198.51.100.1");
    CHECK(client("Forwarded: for=198.51.100.1;proto=\"https\", for=10.2.2.2;proto=http\r\n") ==
          "198.51.100.1 https");
    // Quotes that a stranger left open do not reach what the proxy wrote behind them.
    CHECK(client("Forwarded: for=\"1.1.1.1, for=198.51.100.1\r\n") == "198.51.100.1");
    CHECK(client("Forwarded: for=1.1.1.1;by=\", for=\"198.51.100.1:80\"\r\n") == "198.51.100.1");
}

TEST_CASE("whether the client came by HTTPS is the proxy's word", "[proxies]") {
    CHECK(client("X-Forwarded-For: 198.51.100.1\r\nX-Forwarded-Proto: https\r\n") == "198.51.100.1 https");
    CHECK(client("X-Forwarded-Proto: HTTPS\r\n") == "10.0.0.1 https");
    CHECK(client("X-Forwarded-Proto: http\r\n", "10.0.0.1", true) == "10.0.0.1");
    CHECK(client("X-Forwarded-Proto: https, http\r\n") == "10.0.0.1"); // the last one is our proxy's
    CHECK(client("X-Forwarded-Proto: javascript\r\n") == "10.0.0.1");
    CHECK(client("X-Forwarded-For: 198.51.100.1\r\n", "10.0.0.1", true) == "198.51.100.1 https");
}

TEST_CASE("two headers that do not agree are not believed", "[proxies][threat-30]") {
    CHECK(client("X-Forwarded-For: 198.51.100.1\r\nForwarded: for=198.51.100.1;proto=https\r\n") ==
          "198.51.100.1 https");
    CHECK(client("X-Forwarded-For: 198.51.100.1\r\nForwarded: for=203.0.113.9;proto=https\r\n", "10.0.0.1",
                 true) == "10.0.0.1");
    CHECK(client("X-Forwarded-For: 198.51.100.1\r\nForwarded: for=unknown\r\n") == "10.0.0.1");
    CHECK(client("Forwarded: for=198.51.100.1;proto=https\r\nX-Forwarded-Proto: http\r\n") == "198.51.100.1");
    CHECK(client("Forwarded: for=198.51.100.1;proto=http\r\nX-Forwarded-Proto: https\r\n") == "198.51.100.1");
}

} // namespace slashpost::http
