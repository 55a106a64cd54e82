#include "http/pages/plain_pages.h"

#include "core/base/html.h"
#include "http/pages/page_frame.h"

#include <fmt/format.h>

namespace slashpost::http {

namespace {

struct Text {
    std::string_view title;
    std::string_view markup; // below the title
};

Text text_of(PlainPage page) {
    switch (page) {
    case PlainPage::home:
        return {.title = "Short links",
                .markup = "<p>This address carries short links. Add one to it to get somewhere.</p>\n"};
    case PlainPage::door:
        return {.title = "Slashpost",
                .markup = "<p>Short links are made here with the API: <a href=\"/v1/docs\">how to call "
                          "it</a>.</p>\n"};
    case PlainPage::expired:
        return {.title = "This link has ended",
                .markup = "<p>It led somewhere for a time, and does not any more.</p>\n"};
    case PlainPage::missing:
        break;
    }
    return {.title = "Not found",
            .markup = "<p>There is no such link here, or not any more. Check the address for typing "
                      "mistakes.</p>\n"};
}

std::string body_of(PlainPage page, const PageFrame& frame) {
    const auto text = text_of(page);
    const auto* const brand = frame.brand;
    std::string title(text.title);
    if (brand)
        title = fmt::format("{} – {}", text.title, brand->name.empty() ? brand->domain : brand->name);
    std::string out;
    append_beginning(out, frame, title);
    out += fmt::format("<h1>{}</h1>\n", text.title);
    if (page == PlainPage::home && brand && !brand->home_text.empty())
        out += fmt::format("<p class=\"lines\" dir=\"auto\">{}</p>\n", html_text(brand->home_text));
    else
        out += text.markup;
    append_end(out, frame);
    return out;
}

} // namespace

Reply plain_page(PlainPage page, const redirect::PageBrand* brand) {
    const bool is_there = page == PlainPage::home || page == PlainPage::door;
    const PageFrame frame{.brand = page == PlainPage::door ? nullptr : brand};
    return {.status = is_there ? 200U : 404U,
            .headers = {{"Content-Type", "text/html; charset=utf-8"},
                        {"Content-Security-Policy", frame_policy(frame) + picture_policy(frame)},
                        {"Referrer-Policy", "no-referrer"},
                        {"X-Content-Type-Options", "nosniff"},
                        // A link may be made the next moment.
                        {"Cache-Control", is_there ? "private, max-age=60" : "private, no-store"}},
            .body = body_of(page, frame)};
}

} // namespace slashpost::http
