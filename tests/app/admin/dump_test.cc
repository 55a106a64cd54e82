#include "app/admin/data_folder.h"
#include "app/admin/dump_file.h"
#include "app/admin/dump_json.h"
#include "app/admin/dump_parts.h"
#include "core/schema/click_totals.h"
#include "storage/open.h"
#include "tests/app/admin/stocked_world.h"
#include "tests/support/seed.h"
#include "tests/support/temp_folder.h"

#include <fmt/format.h>
#include <sstream>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

std::string join(const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines)
        text += line + "\n";
    return text;
}

// Without the first line and the last, in which there are a date and what follows from it.
std::string rows_of(const std::string& dump) {
    const auto begin = dump.find('\n');
    return dump.substr(begin, dump.rfind('\n', dump.size() - 2) - begin);
}

Result<int> restore(EmptyHouse& into, const std::string& dump) {
    RememberingConsole console;
    std::istringstream in(dump);
    admin::DumpReader reader(in);
    return admin::restore(into.plain.context, reader, console);
}

// The words of a refusal.
std::string refusal(const std::string& dump) {
    EmptyHouse context;
    const auto done = restore(context, dump);
    return done.has_value() ? "" : done.error().message;
}

// In a folder, as the tool does it.
Result<int> restore_into(const TempFolder& folder, const std::string& dump) {
    RememberingConsole console;
    std::istringstream in(dump);
    admin::DumpReader reader(in);
    return admin::restore_folder(folder.path(), reader, console, false);
}

std::string dump_of(const TempFolder& folder) {
    const auto own =
        must(admin::OfflineContext::open(folder.path(), *must(admin::FolderLock::take(folder.path())), {}));
    RememberingConsole console;
    must(admin::dump(own->context(), console));
    return console.output;
}

// The lines before the last one, with a footer that fits them. Up to version 1 the first is not in the sum.
std::string resealed(std::vector<std::string> lines) {
    admin::Digest digest;
    const bool is_old = lines.front().find(R"("version":1,)") != std::string::npos;
    for (std::size_t i = is_old ? 1 : 0; i + 1 < lines.size(); ++i)
        digest.add(lines[i] + "\n");
    lines.back() = admin::dump_footer(lines.size() - 2, digest.hex());
    lines.back().pop_back();
    return join(lines);
}

} // namespace

TEST_CASE("a dump begins with a header and ends with its count and checksum", "[dump]") {
    StockedWorld world;
    const auto lines = lines_of(world.dump());
    CHECK(lines.front() ==
          R"({"format":"slashpost-dump","version":2,"schema":17,"date":"2027-01-15T08:00:01.000Z"})");
    CHECK(lines.back().starts_with(R"({"rows":)" + std::to_string(lines.size() - 2) + R"(,"sha256":")"));
    CHECK(world.plain.folds == 1);
}

TEST_CASE("a dump of version 1, whose checksum leaves out the first line, restores", "[dump]") {
    StockedWorld world;
    const auto dump = world.dump();
    auto lines = lines_of(dump);
    lines.front() = R"({"format":"slashpost-dump","version":1,"schema":5,"date":"2020-01-01T00:00:00.000Z"})";
    EmptyHouse context;
    REQUIRE(must(restore(context, resealed(lines))) == admin::exit_good);
    RememberingConsole again;
    must(admin::dump(context.plain.context, again));
    CHECK(rows_of(again.output) == rows_of(dump));
}

TEST_CASE("a row is dumped by its field names, a key as a hash only", "[dump][threat-40]") {
    StockedWorld world;
    const auto dump = world.dump();
    const auto& link = world.first_link;
    CHECK_THAT(dump, Catch::Contains(R"({"table":"links","row":{"id":")" + link.id.hex() +
                                     R"(","workspace":")" + link.workspace.hex() + "\""));
    CHECK_THAT(dump, Catch::Contains(R"("created_at":"2027-01-15T08:00:00.000Z")"));
    CHECK_THAT(dump, Catch::Contains(R"({"table":"link_clicks","row":{"workspace":")" + link.workspace.hex() +
                                     R"(","link":")" + link.id.hex() + R"(","clicks":3}})"));
    CHECK(dump.find(world.installed.key.key) == std::string::npos);
}

