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
