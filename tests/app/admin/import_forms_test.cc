// `slashpost-admin import` of files as people have them: encodings, separators, columns under other names,
// and links that are there already.
#include "app/admin/import/input.h"
#include "tests/app/admin/import_world.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// ASCII as UTF-16.
std::string utf16(std::string_view text, bool is_big) {
    std::string out;
    for (const char c : text)
        out += is_big ? std::string{'\0', c} : std::string{c, '\0'};
    return out;
}

class FormWorld : public ImportWorld {
  public:
    // `import FILE`, with the source found out.
    Run import_it(std::string_view text, std::vector<std::string> options = {}) {
        std::vector<std::string> arguments{"import", write_file(text).string()};
        arguments.insert(arguments.end(), options.begin(), options.end());
        return run(*this, arguments);
    }
    std::string destination_of(std::string_view slashtag) {
        const auto found = link(slashtag);
        return found ? found->destination : "none";
    }
};

constexpr std::string_view two_links = "Long URL,slug\nhttps://example.com/a,aa\nhttps://example.com/b,bb\n";

} // namespace

TEST_CASE("a file is read in each encoding and with each separator", "[admin]") {
    std::string semicolons(two_links), tabs(two_links);
    std::ranges::replace(semicolons, ',', ';');
    std::ranges::replace(tabs, ',', '\t');
    for (const auto& text :
         {std::string(two_links), "\xef\xbb\xbf" + std::string(two_links), semicolons, tabs,
          "\xff\xfe" + utf16(two_links, false), "\xfe\xff" + utf16(tabs, true), utf16(semicolons, false)}) {
        FormWorld world;
        const auto made = world.import_it(text);
        INFO(made.output << made.notes);
        CHECK(made.output == "2 links were imported\n");
        CHECK(world.destination_of("aa") == "https://example.com/a");
        CHECK(world.destination_of("bb") == "https://example.com/b");
    }
}

TEST_CASE("characters outside of ASCII come whole out of UTF-16", "[admin]") {
    FormWorld world;
    // "ä", the euro sign, a face of two halves, and a half without another.
    const auto title = std::string("\xe4\x00\xac\x20\x3d\xd8\x00\xde\x3d\xd8", 10);
    CHECK(world
              .import_it("\xff\xfe" + utf16("url,slug,title\nhttps://example.com/,uu,", false) + title +
                         utf16("\n", false))
              .code == 0);
    CHECK(world.link("uu")->title == "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\xef\xbf\xbd");
}

TEST_CASE("an import of UTF-16 goes on in the midst of the file", "[admin]") {
    std::string text = "url,slug\n";
    for (int i = 0; i < 20; ++i)
        text += fmt::format("https://example.com/{},u{}\n", i, i);
    FormWorld world;
    const auto file = world.write_file("\xff\xfe" + utf16(text, false));
    const auto opened = must(admin::ImportFile::open(file));
    const auto input = must(admin::ImportInput::open(*opened, ""));
    auto reader = input.reader();
    CsvRow row;
    for (int i = 0; i < 8; ++i)
        REQUIRE(must(reader.next(row)));
    auto later = input.reader(reader.place());
    REQUIRE(must(later.next(row)));
    CHECK(row[1] == "u7");
    CHECK(row.line() == 9);
}

TEST_CASE("columns that say nothing are told, and the rest is imported", "[admin]") {
    FormWorld world;
    const auto made =
        world.import_it("Keyword,URL,Colour,Hits,,\nkk,https://example.com/k,red,\"1,002\",,\n,,,,,\n");
    INFO(made.output << made.notes);
    CHECK_THAT(made.notes, Catch::StartsWith("import: read as yourls, without the columns Colour\n"));
    CHECK(made.output == "1 links were imported\n");
    CHECK(world.destination_of("kk") == "https://example.com/k");
}

TEST_CASE("--map says which column is which", "[admin]") {
    FormWorld world;
    const std::string text = "Ziel,Kurz,title\nhttps://example.com/z,zz,T\n";
    CHECK_THAT(world.import_it(text).notes, Catch::Contains("--map destination=NAME says which it is"));
    CHECK(world.import_it(text, {"--map", "destination=Ziel", "--map", "slashtag=kurz"}).code == 0);
    CHECK(world.destination_of("zz") == "https://example.com/z");
    CHECK_THAT(
        world.import_it(text, {"--map", "destination=Weg"}).notes,
        Catch::Contains("--map destination=Weg: line 1 has no column 'Weg'; it has Ziel, Kurz, title"));
    CHECK_THAT(
        world.import_it(text, {"--map", "colour=Ziel"}).notes,
        Catch::Contains("'colour' is no column that can be imported; there are destination, slashtag"));
    CHECK_THAT(world.import_it(text, {"--map", "destination"}).notes, Catch::Contains("write ours=theirs"));
}

