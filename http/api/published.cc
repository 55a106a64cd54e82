#include "http/api/published.h"

#include "core/base/text.h"
#include "http/api/entity_tags.h"

#include <charconv>
#include <fmt/format.h>
#include <new>
#include <zlib.h>

namespace slashpost::api {

namespace {

constexpr int gzip_window_bits = 15 + 16; // the largest window, and gzip's frame instead of zlib's
constexpr int memory_level = 9;

std::string packed(std::string_view text) {
    z_stream stream{};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_window_bits, memory_level,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    std::string out(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data())); // zlib only reads it
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH); // has room for all of it, and so ends at once
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

// "gzip;q=0.5"
struct Weighed {
    std::string coding; // lower case
    double weight = 1;  // 0: not acceptable
};

Weighed read_weighed(std::string_view item) {
    const auto semicolon = item.find(';');
    Weighed out{.coding = lower_ascii(trim(item.substr(0, semicolon)))};
    if (semicolon == item.npos)
        return out;
    const auto parameter = trim(item.substr(semicolon + 1));
    if (!parameter.starts_with("q=") && !parameter.starts_with("Q="))
        return out;
    const auto number = parameter.substr(2);
    const auto end = number.data() + number.size();
    const auto read = std::from_chars(number.data(), end, out.weight);
    if (read.ec != std::errc() || read.ptr != end)
        out.weight = 0; // what we cannot read, we do not rely on
    return out;
}

bool takes_gzip(const http::Request& request) {
    double gzip = -1; // not named
    double plain = -1;
    double others = 0;
    each_listed(request, "accept-encoding", [&](std::string_view item) {
        const auto [coding, weight] = read_weighed(item);
        if (coding == "gzip" || coding == "x-gzip")
            gzip = weight;
        else if (coding == "identity")
            plain = weight;
        else if (coding == "*")
            others = weight;
    });
    if (gzip < 0)
        gzip = others;
    return gzip > 0 && gzip >= plain;
}

} // namespace

Published::Published(std::string text)
    : plain_{.body = std::move(text), .encoding = {}, .tag = {}},
      packed_{.body = packed(plain_.body), .encoding = "gzip", .tag = entity_tag(plain_.body, "-gzip")} {
    plain_.tag = entity_tag(plain_.body);
}

const Published::Edition& Published::edition_for(const http::Request& request) const {
    return takes_gzip(request) ? packed_ : plain_;
}

} // namespace slashpost::api
