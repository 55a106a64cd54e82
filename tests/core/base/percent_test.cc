#include "core/base/percent.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace std::string_view_literals;

namespace {

std::string uri_text(std::string_view text) {
    std::string out;
    append_uri_text(out, text);
    return out;
}

} // namespace

TEST_CASE("an escape is undone once, and a '%' that begins none stays", "[percent]") {
    CHECK(percent_decoded("a%20b%2fc%2F") == "a b/c/");
    CHECK(percent_decoded("%C3%BC") == "ü");
    CHECK(percent_decoded("%00%FF") == "\0\xFF"sv);
    CHECK(percent_decoded("%2541") == "%41");
    CHECK(percent_decoded("%%41") == "%A");
    for (const auto* text : {"", "plain+text", "%", "%4", "%g1", "%1g", "% 1", "%-1", "%+1", "%0x", "100%"})
        CHECK(percent_decoded(text) == text);
}

TEST_CASE("what no URI carries is escaped, what it carries and what is escaped stays", "[percent]") {
    CHECK(uri_text("/a-b._~!$&'()*+,;=:@?x[0]=y#z") == "/a-b._~!$&'()*+,;=:@?x[0]=y#z");
    CHECK(uri_text("a b") == "a%20b");
    CHECK(uri_text("\"<>\\^`{|}") == "%22%3C%3E%5C%5E%60%7B%7C%7D");
    CHECK(uri_text("ü€") == "%C3%BC%E2%82%AC");
    CHECK(uri_text("\0\r\n\x7f\xff"sv) == "%00%0D%0A%7F%FF");
    CHECK(uri_text("%41%c3%BC") == "%41%c3%BC");
    CHECK(uri_text("100%") == "100%25");
    CHECK(uri_text("%4%zz%%41") == "%254%25zz%25%41");
    CHECK(uri_text("") == "");
}

TEST_CASE("a value within an address keeps letters, digits and four marks", "[percent]") {
    std::string out = "x=";
    append_uri_value(out, "aZ09-._~ &=+%41#;\"\xc3\xbc\r\n");
    CHECK(out == "x=aZ09-._~%20%26%3D%2B%2541%23%3B%22%C3%BC%0D%0A");
}

TEST_CASE("the name of an added parameter needs no escapes and has 1 to 40 characters", "[percent]") {
    for (const auto& name : {std::string("sp_click"), std::string("A-b.c_d~9"), std::string(40, 'x')})
        CHECK(is_parameter_name(name));
    for (const auto& name : {std::string(), std::string(41, 'x'), std::string("a b"), std::string("a=b"),
                             std::string("a&b"), std::string("a%62"), std::string("a+b"), std::string("a[b]"),
                             std::string("\xc3\xbc"), std::string("a\r\nb"), std::string(1, '\0')})
        CHECK_FALSE(is_parameter_name(name));
}
