// What becomes of the files of other services and programs: tests/data/imports.
#include "app/admin/import/source.h"
#include "tests/app/admin/import_world.h"

#include <catch2/catch.hpp>
#include <set>

using namespace slashpost;
using namespace slashpost::test;

namespace {

struct Case {
    std::string source; // that is found out
    std::string file;
    // One a line: domain/slashtag -> destination | title | description | tags | made | ends | clicks
    std::string links;
    std::string complaints; // lines of output before the last
};

std::vector<Case> services() {
    return {
        {"slashpost", "slashpost.csv",
         "go.example.com/spring -> https://example.com/spring?a=1 | =SUM(A1), or \"so\" | @home | "
         "news,europe | "
         "2024-03-01T09:00:00.123Z | 2100-01-01T00:00:00.000Z | 1234\n"
         "go.example.com/two -> https://example.com/two | Link two | | a|b,c | 2024-03-02T09:00:00.000Z | | "
         "0\n",
         "line 4: row is paused there, and would be active here\n"},
        {"bitly", "bitly.csv",
         "go.example.com/4xYz -> https://example.com/autumn?a=1&b=2 | Link 4xYz | | | "
         "2023-11-05T18:30:00.000Z | | 61\n"
         "go.example.com/spring -> https://example.com/spring | Spring, as it was | | | "
         "2024-03-01T09:00:00.000Z | | 1234\n",
         "line 4: The domain was not found. (bit.ly)\n"},
        {"shortio", "shortio.csv",
         "go.example.com/launch -> https://example.com/launch | Launch | | print,web | "
         "2024-05-06T07:08:09.000Z | | 42\n"
         "go.example.com/until -> https://example.com/until | Link until | | | 2024-05-06T07:08:09.000Z | "
         "2100-01-01T00:00:00.000Z | 0\n",
         "line 4: shortUrl 'https://go.example.com/' (column shortURL) is the address of a domain itself, "
         "where "
         "no link can be; a home page is a setting of the domain\n"},
        {"dub", "dub.csv",
         "go.example.com/docs -> https://example.com/docs | Link docs | | Help,Docs | "
         "2025-01-02T03:04:05.678Z | | 17\n",
         "line 3: shortUrl 'https://go.example.com/_root' (column Short link) is the address of a domain "
         "itself, "
         "where no link can be; a home page is a setting of the domain\n"},
        {"tinyurl", "tinyurl.csv",
         "go.example.com/menu -> https://example.com/menu | Link menu | | food,daily | "
         "2024-02-29T12:00:00.000Z | | 7\n",
         "line 3: The domain was not found. (tinyurl.com)\n"}};
}

std::vector<Case> programs() {
    return {
        {"shlink", "shlink-web-client.csv",
         "go.example.com/aB3dE -> https://example.com/page | A page | | news,europe | "
         "2023-08-09T08:11:12.000Z | | 310\n",
         "line 3: The domain was not found. (old.example.net)\n"},
        {"shlink", "shlink-plain.csv",
         "go.example.com/plain -> https://example.com/plain | Plain | | one,two | now | | 0\n", ""},
        {"shlink", "shlink-database.csv",
         "go.example.com/db -> https://example.com/db | From the database | | a,b | "
         "2022-12-31T23:59:59.000Z | | 12\n",
         "line 3: row may be visited a number of times only, which links here cannot\n"},
        {"yourls", "yourls.tsv",
         "go.example.com/1 -> https://example.com/first | Link 1 | | | 2009-01-02T03:04:05.000Z | | 0\n"
         "go.example.com/ozh -> https://example.com/ozh | Tabs\tand\nlines and \\ \"marks\" | | | "
         "2010-05-06T07:08:09.000Z | | 99\n",
         ""},
        {"kutt", "kutt.csv",
         "go.example.com/kutt1 -> https://example.com/kutt1 | Link kutt1 | Some words | | "
         "2024-06-07T08:09:10.000Z | | 21\n"
         "go.example.com/kutt4 -> https://example.com/kutt4 | Link kutt4 | | | 2024-06-07T08:09:10.000Z | "
         "2099-12-31T00:00:00.000Z | 4\n",
         "line 3: row is banned at Kutt\n"
         "line 4: row asks visitors for a password, which links here do not\n"},
        {"polr", "polr.tsv",
         "go.example.com/polr -> https://example.com/polr | Link polr | | | 2016-03-04T05:06:07.000Z | | 8\n",
         "line 3: row has a secret key: its address has two parts, which is one too many here\n"
         "line 4: row is disabled at Polr\n"},
        {"chhoto", "chhoto.csv",
         "go.example.com/chhoto -> https://example.com/chhoto | Link chhoto | Made in the train | | now | | "
         "33\n"
         "go.example.com/ends -> https://example.com/ends | Link ends | | | now | 2100-01-01T00:00:00.000Z | "
         "0\n",
         ""}};
}

std::vector<Case> redirects() {
    return {{"pretty-links", "pretty-links.csv",
             "go.example.com/shop -> https://example.com/shop | Shop | Our own shop | | "
             "2021-02-03T04:05:06.000Z | | 512\n",
             "line 3: slashtag 'deals/may' (column slug) must match ^[a-zA-Z0-9_-]+$\n"
             "line 4: row is a pixel, which leads nowhere\n"},
            {"redirection", "redirection.csv",
             "go.example.com/old-page -> https://example.com/new-page | Moved | | | now | | 15\n",
             "line 3: row has a pattern as its source; only whole addresses can be taken\n"
             "line 4: row has a query in its source, which addresses here do not have\n"
             "line 5: row is disabled\n"},
            {"cloudflare", "cloudflare.csv",
             "go.example.com/bulk -> https://example.com/bulk | Link bulk | | | now | | 0\n"
             "go.example.com/full -> https://example.com/full | Link full | | | now | | 0\n",
             "line 3: row matches everything below its path; only whole addresses can be taken\n"
             "line 4: row includes all subdomains; each needs a line of its own here\n"},
            {"netlify", "_redirects",
             "go.example.com/plain -> https://example.com/plain#part | Link plain | | | now | | 0\n"
             "go.example.com/tour -> https://example.com/tour | Link tour | | | now | | 0\n",
             "line 5: row is never reached, line 2 comes first\n"
             "line 8: row matches more than one address; only whole ones can be taken\n"
             "line 9: row is no redirect but an answer with the code 200\n"
             "line 10: row asks for parameters of the address, which a link's slashtag does not have\n"
             "line 11: row has conditions only; a link needs a destination for everybody else\n"
             "line 12: row has the condition Role, which rules here do not have\n"
             "line 13: row leads to a path of the same site; a link needs a whole address\n"},
            {"nginx", "nginx.conf",
             "go.example.com/about -> https://example.com/about | Link about | | | now | | 0\n"
             "go.example.com/jobs -> https://example.com/jobs?a=b;c | Link jobs | | | now | | 0\n"
             "go.example.com/sale -> https://example.com/sale | Link sale | | | now | | 0\n",
             "line 4: row matches more than one address; only whole ones can be taken\n"
             "line 9: row matches more than one address; only whole ones can be taken\n"
             "line 13: row answers for more than one address; only 'location = /x' can be taken\n"},
            {"apache", "apache.conf",
             "go.example.com/contact -> https://example.com/contact | Link contact | | | now | | 0\n"
             "go.example.com/imprint -> https://example.com/imprint | Link imprint | | | now | | 0\n"
             "go.example.com/map -> https://example.com/map | Link map | | | now | | 0\n"
             "go.example.com/press -> https://example.com/press | Link press | | | now | | 0\n",
             "line 6: row matches more than one address; only whole ones can be taken\n"
             "line 9: row holds under a RewriteCond only\n"
             "line 11: row leads nowhere\n"
             "line 13: The domain was not found. (old.example.net)\n"}};
}

std::vector<Case> cases() {
    auto all = services();
    for (auto& more : {programs(), redirects()})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

std::string words_for(const LinkDetails& details, Timestamp now) {
    const auto& link = details.link;
    std::vector<std::string> tags;
    tags.reserve(details.tags.size());
    for (const auto& tag : details.tags)
        tags.push_back(tag.name);
    const auto cell = [](const std::string& text) {
        return text.empty() ? std::string(" |") : " " + text + " |";
    };
    const auto made = link.created_at.ms - now.ms >= 0 ? std::string("now") : to_iso(link.created_at);
    return fmt::format("{}/{} -> {} |{}{}{}{}{} {}\n", details.domain.full_name, link.slashtag,
                       link.destination, cell(link.title), cell(link.description),
                       cell(fmt::format("{}", fmt::join(tags, ","))), cell(made),
                       cell(link.expires_at ? to_iso(*link.expires_at) : ""), details.clicks);
}

// Of the links that are there now and were not, in the order of their slashtags.
std::string new_links(ImportWorld& world, const std::vector<LinkDetails>& before) {
    auto all = world.all();
    std::erase_if(all, [&](const LinkDetails& one) {
        return std::ranges::any_of(before, [&](const auto& old) { return old.link.id == one.link.id; });
    });
    std::ranges::sort(all, {}, [](const auto& one) { return one.link.slashtag; });
    std::string out;
    for (const auto& one : all)
        out += words_for(one, world.clock.now());
    return out;
}

std::string path_of(std::string_view file) { return fmt::format("{}/imports/{}", SLASHPOST_TEST_DATA, file); }

} // namespace

TEST_CASE("a file of each source becomes the links that are in it, and the rest is told", "[admin]") {
    std::set<std::string> seen;
    for (const auto& [source, file, links, complaints] : cases()) {
        INFO(file);
        seen.insert(source);
        ImportWorld world;
        const auto before = world.all();
        const auto made = run(world, {"import", path_of(file), "--skip-invalid"});
        CHECK_THAT(made.notes, Catch::StartsWith("import: read as " + source));
        CHECK(made.output.substr(0, made.output.find_last_of('\n', made.output.size() - 2) + 1) ==
              complaints);
        CHECK(made.code == (complaints.empty() ? 0 : 1));
        CHECK(new_links(world, before) == links);
        world.check_verified();

        ImportWorld named;
        CHECK(run(named, {"import", source, path_of(file), "--skip-invalid"}).output == made.output);
    }
    for (const auto& source : admin::sources())
        CHECK((source.name == "csv" || seen.contains(std::string(source.name))));
}

TEST_CASE("conditions of a file _redirects become rules of the link", "[admin]") {
    ImportWorld world;
    run(world, {"import", path_of("_redirects"), "--skip-invalid"});
    const auto link = world.link("tour");
    REQUIRE(link);
    const auto parts = must(world.engine->read([&](data::View& view) { return parts_of(view, *link); }));
    REQUIRE(parts.rules.size() == 2);
    CHECK(parts.rules[0].destination == "https://example.com/tour-at");
    REQUIRE(parts.rules[0].conditions.size() == 2);
    CHECK(parts.rules[0].conditions[0].property == RuleProperty::country);
    CHECK(parts.rules[0].conditions[0].values == std::vector<std::string>{"at", "de"});
    CHECK(parts.rules[0].conditions[1].property == RuleProperty::language);
    CHECK(parts.rules[0].conditions[1].values == std::vector<std::string>{"de"});
    CHECK(parts.rules[1].destination == "https://example.com/tour-fr");
    REQUIRE(parts.rules[1].conditions.size() == 1);
    CHECK(parts.rules[1].conditions[0].values == std::vector<std::string>{"fr"});
}

TEST_CASE("addresses of visitors and of who made a link are not stored", "[admin]") {
    ImportWorld world;
    run(world, {"import", path_of("yourls.tsv")});
    run(world, {"import", path_of("polr.tsv"), "--skip-invalid"});
    REQUIRE(world.link("ozh"));
    REQUIRE(world.link("polr"));
    CHECK(world.dump().find("192.0.2.") == std::string::npos);
}
