// `slashpost-admin import csv`.
#include "app/admin/link_import.h"
#include "core/schema/click_totals.h"
#include "core/schema/imports.h"
#include "core/schema/rollups.h"
#include "tests/app/admin/import_world.h"
#include "tests/support/wrapped_engine.h"

#include <fmt/format.h>
#include <set>

using namespace slashpost;
using namespace slashpost::test;

TEST_CASE("links are imported with all that the columns say", "[admin]") {
    ImportWorld world;
    const auto before = world.all().size();
    const auto made =
        world.import_text("slashtag,clicks,tags,createdAt,destination,title,domain,description\r\n"
                          "Summer,17,print|Läden|new one,2019-03-01T12:00:00+01:00,"
                          "https://example.com/ä,\"Titel, \"\"neu\"\"\",short.example.org,Some words\r\n"
                          ",,,,https://example.com/b,,,\r\n");
    INFO(made.output << made.notes);
    CHECK(made.code == 0);
    CHECK(made.output == "2 links were imported\n");
    REQUIRE(world.all().size() == before + 2);

    const auto first = world.all().front(); // nothing is older
    CHECK(first.link.slashtag == "Summer");
    CHECK(first.link.destination == "https://example.com/%C3%A4");
    CHECK(first.link.title == "Titel, \"neu\"");
    CHECK(first.link.description == "Some words");
    CHECK(first.domain.full_name == "short.example.org");
    CHECK(to_iso(first.link.created_at) == "2019-03-01T11:00:00.000Z");
    CHECK(first.link.id.made_at() == first.link.created_at);
    CHECK(first.creator.username == "admin");
    CHECK(first.clicks == 17);
    CHECK(to_iso(*first.last_click_at) == "2019-03-01T11:00:00.000Z");
    CHECK(first.tags.size() == 3);
    CHECK(first.tags[0].name == "print");
    CHECK(first.tags[1].name == "Läden"); // was there
    CHECK(first.tags[2].clicks == 17);

    const auto last = world.all().back();
    CHECK(last.link.slashtag.size() == 5);
    CHECK(last.link.title == "Link " + last.link.slashtag);
    CHECK(last.domain.full_name == "go.example.com");
    CHECK(last.link.created_at == world.clock.now());
    CHECK(last.clicks == 0);
    CHECK_FALSE(last.last_click_at);

    const auto workspace = world.installed.account.default_workspace;
    must(world.engine->read([&](data::View& view) -> Result<void> {
        CHECK(TRY(clicks_of_workspace(view, workspace)).clicks == 5 + 17);
        CHECK(TRY(clicks_of_domain(view, first.domain.id, workspace)) == 17);
        CHECK(TRY(RollupReader(view).lifetime(Subject::of(first.link.id))).sum('c') == 17);
        return {};
    }));
    world.check_verified();
}

TEST_CASE("clicks of imported links add up in their domain, workspace and tags", "[admin]") {
    ImportWorld world;
    const auto workspace = world.installed.account.default_workspace;
    const auto lifetime = [&](const Subject& subject) {
        return must(world.engine->read([&](data::View& view) -> Result<std::int64_t> {
            return TRY(RollupReader(view).lifetime(subject)).sum('c');
        }));
    };
    REQUIRE(lifetime(Subject::of(workspace)) == 5);
    const auto made = world.import_text("slashtag,clicks,tags,destination,domain\n"
                                        "aa,17,red|blue,https://example.com/a,short.example.org\n"
                                        "bb,3,red,https://example.com/b,short.example.org\n"
                                        "cc,200,,https://example.com/c,go.example.com\n"
                                        "dd,0,red|blue,https://example.com/d,short.example.org\n");
    INFO(made.output << made.notes);
    REQUIRE(made.code == 0);

    const auto a = *world.link("aa"), c = *world.link("cc");
    REQUIRE(a.tags.size() == 2);
    CHECK(lifetime(Subject::of(a.id)) == 17);
    CHECK(lifetime(Subject::of(a.tags[0])) == 20);
    CHECK(lifetime(Subject::of(a.tags[1])) == 17);
    CHECK(lifetime(Subject::of(a.domain, workspace)) == 20);
    CHECK(lifetime(Subject::of(c.domain, workspace)) == 5 + 200);
    CHECK(lifetime(Subject::of(workspace)) == 5 + 220);
    world.check_verified();
}

