#pragma once
// A text of the program's own that everybody may read, such as the OpenAPI document, ready to be sent: packed
// once, and with tags by which a client that has it already is told so instead of getting it again.
#include "http/server/message.h"

#include <string>
#include <string_view>

namespace slashpost::api {

class Published {
  public:
    // Packs the text, which takes some ten milliseconds for half a megabyte.
    explicit Published(std::string text);

    [[nodiscard]] const std::string& text() const { return plain_.body; }

    // One of the two forms that the text is sent in.
    struct Edition {
        std::string body;
        std::string_view encoding; // of RFC 9110, 8.4; empty: none
        std::string tag;           // of RFC 9110, 8.8.3, with its quotes
    };
    // Packed where the request lets us (RFC 9110, 12.5.3).
    [[nodiscard]] const Edition& edition_for(const http::Request& request) const;

  private:
    Edition plain_;
    Edition packed_;
};

} // namespace slashpost::api