TEST_CASE("passwords are dumped as hashes; who is signed in, and one-time addresses, are not",
          "[dump][threat-40]") {
    StockedWorld world;
    const auto dump = world.dump();
    CHECK_THAT(dump, Catch::Contains(R"({"table":"credentials","row":{"account":")" +
                                     world.installed.account.id.hex() +
                                     R"(","password_hash":"$argon2id$hash of the password")"));
    CHECK_THAT(dump, Catch::Contains(R"("issuer":"https://sso.example.com","subject":"248289761001")"));
    for (const auto* table : {"sessions", "sign_in_tokens", "sign_in_tries"})
        CHECK(dump.find("{\"table\":\"" + std::string(table)) == std::string::npos);
}

TEST_CASE("a rollup is dumped with its subject, its span and its counts", "[dump]") {
    StockedWorld world;
    const auto dump = world.dump();
    const auto& link = world.first_link;
    CHECK_THAT(dump, Catch::Contains(R"({"table":"rollups","row":{"link":")" + link.id.hex() +
                                     R"(","grain":"day","bucket":20833,"counts":[["Bsafari",3],["Cde",3],)"
                                     R"(["Dmobile",3],["Lde",2],[{"hex":"4cff"},1],["Oios",3],)"
                                     R"(["Rnews.example.com",3],)"));
    CHECK_THAT(dump, Catch::Contains(R"({"table":"rollups","row":{"domain":")" + link.domain.hex() +
                                     R"(","workspace":")" + link.workspace.hex() +
                                     R"(","grain":"hour","bucket":500000,"counts":[)"));
    CHECK_THAT(dump, Catch::Contains(R"(","grain":"all","bucket":0,"counts":[)"));
    CHECK_THAT(dump,
               Catch::Contains(R"({"table":"last_clicks_of_subjects","row":{"domain":")" + link.domain.hex() +
                               R"(","workspace":")" + link.workspace.hex() + R"(","at":"2027-01-15T08:00:)"));
    CHECK_THAT(dump, Catch::Contains(R"({"table":"last_clicks_of_subjects","row":{"tag":")"));
}

TEST_CASE("a dump of many rows has each of them once, in order", "[dump]") {
    StockedWorld world;
    const auto workspace = world.first_link.workspace;
    std::vector<std::string> wanted;
    must(world.engine->transact([&](data::Txn& txn) -> Result<void> {
        wanted.clear();
        for (int i = 0; i < 20'000; ++i) { // a megabyte of what is stored
            const auto hex = fmt::format("fe{:030x}", i);
            TRY(txn.add(link_clicks_tally(workspace, *LinkId::parse(hex)), i + 1));
            wanted.push_back(
                fmt::format(R"({{"table":"link_clicks","row":{{"workspace":"{}","link":"{}","clicks":{}}}}})",
                            workspace.hex(), hex, i + 1));
        }
        return {};
    }));
    auto lines = lines_of(world.dump());
    std::erase_if(lines, [](const auto& line) { return line.find(R"("link":"fe)") == std::string::npos; });
    CHECK(lines == wanted);
}

TEST_CASE("equal stores give equal dumps but for the date", "[dump]") {
    StockedWorld world;
    const auto before = world.dump();
    world.clock.advance_seconds(3600);
    const auto after = world.dump();
    CHECK(before != after);
    CHECK(rows_of(before) == rows_of(after));
}

TEST_CASE("what is dumped and restored dumps the same, on any engine", "[dump][long]") {
    const TempFolder folder;
    const auto engine = GENERATE(std::string("memory:"), std::string("rocksdb:"));
    CAPTURE(engine);
    const auto make = [&](const char* name) {
        return must(storage::open(engine == "memory:" ? engine : engine + (folder.path() / name).string(),
                                  space::all));
    };
    StockedWorld world(make("first"));
    EmptyHouse second(make("second"));
    const auto dump = world.dump();
    REQUIRE(must(restore(second, dump)) == admin::exit_good);

    RememberingConsole again;
    must(admin::dump(second.plain.context, again));
    CHECK(rows_of(again.output) == rows_of(dump));
    RememberingConsole checked;
    CHECK(must(admin::verify(second.plain.context, checked)) == admin::exit_good);
    CHECK(must(second.service.authenticate(world.installed.key.key)).account == world.installed.account.id);
    CHECK(prepare_store(*second.engine).has_value());
}

TEST_CASE("a restored store knows the click ids of the one that was dumped, and what they counted for",
          "[dump]") {
    StockedWorld world;
    EmptyHouse second;
    const auto id = click_id(world, world.first_link);
    REQUIRE(must(restore(second, world.dump())) == admin::exit_good);
    const auto key = must(second.engine->read([](data::View& view) { return click_id_key(view); }));
    REQUIRE(key);
    CHECK(redirect::ClickIds(*key).open(world.first_link.workspace, id) ==
          redirect::ClickOrigin{.link = world.first_link.id, .time = world.clock.time});
    int rows = 0;
    must(second.engine->read([&](data::View& view) {
        return schema().conversions.each(view, [&](const Conversion& row) -> Result<bool> {
            CHECK(row.link == world.first_link.id);
            CHECK(row.value_thousandths == 19'990);
            ++rows;
            return true;
        });
    }));
    CHECK(rows == 1);
}

TEST_CASE("a dump made before links had tags restores, with nothing where fields are new", "[dump]") {
    // Typed from what the first build wrote: fields and whole tables of today are missing.
    const std::string id = "01a3185c50000000000000000000000", day = "2027-01-15T08:00:00.000Z";
    const std::string account = id + "1", workspace = id + "2", domain = id + "3", link = id + "4",
                      key = id + "5";
    const std::string made = R"("created_at":")" + day + "\"",
                      both = made + R"(,"updated_at":")" + day + "\"";
    EmptyHouse context;
    const auto old = resealed(
        {R"({"format":"slashpost-dump","version":1,"schema":1,"date":"2027-01-15T08:00:01.000Z"})",
         R"({"table":"store","row":{"default_domain":")" + domain + R"("}})",
         R"({"table":"accounts","row":{"id":")" + account +
             R"(","username":"admin","email":"","full_name":"","avatar_url":"",)" + made +
             R"(,"default_workspace":")" + workspace + R"("}})",
         R"({"table":"api_keys","row":{"id":")" + key + R"(","account":")" + account +
             R"(","name":"first","hash":{"hex":"ff)" + std::string(62, '0') + R"("},"hint":"ab",)" + made +
             "}}",
         R"({"table":"workspaces","row":{"id":")" + workspace + R"(","name":"Main","type":1,"owner":")" +
             account + R"(","is_default":true,"revoked":false,"trashed":false,)" + both + "}}",
         R"({"table":"members","row":{"workspace":")" + workspace + R"(","account":")" + account +
             R"(","role":5,)" + made + "}}",
         R"({"table":"domains","row":{"id":")" + domain +
             R"(","full_name":"go.example.com","type":2,"owner":")" + account +
             R"(","verified":true,"active":true,"revoked":false,)" + both +
             R"(,"redirect_type":302,"custom_homepage":"","not_found_url":"",)"
             R"("slashtag":{"length_min":1,"length_max":40,"case_sensitive":false}}})",
         R"({"table":"domain_shares","row":{"workspace":")" + workspace + R"(","domain":")" + domain +
             R"(",)" + made + "}}",
         R"({"table":"links","row":{"id":")" + link + R"(","workspace":")" + workspace + R"(","domain":")" +
             domain + R"(","creator":")" + account +
             R"(","slashtag":"Old","slashtag_key":"old","destination":"https://example.com/","title":"Link Old",)"
             R"("description":"","type":1,"status":1,"favourite":false,"forward_parameters":true,)" +
             both + "}}",
         R"({"table":"link_clicks","row":{"workspace":")" + workspace + R"(","link":")" + link +
             R"(","clicks":2}})",
         R"({"table":"workspace_clicks","row":{"workspace":")" + workspace + R"(","clicks":2}})",
         R"({"table":"domain_clicks","row":{"domain":")" + domain + R"(","clicks":2}})",
         R"({"table":"last_clicks","row":{"workspace":")" + workspace + R"(","link":")" + link +
             R"(","at":")" + day + R"("}})",
         ""});
    REQUIRE(must(restore(context, old)) == admin::exit_good);
    const auto restored = must(context.engine->read(
        [&](data::View& view) { return schema().links.find(view, LinkId::parse(link)->view()); }));
    REQUIRE(restored.has_value());
    CHECK(restored->slashtag == "Old");
    CHECK(restored->tags.empty());
    CHECK(must(context.engine->read(
              [&](data::View& view) { return clicks_of_domain(view, *DomainId::parse(domain)); })) == 2);
    RememberingConsole checked;
    CHECK(must(admin::verify(context.plain.context, checked)) == admin::exit_good);
    CHECK(checked.output.find("all good") != std::string::npos);
}

