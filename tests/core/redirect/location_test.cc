#include "core/redirect/location.h"

#include "core/base/percent.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

using namespace slashpost;
using namespace slashpost::redirect;

namespace {

std::string forwarded(std::string_view destination, std::string_view query,
                      OnConflict wins = OnConflict::destination) {
    std::string out;
    append_forwarded(out, destination, query, wins);
    return out;
}

std::string location(std::string_view address) {
    std::string out;
    append_location(out, address);
    return out;
}

std::vector<std::string> parameters(std::string_view query) {
    std::vector<std::string> out;
    while (!query.empty()) {
        const auto one = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(query.size(), one.size() + 1));
        if (!one.empty())
            out.emplace_back(one);
    }
    return out;
}

std::string name_of(std::string parameter) {
    parameter = parameter.substr(0, parameter.find('='));
    std::ranges::replace(parameter, '+', ' ');
    return percent_decoded(parameter);
}

} // namespace

TEST_CASE("the visitor's query is appended to the destination's", "[redirect]") {
    CHECK(forwarded("https://a.example/", "x=1") == "https://a.example/?x=1");
    CHECK(forwarded("https://a.example", "x=1&y=2") == "https://a.example?x=1&y=2");
    CHECK(forwarded("https://a.example/?p=0", "x=1") == "https://a.example/?p=0&x=1");
    CHECK(forwarded("https://a.example/?", "x=1") == "https://a.example/?x=1");
    CHECK(forwarded("https://a.example/?p=0&", "x=1") == "https://a.example/?p=0&x=1");
    CHECK(forwarded("https://a.example/", "flag") == "https://a.example/?flag");
    CHECK(forwarded("https://a.example/", "x=1&x=2") == "https://a.example/?x=1&x=2");
    CHECK(forwarded("https://a.example/?p=0", "&&x=1&&") == "https://a.example/?p=0&x=1");
    CHECK(forwarded("https://a.example/", "&") == "https://a.example/");
    CHECK(forwarded("https://a.example/", "r=a?b=c/d") == "https://a.example/?r=a?b=c/d");
}

TEST_CASE("on the same name the destination's parameter wins", "[redirect][threat-6]") {
    CHECK(forwarded("https://a.example/?x=1", "x=2") == "https://a.example/?x=1");
    CHECK(forwarded("https://a.example/?x=1&y=2", "y=9&z=3&x=8") == "https://a.example/?x=1&y=2&z=3");
    CHECK(forwarded("https://a.example/?x", "x=2") == "https://a.example/?x");
    CHECK(forwarded("https://a.example/?X=1", "x=2") == "https://a.example/?X=1&x=2");
    CHECK(forwarded("https://a.example/?a%20b=1", "a+b=2&a b=3") == "https://a.example/?a%20b=1");
    CHECK(forwarded("https://a.example/?x=1", "%78=2") == "https://a.example/?x=1");
    CHECK(forwarded("https://a.example/?%78=1", "x=2") == "https://a.example/?%78=1");
}

TEST_CASE("on the same name the visitor's parameter wins where it shall", "[redirect]") {
    const auto visitors = [](std::string_view destination, std::string_view query) {
        return forwarded(destination, query, OnConflict::visitor);
    };
    CHECK(visitors("https://a.example/?x=1", "x=2") == "https://a.example/?x=2");
    CHECK(visitors("https://a.example/?x=1&y=2&x=3#top", "x=8&x=9&z=4") ==
          "https://a.example/?y=2&x=8&x=9&z=4#top");
    CHECK(visitors("https://a.example/?a%20b=1&c", "a+b=2") == "https://a.example/?c&a+b=2");
    CHECK(visitors("https://a.example/?X=1", "x=2") == "https://a.example/?X=1&x=2");
    CHECK(visitors("https://a.example/?x=1&", "y=2") == "https://a.example/?x=1&y=2");
    CHECK(visitors("https://a.example/?x=1", "") == "https://a.example/?x=1");
    CHECK(visitors("https://a.example/?apikey=public&x=1", "apikey=secret") ==
          "https://a.example/?apikey=public&x=1");
}

TEST_CASE("on the same name both parameters stay where they shall", "[redirect]") {
    CHECK(forwarded("https://a.example/?x=1", "x=2", OnConflict::both) == "https://a.example/?x=1&x=2");
    CHECK(forwarded("https://a.example/?x=1#top", "x=2&x=1&y", OnConflict::both) ==
          "https://a.example/?x=1&x=2&x=1&y#top");
    CHECK(forwarded("https://a.example/?x=1", "ApiKey=secret&x=2", OnConflict::both) ==
          "https://a.example/?x=1&x=2");
}

