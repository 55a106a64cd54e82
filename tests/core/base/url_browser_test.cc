// Destinations beside a browser's URL parser: tests/data/destinations.tsv holds what the parser makes of some
// 2,000 odd addresses (tests/data/destinations.mjs makes the file).
#include "core/base/host.h"
#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/base/url.h"

#include <catch2/catch.hpp>
#include <fstream>

using namespace slashpost;

namespace {

// Undoes the escapes of the file: \\ and \xHH.
std::string unescaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\') {
            out += text[i];
        } else if (text[++i] == '\\') {
            out += '\\';
        } else {
            out += percent_decoded("%" + std::string(text.substr(i + 1, 2)));
            i += 2;
        }
    }
    return out;
}

// A path without its "." and ".." segments, escaped or not.
std::string resolved_path(std::string_view path) {
    std::vector<std::string_view> kept;
    while (!path.empty()) {
        path.remove_prefix(1); // the slash
        const auto segment = path.substr(0, path.find('/'));
        path.remove_prefix(segment.size());
        const auto dots = percent_decoded(segment);
        const auto goes_up = dots == "..";
        if (goes_up && !kept.empty())
            kept.pop_back();
        if (!goes_up && dots != ".")
            kept.push_back(segment);
        else if (path.empty())
            kept.emplace_back();
    }
    std::string out;
    for (const auto segment : kept)
        out.append("/").append(segment);
    return out.empty() ? "/" : out;
}

// What a browser makes of a stored form. That is strict, so a few lines tell.
std::string browser_form(std::string_view stored) {
    const auto scheme = lower_ascii(stored.substr(0, stored.find(':')));
    stored.remove_prefix(scheme.size() + 3);
    const auto authority = split_authority(stored.substr(0, stored.find_first_of("/?#")));
    REQUIRE(authority);
    stored.remove_prefix(std::min(stored.find_first_of("/?#"), stored.size()));
    std::string out = scheme + "://";
    append_uri_text(out, browser_host(authority->host).value_or("no host"));
    if (const auto port = authority->port_number(); port && *port != (scheme == "http" ? 80 : 443))
        out += ":" + std::to_string(*port);
    const auto path = stored.substr(0, stored.find_first_of("?#"));
    stored.remove_prefix(path.size());
    out += resolved_path(path);
    const auto query = stored.substr(0, stored.find('#'));
    for (const char c : query)
        out += c == '\'' ? std::string("%27") : std::string(1, c);
    return out.append(stored.substr(query.size()));
}

} // namespace

TEST_CASE("every address that a browser opens is accepted and leads to the same place", "[url][threat-3]") {
    std::ifstream file(SLASHPOST_TEST_DATA "/destinations.tsv");
    REQUIRE(file);
    std::size_t accepted = 0, refused = 0;
    for (std::string line; std::getline(file, line);) {
        const auto tab = line.find('\t');
        REQUIRE(tab != line.npos);
        const auto expected = line.substr(tab + 1);
        const auto read = destination("destination", unescaped(std::string_view(line).substr(0, tab)));
        CAPTURE(line);
        CHECK((read ? browser_form(read->stored) : "-") == expected);
        if (read)
            CHECK(destination("destination", read->stored)->stored == read->stored);
        ++(read ? accepted : refused);
    }
    CHECK(accepted > 1000);
    CHECK(refused > 500);
}
