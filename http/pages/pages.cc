#include "http/pages/pages.h"

#include "core/base/html.h"
#include "http/pages/gate_page.h"
#include "http/pages/page_frame.h"
#include "http/pages/page_scripts.h"
#include "http/pages/qr.h"

#include <fmt/format.h>

#include <algorithm>

namespace slashpost::http {

namespace {

using redirect::Page;

PageFrame frame_of(const Page& page) {
    // Whoever makes a preview of a page may show it; everything else here is in front of somebody else's
    // page.
    return {.brand = page.brand.get(),
            .nonce = page.nonce,
            .is_found = page.kind == Page::Kind::open_graph,
            .has_form = page.kind == Page::Kind::gate};
}

std::string preview_body(const Page& page, std::string_view location) {
    std::string out;
    append_beginning(out, frame_of(page), page.title);
    const auto short_url = html_text(page.short_url);
    out += fmt::format(
        "<h1 dir=\"auto\">{}</h1>\n<p><strong>{}</strong> leads to:</p>\n<p class=\"to\"><bdi>{}</bdi></p>\n",
        html_text(page.title), short_url, html_text(location));
    if (page.varies)
        out += "<p class=\"soft\">Some visitors are sent elsewhere, as the link's owner has set.</p>\n";
    out += fmt::format("<p><a class=\"go\" rel=\"noreferrer\" href=\"{}\">Continue</a></p>\n", short_url);
    append_end(out, frame_of(page));
    return out;
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
    append_beginning(out, frame_of(page), page.title, head);
    out +=
        fmt::format("<h1 dir=\"auto\">{}</h1>\n<p dir=\"auto\">{}</p>\n<p><a href=\"{}\">Continue</a></p>\n",
                    html_text(page.title), html_text(page.description), html_text(location));
    append_end(out, frame_of(page));
    return out;
}

// Goes on by itself, whatever the browser can; what is visible is for when it does not.
std::string leaving_body(const Page& page, std::string_view location) {
    const auto to = html_text(location), app = html_text(page.app_url);
    std::string out;
    append_beginning(
        out, frame_of(page), "One moment",
        fmt::format("<noscript><meta http-equiv=\"refresh\" content=\"0;url={}\"></noscript>\n", to));
    out += "<h1>One moment</h1>\n<p>You are on your way to the page behind this link.</p>\n";
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
    append_end(out, frame_of(page));
    return out;
}

// What the page may run and load: nothing, but for what is named here.
std::string policy(const Page& page) {
    auto out = frame_policy(frame_of(page));
    if (page.kind == Page::Kind::interstitial || page.kind == Page::Kind::app)
        out += fmt::format("; script-src 'nonce-{}' 'strict-dynamic'", page.nonce);
    if (page.kind == Page::Kind::interstitial) {
        // Where the page itself came by plain HTTP, nothing is gained by refusing the same to its scripts.
        const auto* const schemes = page.short_url.starts_with("https:") ? "https:" : "https: http:";
        out += fmt::format("; img-src {0} data:; connect-src {0}; frame-src {0}", schemes);
    } else {
        out += picture_policy(frame_of(page));
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
    case Page::Kind::gate: {
        auto reply = html_reply(page, gate_body(page, frame_of(page)));
        reply.status = gate_status(page.note);
        if (page.note == redirect::GateNote::waits || page.note == redirect::GateNote::busy)
            reply.headers.push_back(
                {"Retry-After", std::to_string(std::max<std::int64_t>(page.wait_seconds, 1))});
        return reply;
    }
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
