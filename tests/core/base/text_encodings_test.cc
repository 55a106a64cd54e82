#include "core/base/text_encodings.h"

#include <catch2/catch.hpp>

using slashpost::utf8_from;

TEST_CASE("text in an encoding of the web becomes UTF-8", "[text_encodings]") {
    CHECK(utf8_from("caf\xe9 \x80", "ISO-8859-1") == "café €"); // windows-1252, as browsers read it
    CHECK(utf8_from("\xa4", "iso-8859-15") == "€");
    CHECK(utf8_from("\xcf\xf0\xe8\xe2\xe5\xf2", "Windows-1251") == "Привет");
    CHECK(utf8_from("\xf0\xd2\xc9\xd7\xc5\xd4", "koi8-r") == "Привет");
    CHECK(utf8_from("\x93\xfa\x96\x7b", "shift_jis") == "日本");
    CHECK(utf8_from("\xc6\xfc\xcb\xdc", "euc-jp") == "日本");
    CHECK(utf8_from("\x1b$BF|K\\\x1b(B", "iso-2022-jp") == "日本");
    CHECK(utf8_from("\xc4\xe3\xba\xc3", "gbk") == "你好");
    CHECK(utf8_from("\xa7\x41\xa6\x6e", "big5") == "你好");
    CHECK(utf8_from("\xc7\xd1\xb1\xdb", "euc-kr") == "한글");
    CHECK(utf8_from(std::string_view("\x3d\xd8\x00\xde", 4), "utf-16le") == "😀");
    CHECK(utf8_from("caf\xc3\xa9", "utf8") == "café");
    CHECK(utf8_from("", "utf-8") == "");
}

TEST_CASE("what stands for no character is replaced", "[text_encodings]") {
    CHECK(utf8_from("a\xff"
                    "b",
                    "utf-8") == "a\xef\xbf\xbd"
                                "b");
    CHECK(utf8_from("caf\xc3", "utf-8") == "caf\xef\xbf\xbd"); // cut off at its end
}

TEST_CASE("a label that names no encoding of the web is refused", "[text_encodings]") {
    for (const auto* label :
         {"", "utf-7", "utf-32", "ibm-037", "scsu", "bocu-1", "hz-gb-2312", "x-user-defined", "utf-8 ",
          "../icudt72l", "/etc/passwd", "windows-1252,swaplfnl"})
        CHECK_FALSE(utf8_from("a", label));
}
