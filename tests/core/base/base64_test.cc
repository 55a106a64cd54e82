#include "core/base/base64.h"

#include <catch2/catch.hpp>

using namespace slashpost;

TEST_CASE("base64 is that of RFC 4648", "[base64]") { // its section 10
    CHECK(base64("").empty());
    CHECK(base64("f") == "Zg==");
    CHECK(base64("fo") == "Zm8=");
    CHECK(base64("foo") == "Zm9v");
    CHECK(base64("foob") == "Zm9vYg==");
    CHECK(base64("fooba") == "Zm9vYmE=");
    CHECK(base64("foobar") == "Zm9vYmFy");
    CHECK(base64("\xfb\xef\xff") == "++//");
}

TEST_CASE("base64url is read as it is written, and no other text is taken for it", "[base64]") {
    for (const auto* bytes : {"", "f", "fo", "foo", "foob", "\xfb\xef\xff", "\xff\xfe"})
        CHECK(from_base64url(base64url(bytes)) == bytes);
    CHECK(from_base64url("Zm9v") == "foo");
    CHECK(from_base64url("--__") == "\xfb\xef\xff");
    // Filled up, of the other alphabet, too short, with bits that mean nothing, with blanks.
    for (const auto* text : {"Zg==", "++//", "Z", "Zm9vY", "Zh", "Zm9", "Zm9v ", "Zm\n9v", "Zm9v\xc3\xa4"})
        CHECK_FALSE(from_base64url(text).has_value());
}
