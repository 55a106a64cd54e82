#include "core/base/sealed.h"

#include "core/base/secret.h"

#include <catch2/catch.hpp>

using namespace slashpost;

TEST_CASE("what was sealed is opened with the same secret, and with no other", "[sealed]") {
    SystemRandom random;
    for (const auto& text : {std::string(), std::string("an answer"), std::string("\0\xff", 2)}) {
        const auto sealed = seal(text, "my secret", random);
        CHECK(sealed.size() == text.size() + 40);
        CHECK(unseal(sealed, "my secret") == text);
        CHECK(unseal(sealed, "my secreT") == std::nullopt);
        CHECK(unseal(sealed, "") == std::nullopt);
        CHECK(unseal(sealed, sha256("my secret")) == std::nullopt);
    }
}

TEST_CASE("nothing of a text is seen in its seal, and no two seals are equal", "[sealed]") {
    SystemRandom random;
    const std::string text(100, 'a');
    const auto one = seal(text, "secret", random), other = seal(text, "secret", random);
    CHECK(one != other);
    CHECK(one.find("aaaa") == std::string::npos);
}

TEST_CASE("a seal that was changed, or cut off, is not opened", "[sealed]") {
    SystemRandom random;
    const auto sealed = seal("text", "secret", random);
    for (std::size_t i = 0; i < sealed.size(); ++i) {
        auto changed = sealed;
        changed[i] = static_cast<char>(changed[i] ^ 1);
        CHECK(unseal(changed, "secret") == std::nullopt);
        CHECK(unseal(sealed.substr(0, i), "secret") == std::nullopt);
    }
}
