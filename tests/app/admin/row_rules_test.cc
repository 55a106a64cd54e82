// Rows that keep no rule of the operations: `restore` refuses them, `verify` finds them.
#include "app/admin/dump_file.h"
#include "tests/app/admin/stocked_world.h"

#include <fmt/format.h>
#include <regex>
#include <sstream>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// What a restore says to the dump after the first `what` in the first row of `table` became `by`, under a
// checksum that fits.
std::string refusal(const std::string& dump, const std::string& table, const std::string& what,
                    const std::string& by) {
    std::istringstream in(dump);
    std::string changed;
    admin::Digest digest;
    bool done = false;
    std::uint64_t rows = 0, number = 0, place = 0;
    for (std::string line; std::getline(in, line) && line.find("\"sha256\"") == std::string::npos;) {
        ++number;
        if (!done && line.starts_with(R"({"table":")" + table + "\"")) {
            const auto before = line;
            line = std::regex_replace(line, std::regex(what), by, std::regex_constants::format_first_only);
            done = line != before;
            place = number;
        }
        digest.add(line + "\n");
        changed += line + "\n";
        rows += line.starts_with(R"({"table")") ? 1 : 0;
    }
    REQUIRE(done);
    changed += admin::dump_footer(rows, digest.hex());
    EmptyHouse context;
    RememberingConsole console;
    std::istringstream again(changed);
    admin::DumpReader reader(again);
    const auto restored = admin::restore(context.plain.context, reader, console);
    CHECK(must(context.engine->read([](data::View& view) { return store_is_empty(view); })));
    if (restored.has_value())
        return "";
    const auto line = fmt::format("line {}: a row of {} ", place, table);
    CHECK_THAT(restored.error().message, Catch::StartsWith(line));
    return restored.error().message.substr(std::min(line.size(), restored.error().message.size()));
}

template <class Table, class Row, class Harm>
std::string found_after(StockedWorld& world, const Table& table, const Row& row, const Harm& harm) {
    must(world.engine->transact([&](data::Txn& txn) -> Result<void> {
        auto changed = row;
        harm(changed);
        return txn.put(table.rows(), Table::row_key(Row::primary_of(row)), data::encode(changed));
    }));
    RememberingConsole console;
    CHECK(must(admin::verify(world.plain.context, console)) == admin::exit_findings);
    return console.output;
}

} // namespace

TEST_CASE("a row of a dump that lacks a field is refused with the line and the field", "[row rules]") {
    StockedWorld world;
    const auto dump = world.dump();
    const auto without = [&](const char* table, const std::string& field) {
        return refusal(dump, table, ",\"" + field + R"(":("[^"]*"|\d+|true|false))", "");
    };
    CHECK(without("links", "slashtag") == "cannot be read: 'slashtag' is missing");
    CHECK(without("links", "destination") == "cannot be read: 'destination' is missing");
    CHECK(without("links", "created_at") == "cannot be read: 'created_at' is missing");
    CHECK(without("members", "role") == "cannot be read: 'role' is missing");
    CHECK(without("domains", "custom_homepage") == "cannot be read: 'custom_homepage' is missing");
    CHECK(without("domains", "redirect_type") == "cannot be read: 'redirect_type' is missing");
    CHECK(without("accounts", "username") == "cannot be read: 'username' is missing");
    CHECK(without("tags", "color") == "cannot be read: 'color' is missing");
    CHECK(without("invites", "email") == "cannot be read: 'email' is missing");
}

