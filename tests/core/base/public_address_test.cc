// Where a stranger may have us send something, address by address.
#include "core/base/public_address.h"

#include "core/visitors/visitor.h"

#include <catch2/catch.hpp>

#include <string>

using namespace slashpost;

namespace {

bool is_public(std::string_view text) {
    const auto address = redirect::Address::of(text);
    REQUIRE(address.known);
    return is_public_address(address.bytes);
}

} // namespace

TEST_CASE("no address of a special network of IPv4 is public", "[public_address][threat-14]") {
    for (const auto* text :
         {"0.0.0.0",         "0.1.2.3",        "10.0.0.1",        "10.255.255.255",  "100.64.0.1",
          "100.127.255.255", "127.0.0.1",      "127.255.255.254", "169.254.169.254", "172.16.0.1",
          "172.31.255.255",  "192.0.0.1",      "192.0.0.170",     "192.0.2.1",       "192.31.196.1",
          "192.88.99.1",     "192.168.0.1",    "192.168.255.255", "192.175.48.1",    "198.18.0.1",
          "198.19.255.255",  "198.51.100.7",   "203.0.113.7",     "224.0.0.1",       "239.255.255.255",
          "240.0.0.1",       "255.255.255.255"}) {
        INFO(text);
        CHECK_FALSE(is_public(text));
    }
}

TEST_CASE("the neighbours of special networks of IPv4 are public", "[public_address]") {
    for (const auto* text :
         {"1.1.1.1",         "9.255.255.255",   "11.0.0.0",        "100.63.255.255", "100.128.0.0",
          "126.255.255.255", "128.0.0.1",       "169.253.255.255", "169.255.0.0",    "172.15.255.255",
          "172.32.0.0",      "191.255.255.255", "192.0.1.0",       "192.0.3.0",      "192.88.98.1",
          "192.167.255.255", "192.169.0.0",     "198.17.255.255",  "198.20.0.0",     "198.51.99.1",
          "198.51.101.1",    "203.0.112.1",     "203.0.114.1",     "223.255.255.255"}) {
        INFO(text);
        CHECK(is_public(text));
    }
}

TEST_CASE("no address of a special network of IPv6 is public", "[public_address][threat-14]") {
    for (const auto* text : {"::",
                             "::1",
                             "::ffff:127.0.0.1",
                             "::ffff:10.0.0.1",
                             "::127.0.0.1",
                             "64:ff9b::7f00:1",
                             "64:ff9b::a9fe:a9fe",
                             "64:ff9b:1::1",
                             "100::1",
                             "2001::1",
                             "2001:10::1",
                             "2001:1ff::1",
                             "2001:db8::1",
                             "2002:7f00:1::1",
                             "2002:808:808::1",
                             "2620:4f:8000::1",
                             "3fff::1",
                             "3fff:fff::1",
                             "4000::1",
                             "5f00::1",
                             "fc00::1",
                             "fd12:3456::1",
                             "fe80::1",
                             "febf::1",
                             "fec0::1",
                             "ff02::1"}) {
        INFO(text);
        CHECK_FALSE(is_public(text));
    }
}

TEST_CASE("addresses of IPv6 that are handed out are public, and translated ones as what they carry",
          "[public_address]") {
    for (const auto* text :
         {"2001:200::1", "2001:4860:4860::8888", "2003::1", "2620:4f:7fff::1", "2620:4f:8001::1",
          "2a00:1450:4001::1", "3ffe:ffff::1", "3fff:1000::1", "64:ff9b::808:808", "::ffff:8.8.8.8"}) {
        INFO(text);
        CHECK(is_public(text));
    }
}
