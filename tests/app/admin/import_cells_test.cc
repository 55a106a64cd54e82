// What single cells of people's files mean.
#include "app/admin/import/cells.h"
#include "app/admin/import/config_file.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::admin;

namespace {

std::string time_of(std::string_view text, std::string_view zone = "") {
    const auto time = read_time(text, zone);
    return time ? to_iso(*time) : "none";
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("times are read as people's programs write them", "[admin]") {
    CHECK(time_of("2024-03-01T09:00:00Z") == "2024-03-01T09:00:00.000Z");
    CHECK(time_of(" 2024-03-01 09:00:00 ") == "2024-03-01T09:00:00.000Z");
    CHECK(time_of("2024-03-01T09:00:00") == "2024-03-01T09:00:00.000Z");
    CHECK(time_of("2024-03-01 09:00:00 UTC") == "2024-03-01T09:00:00.000Z");
    CHECK(time_of("2024-03-01T09:00:00+0100") == "2024-03-01T08:00:00.000Z");
    CHECK(time_of("2024-03-01 09:00:00 +0000") == "2024-03-01T09:00:00.000Z");
    CHECK(time_of("2024-03-01 09:00:00.123456-05") == "2024-03-01T14:00:00.123Z");
    CHECK(time_of("2024-03-01") == "2024-03-01T00:00:00.000Z");
    CHECK(time_of("1709283600") == "2024-03-01T09:00:00.000Z");
    CHECK(time_of("1709283600123") == "2024-03-01T09:00:00.123Z");
    for (const auto* text :
         {"", "yesterday", "01/03/2024", "2024-13-01", "123456789012345", "-5", "+", "UTC"})
        CHECK(time_of(text) == "none");
}

TEST_CASE("a time without an offset is shown by the clock of the zone", "[admin]") {
    CHECK(time_of("2024-03-01 09:00:00", "Europe/Berlin") == "2024-03-01T08:00:00.000Z");
    CHECK(time_of("2024-07-01 09:00:00", "Europe/Berlin") == "2024-07-01T07:00:00.000Z");
    CHECK(time_of("2024-07-01 09:00:00 UTC", "Europe/Berlin") == "2024-07-01T09:00:00.000Z");
    CHECK(time_of("1709283600", "Europe/Berlin") == "2024-03-01T09:00:00.000Z");
}

TEST_CASE("counts are read with what groups their digits, and without decimals of nought", "[admin]") {
    CHECK(read_whole("1234") == 1234);
    CHECK(read_whole(" 1,234,567 ") == 1234567);
    CHECK(read_whole("1 234") == 1234);
    CHECK(read_whole("61.0") == 61);
    CHECK(read_whole("0.00") == 0);
    CHECK(read_whole("-3") == -1);
    CHECK(read_whole("99999999999999999999") == -1);
    for (const auto* text : {"", "1.5", "x", "1e3", ".", "-", "1.0.0"})
        CHECK_FALSE(read_whole(text));
}

TEST_CASE("names of tags are read in each way of writing a list", "[admin]") {
    CHECK(tag_names("a|b, c") == Names{"a", "b, c"});
    CHECK(tag_names("a, b,,") == Names{"a", "b"});
    CHECK(tag_names(R"(["a","b, c"])") == Names{"a", "b, c"});
    CHECK(tag_names("{a,b}") == Names{"a", "b"});
    CHECK(tag_names("[not json") == Names{"[not json"});
    CHECK(tag_names("[]").empty());
    CHECK(tag_names(" ").empty());
}

TEST_CASE("a short address is a domain and a slashtag", "[admin]") {
    const auto split = [](std::string_view text) {
        const auto parts = split_short_address(text);
        return parts.domain + " " + parts.slashtag;
    };
    CHECK(split("https://go.example.com/spring") == "go.example.com spring");
    CHECK(split("go.example.com:8080/spring/?x=1#y") == "go.example.com:8080 spring");
    CHECK(split("/spring") == " spring");
    CHECK(split("https://go.example.com/a/b") == "go.example.com a/b");
    CHECK(split("https://go.example.com") == "go.example.com ");
    CHECK(split("https://go.example.com/fr%C3%BCh/x") == "go.example.com früh/x");
    CHECK(split("https://go.example.com/%FF") == "go.example.com %FF");
}

TEST_CASE("what stands in a file is shown without what a terminal would obey", "[admin]") {
    CHECK(in_quotes("a b") == "'a b'");
    CHECK(in_quotes("a\x1b[2J\nb\x7f") == "'a [2J b '");
    CHECK(in_quotes("\xc2\x9b"
                    "2J \xc3\xa4") == "' 2J \xc3\xa4'");
    CHECK(in_quotes("\xff") == "'?'");
    CHECK(in_quotes(std::string(79, 'x') + "ää") == "'" + std::string(79, 'x') + "...'");
}

TEST_CASE("a pattern that matches one path is that path", "[admin]") {
    CHECK(literal_path("^/spring$") == "/spring");
    CHECK(literal_path("^/?spring/?$") == "/spring");
    CHECK(literal_path("^a\\-b\\.html$") == "/a-b.html");
    for (const auto* pattern :
         {"/spring", "^/spring", "^/s.ring$", "^/(a|b)$", "^/a*$", "^/$", "^$", "^\\d$"})
        CHECK(literal_path(pattern).empty());
}
