#include "core/base/totp.h"

#include <catch2/catch.hpp>

using namespace slashpost;

namespace {

constexpr std::string_view secret = "12345678901234567890"; // of RFC 4226, appendix D

}

TEST_CASE("codes are those of RFC 4226 and RFC 6238", "[totp]") {
    const std::vector<std::string> expected{"755224", "287082", "359152", "969429", "338314",
                                            "254676", "287922", "162583", "399871", "520489"};
    for (std::size_t step = 0; step < expected.size(); ++step)
        CHECK(totp_code(secret, static_cast<std::int64_t>(step)) == expected[step]);
    // Of RFC 6238, appendix B, the last six digits of eight.
    CHECK(totp_code(secret, 59 / 30) == "287082");
    CHECK(totp_code(secret, 1111111109 / 30) == "081804");
    CHECK(totp_code(secret, 20000000000 / 30) == "353130");
}

TEST_CASE("a code is good for its 30 seconds and those beside them, and once", "[totp][threat-21]") {
    const auto at = [](std::int64_t seconds) { return Timestamp{seconds * 1000}; };
    CHECK(totp_step_of("969429", secret, at(90), 0) == 3);
    CHECK(totp_step_of("969 429", secret, at(119), 0) == 3);
    CHECK(totp_step_of("969429", secret, at(60), 0) == 3);
    CHECK(totp_step_of("969429", secret, at(149), 0) == 3);
    CHECK_FALSE(totp_step_of("969429", secret, at(59), 0).has_value());
    CHECK_FALSE(totp_step_of("969429", secret, at(150), 0).has_value());
    CHECK_FALSE(totp_step_of("969429", secret, at(90), 3).has_value());
    CHECK_FALSE(totp_step_of("969428", secret, at(90), 0).has_value());
    CHECK_FALSE(totp_step_of("", secret, at(90), 0).has_value());
}

TEST_CASE("a secret is shown in base32, and to apps as an address", "[totp]") {
    CHECK(base32("") == "");
    CHECK(base32("f") == "MY");
    CHECK(base32("fo") == "MZXQ");
    CHECK(base32("foobar") == "MZXW6YTBOI");
    CHECK(base32(secret) == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    CHECK(totp_address("Slashpost", "ann b", "foobar") ==
          "otpauth://totp/Slashpost:ann%20b?secret=MZXW6YTBOI&issuer=Slashpost");
}
