#include "http/server/parser.h"

#include "http/server/unread_headers.h"

#include <catch2/catch.hpp>
#include <random>

namespace slashpost::http {

namespace {

// What is in the head stays valid only as long as the text.
struct Parsed {
    explicit Parsed(std::string given) : text(std::move(given)) { status = parse_head(text, limits, head); }
    std::string text;
    Limits limits;
    RequestHead head;
    HeadStatus status = HeadStatus::partial;
};

std::string with(const std::string& headers) { return "GET /a HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n"; }

// The status a whole request is refused with; 0 when it is not.
unsigned refusal(const std::string& text) {
    const Parsed parsed(text);
    return parsed.status == HeadStatus::refused ? parsed.head.refusal.status : 0;
}

} // namespace

TEST_CASE("a head is read into views of its bytes", "[parser]") {
    const Parsed parsed("GET /abc?x=1&y=%20 HTTP/1.1\r\nHost: Go.Example.com:8080\r\nUser-Agent:  curl/8 \r\n"
                        "Accept: */*\r\n\r\nrest");
    REQUIRE(parsed.status == HeadStatus::complete);
    CHECK(parsed.head.method == Method::get);
    CHECK(parsed.head.path == "/abc");
    CHECK(parsed.head.query == "x=1&y=%20");
    CHECK(parsed.head.host == "Go.Example.com:8080");
    CHECK(parsed.head.user_agent == "curl/8");
    CHECK(parsed.head.field_count == 3);
    CHECK(parsed.head.fields[2].name == "Accept");
    CHECK(parsed.head.bytes == parsed.text.size() - 4);
    CHECK(parsed.head.keep_alive);
    CHECK(parsed.head.body == BodyKind::none);
    CHECK(parsed.head.path.data() == parsed.text.data() + 4);
}

TEST_CASE("a head that is cut off anywhere is partial", "[parser]") {
    const std::string whole = with("User-Agent: x\r\nContent-Length: 5\r\n");
    for (std::size_t size = 0; size < whole.size(); ++size) {
        INFO(size);
        CHECK(Parsed(whole.substr(0, size)).status == HeadStatus::partial);
    }
    CHECK(Parsed(whole).status == HeadStatus::complete);
}

TEST_CASE("requests that two servers could read differently are refused", "[parser][smuggling][threat-31]") {
    const std::string chunked = "Transfer-Encoding: chunked\r\n";
    const char* headers[] = {
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Content-Length: 5\r\nContent-Length: 5\r\n",
        "Content-Length: 5, 5\r\n",
        "Content-Length: +5\r\n",
        "Content-Length: -5\r\n",
        "Content-Length: 5 5\r\n",
        "Content-Length: 0x5\r\n",
        "Content-Length:\r\n",
        "Content-Length: 99999999999999999999\r\n",
        "Content-Length : 5\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: identity\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: \"chunked\"\r\n",
        "Transfer-Encoding:\x0b chunked\r\n",
        "Transfer-Encoding : chunked\r\n",
        "Transfer_Encoding\r\n",
        "Host: h\r\n",
        "Host: other\r\n",
        "X: a\r\n b\r\n",
        "X: a\r\n\tb\r\n",
        "X:\r\n b\r\n",
        "Transfer-Encoding:\r\n chunked\r\n",
        " X: a\r\n",
        "X: a\n",
        "X: a\nY: b\r\n",
        "X: a\rY: b\r\n",
        ": a\r\n",
        "X Y: a\r\n",
        "X\r\n",
        "Expect: something\r\n",
    };
    for (const std::string text : headers) {
        INFO(text);
        CHECK(refusal(with(text)) != 0);
    }
    CHECK(refusal(with(std::string("X: a\0b\r\n", 8))) == 400);
    CHECK(refusal(with(std::string("X\0: a\r\n", 7))) == 400);
    CHECK(refusal("GET /a HTTP/1.0\r\nHost: h\r\n" + chunked + "\r\n") == 400);
    CHECK(refusal(with(chunked)) == 0);
    CHECK(refusal(with("Transfer-Encoding: Chunked\r\n")) == 0);
    CHECK(refusal(with("Content-Length: 5\r\n")) == 0);
    CHECK(refusal(with("X:\r\n")) == 0);
}

TEST_CASE("request lines that are not HTTP/1 are refused", "[parser]") {
    const char* lines[] = {
        "GET  /a HTTP/1.1\r\n",
        "GET /a\r\n",
        "GET /a HTTP/1.1\n",
        "GET /a HTTP/1.1 \r\n",
        "GET /a HTTP/2.0\r\n",
        "GET /a HTTP/1.2\r\n",
        "GET /a http/1.1\r\n",
        "GET a HTTP/1.1\r\n",
        "GET /a#b HTTP/1.1\r\n",
        "GET /a\tb HTTP/1.1\r\n",
        "GE\x01T /a HTTP/1.1\r\n",
        "GET\t/a HTTP/1.1\r\n",
        " GET /a HTTP/1.1\r\n",
        "PRI * HTTP/2.0\r\n",
        "CONNECT h:443 HTTP/1.1\r\n",
        "GET http:// HTTP/1.1\r\n",
        "GET ftp://h/ HTTP/1.1\r\n",
        "GET http://u@h/ HTTP/1.1\r\n",
        "GET http://h:x/ HTTP/1.1\r\n",
        "\x16\x03\x01\x02\x00\x01\r\n",
    };
    for (const std::string line : lines) {
        INFO(line);
        CHECK(refusal(line + "Host: h\r\n\r\n") == 400);
    }
}

TEST_CASE("exactly one valid host is needed", "[parser][threat-24]") {
    CHECK(refusal("GET /a HTTP/1.1\r\n\r\n") == 400);
    CHECK(refusal("GET /a HTTP/1.0\r\n\r\n") == 0);
    const auto host = [](const std::string& value) {
        return refusal("GET /a HTTP/1.1\r\nHost: " + value + "\r\n\r\n");
    };
    for (const char* good :
         {"h", "Go.Example.COM.", "localhost:8080", "127.0.0.1", "[::1]:8080", "a_b", "", "h:"}) {
        INFO(good);
        CHECK(host(good) == 0);
    }
    for (const char* bad : {"a b", "a,b", "a/b", "u@h", "h:80:80", "h:http", "h:123456", "[::1", "[]", "a?b",
                            "[::1]x", "b\xc3\xbc.example", "<script>", "h\"", "%68"}) {
        INFO(bad);
        CHECK(host(bad) == 400);
    }
    CHECK(host(std::string(300, 'a')) == 400);
}

TEST_CASE("an absolute target names the host", "[parser][threat-24]") {
    const Parsed parsed("GET HTTP://Other.example:81/x?y=/ HTTP/1.1\r\nHost: h\r\n\r\n");
    REQUIRE(parsed.status == HeadStatus::complete);
    CHECK(parsed.head.host == "Other.example:81");
    CHECK(parsed.head.path == "/x");
    CHECK(parsed.head.query == "y=/");
    const Parsed bare("GET https://other.example?y HTTP/1.1\r\nHost: h\r\n\r\n");
    REQUIRE(bare.status == HeadStatus::complete);
    CHECK(bare.head.path == "/");
    CHECK(to_request(bare.head).target == "/?y");
    CHECK(to_request(bare.head).host == "other.example");
}

TEST_CASE("too long targets and too large headers have their own answers", "[parser]") {
    CHECK(refusal("GET /" + std::string(9'000, 'a') + " HTTP/1.1\r\nHost: h\r\n\r\n") == 414);
    CHECK(refusal("GET /" + std::string(40'000, 'a')) == 414);
    CHECK(refusal("GET /" + std::string(8'191, 'a') + " HTTP/1.1\r\nHost: h\r\n\r\n") == 0);
    CHECK(refusal(with("X: " + std::string(60'000, 'a') + "\r\n")) == 0);
    CHECK(refusal(with("X: " + std::string(70'000, 'a') + "\r\n")) == 431);
    CHECK(refusal("GET /a HTTP/1.1\r\nX: " + std::string(70'000, 'a')) == 431);
    CHECK(refusal(with("Referer: " + std::string(20'000, 'a') + "\r\n")) == 431);
    CHECK(refusal(with("X-Forwarded-For: " + std::string(20'000, '1') + "\r\n")) == 431);
    std::string many;
    for (int i = 0; i < 99; ++i)
        many += "X: a\r\n";
    CHECK(refusal(with(many)) == 0);
    CHECK(refusal(with(many + "X: a\r\n")) == 431);
}

TEST_CASE("long values that nobody reads are dropped from a head that is not complete", "[parser]") {
    const auto left = [](std::string text) {
        text.resize(drop_unread_values(text));
        return text;
    };
    const std::string start = "GET /a HTTP/1.1\r\nHost: h\r\n";
    const std::string big(2'000, 'x');
    CHECK(left(start + "Cookie: " + big + "\r\nX: 1\r\n") == start + "Cookie:\r\nX: 1\r\n");
    CHECK(left(start + "cookie: " + big) == start + "cookie:");
    CHECK(left(start + "Cookie: " + big + "\r") == start + "Cookie:\r");
    CHECK(left(start + "Cookie:" + big + "\r\nA: " + big + "\r\nB: b") == start + "Cookie:\r\nA:\r\nB: b");
    for (const std::string& kept :
         {start + "Referer: " + big, start + "X-Forwarded-For: " + big + "\r\n", start + "Cookie: a\r\n",
          start + "Cookie: a\r\n " + big + "\r\n", start + "Cookie: \x01" + big,
          start + "Cookie: " + big + "\r" + big, start + big, "GET /" + big, std::string()}) {
        INFO(kept);
        CHECK(left(kept) == kept);
    }
}

TEST_CASE("keep-alive follows the version and the Connection header", "[parser]") {
    CHECK(Parsed(with("")).head.keep_alive);
    CHECK_FALSE(Parsed(with("Connection: close\r\n")).head.keep_alive);
    CHECK_FALSE(Parsed(with("Connection: Foo, CLOSE\r\n")).head.keep_alive);
    CHECK_FALSE(Parsed("GET / HTTP/1.0\r\n\r\n").head.keep_alive);
    CHECK(Parsed("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").head.keep_alive);
}

TEST_CASE("that a visitor is not to be tracked is told by either of two headers", "[parser]") {
    for (const auto* header : {"Sec-GPC: 1", "sec-gpc: 1", "DNT: 1", "dnt:1"}) {
        CAPTURE(header);
        CHECK(Parsed(with(std::string(header) + "\r\n")).head.objects);
    }
    for (const auto* header : {"DNT: 0", "Sec-GPC: 0", "Sec-GPC: ", "DNT: 10", "X-DNT: 1", "Accept: 1"}) {
        CAPTURE(header);
        CHECK_FALSE(Parsed(with(std::string(header) + "\r\n")).head.objects);
    }
}

TEST_CASE("prefetches and previews of browsers are told by any of their headers", "[parser]") {
    for (const auto* name : {"Purpose", "sec-purpose", "X-Purpose", "x-moz"})
        for (const auto* value : {"prefetch", "Prefetch;prerender", "preview"}) {
            INFO(name << ": " << value);
            CHECK(Parsed(with(std::string(name) + ": " + value + "\r\n")).head.prefetch);
        }
    for (const auto* header : {"Purpose: visit", "X-Moz: ", "Purpos: prefetch", "X-Purposes: prefetch",
                               "Moz: prefetch", "Y-Purpose: prefetch"}) {
        INFO(header);
        CHECK_FALSE(Parsed(with(std::string(header) + "\r\n")).head.prefetch);
    }
}

TEST_CASE("whatever the bytes, the views stay inside them and nothing is read past the empty line",
          "[parser]") {
    const std::string seed =
        "POST http://h:1/a?b HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nExpect: 100-continue\r\n"
        "Transfer-Encoding: chunked\r\nX:\r\n y\r\n\r\nbody";
    const std::string spice("\r\n\t :;,\0\x7f\xff/?#0A", 16);
    std::mt19937 random(1);
    const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random()) % bound; };
    for (int round = 0; round < 50'000; ++round) {
        std::string text = seed;
        for (std::size_t i = below(6); i > 0; --i) {
            const std::size_t at = below(text.size());
            if (below(3) == 0)
                text.erase(at, below(30));
            else if (below(2) == 0)
                text.insert(at, 1, spice[below(spice.size())]);
            else
                text[at] = spice[below(spice.size())];
            text += 'x';
        }
        const Parsed parsed(text);
        if (parsed.status != HeadStatus::complete)
            continue;
        const RequestHead& head = parsed.head;
        REQUIRE(head.bytes <= text.size());
        REQUIRE(parsed.text.substr(0, head.bytes).ends_with("\r\n\r\n"));
        const auto inside = [&](std::string_view view) {
            return view.empty() || view == "/" ||
                   (view.data() >= parsed.text.data() &&
                    view.data() + view.size() <= parsed.text.data() + head.bytes);
        };
        REQUIRE((inside(head.path) && inside(head.query) && inside(head.host) && inside(head.user_agent)));
        for (std::size_t i = 0; i < head.field_count; ++i) {
            REQUIRE((inside(head.fields[i].name) && inside(head.fields[i].value)));
            REQUIRE(head.fields[i].value.find_first_of(std::string_view("\r\n\0", 3)) ==
                    std::string_view::npos);
        }
    }
}

TEST_CASE("an empty line is found whatever its line ends", "[parser]") {
    CHECK(has_empty_line("a\r\n\r\n", 0));
    CHECK(has_empty_line("a\r\n\r\n", 4));
    CHECK(has_empty_line("a\n\n", 2));
    CHECK(has_empty_line("a\n\r\n", 3));
    CHECK_FALSE(has_empty_line("a\r\nb\r\n", 0));
    CHECK_FALSE(has_empty_line("a\r\n\r", 0));
}

} // namespace slashpost::http