TEST_CASE("a dump that is cut off anywhere is refused", "[dump]") {
    StockedWorld world;
    const auto dump = world.dump();
    auto lines = lines_of(dump);
    while (lines.size() > 1) {
        lines.pop_back();
        CHECK_THAT(refusal(join(lines)), Catch::Contains("cut off"));
    }
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{2}, std::size_t{80}, dump.size() - 1})
        CHECK_FALSE(refusal(dump.substr(0, dump.size() - bytes)).empty());
    CHECK_FALSE(refusal("").empty());
}

TEST_CASE("a dump with any byte flipped is refused, in its header too", "[dump][long]") {
    StockedWorld world;
    const auto dump = world.dump();
    const auto header_bytes = dump.find('\n');
    const std::size_t behind_header = 28 / static_cast<std::size_t>(made_up(4));
    for (std::size_t place = 0; place < dump.size(); place += place < header_bytes ? 1 : behind_header) {
        auto damaged = dump;
        damaged[place] = static_cast<char>(damaged[place] ^ 1);
        CAPTURE(place);
        CHECK_FALSE(refusal(damaged).empty());
    }
}

TEST_CASE("a dump with a line lost, doubled or added is refused", "[dump][threat-41]") {
    StockedWorld world;
    const auto lines = lines_of(world.dump());
    auto lost = lines;
    lost.erase(lost.begin() + 3);
    CHECK_THAT(refusal(join(lost)), Catch::Contains("rows"));
    auto doubled = lines;
    doubled.insert(doubled.begin() + 3, lines[3]);
    CHECK_THAT(refusal(join(doubled)), Catch::Contains("rows"));
    auto swapped = lines;
    std::swap(swapped[2], swapped[3]);
    CHECK_THAT(refusal(join(swapped)), Catch::Contains("checksum"));
    CHECK_THAT(refusal(join(lines) + "{}\n"), Catch::Contains("goes on"));
}

