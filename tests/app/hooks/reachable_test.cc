#include "app/hooks/reachable.h"

#include <arpa/inet.h>
#include <catch2/catch.hpp>
#include <cstring>
#include <netinet/in.h>

using namespace slashpost;
using namespace slashpost::app;

namespace {

bool covers(const Reachable& reachable, const char* text, std::uint16_t port = 443) {
    sockaddr_storage place{};
    auto* const v4 = reinterpret_cast<sockaddr_in*>(&place);
    auto* const v6 = reinterpret_cast<sockaddr_in6*>(&place);
    if (::inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons(port);
    } else {
        REQUIRE(::inet_pton(AF_INET6, text, &v6->sin6_addr) == 1);
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons(port);
    }
    return reachable.covers(reinterpret_cast<const sockaddr*>(&place));
}

} // namespace

TEST_CASE("only public addresses are connected to, and those that the operator allows",
          "[reachable][threat-14]") {
    const Reachable plain({});
    CHECK(covers(plain, "1.1.1.1"));
    CHECK(covers(plain, "2a00:1450:4001::1"));
    for (const auto* text : {"127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fd00::1", "::ffff:10.1.2.3"})
        CHECK_FALSE(covers(plain, text));
    const Reachable allows({"10.1.0.0/16", "fd00::/8"});
    CHECK(covers(allows, "10.1.2.3"));
    CHECK(covers(allows, "::ffff:10.1.2.3"));
    CHECK(covers(allows, "fd00::1"));
    CHECK_FALSE(covers(allows, "10.2.2.3"));
    CHECK_FALSE(covers(allows, "127.0.0.1"));
    CHECK(covers(allows, "1.1.1.1"));
}

TEST_CASE("only the ports of the web and those that no privilege guards are connected to",
          "[reachable][threat-14]") {
    const Reachable plain({});
    for (const int port : {443, 80, 1024, 8443, 65'535})
        CHECK(covers(plain, "1.1.1.1", static_cast<std::uint16_t>(port)));
    for (const int port : {0, 22, 25, 53, 445, 1023})
        CHECK_FALSE(covers(plain, "1.1.1.1", static_cast<std::uint16_t>(port)));
}

TEST_CASE("nothing that is neither IPv4 nor IPv6 is connected to", "[reachable][threat-14]") {
    const Reachable plain({});
    sockaddr_storage place{};
    place.ss_family = AF_UNIX;
    CHECK_FALSE(plain.covers(reinterpret_cast<const sockaddr*>(&place)));
    CHECK_FALSE(plain.covers(static_cast<const sockaddr*>(nullptr)));
}

TEST_CASE("a host that is a numeric address is looked at by itself, a name later", "[reachable]") {
    const Reachable allows({"10.1.0.0/16"});
    CHECK(allows.covers_host("example.com"));
    CHECK(allows.covers_host("1.1.1.1"));
    CHECK(allows.covers_host("10.1.0.1"));
    CHECK(allows.covers_host("[2a00:1450:4001::1]"));
    CHECK_FALSE(allows.covers_host("127.0.0.1"));
    CHECK_FALSE(allows.covers_host("[::1]"));
    CHECK_FALSE(allows.covers_host("[::ffff:7f00:1]"));
}
