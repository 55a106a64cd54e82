#include "http/pages/gate_page.h"

#include "core/base/html.h"
#include "core/base/percent.h"
#include "core/base/query.h"

#include <fmt/format.h>

#include <algorithm>

namespace slashpost::http {

namespace {

using redirect::GateNote;

constexpr std::string_view field_name = "password";

std::string_view heading_of(GateNote note) {
    switch (note) {
    case GateNote::asks:
    case GateNote::wrong:
        return "This link asks for a password";
    case GateNote::waits:
        return "Too many tries";
    case GateNote::busy:
        return "Many people come at once";
    case GateNote::shut:
        break;
    }
    return "This link is for people";
}

// "40 seconds", "15 minutes": rounded up, as nobody counts seconds for longer.
std::string words_of(std::int64_t seconds) {
    constexpr std::int64_t minute = 60, counted_max = 2 * minute;
    if (seconds <= counted_max)
        return seconds == 1 ? "1 second" : fmt::format("{} seconds", seconds);
    return fmt::format("{} minutes", (seconds + minute - 1) / minute);
}

// Posted to the very address that was visited, with its query.
std::string form(bool was_wrong) {
    return fmt::format("{}<form method=\"post\">\n<label for=\"password\">Password</label>\n"
                       "<input id=\"password\" name=\"{}\" type=\"password\" autocomplete=\"off\" required "
                       "autofocus{}>\n<button class=\"go\">Continue</button>\n</form>\n",
                       was_wrong
                           ? "<p id=\"wrong\" class=\"wrong\" role=\"alert\">That is not the password.</p>\n"
                           : "<p>Whoever sent you the link knows it.</p>\n",
                       field_name, was_wrong ? " aria-invalid=\"true\" aria-describedby=\"wrong\"" : "");
}

} // namespace

unsigned gate_status(GateNote note) {
    switch (note) {
    case GateNote::wrong:
        return 403;
    case GateNote::waits:
        return 429;
    case GateNote::busy:
        return 503;
    case GateNote::asks:
    case GateNote::shut:
        break;
    }
    return 200;
}

std::string gate_body(const redirect::Page& page, const PageFrame& frame) {
    std::string out;
    append_beginning(out, frame, heading_of(page.note));
    out += fmt::format("<h1>{}</h1>\n", heading_of(page.note));
    switch (page.note) {
    case GateNote::asks:
    case GateNote::wrong:
        out += form(page.note == GateNote::wrong);
        break;
    case GateNote::waits:
        out += fmt::format("<p>The password may be tried again in {}.</p>\n", words_of(page.wait_seconds));
        break;
    case GateNote::busy:
        out += "<p>Please send the password again in a moment.</p>\n" + form(false);
        break;
    case GateNote::shut:
        out += fmt::format(
            "<p>It leads on for so many visitors only, so programs that look at addresses are not "
            "told where.</p>\n<p><a class=\"go\" rel=\"noreferrer\" href=\"{}\">Continue</a></p>\n",
            html_text(page.short_url));
        break;
    }
    append_end(out, frame);
    return out;
}

std::string password_of_form(std::string_view body) {
    std::string out;
    bool found = false;
    each_parameter(body, [&](std::string_view parameter, std::string_view name) {
        if (found || name != field_name)
            return;
        found = true;
        parameter.remove_prefix(std::min(name.size() + 1, parameter.size()));
        std::string sent(parameter);
        std::ranges::replace(sent, '+', ' ');
        out = percent_decoded(sent);
    });
    return out;
}

} // namespace slashpost::http
