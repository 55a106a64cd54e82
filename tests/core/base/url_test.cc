#include "core/base/url.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace slashpost;
using namespace std::string_literals;

namespace {

// The stored form, or the code of what is wrong.
std::string stored(std::string_view given, std::vector<std::string> more_schemes = {}) {
    const auto read = destination("destination", given, more_schemes);
    return read ? read->stored : read.error().code;
}

std::string host_of(std::string_view given) { return destination("destination", given)->host; }

const std::string not_a_url = "InvalidFormat";

} // namespace

TEST_CASE("an ordinary address is stored as it was given", "[url]") {
    for (const auto* text :
         {"https://example.com", "https://example.com/", "http://example.com:80/a/b;c=d/e.html?x=1&y=2#part",
          "HTTPS://Example.COM/A", "https://example.com?x", "https://example.com#x", "https://example.com:/",
          "https://example.com:00443/", "https://example.com./", "https://a_b.example/", "https://a..b/",
          "https://example.com/a/../b/./c//d", "https://example.com/%7euser/%41?q=%c3%bc",
          "https://example.com/?a[]=1&b[x]=2", "https://example.com/#/#room:example.com", "http://0x7f.1/",
          "http://[2001:DB8::1]:8080/x", "https://xn--bcher-kva.example/", "https://example.com/'*(!)$,+"})
        CHECK(stored(text) == text);
}

TEST_CASE("white space around an address goes", "[url]") {
    CHECK(stored("  https://example.com/a \t\r\n") == "https://example.com/a");
    CHECK(stored("\0\x01https://example.com/\x1f"s) == "https://example.com/");
}

TEST_CASE("a missing address is a missing field", "[url]") {
    CHECK(stored("") == "RequiredField");
    CHECK(stored(" \r\n") == "RequiredField");
    const auto read = destination("[3].destination", "");
    CHECK(read.error().property == "[3].destination");
    CHECK(read.error().message == "cannot be empty");
}

TEST_CASE("a refused address says that it is not a valid URL, and why", "[url]") {
    const auto message = [](std::string_view given) {
        return destination("destination", given).error().message;
    };
    CHECK(message("example.com") == "is not a valid URL: it must begin with http:// or https://");
    CHECK(message("https://") == "is not a valid URL: it must name a host");
    CHECK(message("https://a b/") == "is not a valid URL: its host is not valid");
    CHECK(message("https://a:x/") == "is not a valid URL: its port must be a number up to 65535");
    CHECK(message("https://u:p@a/") == "is not a valid URL: it must not hold a user name or a password");
    CHECK(message("https://a/\nb") == "is not a valid URL: it must not hold tabs or line breaks");
    CHECK(message("https://a/\xFF") == "is not a valid URL: it is not UTF-8");
    CHECK(destination("destination", "x").error().property == "destination");
}

TEST_CASE("only http and https lead somewhere", "[url][threat-1]") {
    for (const auto* text : {"javascript:alert(1)",
                             "JaVaScRiPt:alert(1)",
                             " javascript:alert(1)",
                             "java\tscript:alert(1)",
                             "java\nscript:alert(1)",
                             "javascript://example.com/%0aalert(1)",
                             "javascript%3Aalert(1)",
                             "&#106;avascript:alert(1)",
                             "data:text/html,x",
                             "DATA://example.com/",
                             "vbscript:msgbox(1)",
                             "file:///etc/passwd",
                             "file://host/x",
                             "blob:https://example.com/1",
                             "view-source:https://example.com/",
                             "about:blank",
                             "filesystem:https://example.com/x",
                             "ftp://example.com/",
                             "ws://example.com/",
                             "mailto:a@example.com",
                             "//example.com/",
                             "\\\\example.com\\",
                             "/path",
                             "example.com",
                             "www.example.com/x",
                             "https",
                             "https//example.com",
                             "http//:example.com",
                             "://example.com",
                             ":",
                             "http ://example.com",
                             "http%3A//example.com",
                             "1http://example.com",
                             "h\xD1\x82tp://example.com",
                             "\xC2\xA0https://example.com"})
        CHECK(stored(text) == not_a_url);
    CHECK(stored("java\0script:alert(1)"s) == not_a_url);
    CHECK(stored("https\0://example.com"s) == not_a_url);
}

