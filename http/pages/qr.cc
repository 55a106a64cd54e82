#include "http/pages/qr.h"

#include "core/base/percent.h"
#include "http/pages/srgb.h"

#include <fmt/format.h>
#include <png.h>
#include <qrcodegen/qrcodegen.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <csetjmp>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace slashpost::http {

namespace {

using qrcodegen::QrCode;

constexpr int size_min = 64, size_max = 2048, size_usual = 256;
constexpr int margin_max = 16, margin_usual = 4;
// Of a PNG, for two modules. Some are as wide as others and one more; with fewer pixels readers take the one
// for the other (zbar does up to 2.3 a module).
constexpr int pixels_of_two_modules = 5;
// Of a code's edge, for a logo, in percent. In each of the 40 versions of codes at level H (ISO/IEC 18004)
// that spoils five eighths at most of the codewords that any block can lose, counted by the codewords that
// modules in the middle belong to; the rest is for scratches. With 30 % it is 10 of 11 in version 13.
constexpr int space_max = 24;
constexpr double contrast_min = 3; // as the dashboard has it

struct Color {
    std::uint32_t rgb = 0; // of what is transparent, how it is judged
    bool transparent = false;
};
constexpr std::uint32_t white = 0xffffff;

struct Wish {
    bool png = false;
    QrCode::Ecc ecc = QrCode::Ecc::MEDIUM;
    int size = size_usual;
    int margin = margin_usual;
    int space = 0;
    Color color = {.rgb = 0};
    Color background = {.rgb = white};
};

// A code with the space in its middle, where nothing is dark.
struct Drawing {
    QrCode code;
    int space_at = 0, space_edge = 0; // in modules

    // Outside of the code all is light.
    [[nodiscard]] bool dark(int x, int y) const {
        const auto spared = [&](int at) { return at >= space_at && at < space_at + space_edge; };
        return code.getModule(x, y) && !(spared(x) && spared(y));
    }
};

bool read_number(std::string_view text, int min, int max, int& out) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < min || value > max)
        return false;
    out = value;
    return true;
}

bool read_ecc(std::string_view text, QrCode::Ecc& out) {
    constexpr std::string_view names = "LMQH";
    constexpr QrCode::Ecc levels[]{QrCode::Ecc::LOW, QrCode::Ecc::MEDIUM, QrCode::Ecc::QUARTILE,
                                   QrCode::Ecc::HIGH};
    const auto at = text.size() == 1 ? names.find(text) : names.npos;
    if (at == names.npos)
        return false;
    out = levels[at];
    return true;
}

bool read_color(std::string_view text, Color& out) {
    constexpr std::size_t digits = 6;
    if (text.starts_with('#'))
        text.remove_prefix(1);
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (error != std::errc() || end != text.data() + text.size() || text.size() != digits)
        return false;
    out = {.rgb = value};
    return true;
}

bool read_background(std::string_view text, Color& out) {
    if (text != "transparent")
        return read_color(text, out);
    out = {.rgb = white, .transparent = true};
    return true;
}

// Why one parameter is refused; nothing when it is fine.
std::string_view read(std::string_view name, std::string_view value, Wish& wish) {
    constexpr std::array<std::string_view, 7> known{"format", "size",       "margin", "ecc",
                                                    "color",  "background", "space"};
    if (std::ranges::find(known, name) == known.end())
        return "A code has the parameters format, size, margin, ecc, color, background and space.";
    if (value.empty())
        return {};
    if (name == "format") {
        wish.png = value == "png";
        return wish.png || value == "svg" ? "" : "format must be svg or png.";
    }
    if (name == "size")
        return read_number(value, size_min, size_max, wish.size) ? "" : "size must be 64 to 2048.";
    if (name == "margin")
        return read_number(value, 0, margin_max, wish.margin) ? "" : "margin must be 0 to 16.";
    if (name == "color")
        return read_color(value, wish.color) ? "" : "color must be RRGGBB, six hexadecimal digits.";
    if (name == "background")
        return read_background(value, wish.background)
                   ? ""
                   : "background must be RRGGBB, six hexadecimal digits, or transparent.";
    if (name == "space")
        return read_number(value, 0, space_max, wish.space) ? "" : "space must be 0 to 24.";
    return read_ecc(value, wish.ecc) ? "" : "ecc must be L, M, Q or H.";
}

std::string_view read(std::string_view query, Wish& wish) {
    std::string_view problem;
    while (!query.empty() && problem.empty()) {
        const auto parameter = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(parameter.size() + 1, query.size()));
        if (parameter.empty())
            continue;
        const auto name = parameter.substr(0, parameter.find('='));
        const auto value = parameter.substr(std::min(name.size() + 1, parameter.size()));
        problem = read(name, percent_decoded(value), wish);
    }
    if (problem.empty() && contrast(wish.background.rgb, wish.color.rgb) < contrast_min)
        problem = "color must be darker than background, which is white where it is transparent, by a "
                  "contrast of 3:1 at least.";
    return problem;
}

Drawing draw(std::string_view text, const Wish& wish) {
    const auto ecc = wish.space > 0 ? QrCode::Ecc::HIGH : wish.ecc;
    Drawing out{.code = QrCode::encodeText(std::string(text).c_str(), ecc)};
    // In the middle of an odd number of modules stands an odd number of them; no more than were asked for.
    const int modules = out.code.getSize(), most = modules * wish.space / 100;
    out.space_edge = most % 2 == 1 ? most : std::max(most - 1, 0);
    out.space_at = (modules - out.space_edge) / 2;
    return out;
}

