#include "core/ops/slashtags.h"
#include "tests/support/world.h"

#include <catch2/catch.hpp>

#include <set>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::string generate(World& world) {
    const auto made = world.write([&](Context& ctx) -> Result<std::string> {
        return generate_slashtag(ctx, TRY(find_domain(ctx, world.installed.domain.id)));
    });
    REQUIRE(made.has_value());
    return *made;
}

// Makes the domain believe that it has so many links.
void pretend_links(World& world, std::int64_t links) {
    const auto tally = schema().links.per_domain.prefix() + data::key(world.installed.domain.id);
    REQUIRE(world.engine->transact([&](data::Txn& txn) { return txn.add(tally, links); }).has_value());
}

// "none", or the code of what is wrong.
std::string refusal(const Domain& domain, std::string_view slashtag) {
    Problems problems;
    check_slashtag(domain, slashtag, problems);
    return problems.none() ? "none" : problems.fields().front().code;
}

std::string repeated(std::string_view text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i)
        out += text;
    return out;
}

} // namespace

TEST_CASE("a domain says which characters its slashtags have", "[slashtags]") {
    Domain domain;
    CHECK(refusal(domain, "Sale_2026-x") == "none");
    for (const char* slashtag : {"", "a/b", "straße", "a b"})
        CHECK(refusal(domain, slashtag) == "PatternMismatch");

    domain.slashtag.charset = SlashtagCharset::unicode;
    for (const char* slashtag : {"Sale_2026-x", "a/b", "straße", "日本/東京", "a/v1", "v1x/a", "हिन्दी"})
        CHECK(refusal(domain, slashtag) == "none");
    for (const char* slashtag : {"", "/", "/a", "a/", "a//b", "a/../b", "a b", "a.b",
                                 "a\xe2\x80\x8b"
                                 "b",
                                 "\xe2\x80\xae"
                                 "a",
                                 "\xcc\x81"
                                 "a"})
        CHECK(refusal(domain, slashtag) == "PatternMismatch");
    for (const char* slashtag : {"v1", "V1", "v1/a", "V1/links"})
        CHECK(refusal(domain, slashtag) == "InvalidFormat");
}

TEST_CASE("lengths of slashtags count characters, and what is stored takes 255 bytes at most",
          "[slashtags]") {
    Domain domain;
    domain.slashtag = {.length_min = 3, .length_max = 255, .charset = SlashtagCharset::unicode};
    CHECK(refusal(domain, "äö") == "InvalidLength");
    CHECK(refusal(domain, "äöü") == "none");
    CHECK(refusal(domain, repeated("ä", 127)) == "none");
    CHECK(refusal(domain, repeated("ä", 128)) == "InvalidFormat");
    CHECK(refusal(domain, repeated("a", 255)) == "none");
    CHECK(refusal(domain, repeated("a", 256)) == "InvalidLength");
    CHECK(refusal(domain, repeated("\u1e9e", 85)) == "none"); // 255 bytes, 170 without its case
    CHECK(refusal(domain, repeated("\u0149", 85)) == "none"); // 170 bytes, 255 without its case
    CHECK(refusal(domain, repeated("\u0149", 86)) == "InvalidFormat");
    domain.slashtag.case_sensitive = true;
    CHECK(refusal(domain, repeated("\u0149", 86)) == "none");
    domain.slashtag.length_max = 4;
    CHECK(refusal(domain, "日本東京") == "none");
    CHECK(refusal(domain, "日本東京a") == "InvalidLength");
}

TEST_CASE("spellings of one slashtag are one link", "[slashtags]") {
    World world;
    const auto domain = world.domain("words.example", {.charset = SlashtagCharset::unicode});
    const auto create = [&](std::string slashtag) {
        return world.create({.destination = "https://example.com/",
                             .domain = {.id = domain.id, .full_name = {}},
                             .slashtag = std::move(slashtag)});
    };
    const auto made = create("Cafe\u0301/A");
    REQUIRE(made.has_value());
    CHECK(made->link.slashtag == "Caf\u00e9/A");
    CHECK(made->link.slashtag_key == "caf\u00e9/a");
    CHECK(made->link.title == "Link Caf\u00e9/A");
    CHECK(create("caf\u00e9/a").error().fields.front().code == "AlreadyExists");
    CHECK(create("CAFE\u0301/A").error().fields.front().code == "AlreadyExists");
    for (const char* slashtag : {"Caf\u00e9/A", "cafe\u0301/a"}) {
        const auto found = world.list({.slashtag = slashtag}, {});
        REQUIRE(found.has_value());
        CHECK(found->size() == 1);
    }
    const auto renamed = world.update(made->link.id, {.slashtag = Change<std::string>::set("ECOLE\u0301/b")});
    REQUIRE(renamed.has_value());
    CHECK(renamed->link.slashtag == "ECOL\u00c9/b");
    CHECK(renamed->link.slashtag_key == "ecol\u00e9/b");
    // Where the domain does not allow it, such a link cannot go.
    const auto moved =
        world.update(made->link.id, {.domain = {.id = world.installed.domain.id, .full_name = {}}});
    REQUIRE_FALSE(moved.has_value());
    CHECK(moved.error().fields.front().code == "PatternMismatch");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a generated slashtag is as short as keeps collisions below 1 in 1,000", "[slashtags]") {
    World world;
    CHECK(generate(world).size() == 5);
    pretend_links(world, 28'629); // 31^5 / 1000, rounded down
    CHECK(generate(world).size() == 5);
    pretend_links(world, 1);
    CHECK(generate(world).size() == 6);
    pretend_links(world, 1'000'000);
    CHECK(generate(world).size() == 7);
}

TEST_CASE("generated slashtags are unguessable and spread over the whole alphabet",
          "[slashtags][threat-37]") {
    World world;
    std::set<std::string> seen;
    std::map<char, int> letters;
    for (int i = 0; i < 2000; ++i) {
        const auto slashtag = generate(world);
        seen.insert(slashtag);
        for (const char c : slashtag)
            ++letters[c];
    }
    CHECK(seen.size() >= 1998);
    CHECK(letters.size() == 31);
    for (const auto& [letter, times] : letters) {
        INFO(letter);
        CHECK(times > 200); // 322 expected, standard deviation 18
        CHECK(times < 445);
    }
}

TEST_CASE("a generated slashtag has no blocked word", "[slashtags][threat-37]") {
    World world;
    for (int i = 0; i < 20'000; ++i) {
        const auto slashtag = generate(world);
        for (const char* word : {"fuck", "ass", "sex", "cunt", "kkk"})
            REQUIRE(slashtag.find(word) == std::string::npos);
    }
}

TEST_CASE("a domain without room for another slashtag says so", "[slashtags]") {
    World world;
    const auto tiny = world.domain("t.example.com", {.length_min = 1, .length_max = 1});
    int made = 0;
    Result<LinkDetails> last;
    for (int i = 0; i < 200; ++i) {
        last = world.create({.destination = "https://example.com/", .domain = {.id = tiny.id}});
        if (!last.has_value())
            break;
        ++made;
    }
    CHECK(made >= 20);
    CHECK(made <= 31);
    REQUIRE_FALSE(last.has_value());
    CHECK(last.error().code == "LimitReached");
}
