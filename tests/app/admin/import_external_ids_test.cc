// External ids of imported links: each one link's, be it of the file or of the store.
#include "tests/app/admin/import_world.h"

using namespace slashpost;
using namespace slashpost::test;

namespace {

struct CalledWorld : ImportWorld {
    std::string id_of(std::string_view slashtag) {
        const auto found = link(slashtag);
        return found ? found->external_id : "(absent)";
    }
};

const std::string two_called = "destination,slashtag,External ID\n"
                               "https://example.com/a,aa,4711\n"
                               "https://example.com/b,bb,\"4,712\"\n";

} // namespace

TEST_CASE("links are imported with their external ids, and are the same when they come again", "[admin]") {
    CalledWorld world;
    CHECK(world.import_text(two_called).output == "2 links were imported\n");
    CHECK(world.id_of("aa") == "4711");
    CHECK(world.id_of("bb") == "4,712");
    const auto again = world.import_text(two_called + "https://example.com/c,cc,\n");
    CHECK(again.output == "1 links were imported, 2 were there already\n");
    CHECK(world.id_of("cc").empty());
    world.check_verified();
}

TEST_CASE("an external id that is another link's is told with its line, and nothing is written", "[admin]") {
    CalledWorld world;
    world.import_text(two_called);
    const auto before = world.dump();
    const auto refused = world.import_text("destination,slashtag,externalId\n"
                                           "https://example.com/x,xx,4711\n"
                                           "https://example.com/y,yy,new\n"
                                           "https://example.com/z,zz,new\n"
                                           "https://example.com/n,,new\n"
                                           "https://example.com/y,yy,other\n"
                                           "https://example.com/w,ww,a\tb\n"
                                           "https://example.com/v,vv," +
                                           std::string(256, 'v') + "\n");
    CHECK(refused.code == 1);
    CHECK_THAT(refused.output, Catch::StartsWith("line 2: externalId '4711' is already in use\n"
                                                 "line 4: externalId 'new' is that of an earlier line, too\n"
                                                 "line 5: externalId 'new' is that of an earlier line, too\n"
                                                 "line 7: externalId "));
    CHECK_THAT(refused.output, Catch::Contains("has characters that are not allowed\n"));
    CHECK_THAT(refused.output, Catch::Contains("\nline 8: externalId "));
    CHECK_THAT(refused.output, Catch::Contains("5 lines are not valid; nothing was written."));
    CHECK(world.dump() == before);
}

TEST_CASE("a link that is overwritten gets the external id of the line, one beside it cannot", "[admin]") {
    const std::string text = "destination,slashtag,externalId\nhttps://example.com/x,aa,";
    const auto imported_as = [&](const std::string& word, const std::string& external_id, const auto& check) {
        CalledWorld world;
        world.import_text(two_called);
        const auto tried = world.import_text(text + external_id + "\n", {"--on-conflict", word, "--dry-run"});
        const auto made = world.import_text(text + external_id + "\n", {"--on-conflict", word});
        CHECK(tried.code == made.code);
        check(world, made.output);
        world.check_verified();
    };
    imported_as("overwrite", "fresh", [](CalledWorld& world, const std::string& made) {
        CHECK(made == "0 links were imported, 1 were overwritten\n");
        CHECK(world.id_of("aa") == "fresh");
    });
    imported_as("overwrite", "4711", [](CalledWorld& world, const std::string& made) {
        CHECK(made == "0 links were imported, 1 were overwritten\n");
        CHECK(world.id_of("aa") == "4711");
    });
    imported_as("overwrite", "", [](CalledWorld& world, const std::string& made) {
        CHECK(made == "0 links were imported, 1 were overwritten\n");
        CHECK(world.id_of("aa") == "4711"); // a line that says nothing takes nothing away
    });
    imported_as("overwrite", "\"4,712\"", [](CalledWorld& world, const std::string& made) {
        CHECK_THAT(made, Catch::StartsWith("line 2: externalId '4,712' is already in use\n"));
        CHECK(world.id_of("aa") == "4711");
    });
    imported_as("suffix", "fresh", [](CalledWorld& world, const std::string& made) {
        CHECK(made == "1 links were imported\n");
        CHECK(world.id_of("aa") == "4711");
        CHECK(world.id_of("aa-2") == "fresh");
    });
    imported_as("suffix", "4711", [](CalledWorld& world, const std::string& made) {
        CHECK_THAT(made, Catch::StartsWith("line 2: externalId '4711' is already in use\n"));
        CHECK(world.id_of("aa-2") == "(absent)");
    });
    imported_as("skip", "4711", [](CalledWorld& world, const std::string& made) {
        CHECK(made == "0 links were imported, 1 were skipped\n");
        CHECK(world.id_of("aa") == "4711");
    });
}

TEST_CASE("a line under a slashtag of an earlier one is checked for its external id as it will be written",
          "[admin]") {
    const std::string text = "destination,slashtag,externalId\n"
                             "https://example.com/1,nn,first\n"
                             "https://example.com/2,nn,first\n";
    CalledWorld world;
    CHECK_THAT(world.import_text(text, {"--on-conflict", "suffix"}).output,
               Catch::StartsWith("line 3: externalId 'first' is that of an earlier line, too\n"));
    CHECK(world.id_of("nn") == "(absent)");
    CHECK(world.import_text(text, {"--on-conflict", "overwrite"}).output ==
          "1 links were imported, 1 were overwritten\n");
    CHECK(world.link("nn")->destination == "https://example.com/2");
    CHECK(world.id_of("nn") == "first");
    CHECK(world.import_text(text + "https://example.com/3,nn,second\n", {"--on-conflict", "skip"}).code == 0);
    CHECK(world.id_of("nn") == "first");
    world.check_verified();
}

TEST_CASE("external ids leave with an export and come back with its import", "[admin][export]") {
    CalledWorld from;
    must(from.create({.destination = "https://example.com/", .slashtag = "sheet", .external_id = "=4711"}));
    const auto csv = run(from, {"export", "csv"}).output;
    CHECK_THAT(csv, Catch::Contains(",lastClickAt,externalId\r\n"));
    CHECK_THAT(csv, Catch::Contains(",'=4711\r\n"));
    CHECK_THAT(run(from, {"export", "jsonl"}).output, Catch::Contains(R"("externalId":"=4711")"));
    CalledWorld to;
    const auto brought = run(to, {"import", to.write_file(csv).string(), "--skip-invalid"});
    INFO(brought.output);
    CHECK(to.id_of("sheet") == "=4711");
    to.check_verified();
}