TEST_CASE("a message names the line, the column and what stands there", "[admin]") {
    FormWorld world;
    CHECK(
        world.import_it("Long URL,Keyword\nnothing,a b\n").output ==
        "line 2: slashtag 'a b' (column Keyword) must match ^[a-zA-Z0-9_-]+$; destination 'nothing' (column "
        "Long URL) is not a valid URL: it must begin with http:// or https://\n"
        "1 lines are not valid; nothing was written. --skip-invalid imports the others\n");
}

TEST_CASE("a column says which links pass paths on", "[admin]") {
    ImportWorld world;
    CHECK(world
              .import_text("destination,slashtag,passPath\n"
                           "https://example.com/a,aa,true\n"
                           "https://example.com/b,bb,\n"
                           "https://example.com/c,cc,No\n"
                           "https://example.com/d,dd,1\n")
              .code == 0);
    CHECK(world.link("aa")->pass_path);
    CHECK_FALSE(world.link("bb")->pass_path);
    CHECK_FALSE(world.link("cc")->pass_path);
    CHECK(world.link("dd")->pass_path);
    const auto refused =
        world.import_text("destination,slashtag,passPath\nhttps://example.com/e,ee,perhaps\n");
    CHECK(refused.code == 1);
    CHECK((refused.output + refused.notes).contains("passPath 'perhaps' must be true or false"));
}

TEST_CASE("times without an offset are shown by the clock of --timezone", "[admin]") {
    FormWorld world;
    CHECK(world
              .import_it("url,slug,created\nhttps://example.com/,tt,2020-01-02 03:04:05\n",
                         {"--timezone", "Europe/Berlin"})
              .code == 0);
    CHECK(to_iso(world.link("tt")->created_at) == "2020-01-02T02:04:05.000Z");
    CHECK_THAT(world.import_it(two_links, {"--timezone", "Mars"}).notes,
               Catch::Contains("there is no such zone"));
}

TEST_CASE("links of old domains come to new ones, and what is of others is told", "[admin]") {
    const std::string text =
        "link,url\nbit.ly/aa,https://example.com/a\nhttp://Old.example.net/bb,https://example.com/b\n"
        "/cc,https://example.com/c\n";
    FormWorld world;
    const auto tried = world.import_it(text, {"--dry-run"});
    CHECK(tried.code == 1);
    CHECK(tried.output == "new                      1  would be imported\n"
                          "same                     0  are there already\n"
                          "conflicts                0  have an address that leads elsewhere here\n"
                          "invalid                  0  are not valid\n"
                          "domains not ours         2  are of domains that this workspace does not have\n"
                          "\n"
                          "domains not ours:\n"
                          "  line 2: The domain was not found. (bit.ly)\n"
                          "  line 3: The domain was not found. (Old.example.net)\n"
                          "\n"
                          "Add such a domain with 'domain add', or say which of yours takes its place:\n"
                          "  --domain Old.example.net=...  1 lines\n"
                          "  --domain bit.ly=...  1 lines\n"
                          "nothing was written\n");
    const auto made =
        world.import_it(text, {"--domain", "bit.ly=go.example.com", "--domain",
                               "old.example.net=short.example.org", "--domain", "short.example.org"});
    INFO(made.output << made.notes);
    CHECK(made.output == "3 links were imported\n");
    const auto short_domain = world.link("bb")->domain;
    CHECK(world.link("cc")->domain == short_domain);
    CHECK(world.link("aa")->domain != short_domain);
}

TEST_CASE("a link that is there already stays as it is, also when another file has it", "[admin]") {
    FormWorld world;
    CHECK(world.import_it(two_links).output == "2 links were imported\n");
    const auto later = std::string(two_links) + "https://example.com/c,cc\nhttps://example.com/c,CC\n";
    CHECK_THAT(world.import_it(later, {"--dry-run"}).output,
               Catch::StartsWith("new                      1  would be imported\n"
                                 "same                     3  are there already\n"));
    CHECK(world.import_it(later).output == "1 links were imported, 3 were there already\n");
    world.check_verified();
}

TEST_CASE("of a slashtag that leads elsewhere it is said that it differs in case only", "[admin]") {
    FormWorld world;
    world.import_it(two_links);
    CHECK_THAT(
        world.import_it("url,slug\nhttps://example.com/x,AA\n").output,
        Catch::StartsWith("line 2: slashtag 'AA' (column slug) differs only in case from 'aa', which is "
                          "there, and this domain ignores case; give it another one, or make the domain "
                          "mind the case\n"));
}