TEST_CASE("our own parameter takes its name from both sides, whoever wins", "[redirect]") {
    const OwnParameter own{.name = "sp_click", .value = "new"}, none{.name = "sp_click", .value = ""};
    for (const auto wins : {OnConflict::destination, OnConflict::visitor, OnConflict::both}) {
        std::string out;
        append_forwarded(out, "https://a.example/?sp_click=old&a=1", "sp_click=mine&b=2", wins, &own);
        CHECK(out == "https://a.example/?a=1&b=2&sp_click=new");
        out.clear();
        append_forwarded(out, "https://a.example/?sp_click=old&a=1", "sp_click=mine&b=2", wins, &none);
        CHECK(out == "https://a.example/?sp_click=old&a=1&b=2");
    }
}

TEST_CASE("parameters that would make an address longer than 8 KiB are left out, whole, from the end",
          "[redirect]") {
    const std::string destination =
        "https://a.example/?own=1#top"; // 24 bytes in front of the fragment, 4 in it
    const auto room = 8192 - 28;
    const auto fits = "a=" + std::string(static_cast<std::size_t>(room) - 3, 'x');
    CHECK(forwarded(destination, fits) == "https://a.example/?own=1&" + fits + "#top");
    CHECK(forwarded(destination, fits).size() == 8192);
    CHECK(forwarded(destination, fits + "x") == destination);
    CHECK(forwarded(destination, "b=1&" + fits + "&c=2") == "https://a.example/?own=1&b=1#top");
    // As they are on the wire: each of these is three bytes there.
    const auto escaped = "a=" + std::string(3'000, '<');
    CHECK(forwarded(destination, "b=1&" + escaped) == "https://a.example/?own=1&b=1#top");
    const OwnParameter own{.name = "sp_click", .value = "0123456789"};
    std::string out;
    append_forwarded(out, destination, fits, OnConflict::destination, &own);
    CHECK(out == "https://a.example/?own=1&sp_click=0123456789#top");
    // Where nothing was brought along it is as it is stored, however long.
    const auto older = "https://a.example/" + std::string(9'000, 'x');
    CHECK(forwarded(older, "a=1") == older);
}

TEST_CASE("an address that names no host takes no parameters along", "[redirect]") {
    for (const auto* address : {"tel:+49301234", "mailto:ann@example.com?subject=x", "magnet:?xt=urn:btih:a"})
        for (const auto wins : {OnConflict::destination, OnConflict::visitor, OnConflict::both})
            CHECK(forwarded(address, "utm_source=x", wins) == address);
    CHECK(forwarded("myapp://open", "x=1") == "myapp://open?x=1");
}

TEST_CASE("an address for what is missing says what was asked for", "[redirect]") {
    const auto place = [](std::string_view address, std::string_view path) {
        std::string out;
        append_missing_place(out, address, "go.example.com", path);
        return out;
    };
    CHECK(place("https://a.example/lost", "/x") == "https://a.example/lost");
    CHECK(place("https://a.example/%7Bpath%7D?from=%7Bdomain%7D", "/Old/page") ==
          "https://a.example/Old/page?from=go.example.com");
    // In a query it is one value, whatever it has in it.
    CHECK(place("https://a.example/?p=%7Bpath%7D&x=1", "/a%26b=c&d/e%20f") ==
          "https://a.example/?p=a%26b%3Dc%26d%2Fe%20f&x=1");
    CHECK(place("https://a.example/%7Bpath%7D", "/a b\r\nX: y\xff") ==
          "https://a.example/a%20b%0D%0AX:%20y%FF");
    CHECK(place("https://a.example/%7Bother%7D/%7B", "/x") == "https://a.example/%7Bother%7D/%7B");
    CHECK(place("https://a.example/%7Bpath%7D", "/") == "https://a.example/");
    // What would be too long is left out.
    CHECK(place("https://a.example/%7Bpath%7D?d=%7Bdomain%7D", "/" + std::string(4'096, 'x')) ==
          "https://a.example/?d=go.example.com");
    CHECK(place("https://a.example/%7Bpath%7D", "/" + std::string(3'000, 'x')).size() == 3'018);
    CHECK(place("https://a.example/%7Bpath%7D", "/" + std::string(3'000, '<')) == "https://a.example/");
}

TEST_CASE("the query goes in front of the destination's fragment", "[redirect]") {
    CHECK(forwarded("https://a.example/#top", "x=1") == "https://a.example/?x=1#top");
    CHECK(forwarded("https://a.example/?p=0#top", "x=1") == "https://a.example/?p=0&x=1#top");
    CHECK(forwarded("https://a.example/#a?x=1", "x=2") == "https://a.example/?x=2#a?x=1");
    CHECK(forwarded("https://a.example/#top", "x=1#mine") == "https://a.example/?x=1#top");
}

TEST_CASE("an API key in a visitor's query goes nowhere", "[redirect][threat-6]") {
    CHECK(forwarded("https://a.example/", "apikey=secret") == "https://a.example/");
    CHECK(forwarded("https://a.example/", "x=1&ApiKey=secret&y=2") == "https://a.example/?x=1&y=2");
    CHECK(forwarded("https://a.example/", "%61pikey=secret") == "https://a.example/");
    CHECK(forwarded("https://a.example/", "apikeys=1&apike=2") == "https://a.example/?apikeys=1&apike=2");
}

TEST_CASE("the mark of a QR code is not passed on", "[redirect]") {
    CHECK(forwarded("https://a.example/", "sp_scan") == "https://a.example/");
    CHECK(forwarded("https://a.example/?x=1", "sp_scan=&y=2") == "https://a.example/?x=1&y=2");
    CHECK(forwarded("https://a.example/?sp_scan=1", "sp_scan=2") ==
          "https://a.example/?sp_scan=1"); // its own
}

TEST_CASE("nothing that breaks a header comes out, whatever went in", "[redirect][threat-2]") {
    CHECK(forwarded("https://a.example/", "x=\r\nSet-Cookie: a=b") ==
          "https://a.example/?x=%0D%0ASet-Cookie:%20a=b");
    CHECK(forwarded("https://a.example/", "x=%0d%0ay") == "https://a.example/?x=%0d%0ay");
    CHECK(forwarded("https://a.example/", "\xc3\xa4=\x7f") == "https://a.example/?%C3%A4=%7F");
    CHECK(forwarded("https://a.example/", "x=<\">") == "https://a.example/?x=%3C%22%3E");
    CHECK(location("https://a.example/\r\nx: y") == "https://a.example/%0D%0Ax:%20y");
    CHECK(location("https://a.example/\xff") == "https://a.example/%FF");
    CHECK(location("https://a.example/[x]|{y}%zz") == "https://a.example/[x]|{y}%zz"); // as stored
}

TEST_CASE("merging queries keeps the destination's and adds what it does not name", "[redirect]") {
    std::mt19937 random(20'260'101);
    const auto pick = [&](std::size_t bound) { return random() % bound; };
    static constexpr std::string_view pieces[] = {"a",   "b",    "A", "=", "&", "&",   "=",
                                                  "%61", "%",    "+", " ", "#", "%2B", "%0a",
                                                  "\r",  "\xc3", "?", "/", "[", "%zz"};
    const auto text = [&](std::size_t length_max, bool visitor) {
        std::string out;
        for (auto left = pick(length_max); left > 0; --left) {
            const auto piece = pieces[pick(std::size(pieces))];
            if (visitor || (piece != "#" && piece != " " && piece[0] > ' ')) // destinations are stored clean
                out += piece;
        }
        return out;
    };
    for (int round = 0; round < 20'000; ++round) {
        const auto own = text(12, false);
        const auto fragment = pick(2) ? "#f" + text(3, false) : "";
        const auto sent = text(16, true);
        const auto address = "https://a.example/" + (pick(4) ? "?" + own : "");
        const auto merged = forwarded(address + fragment, sent);

        const auto has_query = address.find('?') != address.npos;
        auto expected = parameters(has_query ? own : "");
        std::vector<std::string> names;
        for (const auto& parameter : expected)
            names.push_back(name_of(parameter));
        for (const auto& parameter : parameters(sent.substr(0, sent.find('#'))))
            if (std::ranges::find(names, name_of(parameter)) == names.end()) {
                expected.emplace_back();
                append_uri_text(expected.back(), parameter);
            }
        INFO(address << fragment << " with " << sent << " is " << merged);
        REQUIRE(merged.starts_with(address));
        REQUIRE(merged.ends_with(fragment));
        REQUIRE(std::ranges::all_of(merged, [](char c) { return c > ' ' && c < '\x7f'; }));
        const auto query = merged.substr(0, merged.find('#'));
        const auto mark = query.find('?');
        REQUIRE(parameters(mark == query.npos ? "" : query.substr(mark + 1)) == expected);
    }
}

namespace {

// What merging two queries of so many parameters, half of which they share, costs this thread: the best of
// three, in seconds of its own CPU time, which other programs do not lengthen.
double merging_seconds(int parameters_each) {
    std::string own = "https://a.example/?", sent;
    for (int i = 0; i < parameters_each; ++i) {
        own += "a" + std::to_string(i) + "&";
        sent += "a" + std::to_string(i * 2) + "&";
    }
    const auto cpu_seconds = [] {
        timespec spent{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
        return static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) / 1e9;
    };
    double best = 1e9;
    for (int round = 0; round < 3; ++round) {
        const double begin = cpu_seconds();
        const auto merged = forwarded(own, sent);
        best = std::min(best, cpu_seconds() - begin);
        REQUIRE(std::ssize(parameters(merged.substr(merged.find('?') + 1))) >= parameters_each);
    }
    return best;
}

} // namespace

TEST_CASE("a query eight times as long costs about eight times as much to merge", "[redirect][threat-33]") {
    CHECK(merging_seconds(8'000) < 24 * merging_seconds(1'000)); // 64 times, if it were quadratic
}