TEST_CASE("an import says everything that is wrong with the file and writes nothing", "[admin]") {
    ImportWorld world;
    const auto before = world.dump();
    const auto refused = world.import_text("destination,slashtag,title,domain,tags,createdAt,clicks\n"
                                           "https://example.com/,fine,,,fresh tag,,\n"
                                           "javascript:alert(1),no spaces,,,,,\n"
                                           ",one,,,,,\n"
                                           "https://example.com/,gone2,,nowhere.example.com,,,\n"
                                           "https://go.example.com/loop,loop,,,,,\n"
                                           "https://example.com/other,FINE,,,,,\n"
                                           "https://example.com/,,,,,yesterday,1.5\n"
                                           "https://example.com/,,,,,2999-01-01,-1\n"
                                           "https://example.com/,too,few\n"
                                           "https://example.com/,x\"y,,,,,\n"
                                           "https://example.com/,,\xff,,,,\n"
                                           "https://example.com/,last,,,,,99999999999999999999\n");
    CHECK(refused.code == 1);
    CHECK(
        refused.output ==
        "line 3: slashtag 'no spaces' must match ^[a-zA-Z0-9_-]+$; destination 'javascript:alert(1)' is not "
        "a "
        "valid URL: it must begin with http:// or https://\n"
        "line 4: destination cannot be empty; slashtag 'one' is already in use\n"
        "line 5: The domain was not found. (nowhere.example.com)\n"
        "line 6: destination 'https://go.example.com/loop' leads back to this link\n"
        "line 7: slashtag 'FINE' differs only in case from that of an earlier line, and its domain ignores "
        "case; give it another one, or make the domain mind the case\n"
        "line 8: createdAt 'yesterday' must be a time, such as 2026-01-31T09:00:00Z or 2026-01-31 09:00:00; "
        "clicks '1.5' must be a whole number\n"
        "line 9: createdAt '2999-01-01' must not lie in the future; clicks '-1' must be 0 to "
        "1,000,000,000,000\n"
        "line 10: row has 3 fields, the header 7\n"
        "line 11: row has a quotation mark within a field that does not begin with one\n"
        "line 12: title '?' must be UTF-8 without the character U+0000\n"
        "line 13: clicks '99999999999999999999' must be 0 to 1,000,000,000,000\n"
        "11 lines are not valid; nothing was written. --skip-invalid imports the others, --on-conflict says "
        "what becomes of addresses that are in use\n");
    CHECK(world.dump() == before);
}

TEST_CASE("of very many lines that are not valid the first hundred are shown", "[admin]") {
    ImportWorld world;
    std::string text = "destination\n";
    for (int i = 0; i < 250; ++i)
        text += "x\n";
    const auto refused = world.import_text(text);
    CHECK(refused.code == 1);
    CHECK(std::ranges::count(refused.output, '\n') == 102);
    CHECK_THAT(refused.output,
               Catch::Contains("and 150 more lines that are not valid\n250 lines are not valid"));
}

TEST_CASE("a header with a wrong column is refused", "[admin]") {
    ImportWorld world;
    const auto notes = [&](std::string_view text) {
        const auto refused = world.import_text(text);
        CHECK(refused.code == 1);
        CHECK(refused.output.empty());
        return refused.notes;
    };
    CHECK_THAT(notes(""), Catch::Contains("the file is empty"));
    CHECK_THAT(notes("destination,title,destination\n"),
               Catch::Contains("the column destination is there twice"));
    CHECK_THAT(notes("title,slashtag\n"),
               Catch::Contains("line 1: the column destination is missing; there are title, slashtag. "
                               "--map destination=NAME says which it is"));
    CHECK_THAT(notes("destination,\"title\n"), Catch::Contains("a quotation mark that is not closed"));
    CHECK_THAT(world.import_file("/nowhere/links.csv").notes,
               Catch::Contains("cannot read /nowhere/links.csv"));
    CHECK_THAT(world.import_file("/").notes, Catch::Contains("it is no regular file"));
}

TEST_CASE("lines that are not valid are left out on request, and all are shown", "[admin]") {
    ImportWorld world;
    std::string text = "destination,slashtag\n";
    for (int i = 0; i < 150; ++i)
        text += fmt::format("https://example.com/{},s-{}\n{},s-{}\n", i, i,
                            i % 2 == 0 ? "x" : "https://example.com/", i);
    const auto file = world.write_file(text);
    const auto tried = world.import_file(file, {"--dry-run", "--skip-invalid"});
    CHECK(tried.code == 1);
    CHECK_THAT(tried.output,
               Catch::Contains("new                    150  would be imported\n"
                               "same                     0  are there already\n"
                               "conflicts               75  have an address that leads elsewhere here\n"
                               "invalid                 75  are not valid\n"));
    CHECK_FALSE(world.link("s-0"));
    const auto made = world.import_file(file, {"--skip-invalid"});
    CHECK(made.code == 1);
    CHECK(std::ranges::count(made.output, '\n') == 151);
    CHECK_THAT(made.output, Catch::Contains("line 3: ") &&
                                Catch::Contains("line 5: slashtag 's-1' is already in use\n") &&
                                Catch::Contains("\n150 links were imported, 150 lines were left out\n"));
    CHECK(world.link("s-149"));
    world.check_verified();
}

