#include "core/redirect/symbols.h"

#include "core/base/random.h"

#include <catch2/catch.hpp>

#include <span>

using namespace slashpost;
using redirect::Symbols;

namespace {

std::string encoded(const Symbols& symbols, std::string_view text) {
    std::string codes;
    symbols.encode(text, codes);
    return codes;
}

std::string decoded(const Symbols& symbols, std::string_view codes, std::size_t bytes_max) {
    std::string text(bytes_max + Symbols::symbol_bytes_max + 1, '?');
    text.resize(static_cast<std::size_t>(symbols.decode(codes, text.data()) - text.data()));
    return text;
}

std::string random_text(Random& random, std::uint32_t bytes_max) {
    std::string text(random.below(bytes_max), '\0');
    random.fill(std::span(reinterpret_cast<std::uint8_t*>(text.data()), text.size()));
    return text;
}

// Addresses of some hosts, as many as learning takes to see what they have in common.
std::vector<std::string> addresses() {
    std::vector<std::string> made;
    for (int i = 0; i < 2000; ++i)
        made.push_back("https://www.host" + std::to_string(i % 40) + ".example/articles/" +
                       std::to_string(i * 7919) + ".html?utm_source=mail");
    return made;
}

Symbols learned() {
    const auto texts = addresses();
    return Symbols::learn({texts.begin(), texts.end()});
}

} // namespace

TEST_CASE("texts like those that were learned from take less than a third", "[redirect]") {
    const auto symbols = learned();
    const std::string text = "https://www.host17.example/articles/5550123.html?utm_source=mail";
    CHECK(encoded(symbols, text).size() < text.size() / 3);
    CHECK(decoded(symbols, encoded(symbols, text), text.size()) == text);
}

TEST_CASE("whatever bytes are encoded come back, in bounded room", "[redirect]") {
    SystemRandom random;
    for (const auto& symbols : {Symbols(), learned(), Symbols::learn({std::string_view("\0\0\0\0\0\0", 6)})})
        for (int turn = 0; turn < 500; ++turn) {
            auto text = random_text(random, turn % 50 == 0 ? 20'000 : 300);
            if (turn % 2 == 0)
                text = "https://www.host" + text + ".html\xff" + std::string(random.below(40), '\0');
            const auto codes = encoded(symbols, text);
            REQUIRE(codes.size() <= Symbols::growth_max * text.size());
            REQUIRE(decoded(symbols, codes, text.size()) == text);
            REQUIRE(decoded(symbols, codes + std::string(3, '\0'), text.size()) == text);
        }
}

TEST_CASE("codes of several texts are those of the texts in a row", "[redirect]") {
    const auto symbols = learned();
    std::string codes;
    symbols.encode("https://", codes);
    symbols.encode("\x01\x02", codes);
    symbols.encode("", codes);
    symbols.encode("www.host1.example", codes);
    CHECK(decoded(symbols, codes, 50) == "https://\x01\x02www.host1.example");
}

TEST_CASE("a text of nothing known takes two bytes more for every 255", "[redirect]") {
    const std::string text(10'000, 'x');
    CHECK(encoded(Symbols(), text).size() == text.size() + 2 * 40);
}
