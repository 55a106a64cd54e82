#include "http/pages/qr.h"

#include <catch2/catch.hpp>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace slashpost::http {

namespace {

constexpr std::string_view short_url = "https://go.example.com/sale";

std::string header(const Reply& reply, std::string_view name) {
    for (const auto& one : reply.headers)
        if (one.name == name)
            return one.value;
    return {};
}

// The edge of a PNG in pixels, as libpng reads it; 0 when it is none. `gray` gets its pixels.
unsigned edge_of(const std::string& picture, std::vector<unsigned char>* gray = nullptr) {
    png_image image;
    std::memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&image, picture.data(), picture.size()) == 0)
        return 0;
    image.format = PNG_FORMAT_GRAY;
    std::vector<unsigned char> pixels(PNG_IMAGE_SIZE(image));
    if (png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr) == 0 || image.width != image.height)
        return 0;
    if (gray != nullptr)
        *gray = std::move(pixels);
    return image.width;
}

std::string refused(std::string_view query) {
    const auto reply = qr_code_reply(short_url, query);
    return std::to_string(reply.status) + " " + reply.body;
}

} // namespace

TEST_CASE("a code is an SVG of 256 pixels unless told otherwise", "[qr]") {
    const auto reply = qr_code_reply(short_url, {});
    CHECK(reply.status == 200);
    CHECK(header(reply, "Content-Type") == "image/svg+xml");
    CHECK(header(reply, "X-Content-Type-Options") == "nosniff");
    CHECK(header(reply, "Content-Security-Policy") == "default-src 'none'; frame-ancestors 'none'");
    CHECK(header(reply, "Cache-Control") == "private, max-age=300");
    // 27 bytes need version 3 (29 modules) at level M, and 4 modules of margin go on each side.
    CHECK(reply.body.find("width=\"256\" height=\"256\" viewBox=\"0 0 37 37\"") != std::string::npos);
    CHECK(reply.body.find("M4 4h7v1h-7z") != std::string::npos); // the top of the mark in the corner
    for (const auto* query : {"format=svg", "format=&size=&ecc=&margin=", "size=256&ecc=M&margin=4", "&&"})
        CHECK(qr_code_reply(short_url, query).body == reply.body);
}

TEST_CASE("a code as PNG has exactly the size that was asked for, and a white edge", "[qr]") {
    CHECK(header(qr_code_reply(short_url, "format=png"), "Content-Type") == "image/png");
    for (const auto* size : {"93", "100", "256", "333", "2048"}) {
        std::vector<unsigned char> gray;
        const auto reply = qr_code_reply(short_url, "format=png&size=" + std::string(size));
        const auto edge = edge_of(reply.body, &gray);
        CHECK(std::to_string(edge) == size);
        const auto dark = static_cast<std::size_t>(std::ranges::count(gray, 0));
        CHECK(dark + static_cast<std::size_t>(std::ranges::count(gray, 255)) == gray.size());
        CHECK(dark > gray.size() / 16);
        CHECK(dark < gray.size() / 2);
        for (std::size_t i = 0; i < edge; ++i)
            for (const auto at : {i, i * edge, i * edge + edge - 1, (edge - 1) * edge + i})
                CHECK(gray[at] == 255);
    }
}

TEST_CASE("a code as PNG keeps to its margin", "[qr]") {
    // 29 modules, and the corners of a code are dark.
    for (const int size : {73, 100, 256, 333, 2048})
        for (const int margin : {0, 1, 4, 16}) {
            if (5 * (29 + 2 * margin) > 2 * size)
                continue;
            INFO(size << " pixels, a margin of " << margin);
            std::vector<unsigned char> gray;
            const auto edge = edge_of(qr_code_reply(short_url, "format=png&size=" + std::to_string(size) +
                                                                   "&margin=" + std::to_string(margin))
                                          .body,
                                      &gray);
            REQUIRE(edge == static_cast<unsigned>(size));
            // The first dark pixel on the way in from the corner, and the last one on the way out of the
            // upper right.
            std::size_t first = 0, last = edge - 1;
            while (first < edge && gray[first * edge + first] == 255)
                ++first;
            while (last > 0 && gray[first * edge + last] == 255)
                --last;
            const double module = size / (29.0 + 2 * margin);
            CHECK(std::abs(static_cast<double>(first) - margin * module) <= 1);
            CHECK(std::abs(static_cast<double>(edge - 1 - last) - margin * module) <= 1);
        }
}

