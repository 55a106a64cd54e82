#include "core/base/csv.h"

#include "core/base/errors.h"
#include "tests/support/must.h"

#include <catch2/catch.hpp>
#include <random>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// Gives `piece` bytes at a time.
CsvReader::Source source(std::string_view text, std::size_t piece) {
    return [text, piece](std::span<char> into) mutable -> Result<std::size_t> {
        const auto count = std::min({piece, text.size(), into.size()});
        text.copy(into.data(), count);
        text.remove_prefix(count);
        return count;
    };
}

struct Read {
    std::uint64_t line = 0;
    std::vector<std::string> fields;
    std::string fault;
    bool operator==(const Read&) const = default;
};

std::vector<Read> read(std::string_view text, std::size_t piece = 1 << 16, CsvDialect dialect = {}) {
    CsvReader reader(source(text, piece), {}, dialect);
    std::vector<Read> out;
    for (CsvRow row; must(reader.next(row));) {
        Read one{.line = row.line(), .fields = {}, .fault = std::string(row.fault())};
        for (std::size_t i = 0; i < row.size(); ++i)
            one.fields.emplace_back(row[i]);
        out.push_back(std::move(one));
    }
    return out;
}

std::vector<std::vector<std::string>> fields(std::string_view text) {
    std::vector<std::vector<std::string>> out;
    for (const auto& row : read(text)) {
        CHECK(row.fault.empty());
        out.push_back(row.fields);
    }
    return out;
}

using Rows = std::vector<std::vector<std::string>>;

} // namespace

TEST_CASE("fields are separated by commas and rows by line ends of either kind", "[csv]") {
    CHECK(fields("a,b\nc,d\n") == Rows{{"a", "b"}, {"c", "d"}});
    CHECK(fields("a,b\r\nc,d\r\n") == Rows{{"a", "b"}, {"c", "d"}});
    CHECK(fields("a,b\r\nc,d") == Rows{{"a", "b"}, {"c", "d"}});
    CHECK(fields("a,,\n,\n") == Rows{{"a", "", ""}, {"", ""}});
    CHECK(fields(" a , b ") == Rows{{" a ", " b "}});
    CHECK(fields("").empty());
    CHECK(fields("\n\r\n\n").empty());
    CHECK(fields("a\n\n\r\nb") == Rows{{"a"}, {"b"}});
}

TEST_CASE("quotation marks keep commas, line ends and themselves", "[csv]") {
    CHECK(fields("\"a,b\",\"c\"\"d\"\n") == Rows{{"a,b", "c\"d"}});
    CHECK(fields("\"a\r\nb\nc\",d\ne,f\n") == Rows{{"a\r\nb\nc", "d"}, {"e", "f"}});
    CHECK(fields("\"\",\"\"\"\"\n") == Rows{{"", "\""}});
    CHECK(fields("x,\"\"") == Rows{{"x", ""}});
}

TEST_CASE("another separator takes the comma's place", "[csv]") {
    const auto rows = read("a,b;\"c;d\"\ne;f\n", 1, {.separator = ';'});
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].fields == std::vector<std::string>{"a,b", "c;d"});
    CHECK(rows[1].fields == std::vector<std::string>{"e", "f"});
    CHECK(read("\"a\"\tb\n", 1, {.separator = '\t'}).front().fields == std::vector<std::string>{"a", "b"});
}

TEST_CASE("backslashes stand for what mysql escapes, and quotation marks for themselves", "[csv]") {
    const CsvDialect dialect{.separator = '\t', .escape = CsvDialect::Escape::backslashes};
    const auto rows = read("\"a\\tb\t\\\\n\\n\t\\N\tx\"y\tend\\\n\\0\t\\rz\n", 1, dialect);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0] == Read{.line = 1, .fields = {"\"a\tb", "\\n\n", "\\N", "x\"y", "end\\"}, .fault = ""});
    CHECK(rows[1].fields == std::vector<std::string>{std::string("\0", 1), "\rz"});
}

TEST_CASE("a byte order mark is no part of the first field", "[csv]") {
    CHECK(fields("\xef\xbb\xbf"
                 "a,b\n") == Rows{{"a", "b"}});
    CHECK(fields("\xef\xbb\xbf\"a\"\n") == Rows{{"a"}});
}

TEST_CASE("a row knows the line that it begins in", "[csv]") {
    const auto rows = read("a\n\"b\nb\"\n\nc\r\n\"d\r\nd\"\r\ne");
    REQUIRE(rows.size() == 5);
    CHECK(rows[0].line == 1);
    CHECK(rows[1].line == 2);
    CHECK(rows[2].line == 5);
    CHECK(rows[3].line == 6);
    CHECK(rows[4].line == 8);
}

