#include "core/base/email.h"

#include <catch2/catch.hpp>
#include <string>

using namespace slashpost;

TEST_CASE("an e-mail address can stand in a header and a command as it is", "[email]") {
    for (const auto* text :
         {"a@b.co", "first.last+tag@mail.example.com", "ü@exämple.de", "o'hara@example.com"})
        CHECK(is_email(text));
    for (const auto* text : {"", "a", "@b.co", "a@", "a@b", "a@@b.co", "a b@c.co", "a@b.co\r\nBcc: x@y.co",
                             "a@b.co\n", "a\t@b.co", "a@b.co\x7f", "a@b.co\xc2\x85", "<a@b.co>",
                             "a@b.co> SIZE=1", "a@b.co,c@d.co", "\"a\"@b.co", "a@b.co\xff"})
        CHECK_FALSE(is_email(text));
    CHECK_FALSE(is_email(std::string_view("a@b.co\0", 7)));
}

TEST_CASE("an e-mail address has at most 254 bytes, 64 of them before the at sign", "[email]") {
    CHECK(is_email(std::string(64, 'a') + "@b.co"));
    CHECK_FALSE(is_email(std::string(65, 'a') + "@b.co"));
    CHECK(is_email("a@" + std::string(249, 'b') + ".co"));
    CHECK_FALSE(is_email("a@" + std::string(250, 'b') + ".co"));
}
