#pragma once
// A page that stands in front of a destination, as values: text as it is stored or was sent, unescaped. Who
// renders it (http/pages.h) escapes.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace slashpost::redirect {

// One of them may be empty.
struct PageScript {
    std::string uri;  // of a JavaScript, http or https
    std::string text; // HTML, or JavaScript
};

struct Page {
    enum class Kind : std::uint8_t {
        preview,      // <slashtag>+: what the link is and where it leads, for people
        open_graph,   // for programs that show what an address leads to
        interstitial, // runs the link's scripts, then goes on
        app,          // opens an app, or goes on when it is not there
        qr_code,      // of short_url
        document,     // JSON
    };
    Kind kind = Kind::preview;
    std::string short_url; // with scheme, as this visitor reached it
    std::string nonce;     // of what may run in this page: unguessable, never the same again
    std::string title;
    bool varies = false; // of a preview: not everybody is sent to the same place
    std::string description, image, type, locale;
    std::vector<PageScript> scripts;
    std::string app_url; // opens the app; an interstitial may have one, too
    std::shared_ptr<const std::string> document;
};

} // namespace slashpost::redirect
