#include "http/pages/pages.h"

#include "core/base/html.h"
#include "http/pages/page_scripts.h"
#include "http/pages/qr.h"

#include <fmt/format.h>

namespace slashpost::http {

namespace {

using redirect::Page;

constexpr std::string_view style = R"(
body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;color:#1c1c1e;background:#fff}
h1{font-size:1.4rem}p,h1{overflow-wrap:anywhere}a{color:#0a58ca}.go{display:inline-block;padding:.6rem 1rem;
border:1px solid #0a58ca;border-radius:.4rem;text-decoration:none}.soft{color:#5c5c61}
@media(prefers-color-scheme:dark){body{color:#f2f2f2;background:#161618}a{color:#8ab4ff}.go{border-color:#8ab4ff}
.soft{color:#a5a5aa}}
)";

// The beginning of a page up to the title and what `head` adds behind it.
void append_beginning(std::string& out, const Page& page, std::string_view title,
                      std::string_view head = {}) {
    out += "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>";
    append_html(out, title);
    out +=
        fmt::format("</title>\n{}<style nonce=\"{}\">{}</style></head>\n<body>\n", head, page.nonce, style);
}

constexpr std::string_view end = "</body></html>\n";
constexpr std::string_view no_index = "<meta name=\"robots\" content=\"noindex\">\n";

std::string preview_body(const Page& page, std::string_view location) {
    std::string out;
    append_beginning(out, page, page.title, no_index);
    const auto short_url = html_text(page.short_url);
    out +=
        fmt::format("<h1 dir=\"auto\">{}</h1>\n<p><strong>{}</strong> leads to:</p>\n<p><bdi>{}</bdi></p>\n",
                    html_text(page.title), short_url, html_text(location));
    if (page.varies)
        out += "<p class=\"soft\">Some visitors are sent elsewhere, as the link's owner has set.</p>\n";
    out += fmt::format("<p><a class=\"go\" rel=\"noreferrer\" href=\"{}\">Continue</a></p>\n", short_url);
    return out.append(end);
}

void append_meta(std::string& out, std::string_view kind, std::string_view name, std::string_view content) {
    if (!content.empty())
        out += fmt::format("<meta {}=\"{}\" content=\"{}\">\n", kind, name, html_text(content));
}

std::string open_graph_body(const Page& page, std::string_view location) {
    std::string head;
    append_meta(head, "name", "description", page.description);
    append_meta(head, "property", "og:url", page.short_url);
    append_meta(head, "property", "og:type", page.type.empty() ? "website" : std::string_view(page.type));
    append_meta(head, "property", "og:title", page.title);
    append_meta(head, "property", "og:description", page.description);
    append_meta(head, "property", "og:image", page.image);
    append_meta(head, "property", "og:locale", page.locale);
    append_meta(head, "name", "twitter:card", page.image.empty() ? "summary" : "summary_large_image");
    std::string out;
    append_beginning(out, page, page.title, head);
    out +=
        fmt::format("<h1 dir=\"auto\">{}</h1>\n<p dir=\"auto\">{}</p>\n<p><a href=\"{}\">Continue</a></p>\n",
                    html_text(page.title), html_text(page.description), html_text(location));
    return out.append(end);
}

// Goes on by itself, whatever the browser can; what is visible is for when it does not.
std::string leaving_body(const Page& page, std::string_view location) {
    const auto to = html_text(location), app = html_text(page.app_url);
    std::string out;
    append_beginning(
        out, page, "One moment",
        fmt::format("{}<noscript><meta http-equiv=\"refresh\" content=\"0;url={}\"></noscript>\n", no_index,
                    to));
    if (app.empty())
        out += fmt::format("<p><a id=\"go\" class=\"go\" href=\"{}\">Continue</a></p>\n", to);
    else
        out += fmt::format("<p><a class=\"go\" href=\"{0}\">Open the app</a></p>\n"
                           "<p><a id=\"go\" data-app=\"{0}\" href=\"{1}\">Continue without it</a></p>\n",
                           app, to);
    for (const auto& script : page.scripts) {
        out += "<i hidden data-uri=\"";
        append_html(out, script.uri);
        out += "\" data-text=\"";
        append_html(out, script.text);
        out += "\"></i>\n";
    }
    out += fmt::format("<script nonce=\"{}\">(function () {{{}{}}})();</script>\n", page.nonce, leave_script,
                       page.scripts.empty() ? std::string_view("leave();\n") : run_script);
    return out.append(end);
}

// What the page may run and load: nothing, but for what is named here.
std::string policy(const Page& page) {
    auto out = fmt::format("default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
                           "style-src 'nonce-{}'",
                           page.nonce);
    if (page.kind == Page::Kind::interstitial || page.kind == Page::Kind::app)
        out += fmt::format("; script-src 'nonce-{}' 'strict-dynamic'", page.nonce);
    if (page.kind == Page::Kind::interstitial) {
        // Where the page itself came by plain HTTP, nothing is gained by refusing the same to its scripts.
        const auto* const schemes = page.short_url.starts_with("https:") ? "https:" : "https: http:";
        out += fmt::format("; img-src {0} data:; connect-src {0}; frame-src {0}", schemes);
    }
    return out;
}

Reply html_reply(const Page& page, std::string body) {
    // Whoever is measured or visited from an interstitial learns the short domain, as from any page, and not
    // the short address; from our other pages nothing.
    const bool measures = page.kind == Page::Kind::interstitial || page.kind == Page::Kind::app;
    return {.status = 200,
            .headers = {{"Content-Type", "text/html; charset=utf-8"},
                        {"Content-Security-Policy", policy(page)},
                        {"Referrer-Policy", measures ? "strict-origin-when-cross-origin" : "no-referrer"},
                        {"X-Content-Type-Options", "nosniff"},
                        {"Cache-Control", "private, no-store"}},
            .body = std::move(body)};
}

} // namespace

Reply render_page(const Page& page, std::string_view location, std::string_view query) {
    switch (page.kind) {
    case Page::Kind::preview:
        return html_reply(page, preview_body(page, location));
    case Page::Kind::open_graph:
        return html_reply(page, open_graph_body(page, location));
    case Page::Kind::interstitial:
    case Page::Kind::app:
        return html_reply(page, leaving_body(page, location));
    case Page::Kind::qr_code:
        return qr_code_reply(page.short_url, query);
    case Page::Kind::document:
        break;
    }
    return {.status = 200,
            .headers = {{"Content-Type", "application/json"},
                        {"X-Content-Type-Options", "nosniff"},
                        {"Cache-Control", "public, max-age=300"}},
            .body = page.document ? *page.document : std::string()};
}

} // namespace slashpost::http