TEST_CASE("a dry run says what would be imported and writes nothing", "[admin]") {
    ImportWorld world;
    const auto before = world.dump();
    const auto file = world.write_file("destination,tags\nhttps://example.com/,a|b\n");
    const auto tried = world.import_file(file, {"--dry-run"});
    CHECK(tried.code == 0);
    CHECK(tried.output == "new                      1  would be imported\n"
                          "same                     0  are there already\n"
                          "conflicts                0  have an address that leads elsewhere here\n"
                          "invalid                  0  are not valid\n"
                          "domains not ours         0  are of domains that this workspace does not have\n"
                          "nothing was written\n");
    CHECK(world.dump() == before);
    CHECK(world.import_file(file).output == "1 links were imported\n");
}

TEST_CASE("a file is imported once into a workspace", "[admin]") {
    ImportWorld world;
    const auto other = world.stranger("ann");
    const auto file = world.write_file("destination\nhttps://example.com/\n");
    CHECK(world.import_file(file).code == 0);
    const auto once = world.dump();
    const auto again = world.import_file(file);
    CHECK(again.code == 0);
    CHECK(again.output == "This file was imported before, with 1 links; nothing is done.\n");
    CHECK(world.dump() == once);

    CHECK(world.import_file(file, {"--workspace", "ann"}).output == "1 links were imported\n");
    CHECK(world.import_file(file, {"--workspace", other.account.default_workspace.hex()})
              .output.starts_with("This file"));
    CHECK_THAT(world.import_file(file, {"--workspace", "nobody"}).notes, Catch::Contains("not found"));
}

TEST_CASE("an import respects what the plan includes", "[admin]") {
    ImportWorld world;
    const auto import = [&] {
        return world.import_text("destination,tags\nhttps://example.com/,new\nhttps://example.com/,\n");
    };
    run(world, {"plan", "set", "default", "--links", "4"}); // three are there
    CHECK_THAT(import().notes, Catch::Contains("The plan includes 4 of these, and 3 are used."));
    run(world, {"plan", "set", "default", "--links", "5", "--tags", "1"});
    CHECK_THAT(import().notes, Catch::Contains("The plan includes 1 of these, and 1 are used."));
    run(world, {"plan", "set", "default", "--tags", "2"});
    CHECK(import().code == 0);
    run(world, {"plan", "set", "default", "--features", "links.bulk", "--links", "unlimited"});
    const auto refused =
        world.import_text("destination,tags\nhttps://example.com/c,\nhttps://example.com/d,new\n");
    CHECK(refused.output.starts_with("line 3: The account's plan does not include links.tags.\n"));
    world.check_verified();
}

TEST_CASE("an import takes no slashtag that is in quarantine for others, and one's own back",
          "[admin][threat-39]") {
    ImportWorld world;
    world.stranger("ann");
    const auto text = "destination,slashtag\nhttps://example.com/,gone\n"; // the stock's, deleted
    const auto refused = world.import_text(text, {"--workspace", "ann"}).output;
    CHECK(refused.starts_with("line 2: slashtag "));
    CHECK(refused.find("quarantine") != refused.npos);
    CHECK(world.import_text(text).code == 0);
    CHECK(world.link("gone"));
    world.check_verified();
}

TEST_CASE("slashtags that an import generates are different, and as many as there is room for", "[admin]") {
    ImportWorld world;
    const auto tight = world.domain("tight.example.org", {.length_min = 2, .length_max = 2});
    std::string text = "destination,domain\n";
    for (int i = 0; i < 300; ++i) // of some 900
        text += fmt::format("https://example.com/{},tight.example.org\n", i);
    CHECK(world.import_text(text).code == 0);
    std::set<std::string> slashtags;
    for (const auto& details : world.all())
        if (details.domain.id == tight.id)
            slashtags.insert(details.link.slashtag);
    CHECK(slashtags.size() == 300);
    world.check_verified();
}

TEST_CASE("links of one time are listed in the order of their lines", "[admin]") {
    ImportWorld world;
    world.clock.advance_seconds(1);
    std::string text = "destination,slashtag,createdAt\n";
    for (int i = 0; i < 50; ++i)
        text += fmt::format("https://example.com/,t{},2020-01-01\nhttps://example.com/,n{},\n", i, i);
    CHECK(world.import_text(text).code == 0);
    const auto links = world.all();
    REQUIRE(links.size() == 103);
    for (std::size_t i = 0; i < 50; ++i) {
        CHECK(links[i].link.slashtag == fmt::format("t{}", i));
        CHECK(links[53 + i].link.slashtag == fmt::format("n{}", i));
    }
}