// One path of all dark modules, row by row.
std::string svg(const Drawing& drawing, const Wish& wish) {
    const int modules = drawing.code.getSize(), edge = modules + 2 * wish.margin;
    auto out =
        fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
                    "width=\"{0}\" height=\"{0}\" viewBox=\"0 0 {1} {1}\" shape-rendering=\"crispEdges\">",
                    wish.size, edge);
    if (!wish.background.transparent)
        out += fmt::format("<path fill=\"#{0:06x}\" d=\"M0 0h{1}v{1}H0z\"/>", wish.background.rgb, edge);
    out += fmt::format("<path fill=\"#{:06x}\" d=\"", wish.color.rgb);
    for (int y = 0; y < modules; ++y)
        for (int x = 0; x < modules; ++x) {
            int run = 0;
            while (drawing.dark(x + run, y))
                ++run;
            if (run > 0)
                out += fmt::format("M{} {}h{}v1h-{}z", x + wish.margin, y + wish.margin, run, run);
            x += run;
        }
    return out += "\"/></svg>\n";
}

void append_png_bytes(png_structp png, png_bytep bytes, png_size_t count) {
    static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(bytes), count);
}

// Tells the library of the two colours that a bit stands for.
void set_colors(png_structp png, png_infop info, const Wish& wish) {
    const auto entry = [](Color color) {
        return png_color{.red = static_cast<png_byte>(color.rgb >> 16U),
                         .green = static_cast<png_byte>(color.rgb >> 8U),
                         .blue = static_cast<png_byte>(color.rgb)};
    };
    const std::array<png_color, 2> palette{entry(wish.color), entry(wish.background)};
    png_set_PLTE(png, info, palette.data(), static_cast<int>(palette.size()));
    const std::array<png_byte, 2> opacity{0xff, 0};
    if (wish.background.transparent)
        png_set_tRNS(png, info, opacity.data(), static_cast<int>(opacity.size()), nullptr);
}

// One bit a pixel, 0 where it is dark. A pixel shows the module that is there when the code with its margin
// fills the picture, so modules are of two widths that differ by a pixel. Empty when the library fails, which
// it does without memory only.
std::string png(const Drawing& drawing, const Wish& wish) {
    const int modules = drawing.code.getSize(), edge = modules + 2 * wish.margin;
    const auto module_at = [&](int pixel) { return (2 * pixel + 1) * edge / (2 * wish.size) - wish.margin; };
    const auto row_bytes = static_cast<std::size_t>(wish.size + 7) / 8;
    std::vector<png_byte> rows(row_bytes * static_cast<std::size_t>(modules), 0xff);
    const std::vector<png_byte> light_row(row_bytes, 0xff);
    for (int y = 0; y < modules; ++y)
        for (int pixel = 0; pixel < wish.size; ++pixel)
            if (drawing.dark(module_at(pixel), y)) {
                const auto at = static_cast<std::size_t>(pixel);
                auto& byte = rows[row_bytes * static_cast<std::size_t>(y) + at / 8];
                byte = static_cast<png_byte>(byte & ~(0x80U >> (at % 8)));
            }

    std::string out;
    auto* writer = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    auto* info = writer == nullptr ? nullptr : png_create_info_struct(writer);
    // From here to the end the library may jump back: nothing with a destructor may be made there.
    if (info == nullptr || setjmp(png_jmpbuf(writer)) != 0) { // NOLINT(cert-err52-cpp): the library's own way
        png_destroy_write_struct(&writer, &info);
        return {};
    }
    const auto size = static_cast<png_uint_32>(wish.size);
    png_set_write_fn(writer, &out, append_png_bytes, nullptr);
    png_set_IHDR(writer, info, size, size, 1, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    set_colors(writer, info, wish);
    png_set_filter(writer, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_set_compression_level(writer, 3); // twice as fast as what is usual; a code is a few KB all the same
    png_write_info(writer, info);
    for (int pixel = 0; pixel < wish.size; ++pixel) {
        const int y = module_at(pixel);
        png_write_row(writer, y >= 0 && y < modules ? &rows[row_bytes * static_cast<std::size_t>(y)]
                                                    : light_row.data());
    }
    png_write_end(writer, info);
    png_destroy_write_struct(&writer, &info);
    return out;
}

Reply text_reply(unsigned status, std::string text) {
    return {.status = status,
            .headers = {{"Content-Type", "text/plain; charset=utf-8"},
                        {"X-Content-Type-Options", "nosniff"},
                        {"Cache-Control", "private, no-store"}},
            .body = std::move(text)};
}

} // namespace

Reply qr_code_reply(std::string_view text, std::string_view query) {
    Wish wish;
    if (const auto problem = read(query, wish); !problem.empty())
        return text_reply(400, fmt::format("{}\n", problem));
    const auto drawing = draw(text, wish);
    const int edge = drawing.code.getSize() + 2 * wish.margin;
    if (const int least = wish.png ? (edge * pixels_of_two_modules + 1) / 2 : edge; least > wish.size)
        return text_reply(400, fmt::format("size must be {} at least for this code.\n", least));
    auto picture = wish.png ? png(drawing, wish) : svg(drawing, wish);
    if (picture.empty())
        return text_reply(503, "The picture could not be made; try again in a moment.\n");
    return {.status = 200,
            .headers = {{"Content-Type", wish.png ? "image/png" : "image/svg+xml"},
                        {"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
                        {"X-Content-Type-Options", "nosniff"},
                        {"Cache-Control", "private, max-age=300"}},
            .body = std::move(picture)};
}

} // namespace slashpost::http
