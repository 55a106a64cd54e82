#include "core/base/csv_text.h"

#include <catch2/catch.hpp>

using namespace slashpost;

namespace {
std::string row(std::initializer_list<std::string_view> fields) {
    std::string out;
    append_csv_row(out, fields);
    return out;
}
} // namespace

TEST_CASE("fields with separators, quotation marks or line ends stand in quotation marks", "[csv]") {
    CHECK(row({"a", "b,c", "say \"so\"", "two\nlines", "", " x"}) ==
          "a,\"b,c\",\"say \"\"so\"\"\",\"two\nlines\",,\" x\"\r\n");
}

TEST_CASE("a field that a spreadsheet would run begins with an apostrophe", "[csv]") {
    CHECK(row({"=1+1", "+49", "-1", "@home", "\tx", "\ry", "a=b"}) ==
          "'=1+1,'+49,'-1,'@home,'\tx,\"'\ry\",a=b\r\n");
}

TEST_CASE("what was given is found again behind the apostrophe", "[csv]") {
    for (const std::string_view given : {"=1", "'=1", "''=1", "'quoted'", "plain", "", "'"}) {
        CAPTURE(given);
        auto written = row({given});
        written.resize(written.size() - 2);
        CHECK(without_csv_apostrophe(written) == given);
    }
    CHECK(without_csv_apostrophe("'tis") == "'tis");
}
