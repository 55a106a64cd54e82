// Search: what is found, in which order, page by page.
#include "core/ops/link_search.h"

#include "tests/support/labels.h"

#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

Link make(World& world, std::string slashtag, std::string title = "-",
          std::string destination = "https://example.com/") {
    world.clock.advance_seconds(1);
    return must(world.create({.destination = std::move(destination),
                              .slashtag = std::move(slashtag),
                              .title = std::move(title)}))
        .link;
}

Result<std::vector<LinkDetails>> searched(World& world, const LinkSearch& what,
                                          const PageRequest& page = {}) {
    return world.read([&](Context& ctx) { return search_links(ctx, what, page); });
}

// The slashtags found, joined with spaces.
std::string found(World& world, const LinkSearch& what, const PageRequest& page = {}) {
    std::string out;
    for (const auto& details : must(searched(world, what, page)))
        out += (out.empty() ? "" : " ") + details.link.slashtag;
    return out;
}
std::string found(World& world, std::string term, const PageRequest& page = {}) {
    return found(world, LinkSearch{.term = std::move(term), .filter = {}}, page);
}

std::int64_t count(World& world, const LinkSearch& what) {
    return must(world.read([&](Context& ctx) { return count_found_links(ctx, what); }));
}

} // namespace

TEST_CASE("what fits best comes first, and among equals the newest", "[search]") {
    World world;
    const auto strict = world.domain("strict.example.com", {.case_sensitive = true});
    make(world, "to1", "-", "https://example.com/sale/1");
    make(world, "named1", "The summer sale");
    make(world, "wholesale", "-");
    make(world, "sale2", "-");
    make(world, "sale", "a sale", "https://example.com/sale");
    make(world, "Sale-a", "sale");
    make(world, "my-sale", "sale");
    make(world, "named2", "SALE", "https://example.com/sale");
    make(world, "to2", "-", "https://sale.example.com/");
    make(world, "other", "-");
    world.clock.advance_seconds(1);
    must(world.create(
        {.destination = "https://example.com/", .domain = {.id = strict.id}, .slashtag = "SALE"}));
    const std::string all = "SALE sale Sale-a sale2 my-sale wholesale named2 named1 to2 to1";
    CHECK(found(world, "sale") == all);
    CHECK(found(world, "SaLe") == all);
    CHECK(count(world, {.term = "sale", .filter = {}}) == 10);
    CHECK(found(world, "nowhere").empty());
    CHECK(count(world, {.term = "nowhere", .filter = {}}) == 0);
}

TEST_CASE("titles and destinations are searched as people read them", "[search]") {
    World world;
    make(world, "a", "Übergröße");
    make(world, "b", "-", "https://example.com/café au lait");
    make(world, "c", "-", "https://example.com/?q=100%25");
    CHECK(found(world, "ÜBER") == "a");
    CHECK(found(world, "GRÖSSE") == "a");
    CHECK(found(world, "CAFÉ") == "b");
    CHECK(found(world, "caf%C3%a9") == "b");
    CHECK(found(world, "au lait") == "b");
    CHECK(found(world, "100%") == "c");
    CHECK(found(world, "example.com/?") == "c");
}

TEST_CASE("a search takes the filters of the list, and leaves out what is not active", "[search]") {
    World world;
    const auto one = world.domain("one.example");
    const auto tag = make_tag(world, "red");
    make(world, "sale1");
    make_link(world, "sale2", {.domain = {.id = one.id}, .favourite = true});
    make_link(world, "sale3", {.tags = {tag.id}});
    make_link(world, "none", {.domain = {.id = one.id}, .title = "-", .tags = {tag.id}});
    const auto gone = make(world, "sale4");
    must(world.remove(gone.id));
    const auto in = [&](LinkFilter filter) {
        const LinkSearch what{.term = "sale", .filter = std::move(filter)};
        CHECK(count(world, what) == std::ssize(must(searched(world, what))));
        return found(world, what);
    };
    CHECK(in({}) == "sale3 sale2 sale1");
    CHECK(in({.domains = {one.id}}) == "sale2");
    CHECK(in({.domain_names = {"go.example.com"}}) == "sale3 sale1");
    CHECK(in({.tags = {tag.id}}) == "sale3");
    CHECK(in({.domains = {one.id}, .tags = {tag.id}}).empty());
    CHECK(in({.favourite = true}) == "sale2");
    CHECK(in({.active = false}) == "sale4");
    CHECK(in({.creators = {AccountId()}}).empty());
}

TEST_CASE("a search holds nothing of other workspaces", "[search]") {
    World world;
    const auto other = world.stranger("other");
    make(world, "sale");
    const auto theirs = [&](const PageRequest& page) {
        return world.service.run(other.caller, {}, {}, [&](Context& ctx) {
            return search_links(ctx, {.term = "sale", .filter = {}}, page);
        });
    };
    CHECK(must(theirs({})).empty());
    CHECK(must(world.service.run(other.caller, {}, {}, [](Context& ctx) {
              return count_found_links(ctx, {.term = "sale", .filter = {}});
          })) == 0);
    const auto cursor = must(searched(world, {.term = "sale", .filter = {}})).front().link.id.hex();
    const auto refused = theirs({.last = cursor});
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().fields.at(0) ==
          FieldError{"InvalidFormat", "last", "is not the id of a link of this workspace"});
}

