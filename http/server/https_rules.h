#pragma once
// What is decided before a visitor's request is looked at as a short address: the answers by which a
// certificate authority checks a host (ACME, HTTP-01), and whether the plain port sends visitors to HTTPS.
//
// Only hosts that a certificate covers are sent: nobody is sent to a warning.
#include "http/server/certificates.h"
#include "http/server/parser.h"
#include "http/server/render.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace slashpost::http {

struct HttpsRules {
    enum class Redirect : std::uint8_t { off, on, on_loopback_too };

    Redirect redirect = Redirect::off;
    const Certificates* certificates = nullptr; // null: no HTTPS
    std::uint16_t https_port = 443;             // as clients see it; 0: that of the listener with TLS
    // The webroot that certbot is told: files are in `.well-known/acme-challenge/` of it. Empty: none.
    std::filesystem::path acme_webroot;
    // What the server answers that gets certificates by itself, by token; from any thread, for any token that
    // a stranger sends. Empty: it does not.
    std::function<std::optional<std::string>(std::string_view token)> find_challenge = {};

    // Whether `answer` ever answers.
    [[nodiscard]] bool any() const;
    // Puts the answer behind `out` and returns its status; nothing when the request is for others.
    std::optional<unsigned> answer(const RequestHead& head, bool secure, std::string_view date_line,
                                   Persistence persistence, std::string& out) const;

  private:
    unsigned answer_challenge(const RequestHead& head, std::string_view date_line, Persistence persistence,
                              std::string& out) const;
    [[nodiscard]] std::optional<std::string> secure_address(const RequestHead& head) const;
};

} // namespace slashpost::http
