#include "core/base/ascii.h"

#include <catch2/catch.hpp>

#include <string>

using namespace slashpost;

namespace {

// Every byte that `is` takes, in order.
std::string all_that(bool (*is)(char)) {
    std::string out;
    for (int byte = 0; byte < 256; ++byte)
        if (is(static_cast<char>(byte)))
            out += static_cast<char>(byte);
    return out;
}

} // namespace

TEST_CASE("classes of ASCII hold nothing beyond ASCII", "[ascii]") {
    CHECK(all_that(ascii::is_digit) == "0123456789");
    CHECK(all_that(ascii::is_lower) == "abcdefghijklmnopqrstuvwxyz");
    CHECK(all_that(ascii::is_letter) == "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    CHECK(all_that(ascii::is_letter_or_digit) ==
          "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    CHECK(all_that(ascii::is_hex_digit) == "0123456789ABCDEFabcdef");
}

TEST_CASE("only letters of ASCII change their case", "[ascii]") {
    CHECK(ascii::lower('Q') == 'q');
    CHECK(ascii::upper('q') == 'Q');
    for (const char c : {'[', '@', '`', '{', '7', '\xc4', '\xe4'}) {
        CHECK(ascii::lower(c) == c);
        CHECK(ascii::upper(c) == c);
    }
}

TEST_CASE("hexadecimal digits are read as we write them, without capitals", "[ascii]") {
    CHECK(ascii::hex_value('0') == 0);
    CHECK(ascii::hex_value('9') == 9);
    CHECK(ascii::hex_value('a') == 10);
    CHECK(ascii::hex_value('f') == 15);
    CHECK(ascii::hex_value('A') == -1);
    CHECK(ascii::hex_value('g') == -1);
}

TEST_CASE("a number has at least one digit and nothing else", "[ascii]") {
    CHECK(ascii::are_digits("0042"));
    CHECK_FALSE(ascii::are_digits(""));
    CHECK_FALSE(ascii::are_digits("4 2"));
    CHECK_FALSE(ascii::are_digits("-42"));
}