TEST_CASE("more error correction needs more modules, a margin more room", "[qr]") {
    const auto box = [](std::string_view query) {
        const auto body = qr_code_reply(short_url, query).body;
        const auto at = body.find("viewBox=\"0 0 ") + 13;
        return body.substr(at, body.find(' ', at) - at);
    };
    CHECK(box("ecc=L&margin=0") == "25");
    CHECK(box("ecc=M&margin=0") == "29");
    CHECK(box("ecc=Q&margin=0") == "29");
    CHECK(box("ecc=H&margin=0") == "33");
    CHECK(box("ecc=L&margin=16") == "57");
    CHECK(box("ecc=%4c&margin=%30") == "25");
}

TEST_CASE("what a code cannot be is refused with a sentence that repeats nothing", "[qr]") {
    for (const auto* query : {"format=gif", "format=PNG", "format=<script>", "format=svg%00"})
        CHECK(refused(query) == "400 format must be svg or png.\n");
    for (const auto* query : {"size=63", "size=2049", "size=-64", "size=1e3", "size=64px", "size= 64",
                              "size=+64", "size=99999999999999999999", "size=%0d%0aX:y"})
        CHECK(refused(query) == "400 size must be 64 to 2048.\n");
    for (const auto* query : {"ecc=X", "ecc=l", "ecc=LM", "ecc=0"})
        CHECK(refused(query) == "400 ecc must be L, M, Q or H.\n");
    for (const auto* query : {"margin=17", "margin=-1", "margin=a"})
        CHECK(refused(query) == "400 margin must be 0 to 16.\n");
    for (const auto* query : {"x=y", "=", "Size=64", "size=64&logo=1", "utm_source=x", "%3Cb%3E"})
        CHECK(refused(query) ==
              "400 A code has the parameters format, size, margin, ecc, color, background and space.\n");
    CHECK(refused("size=100&size=1") == "400 size must be 64 to 2048.\n");
    const auto reply = qr_code_reply(short_url, "size=1");
    CHECK(header(reply, "Content-Type") == "text/plain; charset=utf-8");
    CHECK(header(reply, "X-Content-Type-Options") == "nosniff");
}

TEST_CASE("a PNG whose modules are too small for readers is refused with the size that is not", "[qr]") {
    CHECK(refused("format=png&size=64") == "400 size must be 93 at least for this code.\n");
    CHECK(refused("format=png&size=92") == "400 size must be 93 at least for this code.\n");
    CHECK(qr_code_reply(short_url, "format=png&size=93").status == 200);
    CHECK(refused("format=png&size=72&margin=0") == "400 size must be 73 at least for this code.\n");
    CHECK(qr_code_reply(short_url, "format=png&size=73&margin=0").status == 200);
    CHECK(qr_code_reply(short_url, "format=svg&size=64").status == 200); // whoever draws it has no pixels yet
}

TEST_CASE("a code as SVG has the colours that were asked for", "[qr]") {
    const auto usual = qr_code_reply(short_url, {}).body;
    CHECK(usual.find("<path fill=\"#ffffff\" d=\"M0 0h37v37H0z\"/><path fill=\"#000000\" d=\"M4 4h7v1h-7z") !=
          std::string::npos);
    for (const auto* query : {"color=0A3d62&background=fff4d6", "color=%230a3D62&background=%23FFF4D6",
                              "background=transparent&background=fff4d6&color=0a3d62"}) {
        INFO(query);
        const auto body = qr_code_reply(short_url, query).body;
        CHECK(body.find(
                  "<path fill=\"#fff4d6\" d=\"M0 0h37v37H0z\"/><path fill=\"#0a3d62\" d=\"M4 4h7v1h-7z") !=
              std::string::npos);
        CHECK(body.size() == usual.size());
    }
    const auto bare = qr_code_reply(short_url, "background=transparent").body;
    CHECK(bare.find("crispEdges\"><path fill=\"#000000\" d=\"M4 4h7v1h-7z") != std::string::npos);
    CHECK(bare.find("#ffffff") == std::string::npos);
}