TEST_CASE("--on-conflict says what becomes of a link whose address leads elsewhere", "[admin]") {
    const std::string text =
        "url,slug,title,tags\nhttps://example.com/x,aa,New,fresh\nhttps://example.com/n,nn,N,\n";
    const auto with = [&](const std::string& word, const auto& check) {
        FormWorld world;
        world.import_it(two_links);
        const auto tried = world.import_it(text, {"--on-conflict", word, "--dry-run"});
        CHECK(tried.code == 0);
        const auto made = world.import_it(text, {"--on-conflict", word});
        CHECK(made.code == 0);
        check(world, tried.output, made.output);
        world.check_verified();
    };
    with("skip", [](FormWorld& world, const std::string& tried, const std::string& made) {
        CHECK_THAT(tried, Catch::Contains("line 2: slashtag 'aa' is already in use; this one is skipped\n"));
        CHECK(made == "1 links were imported, 1 were skipped\n");
        CHECK(world.destination_of("aa") == "https://example.com/a");
    });
    with("suffix", [&](FormWorld& world, const std::string& tried, const std::string& made) {
        CHECK_THAT(tried,
                   Catch::Contains("line 2: slashtag 'aa' is already in use; this one becomes 'aa-2'\n"));
        CHECK(made == "2 links were imported\n");
        CHECK(world.destination_of("aa") == "https://example.com/a");
        CHECK(world.destination_of("aa-2") == "https://example.com/x");
        CHECK(world.import_it(text + "\n", {"--on-conflict", "suffix"}).output ==
              "0 links were imported, 2 were there already\n");
    });
    with("overwrite", [](FormWorld& world, const std::string& tried, const std::string& made) {
        CHECK_THAT(tried,
                   Catch::Contains("line 2: slashtag 'aa' is already in use; that link is overwritten\n"));
        CHECK(made == "1 links were imported, 1 were overwritten\n");
        const auto link = world.link("aa");
        REQUIRE(link);
        CHECK(link->destination == "https://example.com/x");
        CHECK(link->title == "New");
        CHECK(link->tags.size() == 1);
    });
}

TEST_CASE("links of a domain of all scripts come with their slashtags, whichever way those are spelled",
          "[admin]") {
    ImportWorld world;
    CHECK(run(world,
              {"domain", "set", "go.example.com", "--slashtag-charset", "unicode", "--slashtag-max", "6"})
              .code == 0);
    const auto made = world.import_text("destination,slashtag,shortUrl\n"
                                        "https://example.com/a,Fr\u00fch/a,\n"
                                        "https://example.com/b,,go.example.com/%E6%97%A5/b\n");
    CHECK(made.code == 0);
    CHECK(world.link("Fr\u00fch/a")->slashtag_key == "fr\u00fch/a");
    CHECK(world.link("日/b")->destination == "https://example.com/b");
    // The same again, and with a number behind it, cut between two characters.
    const std::string again = "destination,slashtag\nhttps://example.com/a,fru\u0308h/a\n"
                              "https://example.com/c,FRU\u0308H/A\n";
    CHECK(world.import_text(again, {"--on-conflict", "suffix"}).code == 0);
    CHECK(world.link("FR\u00dcH-2")->destination == "https://example.com/c");
    world.check_verified();
    CHECK_THAT(run(world, {"domain", "show", "go.example.com"}).output,
               Catch::Contains("slashtags: 1 to 6 characters, case is ignored, unicode\n"));
}

TEST_CASE("a link of another workspace is not overwritten", "[admin]") {
    FormWorld world;
    world.stranger("ann");
    world.import_it(two_links);
    const auto refused = world.import_it("url,slug\nhttps://example.com/x,aa\n",
                                         {"--on-conflict", "overwrite", "--workspace", "ann"});
    CHECK(refused.code == 1);
    CHECK_THAT(refused.output, Catch::StartsWith("line 2: slashtag 'aa' (column slug) is already in use\n"));
    CHECK(world.destination_of("aa") == "https://example.com/a");
}

TEST_CASE("several files are imported one after the other", "[admin]") {
    FormWorld world;
    const auto first = world.write_file("url,slug\nhttps://example.com/1,f1\n").string();
    const auto second = world.write_file("url;slug\nhttps://example.com/2;f2\n").string();
    CHECK(run(world, {"import", first, second}).output == "1 links were imported\n1 links were imported\n");
    CHECK(world.destination_of("f1") == "https://example.com/1");
    CHECK(world.destination_of("f2") == "https://example.com/2");
}

TEST_CASE("an import with other options is another import of the same file", "[admin]") {
    FormWorld world;
    const auto file = world.write_file("link,url\nbit.ly/aa,https://example.com/a\n").string();
    CHECK(run(world, {"import", file, "--skip-invalid"}).output ==
          "line 2: The domain was not found. (bit.ly)\n0 links were imported, 1 lines were left out\n");
    CHECK(run(world, {"import", file, "--domain", "bit.ly=go.example.com"}).output ==
          "1 links were imported\n");
}

TEST_CASE("a source that is none is refused with those that there are", "[admin]") {
    FormWorld world;
    CHECK_THAT(world.import_it(two_links, {"--from", "rebrand"}).notes,
               Catch::Contains("'rebrand' is no source of links; there are slashpost, bitly, shortio, dub"));
}
