// `slashpost-admin export`, and what `import` makes of it.
#include "app/admin/import/source.h"
#include "tests/app/admin/run_command.h"

#include <boost/json.hpp>
#include <catch2/catch.hpp>
#include <sstream>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        out.push_back(line);
    return out;
}

// All rows, without the header.
std::vector<CsvRow> rows_of(const std::string& text) {
    CsvReader reader([rest = std::string_view(text)](std::span<char> room) mutable -> Result<std::size_t> {
        const auto count = rest.copy(room.data(), room.size());
        rest.remove_prefix(count);
        return count;
    });
    std::vector<CsvRow> out;
    for (CsvRow row; must(reader.next(row));)
        out.push_back(row);
    out.erase(out.begin());
    return out;
}

} // namespace

TEST_CASE("links of all workspaces are exported but for deleted ones", "[admin][export]") {
    StockedWorld world;
    const auto csv = run(world, {"export", "csv"});
    CHECK(csv.code == 0);
    std::size_t kept = 0;
    must(world.engine->read([&](data::View& view) {
        return schema().links.each(view, [&](const Link& link) -> Result<bool> {
            kept += link.status == LinkStatus::deleted ? 0 : 1;
            return true;
        });
    }));
    REQUIRE(kept > 1);
    const auto rows = rows_of(csv.output);
    CHECK(rows.size() == kept);
    CHECK(std::ranges::any_of(rows, [](const CsvRow& row) {
        return row[2] == "one" && row[3] == "https://example.com/?q=%C3%BC&%22quoted%22";
    }));
    const auto jsonl = lines_of(run(world, {"export", "jsonl"}).output);
    CHECK(jsonl.size() == kept);
    for (const auto& line : jsonl)
        CHECK(boost::json::parse(line).as_object().contains("clicks"));
    CHECK(admin::source_of_header([&] {
              CsvReader reader([&, at = std::size_t{0}](std::span<char> room) mutable -> Result<std::size_t> {
                  const auto count = csv.output.copy(room.data(), room.size(), at);
                  at += count;
                  return count;
              });
              CsvRow header;
              must(reader.next(header));
              return header;
          }())
              .name == "slashpost");
}

TEST_CASE("clicks by day add up to the totals that are exported", "[admin][export]") {
    StockedWorld world;
    std::int64_t totals = 0, days = 0;
    for (const auto& row : rows_of(run(world, {"export", "csv"}).output))
        totals += std::stoll(std::string(row[13]));
    const auto statistics = run(world, {"export", "statistics"});
    CHECK(lines_of(statistics.output).front() == "day,domain,slashtag,id,clicks,sessions,bots\r");
    for (const auto& row : rows_of(statistics.output)) {
        CHECK(row[0].size() == 10);
        days += std::stoll(std::string(row[4]));
    }
    CHECK(totals > 0);
    CHECK(days == totals);
}

TEST_CASE("one workspace is exported when it is named", "[admin][export]") {
    StockedWorld world;
    const auto all = rows_of(run(world, {"export", "csv"}).output).size();
    const auto some =
        run(world, {"export", "csv", "--workspace", world.installed.account.default_workspace.hex()});
    CHECK(some.code == 0);
    CHECK(rows_of(some.output).size() <= all);
    CHECK(run(world, {"export", "csv", "--workspace", "nobody"}).code == 1);
}