namespace {

// Dies at a commit, with or without it.
class DyingEngine final : public data::Engine {
  public:
    explicit DyingEngine(std::unique_ptr<data::Engine> inner) : inner_(std::move(inner)) {}
    std::atomic<int> commits_left = -1; // below zero: it lives
    std::atomic<bool> with_last = false;

    Result<std::optional<data::Bytes>> get_now(const data::Space& space, data::BytesView key) override {
        return inner_->get_now(space, key);
    }
    Result<void> verify_checksums() override { return inner_->verify_checksums(); }
    Figures figures() override { return inner_->figures(); }

  protected:
    Result<void> run_transaction(const std::function<Result<void>(data::Txn&)>& closure) override {
        if (commits_left < 0)
            return inner_->transact([&](data::Txn& txn) { return closure(txn); });
        bool dies = false;
        TRY(inner_->transact([&](data::Txn& txn) -> Result<void> {
            TRY(closure(txn));
            const auto left = commits_left.load();
            dies = left == 0;
            commits_left = std::max(left - 1, 0);
            return dies && !with_last ? Result<void>(unavailable("dead")) : Result<void>();
        }));
        return dies ? Result<void>(unavailable("dead")) : Result<void>();
    }
    Result<void> run_read(const std::function<Result<void>(data::View&)>& closure) override {
        return inner_->read([&](data::View& view) { return closure(view); });
    }

  private:
    std::unique_ptr<data::Engine> inner_;
};

} // namespace

TEST_CASE("an import that was cut off anywhere goes on, and ends as if it had not been", "[admin][long]") {
    std::mt19937 random(4711);
    for (std::uint32_t round = 0; round < 40; ++round) {
        auto inner = std::make_unique<DyingEngine>(storage::make_memory_engine(space::all));
        auto& engine = *inner;
        ImportWorld world(std::move(inner));
        const Wanted wanted(round);
        const auto file = world.write_file(wanted.text);
        const admin::ImportOptions options{.files = {file}, .batch_links = 1 + random() % 40};
        RememberingConsole console;
        bool done = false;
        for (int cut = 0; cut < 4 && !done; ++cut) {
            engine.with_last = random() % 2 == 0;
            engine.commits_left = static_cast<int>(random() % 40);
            done = admin::import_files(world.plain.context, console, options).has_value();
            engine.commits_left = -1;
            must(prepare_store(engine)); // as whoever opens it does
            CHECK(world.inconsistency().empty());
        }
        if (!done)
            must(admin::import_files(world.plain.context, console, options));
        CHECK(imported(world) == wanted.rows);
        CHECK_THAT(console.output, Catch::Contains(fmt::format("{} links", wanted.rows.size())));
        world.check_verified();
    }
}

TEST_CASE("a closure that runs again imports each link once", "[admin]") {
    auto memory = storage::make_memory_engine(space::all);
    auto wrapped = std::make_unique<WrappedEngine>(*memory);
    auto& engine = *wrapped;
    ImportWorld world(std::move(wrapped));
    engine.fails = WrappedEngine::Fails::and_runs_again;
    const Wanted wanted(1);
    RememberingConsole console;
    must(admin::import_files(world.plain.context, console,
                             {.files = {world.write_file(wanted.text)}, .batch_links = 7}));
    CHECK(imported(world) == wanted.rows);
    engine.fails = WrappedEngine::Fails::never;
    world.check_verified();
}

TEST_CASE("of two runs of one import only one goes on", "[admin]") {
    ImportWorld world;
    const auto committed = [&](auto&& work) {
        return world.engine->transact([&](data::Txn& txn) { return work(txn); });
    };
    must(committed([](data::Txn& txn) { return begin_import_run(txn, "file", "first"); }));
    must(committed([](data::Txn& txn) { return check_import_run(txn, "file", "first"); }));
    must(committed([](data::Txn& txn) { return begin_import_run(txn, "file", "second"); }));
    CHECK_FALSE(committed([](data::Txn& txn) { return check_import_run(txn, "file", "first"); }).has_value());
    must(committed([](data::Txn& txn) { return check_import_run(txn, "file", "second"); }));
}

TEST_CASE("an import whose caller has gone ends", "[admin]") {
    ImportWorld world;
    RememberingConsole console;
    console.gone = true;
    const auto done = admin::import_files(
        world.plain.context, console, {.files = {world.write_file("destination\nhttps://example.com/\n")}});
    REQUIRE_FALSE(done.has_value());
    CHECK(done.error().message == "the import was stopped");
}