TEST_CASE("a broken row is told and the next one is read", "[csv]") {
    const auto rows = read("a\"b,c\n\"a\"b,c\n\"a\" ,c\na\rb,c\ngood,row\n");
    REQUIRE(rows.size() == 5);
    CHECK(rows[0].fault == "has a quotation mark within a field that does not begin with one");
    CHECK(rows[1].fault == "has text behind the closing quotation mark of a field");
    CHECK(rows[2].fault == "has text behind the closing quotation mark of a field");
    CHECK(rows[3].fault == "has a carriage return outside of quotation marks");
    CHECK(rows[4] == Read{.line = 5, .fields = {"good", "row"}, .fault = ""});
}

TEST_CASE("a quotation mark that is not closed ends the file", "[csv]") {
    const auto rows = read("a,b\nc,\"d\ne,f\n");
    REQUIRE(rows.size() == 2);
    CHECK(rows[1].line == 2);
    CHECK(rows[1].fault == "has a quotation mark that is not closed");
}

TEST_CASE("a row without an end is not kept in memory", "[csv]") {
    std::size_t given = 0;
    CsvRow row;
    CsvReader endless([&](std::span<char> into) -> Result<std::size_t> {
        std::ranges::fill(into, 'x');
        given += into.size();
        return into.size();
    });
    REQUIRE(must(endless.next(row)));
    CHECK(row.fault() == "is longer than a mebibyte; perhaps a quotation mark is not closed");
    CHECK(given <= CsvReader::row_bytes_max + (1 << 20));
    CHECK_FALSE(must(endless.next(row)));
}

TEST_CASE("a source that fails fails the reading", "[csv]") {
    int asked = 0;
    CsvReader reader([&](std::span<char> into) -> Result<std::size_t> {
        if (++asked > 1)
            return unavailable("gone");
        into[0] = 'a';
        return 1;
    });
    CsvRow row;
    const auto next = reader.next(row);
    REQUIRE_FALSE(next.has_value());
    CHECK(next.error().message == "gone");
}

TEST_CASE("what is written by the rules is read as it was, from any place and in any pieces", "[csv]") {
    std::mt19937 random(20261121);
    const auto below = [&](std::size_t bound) { return random() % bound; };
    for (int round = 0; round < 300; ++round) {
        std::vector<Read> wanted;
        std::vector<CsvPosition> places;
        std::string text = below(2) == 0 ? "" : "\xef\xbb\xbf";
        CsvPosition place{.offset = text.size(), .line = 1};
        const auto rows = below(20);
        for (std::size_t i = 0; i < rows; ++i) {
            places.push_back(place);
            Read row{.line = place.line, .fields = {}, .fault = ""};
            const auto columns = 1 + below(4);
            for (std::size_t column = 0; column < columns; ++column) {
                std::string field, written;
                for (auto left = below(6) + (columns == 1 ? 1 : 0); left > 0; --left)
                    field += ",\"\n\r a\xc3"[below(7)];
                for (const char c : field)
                    written += c == '"' ? std::string("\"\"") : std::string(1, c);
                const bool quoted = field.find_first_of(",\"\r\n") != std::string::npos || below(3) == 0;
                text += (column == 0 ? "" : ",") + (quoted ? '"' + written + '"' : written);
                row.fields.push_back(field);
            }
            text += below(2) == 0 ? "\n" : "\r\n";
            place.line += 1 + static_cast<std::uint64_t>(std::ranges::count(
                                  [&] {
                                      std::string all;
                                      for (const auto& field : row.fields)
                                          all += field;
                                      return all;
                                  }(),
                                  '\n'));
            place.offset = text.size();
            wanted.push_back(std::move(row));
        }
        INFO(text);
        CHECK(read(text, 1 + below(7)) == wanted);

        if (wanted.empty())
            continue;
        const auto from = below(wanted.size());
        CsvReader reader(source(std::string_view(text).substr(places[from].offset), 5), places[from]);
        CsvRow row;
        for (auto at = from; at < wanted.size(); ++at) {
            CHECK(reader.place().offset == places[at].offset);
            REQUIRE(must(reader.next(row)));
            CHECK(row.line() == wanted[at].line);
            CHECK(row[0] == wanted[at].fields[0]);
        }
        CHECK_FALSE(must(reader.next(row)));
    }
}