TEST_CASE("a dump of a newer version or schema, and what is no dump, is refused with what to do", "[dump]") {
    StockedWorld world;
    auto lines = lines_of(world.dump());
    lines.front() =
        R"({"format":"slashpost-dump","version":3,"schema":16,"date":"2027-01-15T08:00:01.000Z"})";
    CHECK_THAT(refusal(join(lines)), Catch::Contains("newer slashpost"));
    lines.front() =
        R"({"format":"slashpost-dump","version":1,"schema":18,"date":"2027-01-15T08:00:01.000Z"})";
    CHECK_THAT(refusal(join(lines)), Catch::Contains("newer slashpost"));
    lines.front() = R"({"format":"other","version":1,"schema":1})";
    CHECK_THAT(refusal(join(lines)), Catch::Contains("not a dump"));
    CHECK_THAT(refusal("hello\n"), Catch::StartsWith("line 1: this is not a JSON object"));
    CHECK_THAT(refusal(""), Catch::StartsWith("line 1: the dump is cut off"));
}

TEST_CASE("a row that does not fit its table is refused even under a right checksum", "[dump][threat-41]") {
    StockedWorld world;
    const auto lines = lines_of(world.dump());
    for (
        const char* broken :
        {R"({"table":"tables_of_the_future","row":{}})", R"({"table":"members","row":{"workspace":1}})",
         R"({"table":"domain_clicks","row":{"domain":"00","clicks":1}})",
         R"({"table":"domain_clicks","row":{"domain":"00000000000000000000000000000000","clicks":"1"}})",
         R"({"table":"domain_clicks","row":{"domain":"00000000000000000000000000000000","clicks":1,"x":1}})",
         R"({"table":"rollups","row":{"grain":"day","bucket":1,"counts":[]}})",
         R"({"table":"rollups","row":{"link":"00","grain":"day","bucket":1,"counts":[]}})",
         R"({"table":"rollups","row":{"link":"00000000000000000000000000000000","grain":"week","bucket":1,"counts":[]}})",
         R"({"table":"rollups","row":{"link":"00000000000000000000000000000000","grain":"day","bucket":-1,"counts":[]}})",
         R"({"table":"rollups","row":{"link":"00000000000000000000000000000000","grain":"day","bucket":1}})",
         R"({"table":"rollups","row":{"link":"00000000000000000000000000000000","grain":"day","bucket":1,"counts":[["",1]]}})",
         R"({"table":"rollups","row":{"link":"00000000000000000000000000000000","grain":"day","bucket":1,"counts":[["c"]]}})",
         R"({"table":"rollups","row":{"link":"00000000000000000000000000000000","grain":"day","bucket":1,"counts":[],"x":1}})",
         R"({"table":"last_clicks_of_subjects","row":{"domain":"00000000000000000000000000000000","at":0}})",
         R"({"table":"store","row":{"more":1}})", R"({"table":"store","row":{"click_id_key":"too short"}})",
         R"({"table":"store"})", "[]", R"({"table":"store","row":{}}x)"}) {
        auto changed = lines;
        changed[1] = broken;
        CAPTURE(broken);
        CHECK_THAT(refusal(resealed(changed)), Catch::StartsWith("line 2: "));
    }
}