TEST_CASE("a short address that is pasted finds its link first", "[search]") {
    World world;
    const auto strict = world.domain("strict.example.com", {.case_sensitive = true});
    make(world, "named", "https://go.example.com/sale");
    make(world, "sale", "-");
    make(world, "to", "-", "https://go.example.com/sale/now");
    world.clock.advance_seconds(1);
    must(world.create(
        {.destination = "https://example.com/", .domain = {.id = strict.id}, .slashtag = "Sale"}));
    CHECK(found(world, "https://go.example.com/sale") == "sale named to");
    CHECK(found(world, "http://GO.example.com/Sale") == "sale");
    CHECK(found(world, "  go.example.com/sale\n") == "sale named to");
    CHECK(found(world, "go.example.com/sale?x=1") == "sale");
    CHECK(found(world, "go.example.com/sale+") == "sale");
    CHECK(found(world, "go.example.com/sale.qr") == "sale");
    CHECK(found(world, "go.example.com/sal").empty() == false); // a piece of the texts of two others
    CHECK(found(world, "strict.example.com/Sale") == "Sale");
    CHECK(found(world, "strict.example.com/sale").empty());
    CHECK(found(world, "go.example.com/nothing").empty());
    CHECK(found(world, {.term = "strict.example.com/Sale", .filter = {.domains = {strict.id}}}) == "Sale");
    CHECK(found(world, {.term = "go.example.com/sale", .filter = {.domains = {strict.id}}}).empty());
    CHECK(found(world, {.term = "go.example.com/sale", .filter = {.active = false}}).empty());

    CHECK(count(world, {.term = "go.example.com/sale", .filter = {}}) == 3);
    CHECK(count(world, {.term = "https://go.example.com/sale?x", .filter = {}}) == 1);
    const auto first =
        must(searched(world, {.term = "go.example.com/sale", .filter = {}})).front().link.id.hex();
    CHECK(found(world, "go.example.com/sale", {.limit = 1, .last = first}) == "named");
    CHECK(found(world, "go.example.com/sale", {.limit = 1}) == "sale");
    CHECK(found(world, "go.example.com/sale", {.limit = 1, .offset = 1}) == "named");
}

TEST_CASE("accents do not matter to a search, nor does how a destination is written", "[search]") {
    World world;
    make(world, "a", "Café am Ring");
    make(world, "b", "cafe");
    make(world, "c", "-", "https://bücher.example/größe?q=caf%C3%A9");
    CHECK(found(world, "cafe") == "b a c");
    CHECK(found(world, "CAFÉ") == "b a c");
    CHECK(found(world, "bücher.example") == "c");
    CHECK(found(world, "bucher.example/gro") == "c");
    CHECK(found(world, "xn--bcher-kva") == "c");
    CHECK(found(world, "gr%C3%B6") == "c");
}

TEST_CASE("a term that is blank but for a character is too short", "[search]") {
    World world;
    const auto outcome = searched(world, {.term = "  a ", .filter = {}});
    REQUIRE_FALSE(outcome.has_value());
    CHECK(outcome.error().fields.at(0).property == "term");
    CHECK_FALSE(
        world.read([&](Context& ctx) { return count_found_links(ctx, {.term = "\xC2\xA0 ", .filter = {}}); })
            .has_value());
}

TEST_CASE("pages of a search join without a gap, however small", "[search]") {
    World world;
    for (int i = 0; i < 60; ++i) {
        const auto kind = i % 5;
        make(world,
             kind < 3 ? fmt::format("{}{}",
                                    kind == 0   ? "sale"
                                    : kind == 1 ? "x-sale"
                                                : "y",
                                    i)
                      : fmt::format("z{}", i),
             kind == 2 ? "sale" : "-", kind == 3 ? "https://example.com/sale" : "https://example.com/");
    }
    std::vector<std::string> all;
    for (const auto& details : must(searched(world, {.term = "sale", .filter = {}}, {.limit = 100})))
        all.push_back(details.link.slashtag);
    REQUIRE(all.size() == 48);
    CHECK(all.front() == "sale55");
    CHECK(all[12] == "x-sale56");
    CHECK(all[24] == "y57");
    CHECK(all[36] == "z58");
    CHECK(all.back() == "z3");
    for (const std::uint32_t limit : {1U, 7U, 47U, 48U}) {
        std::vector<std::string> joined;
        for (std::string last;;) {
            const auto page =
                must(searched(world, {.term = "sale", .filter = {}}, {.limit = limit, .last = last}));
            if (page.empty())
                break;
            CHECK(page.size() <= limit);
            for (const auto& details : page)
                joined.push_back(details.link.slashtag);
            last = page.back().link.id.hex();
        }
        CHECK(joined == all);
    }
    CHECK(found(world, "sale", {.limit = 2, .offset = 11}) == "sale0 x-sale56");
    CHECK(found(world, "sale", {.limit = 5, .offset = 47}) == "z3");
    CHECK(found(world, "sale", {.offset = 48}).empty());
    CHECK(found(world, "sale", {.offset = 10'000}).empty());
}

TEST_CASE("a cursor of a search stays valid when its link was deleted or changed", "[search]") {
    World world;
    std::vector<Link> links;
    for (const auto* slashtag : {"sale1", "sale2", "sale3", "sale4"})
        links.push_back(make(world, slashtag));
    must(world.remove(links[2].id));
    CHECK(found(world, "sale", {.last = links[2].id.hex()}) == "sale2 sale1");
    must(world.update(links[1].id, {.slashtag = Change<std::string>::set("my-sale")}));
    CHECK(found(world, "sale", {.last = links[1].id.hex()}).empty());
    // Where it has no place any more, everything is told again rather than something left out.
    must(world.update(links[1].id, {.slashtag = Change<std::string>::set("other")}));
    CHECK(found(world, "sale", {.last = links[1].id.hex()}) == "sale4 sale1");
}