TEST_CASE("a code as PNG has a palette of its two colours", "[qr]") {
    const auto plain = qr_code_reply(short_url, "format=png").body;
    CHECK(plain.substr(24, 2) == std::string("\x01\x03")); // one bit a pixel, of a palette (PNG, 11.2.1)
    CHECK(plain.find(std::string("PLTE\x00\x00\x00\xff\xff\xff", 10)) != std::string::npos);
    CHECK(plain.find("tRNS") == std::string::npos);
    CHECK(plain.size() < 2'000);

    const auto colored = qr_code_reply(short_url, "format=png&color=0a3d62&background=fff4d6").body;
    CHECK(colored.find(std::string("PLTE\x0a\x3d\x62\xff\xf4\xd6", 10)) != std::string::npos);
    CHECK(colored.size() == plain.size());
    CHECK(edge_of(colored) == 256);

    const auto bare = qr_code_reply(short_url, "format=png&color=0a3d62&background=transparent").body;
    CHECK(bare.find(std::string("PLTE\x0a\x3d\x62\xff\xff\xff", 10)) != std::string::npos);
    CHECK(bare.find(std::string("tRNS\xff\x00", 6)) != std::string::npos);
    CHECK(edge_of(bare) == 256);
}

TEST_CASE("colours that readers cannot tell apart are refused", "[qr]") {
    constexpr auto sentence = "400 color must be darker than background, which is white where it is "
                              "transparent, by a contrast of 3:1 at least.\n";
    // 2.995, 2.998, 1.37 and 1 to 1; then what is light on dark.
    for (const auto* query : {"color=959595", "background=595959", "color=00ff00", "color=ffffff",
                              "color=ffffff&background=000000", "color=ffff00&background=0000ff",
                              "color=959595&background=transparent", "color=ffffff&background=transparent"})
        for (const auto* format : {"", "&format=png"})
            CHECK(refused(std::string(query) + format) == sentence);
    // 3.03, 3.04, 3.998 and 5.25 to 1.
    for (const auto* query : {"color=949494", "background=5a5a5a", "color=ff0000", "background=ff0000",
                              "color=949494&background=transparent", "color=0000ff&background=ffff00"})
        CHECK(qr_code_reply(short_url, query).status == 200);
}

TEST_CASE("what is no colour is refused with a sentence that repeats nothing", "[qr]") {
    for (const auto* value :
         {"red", "000", "0000000", "00000g", "0x0000", "-00000", "+00000", "%23", "%23%23000000", "000000%00",
          " 000000", "transparent", "%22/%3E%3Cb%3E", "rgb(0,0,0)"})
        CHECK(refused(std::string("color=") + value) ==
              "400 color must be RRGGBB, six hexadecimal digits.\n");
    for (const auto* value : {"white", "fff", "fffffff", "%23fffff", "Transparent", "none", "transparent%20"})
        CHECK(refused(std::string("background=") + value) ==
              "400 background must be RRGGBB, six hexadecimal digits, or transparent.\n");
    CHECK(qr_code_reply(short_url, "color=&background=&space=").body == qr_code_reply(short_url, {}).body);
}

TEST_CASE("a space is kept free in the middle of a code, which has the most error correction then", "[qr]") {
    // 27 bytes need version 4 (33 modules) at level H. Of its edge 24 % are 7.92 modules: 7, from 13 to 19.
    const auto body = qr_code_reply(short_url, "space=24&ecc=L&margin=0").body;
    CHECK(body.find("viewBox=\"0 0 33 33\"") != std::string::npos);
    CHECK(qr_code_reply(short_url, "space=24&ecc=H&margin=0").body == body);

    // 330 pixels: ten a module.
    const auto pixels = [](std::string_view query) {
        std::vector<unsigned char> gray;
        CHECK(edge_of(qr_code_reply(short_url, "format=png&size=330&margin=0&" + std::string(query)).body,
                      &gray) == 330);
        return gray;
    };
    const auto whole = pixels("ecc=H"), holed = pixels("space=24");
    int dark_inside = 0, changed_outside = 0;
    for (std::size_t y = 0; y < 330; ++y)
        for (std::size_t x = 0; x < 330; ++x) {
            const bool inside = x >= 130 && x < 200 && y >= 130 && y < 200;
            const auto at = y * 330 + x;
            dark_inside += inside && holed[at] == 0 ? 1 : 0;
            changed_outside += !inside && whole[at] != holed[at] ? 1 : 0;
        }
    CHECK(dark_inside == 0);
    CHECK(changed_outside == 0);
    CHECK(std::ranges::count(whole, 0) > std::ranges::count(holed, 0));

    // No more than was asked for: 7 modules are 21.2 %, and an odd number is in the middle of 33.
    CHECK(pixels("space=22") == holed);
    CHECK(pixels("space=21") == pixels("space=16"));
    CHECK(pixels("space=21") != holed);
    CHECK(pixels("space=2") == whole);
    CHECK(pixels("space=0&ecc=H") == whole);
    for (const auto* query : {"space=25", "space=-1", "space=24%25", "space=1.5", "space=x"})
        CHECK(refused(query) == "400 space must be 0 to 24.\n");
}

TEST_CASE("the longest short address has a code, if it is given the room", "[qr]") {
    const std::string longest = "https://" + std::string(259, 'a') + "/" + std::string(255, 'b');
    CHECK(qr_code_reply(longest, "ecc=H&size=64").body == "size must be 125 at least for this code.\n");
    CHECK(qr_code_reply(longest, "ecc=H&size=125").status == 200);
    CHECK(edge_of(qr_code_reply(longest, "ecc=H&format=png&size=313").body) == 313);
    CHECK(edge_of(qr_code_reply(longest, "space=24&format=png&size=313").body) == 313);
}

} // namespace slashpost::http