TEST_CASE("a line that is too long is refused", "[dump]") {
    StockedWorld world;
    auto lines = lines_of(world.dump());
    lines[1] = R"({"table":"store","row":{"x":")" + std::string(admin::dump_line_bytes_max, 'x') + R"("}})";
    CHECK_THAT(refusal(resealed(lines)), Catch::Contains("too long"));
}

TEST_CASE("a restore that fails leaves no store, and what stood in the folder stays", "[dump]") {
    StockedWorld world;
    auto lines = lines_of(world.dump());
    lines.insert(lines.end() - 1, *std::ranges::find_if(lines, [](const auto& line) {
                     return line.starts_with(R"({"table":"links")");
                 })); // twice, the second time as the last row
    const TempFolder folder;
    for (const auto& bad : {world.dump().substr(0, world.dump().size() / 2), join(lines), resealed(lines)}) {
        CHECK_FALSE(restore_into(folder, bad).has_value());
        CHECK_FALSE(must(admin::has_store(folder.path())));
    }
    must(admin::open_store(folder.path())); // an empty one
    CHECK_FALSE(restore_into(folder, join(lines)).has_value());
    CHECK(must(admin::has_store(folder.path())));
    CHECK(must(restore_into(folder, world.dump())) == admin::exit_good);
    CHECK(rows_of(dump_of(folder)) == rows_of(world.dump()));
}

TEST_CASE("a store that is not empty takes no restore and stays as it is", "[dump]") {
    StockedWorld world;
    const TempFolder folder;
    REQUIRE(must(restore_into(folder, world.dump())) == admin::exit_good);
    const auto done = restore_into(folder, world.dump());
    REQUIRE_FALSE(done.has_value());
    CHECK_THAT(done.error().message, Catch::Contains("not empty"));
    CHECK(rows_of(dump_of(folder)) == rows_of(world.dump()));
}

TEST_CASE("what a killed restore left is no store, and goes when a store is opened or restored", "[dump]") {
    StockedWorld world;
    const TempFolder folder;
    const auto leave = [&] {
        RememberingConsole console;
        std::istringstream in(world.dump());
        admin::DumpReader reader(in);
        const auto own = must(admin::OfflineContext::on_new_store(folder.path(), {}));
        must(admin::restore(own->context(), reader, console)); // and no step further
        CHECK(std::filesystem::exists(folder.path() / "store.new"));
    };
    leave();
    CHECK_FALSE(must(admin::has_store(folder.path())));
    {
        const auto engine = must(admin::open_store(folder.path()));
        CHECK(must(engine->read([](data::View& view) { return store_is_empty(view); })));
        CHECK_FALSE(std::filesystem::exists(folder.path() / "store.new"));
    }
    leave();
    CHECK(must(restore_into(folder, world.dump())) == admin::exit_good);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "store.new"));
}

