#include "core/base/html_title.h"

#include <catch2/catch.hpp>

#include <chrono>

using namespace slashpost;
using namespace std::string_view_literals;

namespace {

constexpr HtmlTitleBounds bounds{.title = 255, .description = 2'000};

std::string title(std::string_view page, std::string_view content_type = "text/html") {
    return html_title(page, content_type, bounds).title;
}
std::string description(std::string_view page) { return html_title(page, "text/html", bounds).description; }

std::string repeated(std::string_view text, std::size_t bytes) {
    std::string out;
    while (out.size() < bytes)
        out += text;
    return out;
}

} // namespace

TEST_CASE("a page is called what its og:title says, else its title", "[html_title]") {
    CHECK(title("<!DOCTYPE html><html><head><title>Summer sale</title></head>") == "Summer sale");
    CHECK(title("<title>Summer sale | Shop</title><meta property=\"og:title\" content=\"Summer sale\">") ==
          "Summer sale");
    CHECK(title("<meta property=\"og:title\" content=\" \"><title>Sale</title>") == "Sale");
    CHECK(title("<title> </title><title>Second</title><title>Third</title>") == "Second");
    CHECK(title("<TITLE lang=en>Loud</TiTlE >") == "Loud");
    CHECK(title("<meta name='og:title' content='By name'>") == "By name");
    CHECK(title("<p>No title</p>").empty());
    CHECK(title("").empty());
}

TEST_CASE("a page is described by og:description, else by its description", "[html_title]") {
    CHECK(description("<meta name=description content='For all'>") == "For all");
    CHECK(description("<meta name=description content='For all'>"
                      "<meta property=og:description content='For you'>") == "For you");
    CHECK(description("<META CONTENT=\"Any order\" NAME=\"Description\" />") == "Any order");
    CHECK(description("<meta name=keywords content=none><title>x</title>").empty());
}

TEST_CASE("attributes are read as browsers read them", "[html_title]") {
    CHECK(title("<meta content=\"a 'quoted' > b\" property=\"og:title\">") == "a 'quoted' > b");
    CHECK(title("<meta content='a \"quoted\" <title>no</title>' property='og:title'>") ==
          "a \"quoted\" <title>no</title>");
    CHECK(title("<meta\nproperty\t=\r\n'og:title'content='Close'>") == "Close");
    CHECK(title("<meta property=og:title content=one content=two>") == "one");
    CHECK(title("<meta/property=og:title/content=x>").empty()); // one value, with all of the rest in it
    CHECK(title("<meta property=\"og:title\" data-content=\"no\" content=yes>") == "yes");
    CHECK(title("<meta = \" property=og:title content=x>") == "x");
    CHECK(title("<metal property=og:title content=x><title>Real</title>") == "Real");
}

TEST_CASE("what only looks like a title is none", "[html_title]") {
    CHECK(title("<!-- <title>Comment</title> --><title>Real</title>") == "Real");
    CHECK(title("<!--><title>Real</title>") == "Real");
    CHECK(title("<!---><title>Real</title>-->") == "Real");
    CHECK(title("<script>document.write('<title>Script</title>')</script><title>Real</title>") == "Real");
    CHECK(title("<script><!-- </scripts> <title>no</title></script\n><title>Real</title>") == "Real");
    CHECK(title("<style>a:after{content:'<title>Style</title>'}</style><title>Real</title>") == "Real");
    CHECK(title("<svg><g><title>Drawing</title></g></svg><title>Real</title>") == "Real");
    CHECK(title("<svg viewBox='0 0 1 1'/><title>Real</title>") == "Real");
    CHECK(title("</svg><title>Real</title>") == "Real");
    CHECK(title("<textarea><title>Typed</title></textarea><title>Real</title>") == "Real");
    CHECK(title("<noscript><title>Without</title></noscript><title>Real</title>") == "Real");
    CHECK(title("a < b <1> </1> <?xml <title?> <title>Real</title>") == "Real");
    CHECK(title("</title><titles>no</titles><title>Real</title>") == "Real");
}

TEST_CASE("tags within a title are its text", "[html_title]") {
    CHECK(title("<title>a <b>bold</b> </titles> <!-- x --> title</title>") ==
          "a <b>bold</b> </titles> <!-- x --> title");
}

TEST_CASE("where a page breaks off is its end", "[html_title]") {
    for (const auto* page :
         {"<title>Never ended", "<title>Never ended</title", "<title>Never ended</titl>", "<title", "<", "</",
          "<!--<title>x</title>", "<script><title>x</title>",
          "<meta property=og:title content=\"x><title>x</title>", "<p title=\"<title>x</title>",
          "<meta property=og:title content", "<meta property=og:title content=x", "<title>x</title\xff>"}) {
        INFO(page);
        CHECK(title(page).empty());
    }
    CHECK(title("<meta property=og:title content=Kept><title>Never ended") == "Kept");
}

TEST_CASE("references are decoded once, and what is none stays", "[html_title]") {
    CHECK(title("<title>Tom &amp; Jerry &lt;3 &#8211; &#x2014; &quot;&apos;</title>") ==
          "Tom & Jerry <3 – — \"'");
    CHECK(title("<title>&Auml;&auml;&szlig;&eacute;&yuml;&Agrave;&times;&divide;</title>") == "ÄäßéÿÀ×÷");
    CHECK(title("<title>&amp;lt;b&amp;gt;</title>") == "&lt;b&gt;");
    CHECK(title("<title>5&euro;&nbsp;&hellip;&bdquo;x&ldquo;</title>") == "5€ …„x“");
    CHECK(title("<title>&#150;&#128;&#x92;</title>") == "–€’"); // of windows-1252, as browsers have them
    CHECK(title("<title>a&#0;b&#xD800;&#x110000;&#9999999;</title>") ==
          "a\xef\xbf\xbd"
          "b\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    CHECK(title("<title>R&D &; &# &#; &#x; &#xg; &unknown; &amp &#99999999999;</title>") ==
          "R&D &; &# &#; &#x; &#xg; &unknown; &amp &#99999999999;");
    CHECK(title("<meta property=og:title content='&lt;b&gt;&#39;'>") == "<b>'");
}

TEST_CASE("a title is one line without controls, and no longer than one may be", "[html_title]") {
    CHECK(title("<title>\n  Summer\r\n\t sale&nbsp; \n</title>") == "Summer sale");
    CHECK(title("<title>a\0b\x1b[31m\x7f&#1;&#x202e;c</title>"sv) == "ab[31mc");
    const auto longer =
        html_title("<title>" + repeated("ä", 3'000) + "</title><meta name=description content='" +
                       repeated("ab ", 9'000) + "'>",
                   "text/html", bounds);
    CHECK(longer.title == repeated("ä", 510));
    CHECK(longer.description.size() == 2'000);
    CHECK(longer.description.ends_with("ab ab"));
    CHECK(html_title("<title>ab cd</title>", "", {.title = 3, .description = 0}).title == "ab");
}

TEST_CASE("a page is read in the encoding that it says", "[html_title]") {
    CHECK(title("<title>caf\xc3\xa9</title>") == "café");
    CHECK(title("<title>caf\xe9 \x96 \x80</title>") == "café – €"); // windows-1252, as nothing is said
    CHECK(title("<title>\xcf\xf0\xe8\xe2\xe5\xf2</title>", "text/html; charset=windows-1251") == "Привет");
    CHECK(title("<title>\xcf\xf0\xe8\xe2\xe5\xf2</title>", "text/html;Charset=\"Windows-1251\"; x=y") ==
          "Привет");
    CHECK(title("<meta charset=shift_jis><title>\x93\xfa\x96\x7b</title>") == "日本");
    CHECK(title("<meta http-equiv=Content-Type content='text/html; "
                "charset=gb2312'><title>\xc4\xe3\xba\xc3</title>") == "你好");
    CHECK(title("<meta charset=windows-1251><title>caf\xc3\xa9</title>", "text/html; charset=utf-8") ==
          "café");
    CHECK(title("\xef\xbb\xbf<meta charset=windows-1251><title>caf\xc3\xa9</title>",
                "text/html; charset=koi8-r") == "café");
    CHECK(title("\xff\xfe<\0t\0i\0t\0l\0e\0>\0\xe9\0<\0/\0t\0i\0t\0l\0e\0>\0"sv) == "é");
    CHECK(title("\xfe\xff\0<\0t\0i\0t\0l\0e\0>\0\xe9\0<\0/\0t\0i\0t\0l\0e\0>"sv) == "é");
    CHECK(title("<meta charset=utf-16><title>caf\xc3\xa9</title>") == "café");
    for (const auto* label : {"utf-7", "x-user-defined", "../../etc/passwd", "\"\"", "none"})
        CHECK(title("<title>caf\xc3\xa9</title>", std::string("text/html; charset=") + label) == "café");
    CHECK(title(repeated("<!-- -->", 1'024) + "<meta charset=windows-1251><title>\xe9</title>") == "é");
    // The bound of what is fetched cuts a character in two.
    CHECK(title("<title>caf\xc3\xa9</title><p>\xe2\x82") == "café");
    CHECK(title("<title>caf\xe9</title>", "text/html; charset=utf-8") == "caf\xef\xbf\xbd");
}

TEST_CASE("pages made to be slow are read at once", "[html_title]") {
    constexpr std::size_t bytes = 256UL * 1024;
    const auto begun = std::chrono::steady_clock::now();
    for (const auto* piece : {"<",
                              "<!--",
                              "<!-- -->",
                              "<title>",
                              "<script>",
                              "<svg>",
                              "<svg><title>x</title>",
                              "<a b='",
                              "<a b=\"'\"",
                              "&",
                              "&a;",
                              "</title",
                              "<title></titl",
                              "<a a a a a a a ",
                              "<meta property=og:title content=' '>",
                              "=",
                              "<?",
                              "<title>&nbsp;</title>",
                              "<meta name=description charset=x ",
                              "\xff"})
        CHECK(title(repeated(piece, bytes)).empty());
    CHECK(title("<title>" + repeated("&a;", bytes) + "</title>").size() == 255);
    CHECK(title("<title>" + repeated(" ", bytes) + "x</title>") == "x");
    CHECK(title("<title>" + repeated("</x", bytes) + "</title>").size() == 255);
    CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(20)); // under sanitizers, too
}
