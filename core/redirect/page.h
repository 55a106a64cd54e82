#pragma once
// A page that stands in front of a destination, as values: text as it is stored or was sent, unescaped. Who
// renders it (http/pages.h) escapes.
#include <cstdint>
#include <string>
#include <vector>

namespace slashpost::redirect {

struct PageScript {
    std::string text; // HTML or JavaScript; empty when there is a uri
    std::string uri;
};

struct Page {
    enum class Kind : std::uint8_t {
        preview,      // <slashtag>+: what the link is and where it leads, for people
        open_graph,   // for programs that show what an address leads to
        interstitial, // runs the link's scripts, then goes on
        app,          // opens an app, or goes on when it is not there
        qr_code,      // of short_url
        document,     // `text`, JSON
    };
    Kind kind = Kind::preview;
    std::string short_url; // with scheme
    std::string title, description, image, type, locale;
    std::vector<PageScript> scripts;
    std::string app_url;
    std::string text;
};

} // namespace slashpost::redirect
