// The values are those of RFC 8032, 7.1.
#include "core/base/ed25519.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;

namespace {

std::string bytes_of(std::string_view hex) {
    std::string out;
    for (std::size_t i = 0; i < hex.size(); i += 2)
        out += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
    return out;
}

} // namespace

TEST_CASE("Ed25519 signs as the standard's examples do", "[ed25519]") {
    const auto empty = bytes_of("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");
    CHECK(ed25519_public_key(empty) ==
          bytes_of("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"));
    CHECK(
        ed25519_sign("", empty) ==
        bytes_of("e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701c"
                 "f9b46bd25bf5f0595bbe24655141438e7a100b"));
    const auto one = bytes_of("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");
    CHECK(ed25519_public_key(one) ==
          bytes_of("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"));
    CHECK(
        ed25519_sign("\x72", one) ==
        bytes_of("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0"
                 "f11d8c387b2eaeb4302aeeb00d291612bb0c00"));
}
