#include "core/access/link_rows.h"
#include "core/ops/links.h"
#include "tests/support/must.h"
#include "tests/support/world.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

using Names = std::vector<std::string>;

NewLink sale(Names aliases) {
    return {.destination = "https://example.com/", .slashtag = "sale", .aliases = std::move(aliases)};
}

LinkChange with_aliases(Names aliases) { return {.aliases = Change<Names>::set(std::move(aliases))}; }

// The link at go.example.com/slashtag; empty when there is none.
std::string at(World& world, std::string_view slashtag) {
    const auto& links = schema().links;
    const auto link = must(world.engine->read([&](data::View& view) {
        return links.find_by(links.short_url, view, world.installed.domain.id, slashtag);
    }));
    return link ? link->id.hex() : std::string();
}

std::string problems_of(const Result<LinkDetails>& made) {
    REQUIRE_FALSE(made.has_value());
    std::string out;
    for (const auto& field : made.error().fields)
        out += (out.empty() ? "" : ", ") + field.code + " " + field.property;
    return out;
}

} // namespace

TEST_CASE("a link is found under each of its slashtags", "[links]") {
    World world;
    const auto link = must(world.create(sale({"Summer", "fair"}))).link;
    for (const auto* name : {"sale", "summer", "fair"})
        CHECK(at(world, name) == link.id.hex());
    CHECK(link.aliases.front().slashtag == "Summer");
    CHECK(link.aliases.front().key == "summer");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a change names all the slashtags that a link has then", "[links]") {
    World world;
    const auto link = must(world.create(sale({"summer", "fair"}))).link;
    must(world.update(link.id, with_aliases({"fair", "winter"})));
    CHECK(at(world, "summer").empty());
    CHECK(at(world, "fair") == link.id.hex());
    CHECK(at(world, "winter") == link.id.hex());
    must(world.update(link.id, {.title = Change<std::string>::set("other")}));
    CHECK(at(world, "winter") == link.id.hex());
    must(world.update(link.id, {.aliases = Change<Names>::clear()}));
    CHECK(at(world, "winter").empty());
    CHECK(at(world, "sale") == link.id.hex());
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a link may change places with one of its other slashtags", "[links]") {
    World world;
    const auto link = must(world.create(sale({"summer"}))).link;
    const auto alone = must(world.update(link.id, {.slashtag = Change<std::string>::set("summer")})).link;
    CHECK(alone.slashtag == "summer");
    CHECK(alone.aliases.empty());
    CHECK(at(world, "sale").empty());
    auto swap = with_aliases({"summer"});
    swap.slashtag = Change<std::string>::set("sale");
    CHECK(must(world.update(link.id, swap)).link.aliases.size() == 1);
    CHECK(at(world, "summer") == link.id.hex());
    CHECK(world.inconsistency().empty());
}

TEST_CASE("other slashtags are held to the rules of the first, each by its place", "[links]") {
    World world;
    must(world.create({.destination = "https://example.com/", .slashtag = "taken", .aliases = {"also"}}));
    CHECK(problems_of(world.create(sale({"taken", "free", "a b", "v1", "SALE", "free", "Also"}))) ==
          "AlreadyExists aliases[0], PatternMismatch aliases[2], InvalidFormat aliases[3], "
          "AlreadyExists aliases[4], AlreadyExists aliases[5], AlreadyExists aliases[6]");
    CHECK(at(world, "free").empty());
    CHECK(problems_of(world.create({.destination = "https://example.com/", .slashtag = "also"})) ==
          "AlreadyExists slashtag");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a deleted link gives all its slashtags up, for others after the quarantine", "[links]") {
    World world;
    const auto link = must(world.create(sale({"summer"}))).link;
    must(world.write([&](Context& ctx) { return delete_link(ctx, link); }));
    CHECK(at(world, "sale").empty());
    CHECK(at(world, "summer").empty());
    for (const std::string_view name : {"sale", "summer"})
        CHECK(must(world.engine->read([&](data::View& view) {
                  return schema().released_slashtags.find(view, data::key(world.installed.domain.id, name));
              })).has_value());
    const auto other = must(world.create({.destination = "https://example.com/", .slashtag = "summer"})).link;
    CHECK(at(world, "summer") == other.id.hex());
    CHECK(world.inconsistency().empty());
}

TEST_CASE("the redirect path hears of every address that changed", "[links]") {
    World world;
    const auto link = must(world.create(sale({"summer"}))).link;
    const auto last = [&] {
        std::string out;
        for (const auto& address : world.listener.seen.back().addresses)
            out += (out.empty() ? "" : " ") + address.slashtag_key;
        return out;
    };
    CHECK(last() == "sale summer");
    must(world.update(link.id, with_aliases({"fair"})));
    CHECK(last() == "sale summer sale fair");
    must(world.write([&](Context& ctx) { return set_favourite(ctx, must(find_link(ctx, link.id)), true); }));
    CHECK(last() == "sale fair");
}

TEST_CASE("a link under another slashtag is a loop as well", "[links]") {
    World world;
    const auto link = must(world.create(sale({"summer"}))).link;
    auto change = LinkChange{.destination = Change<std::string>::set("http://go.example.com/summer")};
    CHECK(problems_of(world.update(link.id, change)) == "InvalidFormat destination");
    must(world.create({.destination = "http://go.example.com/winter", .slashtag = "back"}));
    must(world.update(link.id, {.destination = Change<std::string>::set("http://go.example.com/back")}));
    CHECK(problems_of(world.update(link.id, with_aliases({"winter"}))) == "InvalidFormat slashtag");
}
