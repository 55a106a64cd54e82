// `slashpost-admin import csv` in fills.
#include "app/admin/link_import.h"
#include "core/search/document.h"
#include "tests/app/admin/import_world.h"
#include "tests/support/seed.h"

#include <set>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// Imports the text in fills of about so many bytes.
struct Filled {
    bool done = false;
    RememberingConsole console;
};
Filled fill(ImportWorld& world, std::string_view text, std::uint64_t fill_bytes_max = 1 << 20) {
    Filled filled;
    const auto code = admin::import_csv(world.plain.house, filled.console,
                                        {.file = world.write_file(text),
                                         .workspace = {},
                                         .batch_links = 10,
                                         .fill_bytes_max = fill_bytes_max,
                                         .fill_bytes_min = 0});
    filled.done = code.has_value() && *code == admin::exit_good;
    if (!code.has_value())
        filled.console.note(admin::explain(code.error()));
    return filled;
}
bool now_there(ImportWorld& world, const data::Space& space, data::BytesView key) {
    return must(world.engine->get_now(space, key)).has_value();
}
bool told_of_check(const Filled& filled) {
    return std::ranges::any_of(filled.console.notes,
                               [](const auto& note) { return note.starts_with("import, checking"); });
}

} // namespace

TEST_CASE("links that are filled in are those that transactions would have made", "[admin]") {
    for (const std::uint64_t bytes : {1U << 20, 3000U}) {
        ImportWorld world;
        const auto seed = new_seed("links that are filled in");
        INFO("seed " << seed);
        const Wanted wanted(seed);
        const auto filled = fill(world, wanted.text, bytes);
        INFO(filled.console.output << fmt::format("{}", fmt::join(filled.console.notes, "\n")));
        CHECK(filled.done);
        CHECK(told_of_check(filled) == (wanted.text.size() > bytes));
        CHECK(imported(world) == wanted.rows);
        const auto workspace = world.installed.account.default_workspace;
        CHECK(now_there(world, space::documents, search::head_key(workspace))); // the index
        world.check_verified();
        CHECK(fill(world, wanted.text, bytes).console.output.starts_with("This file was imported before"));
    }
}

TEST_CASE("a line that is not valid leaves nothing of a fill, and all of them are told", "[admin]") {
    ImportWorld world;
    const auto before = world.dump();
    std::string text = "destination,slashtag,tags\n";
    for (int i = 0; i < 100; ++i)
        text += fmt::format("https://example.com/{},s{},new tag\n", i, i % 60 == 59 ? 0 : i);
    text += "nowhere,x,\n";
    for (const std::uint64_t bytes : {1U << 20, 1000U}) {
        const auto filled = fill(world, text, bytes);
        CHECK_FALSE(filled.done);
        CHECK_THAT(filled.console.output, Catch::Contains("line 61: slashtag is already in use\n") &&
                                              Catch::Contains("line 102: destination is not a valid URL") &&
                                              Catch::Contains("2 lines are not valid; nothing was written"));
        CHECK(world.dump() == before);
    }
}

TEST_CASE("slashtags that a fill generates are different, and as many as there is room for", "[admin]") {
    ImportWorld world;
    const auto tight = world.domain("tight.example.org", {.length_min = 2, .length_max = 2});
    std::string text = "destination,domain\n";
    for (int i = 0; i < 300; ++i) // of some 900
        text += fmt::format("https://example.com/{},tight.example.org\n", i);
    CHECK(fill(world, text).done);
    std::set<std::string> slashtags;
    for (const auto& details : world.all())
        if (details.domain.id == tight.id)
            slashtags.insert(details.link.slashtag);
    CHECK(slashtags.size() == 300);
    world.check_verified();
}

TEST_CASE("a fill respects what the plan includes and takes back slashtags of its own", "[admin]") {
    ImportWorld world;
    std::string text = "destination,slashtag,tags\nhttps://example.com/,gone,new\n"; // the stock's, deleted
    for (int i = 0; i < 30; ++i)
        text += "https://example.com/,,other\n";
    run(world, {"plan", "set", "default", "--links", "33"}); // three are there
    CHECK_THAT(fill(world, text).console.notes.back(), Catch::Contains("The plan includes 33 of these"));
    run(world, {"plan", "set", "default", "--links", "34", "--tags", "2"});
    CHECK_THAT(fill(world, text).console.notes.back(), Catch::Contains("The plan includes 2 of these"));
    CHECK_FALSE(world.link("gone"));
    run(world, {"plan", "set", "default", "--tags", "3"});
    CHECK(fill(world, text).done);
    CHECK(world.link("gone"));
    world.check_verified();
}