TEST_CASE("the operator allows more schemes, but never one that runs inside the browser", "[url][threat-1]") {
    const std::vector<std::string> more{"myapp", "ftp", "javascript", "data", "file", "view-source", "blob"};
    CHECK(stored("myapp://open/item?id=1 2", more) == "myapp://open/item?id=1%202");
    CHECK(stored("MyApp://Open", more) == "MyApp://Open");
    CHECK(stored("ftp:\\\\bücher.example\\x", more) == "ftp://xn--bcher-kva.example/x");
    CHECK(stored("https://example.com/", more) == "https://example.com/");
    for (const auto* text : {"myapp:open", "myapp:/open", "myapp:///open", "myapp:\\\\open", "myapp://u@open",
                             "myapp://", "myapp://a b", "myapp://a\\b", "other://open", "javascript://a/",
                             "JAVASCRIPT://a/", "data://a/", "file://a/", "view-source://a/", "blob://a/"})
        CHECK(stored(text, more) == not_a_url);

    CHECK(may_allow_scheme("myapp"));
    CHECK(may_allow_scheme("web+app.v-2"));
    for (const auto* scheme : {"", "2app", "my app", "my:app", "mÿapp", "JavaScript", "data", "vbscript",
                               "file", "blob", "view-source", "filesystem", "about"})
        CHECK_FALSE(may_allow_scheme(scheme));
}

TEST_CASE("slashes and backslashes lead where a browser lets them lead", "[url]") {
    for (const auto* text :
         {"https:example.com/a/b", "https:/example.com/a/b", "https:///example.com/a/b",
          "https:\\\\example.com\\a\\b", "https:/\\/example.com/a\\b", "https:\\example.com/a/b"})
        CHECK(stored(text) == "https://example.com/a/b");
    CHECK(stored("https://good.example\\@evil.example/") == "https://good.example/@evil.example/");
    CHECK(stored("https://example.com/a?b\\c#d\\e") == "https://example.com/a?b%5Cc#d%5Ce");
}

TEST_CASE("a tab or a line break inside an address is refused", "[url][threat-2]") {
    for (const auto* text : {"https://example.com/a\tb", "https://example.com/a\rb",
                             "https://example.com/a\nb", "https://exa\nmple.com/", "ht\ttps://example.com/",
                             "https://example.com/\r\nSet-Cookie: a=b", "https:\n//example.com/"})
        CHECK(stored(text) == not_a_url);
    CHECK(stored("https://example.com/%0d%0aSet-Cookie:%20a=b") ==
          "https://example.com/%0d%0aSet-Cookie:%20a=b");
}

TEST_CASE("what a URI may not carry is escaped", "[url]") {
    CHECK(stored("https://example.com/a b\"c<d>e`f{g}h|i^j") ==
          "https://example.com/a%20b%22c%3Cd%3Ee%60f%7Bg%7Dh%7Ci%5Ej");
    CHECK(stored("https://example.com/ü?ü=€#日本") ==
          "https://example.com/%C3%BC?%C3%BC=%E2%82%AC#%E6%97%A5%E6%9C%AC");
    CHECK(stored("https://example.com/100%") == "https://example.com/100%25");
    CHECK(stored("https://example.com/?q=50%-60%&r=%41") == "https://example.com/?q=50%25-60%25&r=%41");
    CHECK(stored("https://example.com/a\0\x01\x7f"
                 "b"s) == "https://example.com/a%00%01%7Fb");
    CHECK(stored("https://example.com/\xC2\x85\xE2\x80\xA8\xC2\xA0") ==
          "https://example.com/%C2%85%E2%80%A8%C2%A0"); // line breaks elsewhere, none to HTTP
}

TEST_CASE("a host is required, and one that a browser would go to", "[url]") {
    for (const auto* text : {"https://",
                             "https:",
                             "https:///",
                             "https://?x",
                             "https://#x",
                             "https://:80/",
                             "https://:/",
                             "https://a b/",
                             "https://a<b/",
                             "https://a|b/",
                             "https://a^b/",
                             "https://a%20b/",
                             "https://a%00b/",
                             "https://a%2Fb/",
                             "https://[::1/",
                             "https://::1/",
                             "https://[::1]x/",
                             "https://1.2.3.256/",
                             "https://a.0x/",
                             "https://xn--a/",
                             "https://a:65536/",
                             "https://a:b/",
                             "https://\xEF\xBF\xBD/",
                             "https://%FF/",
                             "https://℀/",
                             "https://\xC2\xAD/"})
        CHECK(stored(text) == not_a_url);
}

TEST_CASE("a host that is not ASCII becomes punycode", "[url]") {
    CHECK(stored("https://Bücher.Example:8080/ü") == "https://xn--bcher-kva.example:8080/%C3%BC");
    CHECK(stored("https://b%C3%BCcher.example/") == "https://xn--bcher-kva.example/");
    CHECK(stored("https://faß.de/") == "https://xn--fa-hia.de/");
    CHECK(stored("https://i❤.ws/") == "https://xn--i-7iq.ws/");
    CHECK(stored("https://example。com/") == "https://example.com/");
    CHECK(stored("https://ex\xC2\xADmple.com/") == "https://exmple.com/");
    CHECK(stored("https://pаypal.com/") == "https://xn--pypal-4ve.com/"); // with a Cyrillic а
    CHECK(stored("https://\"example.com/") == "https://%22example.com/");
    CHECK(stored("https://%65xample.com/") == "https://example.com/");
}

