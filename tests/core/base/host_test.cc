#include "core/base/host.h"

#include <catch2/catch.hpp>

using namespace slashpost;

namespace {

using Host = std::optional<std::string>;

const Host none = std::nullopt;

} // namespace

TEST_CASE("a domain's name is the same however it is written", "[host]") {
    CHECK(normal_host("go.example.com") == "go.example.com");
    CHECK(normal_host("Go.Example.COM") == "go.example.com");
    CHECK(normal_host("go.example.com.") == "go.example.com");
    CHECK(normal_host("localhost") == "localhost");
    CHECK(normal_host("a-b.x1.example") == "a-b.x1.example");
}

TEST_CASE("80 and 443 are no part of a domain's name, other ports are", "[host]") {
    CHECK(normal_host("go.example.com:80") == "go.example.com");
    CHECK(normal_host("go.example.com.:443") == "go.example.com");
    CHECK(normal_host("go.example.com:") == "go.example.com");
    CHECK(normal_host("localhost:8080") == "localhost:8080");
    CHECK(normal_host("localhost.:08080") == "localhost:8080");
    CHECK(normal_host("localhost:65535") == "localhost:65535");
    for (const auto* text :
         {"localhost:65536", "localhost:99999999999999999999", "localhost:-1", "localhost:+1", "localhost: 1",
          "localhost:80a", "localhost:80:80", "localhost::80", ":80", ":"})
        CHECK(normal_host(text) == none);
}

TEST_CASE("an international name becomes punycode, as browsers write it", "[host]") {
    CHECK(normal_host("bücher.example") == "xn--bcher-kva.example");
    CHECK(normal_host("BÜCHER.Example") == "xn--bcher-kva.example");
    CHECK(normal_host("bu\xCC\x88"
                      "cher.example") == "xn--bcher-kva.example"); // u and a combining diaeresis
    CHECK(normal_host("bücher。example") == "xn--bcher-kva.example");
    CHECK(normal_host("XN--BCHER-KVA.example") == "xn--bcher-kva.example");
    CHECK(normal_host("faß.example") == "xn--fa-hia.example"); // not "fass"
    CHECK(normal_host("日本語.jp:8080") == "xn--wgv71a119e.jp:8080");
    CHECK(normal_host("☃.example") == "xn--n3h.example");
    CHECK(normal_host("i❤.ws") == "xn--i-7iq.ws");
    CHECK(normal_host("ｇｏ．ｅｘａｍｐｌｅ．ｃｏｍ") == "go.example.com");
}

TEST_CASE("what no certificate and no name server would take is no domain's name", "[host]") {
    for (const auto* text : {"",
                             ".",
                             "..",
                             "a..b",
                             ".a",
                             "a.b..",
                             "-a.example",
                             "a-.example",
                             "a_b.example",
                             "a b.example",
                             " a.example",
                             "a.example ",
                             "a.example/",
                             "https://a.example",
                             "a.example/x",
                             "a.example?x",
                             "a.example#x",
                             "u@a.example",
                             "a\\b",
                             "a%62.example",
                             "*.example",
                             "a\tb",
                             "a\nb",
                             "a,b",
                             "xn--a.example",
                             "xn--.example",
                             "\xFF.example",
                             "\xC3.example",
                             "a\xEF\xBF\xBD.example",
                             "1א.example",
                             "ü_.example",
                             "-ü-.example!"})
        CHECK(normal_host(text) == none);
}

TEST_CASE("a label has 63 characters at most and a name 253, punycode included", "[host]") {
    const std::string label(63, 'a'), almost(61, 'b');
    CHECK(normal_host(label + ".example") == label + ".example");
    CHECK(normal_host(label + "a.example") == none);
    const auto longest = label + '.' + label + '.' + label + '.' + almost;
    REQUIRE(longest.size() == 253);
    CHECK(normal_host(longest) == longest);
    CHECK(normal_host(longest + '.') == longest);
    CHECK(normal_host(longest + ":8080") == longest + ":8080");
    CHECK(normal_host(longest + 'b') == none);
    CHECK(normal_host("ü" + std::string(55, 'a')));
    CHECK(normal_host("ü" + std::string(56, 'a')) == none);
}

