#include "storage/crc32c.h"

#include <catch2/catch.hpp>

#include <string>

using namespace slashpost::storage;

TEST_CASE("the checksum is that of RFC 3720, appendix B.4", "[journal]") {
    for (const auto sum : {crc32c, crc32c_portable}) {
        CHECK(sum(0, "") == 0);
        CHECK(sum(0, "123456789") == 0xe3069283);
        CHECK(sum(0, std::string(32, '\0')) == 0x8a9136aa);
        CHECK(sum(0, std::string(32, '\xff')) == 0x62a8ab43);
        CHECK(sum(sum(0, "1234"), "56789") == 0xe3069283);
    }
}

TEST_CASE("the processor and the table agree on every length", "[journal]") {
    std::string bytes;
    for (int i = 0; i < 200; ++i) {
        CHECK(crc32c(i * 7919U, bytes) == crc32c_portable(i * 7919U, bytes));
        bytes += static_cast<char>(i * 37);
    }
}
