#include "core/base/html.h"

#include <catch2/catch.hpp>

using slashpost::html_text;

TEST_CASE("text within a page means only itself", "[html]") {
    CHECK(html_text("Tom & Jerry's \"show\"") == "Tom &amp; Jerry's &quot;show&quot;");
    CHECK(html_text("</title><script>alert(1)</script>") ==
          "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;");
    CHECK(html_text("\" onload=\"x") == "&quot; onload=&quot;x");
    CHECK(html_text("&lt;") == "&amp;lt;");
    CHECK(html_text("ü\t\n\r") == "ü\t\n\r");
    CHECK(html_text("").empty());
}

TEST_CASE("the size of a text within a page is known without making it", "[html]") {
    for (const std::string text : {"", "plain", "<a href=\"x\">Tom & Jerry</a>", "\x1b\t\x7f", "ü€"})
        CHECK(slashpost::html_size(text) == html_text(text).size());
}

TEST_CASE("what HTML has no character for is replaced", "[html]") {
    CHECK(html_text(std::string_view("a\0b", 3)) == "a\xef\xbf\xbd"
                                                    "b");
    CHECK(html_text("\x1b\x7f") == "\xef\xbf\xbd\xef\xbf\xbd");
    CHECK(html_text("a\xff<") == "a\xef\xbf\xbd&lt;");
    CHECK(html_text("\xc3\xbc\xc3") == "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // cut off at its end
    CHECK(html_text("\xc0\xbcscript>") == "\xef\xbf\xbd\xef\xbf\xbdscript&gt;"); // overlong "<"
}