TEST_CASE("a store whose restore was cut off opens for nobody", "[dump]") {
    EmptyHouse context;
    must(context.engine->transact(
        [](data::Txn& txn) { return txn.put(space::meta, meta_key::restoring, "1"); }));
    const auto opened = prepare_store(*context.engine);
    REQUIRE_FALSE(opened.has_value());
    CHECK_THAT(opened.error().message, Catch::Contains("restore"));
}

TEST_CASE("a dump with a row twice is refused, on any engine", "[dump]") {
    const TempFolder folder;
    const auto where = GENERATE(std::string("memory:"), std::string("rocksdb:"));
    CAPTURE(where);
    StockedWorld world;
    const auto table = GENERATE("links", "last_clicks", "last_clicks_of_subjects");
    CAPTURE(table);
    auto lines = lines_of(world.dump());
    const auto row = std::ranges::find_if(
        lines, [&](const auto& line) { return line.starts_with(fmt::format(R"({{"table":"{}")", table)); });
    REQUIRE(row != lines.end());
    lines.insert(row, std::string(*row));
    EmptyHouse context(
        must(storage::open(where == "memory:" ? where : where + folder.path().string(), space::all)));
    const auto done = restore(context, resealed(lines));
    REQUIRE_FALSE(done.has_value());
    CHECK(done.error().kind == ErrorKind::conflict);
}

TEST_CASE("a dump ends when whoever asked for it has gone", "[dump]") {
    StockedWorld world;
    for (int i = 0; i < 1500; ++i)
        must(world.engine->transact([&](data::Txn& txn) {
            return txn.add(link_clicks_tally(world.first_link.workspace, world.ids.next<LinkId>()), 1);
        }));
    RememberingConsole console;
    console.gone = true;
    const auto done = admin::dump(world.plain.context, console);
    REQUIRE_FALSE(done.has_value());
    CHECK(done.error().kind == ErrorKind::unavailable);
}

TEST_CASE("figures that no part of a dump knows make it fail rather than be left out", "[dump]") {
    StockedWorld world;
    must(world.engine->transact(
        [](data::Txn& txn) { return txn.add(data::key(std::uint16_t{0xfff0}, std::uint32_t{7}), 1); }));
    RememberingConsole console;
    const auto done = admin::dump(world.plain.context, console);
    REQUIRE_FALSE(done.has_value());
    CHECK_THAT(done.error().message, Catch::Contains("fff0"));
}

TEST_CASE("every space is dumped, follows from what is, or belongs to the folder", "[dump]") {
    std::vector<std::string_view> covered{space::meta.name, space::redirects.name, space::journal.name,
                                          // settled before a dump
                                          space::recent_rollups.name, space::recent_links.name,
                                          // follows from what clicks add up to
                                          space::click_orders.name,
                                          // where people are signed in, which a restored store does not know
                                          space::sessions.name, space::sign_in_tokens.name,
                                          space::sign_in_tries.name, space::kept_answers.name,
                                          // of an order that is under way
                                          space::acme_challenges.name,
                                          // the search index, which follows from the links
                                          space::unindexed.name, space::documents.name, space::postings.name};
    for (const auto& part : admin::dump_parts())
        covered.push_back(part->name());
    for (const auto& one : space::all) {
        CAPTURE(one.name);
        CHECK(std::ranges::find(covered, one.name) != covered.end());
    }
}

TEST_CASE("a dump keeps text that is not UTF-8, odd times and fields of a newer build", "[dump]") {
    Domain odd{.id = DomainId(*RawId::parse("0123456789abcdef0123456789abcdef")),
               .full_name = std::string("a\xff\0b", 4),
               .created_at = {-5}};
    odd.unknown.fields = std::string("\x63\x01\x7f", 3);
    const auto object = admin::row_to_json(odd, {});
    CHECK(object.at("full_name").at("hex") == "61ff0062");
    CHECK(object.at("created_at") == -5);
    CHECK(object.at("unknown") == "63017f");
    Domain back;
    std::string bad_field;
    REQUIRE(admin::row_from_json(object, back, bad_field));
    CHECK(data::encode(back) == data::encode(odd));
}