TEST_CASE("a number where a name could be is an address, in one form", "[host]") {
    CHECK(normal_host("127.0.0.1:8080") == "127.0.0.1:8080");
    CHECK(normal_host("127.1") == "127.0.0.1");
    CHECK(normal_host("0x7f.1") == "127.0.0.1");
    CHECK(normal_host("0177.0.0.1") == "127.0.0.1");
    CHECK(normal_host("2130706433") == "127.0.0.1");
    CHECK(normal_host("１２７.0.0.1") == "127.0.0.1");
    CHECK(normal_host("[::1]:8080") == "[::1]:8080");
    CHECK(normal_host("[0:0::0001]:443") == "[::1]");
    CHECK(normal_host("[2001:DB8:0:0:1:0:0:1]") == "[2001:db8::1:0:0:1]");
    CHECK(normal_host("[1:0:3:4:5:6:7:8]") == "[1:0:3:4:5:6:7:8]");
    for (const auto* text : {"256.0.0.1", "1.2.3.4.5", "1.2.3.08", "a.1", "4294967296", "1.2.65536",
                             "0x100000000", "[::1", "::1", "[]", "[::1]x", "[::g]", "[1:2:3:4:5:6:7:8:9]",
                             "[::1%25eth0]", "[::01.2.3.4]", "[1.2.3.4]", "[:1]"})
        CHECK(normal_host(text) == none);
    using namespace std::string_view_literals;
    CHECK(normal_host("[::1\0]"sv) == none);
}

TEST_CASE("the normal form of a normal form is itself", "[host]") {
    for (const auto* text :
         {"Go.Example.COM.:443", "bücher.example:8080", "0x7f.1:81", "[0::1]:8080", "localhost"}) {
        const auto once = normal_host(text);
        REQUIRE(once);
        CHECK(normal_host(*once) == once);
    }
}

TEST_CASE("a browser takes hosts that no domain of ours could have", "[host]") {
    CHECK(browser_host("A_b.Example") == "a_b.example");
    CHECK(browser_host("-a-.example") == "-a-.example");
    CHECK(browser_host("a..b") == "a..b");
    CHECK(browser_host("%65xample%2Ecom") == "example.com");
    CHECK(browser_host("b%C3%BCcher.example") == "xn--bcher-kva.example");
    CHECK(browser_host("a\xC2\xAD"
                       "b.example") == "ab.example"); // a soft hyphen
    CHECK(browser_host("\"a.example") == "\"a.example");
    CHECK(browser_host(std::string(300, 'a')) == std::string(300, 'a'));
    CHECK(browser_host("0x.") == "0.0.0.0");
    for (const auto* text : {"", "\xC2\xAD", "a b", "a%20b", "a%00b", "a%2Fb", "a%40b", "a%", "a%zz", "a<b",
                             "a^b", "a|b", "a%FF", "℀.example", "a\x7f", "a\x01"})
        CHECK(browser_host(text) == none);
}

TEST_CASE("an authority is split at the colon that is not an address's own", "[host]") {
    const auto parts = [](std::string_view text) {
        const auto split = split_authority(text);
        return split ? std::string(split->host) + "|" + std::string(split->port) : "refused";
    };
    CHECK(parts("a.example") == "a.example|");
    CHECK(parts("a.example:") == "a.example|");
    CHECK(parts("a.example:00080") == "a.example|00080");
    CHECK(parts("[::1]:80") == "[::1]|80");
    CHECK(parts("[::1]") == "[::1]|");
    CHECK(parts(":80") == "|80");
    CHECK(parts("") == "|");
    CHECK(parts("a:b:80") == "refused");
    CHECK(parts("a:65536") == "refused");
    CHECK(split_authority("a:00080")->port_number() == 80);
    CHECK(split_authority("a:0")->port_number() == 0);
    CHECK(split_authority("a:")->port_number() == std::nullopt);
}

TEST_CASE("a name in Unicode that is longer than any of DNS is none", "[host]") {
    std::string name;
    for (int i = 0; i < 253; ++i)
        name += "ü";
    CHECK(browser_host(name + ".example").has_value());
    while (name.size() <= 1'012)
        name += "ü";
    CHECK_FALSE(browser_host(name));
    CHECK(browser_host(std::string(2'000, 'a')).has_value()); // a browser reads it, and finds nothing there
    CHECK_FALSE(browser_host("xn--" + std::string(2'000, 'a')));
}