TEST_CASE("an address with a user name or a password is refused", "[url][threat-3]") {
    for (const auto* text :
         {"https://good.example@evil.example/", "https://u:p@evil.example/", "https://u:@evil.example/",
          "https://:p@evil.example/", "https://@@evil.example/", "https:u@evil.example",
          "https://good.example%2F@evil.example/", "https://%40@evil.example/"})
        CHECK(stored(text) == not_a_url);
    CHECK(stored("https://example.com/@user?a@b#c@d") == "https://example.com/@user?a@b#c@d");
    CHECK(stored("https://@example.com/") == "https://example.com/"); // neither: a browser drops the mark
}

TEST_CASE("an address that is not UTF-8 is refused", "[url]") {
    for (const auto* text : {"https://example.com/\xFC", "https://example.com/\xC0\xAF",
                             "https://b\xFC"
                             "cher.example/",
                             "https://example.com/\xED\xA0\x80", "https://example.com/\xE2\x82"})
        CHECK(stored(text) == not_a_url);
}

TEST_CASE("an address has 2048 bytes at most as it stands in a header", "[url][threat-3]") {
    const auto address = [](std::size_t count, std::string_view each) {
        std::string out = "https://example.com/"; // 20 bytes
        for (std::size_t i = 0; i < count; ++i)
            out += each;
        return out;
    };
    const std::string too_long = "InvalidLength";
    CHECK(stored(address(2028, "a")) == address(2028, "a"));
    CHECK(stored("  " + address(2028, "a") + "\n") == address(2028, "a"));
    CHECK(stored(address(2029, "a")) == too_long);
    CHECK(stored(address(65536, "a")) == too_long);
    CHECK(stored(address(169, "😀")) == address(169, "%F0%9F%98%80"));
    CHECK(stored(address(169, "%F0%9F%98%80")) == address(169, "%F0%9F%98%80")); // so it may be given back
    CHECK(stored(address(170, "😀")) == too_long);
    CHECK(stored(address(170, "%F0%9F%98%80")) == too_long);
    CHECK(stored(address(676, "%")) == address(676, "%25"));
    CHECK(stored(address(677, "%")) == too_long);
    CHECK(stored(address(100'000, "%80")) == too_long);
    CHECK(destination("destination", address(2029, "a")).error().message == "must have 1 to 2048 characters");
    // Older stores have longer ones.
    CHECK(destination("destination", address(2046, "😀"), {}, destination_bytes_max)->stored ==
          address(2046, "%F0%9F%98%80"));
    CHECK(destination("destination", address(8186, "%20"), {}, destination_bytes_max).error().code ==
          too_long);
}

namespace {

const std::vector<std::string> hostless{"mailto", "tel", "sms",   "geo",     "magnet",  "spotify",
                                        "xmpp",   "sip", "skype", "bitcoin", "facetime"};

} // namespace

TEST_CASE("schemes that name no host lead to a person, a place or a thing", "[url]") {
    for (const auto* text : {"mailto:ann@example.com",
                             "mailto:ann@example.com,bob@example.com?subject=a%20b&body=c%0D%0Ad",
                             "mailto:?to=ann@example.com",
                             "mailto:ann%40example.com",
                             "tel:+49-30-1234",
                             "tel:112",
                             "tel:+1(555)1234;ext=5",
                             "tel:*100%23",
                             "sms:+49301234?body=Hello",
                             "sms:1,2",
                             "geo:52.5,13.4",
                             "geo:0,0?q=Berlin",
                             "geo:-90,180,30.5;u=35",
                             "magnet:?xt=urn:btih:abc&dn=x",
                             "magnet:?dn=x&xt.1=urn:a",
                             "spotify:track:6rqhFgbbKwnb9MLmUQDhG6",
                             "spotify://track/6rqhFgbbKwnb9MLmUQDhG6",
                             "xmpp:ann@example.com?join",
                             "sip:ann@example.com",
                             "skype:ann?call",
                             "bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT?amount=1",
                             "facetime:ann@example.com",
                             "facetime:+49301234",
                             "MAILTO:ann@example.com"})
        CHECK(stored(text, hostless) == text);
    CHECK(stored("mailto:ann@example.com?subject=Grüße & mehr", hostless) ==
          "mailto:ann@example.com?subject=Gr%C3%BC%C3%9Fe%20&%20mehr");
    CHECK(stored("tel:+49 30 1234", hostless) == "tel:+49%2030%201234");
    CHECK(destination("destination", "tel:112", hostless)->host.empty());
}

TEST_CASE("an address that names no host has to name what its scheme is for", "[url]") {
    for (const auto* text : {"mailto:",
                             "mailto:ann",
                             "mailto:@example.com",
                             "mailto:ann@",
                             "mailto:ann@example.com%0Abcc:x@y",
                             "mailto:ann@example.com,,b@c",
                             "mailto:a b@example.com",
                             "mailto://ann@example.com",
                             "mailto:?subject=x",
                             "tel:",
                             "tel:abc",
                             "tel:+",
                             "tel:1+2",
                             "tel:1%0A2",
                             "tel://112",
                             "tel:1;a b",
                             "sms:?body=x",
                             "geo:",
                             "geo:1",
                             "geo:91,0",
                             "geo:0,181",
                             "geo:a,b",
                             "geo:1,2,x",
                             "geo:nan,0",
                             "magnet:",
                             "magnet:?dn=x",
                             "magnet:?xt=http://a",
                             "magnet:x?xt=urn:a",
                             "spotify:",
                             "spotify:?x",
                             "spotify:/x",
                             "spotify:a%0Ab",
                             "skype:%20",
                             "xmpp:ann",
                             "facetime:ann"}) {
        INFO(text);
        CHECK(stored(text, hostless) == not_a_url);
    }
    CHECK(stored("tel:112") == not_a_url); // not allowed by the operator
    CHECK(destination("destination", "tel:abc", hostless).error().message ==
          "is not a valid URL: it must name a telephone number such as +49301234");
}

TEST_CASE("an operator may set no scheme that nothing leads to", "[url]") {
    for (const auto* scheme : {"myapp", "mailto", "tel", "magnet", "ftp", "http", "web+app"})
        CHECK(may_set_scheme(scheme));
    for (const auto* scheme :
         {"javascript", "data", "file", "ws", "WSS", "cid", "chrome", "about", "urn", "", "1a"})
        CHECK_FALSE(may_set_scheme(scheme));
}

TEST_CASE("the host of an address is told in the form of our domains' names", "[url]") {
    CHECK(host_of("https://Go.Example.COM./x") == "go.example.com");
    CHECK(host_of("http://go.example.com:443") == "go.example.com");
    CHECK(host_of("http:\\\\LOCALHOST:08080\\x") == "localhost:8080");
    CHECK(host_of("https://bücher.example/") == "xn--bcher-kva.example");
    CHECK(host_of("https://%67o.example.com/") == "go.example.com");
    CHECK(host_of("http://0x7f.1:8080/") == "127.0.0.1:8080");
    CHECK(host_of("http://[0::1]:8080/") == "[::1]:8080");
    CHECK(host_of("https://a.example?x@go.example.com") == "a.example");
}

TEST_CASE("whatever bytes are given, a stored form is harmless and stays as it is", "[url]") {
    static constexpr std::array<std::string_view, 34> pieces{
        "http", "https", "HTTP",        ":",          "/",  "//",   "\\",  "@",      "?",
        "#",    "[",     "]",           "::1",        "%",  "%0d",  "%2e", "%C3%BC", "ü",
        "。",   "\r\n",  "\t",          " ",          "\"", "xn--", "0x",  "1",      ".",
        "a",    "B",     "example.com", "javascript", "é",  "😀",   "\xFF"};
    const std::vector<std::string> more{"ftp", "myapp", "javascript"};
    std::mt19937 random(20'260'131); // NOLINT(bugprone-random-generator-seed): the same bytes in every run
    const auto below = [&](std::size_t bound) {
        return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
    };
    std::size_t accepted = 0;
    for (int round = 0; round < 100'000; ++round) {
        std::string given = below(4) == 0 ? "" : "https://";
        for (auto count = below(12); count > 0; --count) {
            if (below(4) == 0)
                given += static_cast<char>(below(256));
            else
                given += pieces[below(pieces.size())];
        }
        const auto read = destination("destination", given, more);
        if (!read)
            continue;
        ++accepted;
        const auto& text = read->stored;
        const auto scheme = text.substr(0, text.find(':'));
        const auto again = destination("destination", text, more);
        const auto printable = [](char c) { return c > ' ' && c < '\x7f'; };
        if (!std::ranges::all_of(text, printable) || text.find("://") != scheme.size() ||
            read->host.empty() || !may_allow_scheme(scheme) || !again || again->stored != text ||
            again->host != read->host)
            FAIL_CHECK(given << " was stored as " << text);
    }
    CHECK(accepted > 9'000);
}