TEST_CASE("a row of a dump whose fields have another form is refused", "[row rules]") {
    StockedWorld world;
    const auto dump = world.dump();
    const std::string time = R"("created_at":"[^"]*")";
    CHECK(refusal(dump, "links", time, R"("created_at":12345)") ==
          "cannot be read: 'created_at' has not the form of one");
    CHECK(refusal(dump, "links", time, R"("created_at":"12345")") ==
          "cannot be read: 'created_at' has not the form of one");
    CHECK(refusal(dump, "workspaces", time, R"("created_at":"yesterday")") ==
          "cannot be read: 'created_at' has not the form of one");
    CHECK(refusal(dump, "links", R"("title":"[^"]*")", R"("title":7)") ==
          "cannot be read: 'title' has not the form of one");
    CHECK(refusal(dump, "members", R"("role":\d)", R"("role":"owner")") ==
          "cannot be read: 'role' has not the form of one");
}

TEST_CASE("a row of a dump that no operation would have written is refused", "[row rules]") {
    StockedWorld world;
    const auto dump = world.dump();
    const auto with = [&](const char* table, const std::string& field, const std::string& value) {
        return refusal(dump, table, "\"" + field + R"(":("[^"]*"|\{"hex":"[^"]*"\}|\d+))",
                       "\"" + field + "\":" + value);
    };
    CHECK_THAT(with("links", "slashtag", R"("")"), Catch::StartsWith("breaks a rule: 'slashtag' must match"));
    CHECK_THAT(with("links", "slashtag", R"("a//b")"),
               Catch::StartsWith("breaks a rule: 'slashtag' must match"));
    CHECK_THAT(
        with("links", "slashtag", "\"cafe\u0301\""),
        Catch::StartsWith("breaks a rule: 'slashtag' is not in the form in which slashtags are stored"));
    CHECK(with("links", "slashtag_key", R"("other")") ==
          "breaks a rule: 'slashtag_key' is not that of the slashtag");
    CHECK(with("links", "destination", R"("")") == "breaks a rule: 'destination' cannot be empty");
    CHECK_THAT(with("links", "destination", R"("javascript:alert")"),
               Catch::StartsWith("breaks a rule: 'destination' is not a valid URL"));
    CHECK(with("links", "destination", R"("https://example.com/a b")") ==
          "breaks a rule: 'destination' is not in the form in which addresses are stored");
    CHECK(with("links", "status", "0") == "breaks a rule: 'status' is not one that is known");
    CHECK(with("links", "external_id", R"("a\nb")") ==
          "breaks a rule: 'externalId' has characters that are not allowed");
    CHECK(with("links", "created_at", R"("2020-01-01T00:00:00.000Z")") ==
          "breaks a rule: 'created_at' is not the time that the id has");
    CHECK(with("members", "role", "9") == "breaks a rule: 'role' is not one that is known");
    CHECK(with("domains", "full_name", R"("GO.Example.com")") ==
          "breaks a rule: 'full_name' is not the name of a host in normal form");
    CHECK(with("domains", "redirect_type", "300") ==
          "breaks a rule: 'redirectType' must be 301, 302, 307 or 308");
    CHECK(with("domains", "length_max", "256") == "breaks a rule: 'slashtag.maxLength' must be at most 255");
    CHECK(refusal(dump, "domains", R"("logo_url":"")", R"("logo_url":"http://a.example/l.png")") ==
          "breaks a rule: 'branding.logoUrl' must be an https address on a host with a name");
    CHECK(refusal(dump, "domains", R"("color":"")", R"("color":"red")") ==
          "breaks a rule: 'branding.color' must be six hexadecimal digits");
    const auto alias = [&](const std::string& name) {
        return refusal(dump, "domains", R"("aliases":\[\])",
                       R"("aliases":[{"full_name":")" + name + R"(","verified":false}])");
    };
    CHECK(alias("A.example") == "breaks a rule: 'aliases' has what is not the name of a host in normal form");
    CHECK(alias("go.example.com") == "breaks a rule: 'aliases' has a name twice");
    CHECK(with("domains", "on_conflict", "0") == "breaks a rule: 'on_conflict' is not one that is known");
    CHECK(with("domains", "on_conflict", "4") == "breaks a rule: 'on_conflict' is not one that is known");
    CHECK(with("domains", "expired_url", R"("https://a.example/{path}")") ==
          "breaks a rule: 'expired_url' is not in the form in which addresses are stored");
    CHECK(with("links", "on_conflict", "4") == "breaks a rule: 'on_conflict' is not one that is known");
    CHECK(with("links", "expired_url", R"("x")")
              .starts_with("breaks a rule: 'expired_url' is not a valid URL"));
    CHECK(with("links", "password_hash", R"("$argon2id$x")") ==
          "breaks a rule: 'password_set_at' belongs to a password, and a password to a time");
    CHECK(with("links", "clicks_used", "1") == "breaks a rule: 'clicks_used' belongs to a bound");
    CHECK(with("accounts", "username", R"("")") == "breaks a rule: 'username' cannot be empty");
    CHECK(with("api_keys", "hash", R"("short")") == "breaks a rule: 'hash' must have 32 to 32 characters");
    CHECK(with("invites", "email", R"("nobody")") == "breaks a rule: 'email' must be an e-mail address");
    CHECK(with("tags", "color", R"("red")") == "breaks a rule: 'color' must be six hexadecimal digits");
    CHECK(with("link_parts", "op", "3") ==
          "breaks a rule: 'conditions' are not in the form in which conditions are stored");
    CHECK(with("link_parts", "app", R"("none")") == "breaks a rule: 'deep_links' does not exist");
}

TEST_CASE("figures of a dump below zero are refused", "[row rules]") {
    StockedWorld world;
    CHECK(refusal(world.dump(), "link_clicks", R"("clicks":\d+)", R"("clicks":-3)") == "cannot be read");
}

TEST_CASE("verify finds rows that no operation would have written", "[row rules]") {
    StockedWorld world;
    const auto& link = world.first_link;
    CHECK_THAT(found_after(world, schema().links, link, [](Link& row) { row.destination.clear(); }),
               Catch::Contains("links: the row " + link.id.hex() +
                               " breaks a rule: 'destination' cannot be empty\n"));
    CHECK_THAT(found_after(world, schema().links, link, [](Link& row) { row.updated_at = {-1}; }),
               Catch::Contains("breaks a rule: 'updated_at' must be a time of the years 1970 to 9999\n"));
    const Member owner{.workspace = world.installed.account.default_workspace,
                       .account = world.installed.account.id,
                       .role = Role::owner,
                       .created_at = world.clock.now()};
    CHECK_THAT(
        found_after(world, schema().members, owner, [](Member& row) { row.role = static_cast<Role>(9); }),
        Catch::Contains("members: the row") &&
            Catch::Contains("breaks a rule: 'role' is not one that is known"));
}
