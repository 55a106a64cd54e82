#pragma once
// A page that stands in front of a destination, as values: text as it is stored or was sent, unescaped. Who
// renders it (http/pages/pages.h) escapes.
#include "core/base/id.h"
#include "core/model/visitor.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace slashpost::redirect {

// Whose page it is: how its domain presents itself. Empty but for the first: as any other one does.
struct PageBrand {
    std::string domain; // its name, with a port other than 80 and 443
    std::string name;
    std::string color; // six hexadecimal digits
    std::string logo_url;
    std::string home_text;
};

// One of them may be empty.
struct PageScript {
    std::string uri;  // of a JavaScript, http or https
    std::string text; // HTML, or JavaScript
};

// What the page of a guarded link says.
enum class GateNote : std::uint8_t {
    asks,  // for the password
    wrong, // and that it was another one
    waits, // there were too many wrong ones; the next may come in `wait_seconds`
    busy,  // too many come at once
    shut,  // it is for people only
};

struct GuardedVisit; // core/redirect/gate.h

struct Page {
    enum class Kind : std::uint8_t {
        preview,      // <slashtag>+: what the link is and where it leads, for people
        open_graph,   // for programs that show what an address leads to
        interstitial, // runs the link's scripts, then goes on
        app,          // opens an app, or goes on when it is not there
        gate,         // of a guarded link: asks for its password, or says why it leads nowhere
        qr_code,      // of short_url, which is marked so that visits by it are told apart
        document,     // JSON
    };
    Kind kind = Kind::preview;
    std::shared_ptr<const PageBrand> brand; // of a page for people
    std::string short_url;                  // with scheme, as this visitor reached it
    std::string nonce;                      // of what may run in this page: unguessable, never the same again
    std::string title;
    bool varies = false; // of a preview: not everybody is sent to the same place
    std::string description, image, type, locale;
    std::vector<PageScript> scripts;
    std::string app_url; // opens the app; an interstitial may have one, too
    GateNote note = GateNote::asks;
    std::int64_t wait_seconds = 0;
    std::shared_ptr<const std::string> document;
};

// A page that is still to be made. What takes long is done where no other visitor waits for it: reading rows,
// escaping text, drawing a code. So the thread that serves the visit only notes what was asked for, and
// nothing here points into the request.
struct PageOrder {
    Page::Kind kind = Page::Kind::preview;
    LinkId link;
    std::string scripts; // their ids, 16 bytes each, in order
    bool opens_apps = false;
    System system = System::unknown;        // of the visitor
    bool secure = false;                    // came by HTTPS
    std::shared_ptr<const PageBrand> brand; // of the domain
    std::string slashtag;                   // as it is looked up
    std::string query;                      // the visitor's
    std::string location;                   // where the page leads, safe in a header
    std::string location_of_missing; // where to go instead when there is nothing to preview; may be empty
    unsigned redirect_type = 302;    // when there is nothing to stand in front of `location` after all
    std::shared_ptr<GuardedVisit> guarded; // with Kind::gate
};

} // namespace slashpost::redirect
