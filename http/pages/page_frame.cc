#include "http/pages/page_frame.h"

#include "core/base/base64.h"
#include "core/base/html.h"
#include "core/base/secret.h"
#include "http/pages/srgb.h"

#include <fmt/format.h>

#include <charconv>

namespace slashpost::http {

namespace {

constexpr std::string_view style = R"(
:root{color-scheme:light dark;--page:#f3f4f6;--card:#fff;--ink:#1c1c1e;--soft:#5a5a60;--line:#dfe1e6;
--brand:#0a58ca;--on-brand:#fff}
@media(prefers-color-scheme:dark){:root{--page:#101113;--card:#1b1c1f;--ink:#f2f2f2;--soft:#a9a9af;--line:#36383d;
--brand:#8ab4ff;--on-brand:#101113}.logo{background:#fff;padding:.4rem}}
*{box-sizing:border-box}
body{min-height:100vh;margin:0;padding:1.5rem 1rem;display:flex;flex-direction:column;align-items:center;
justify-content:center;gap:1rem;font:1rem/1.55 system-ui,sans-serif;color:var(--ink);background:var(--page);
overflow-wrap:anywhere}
main{width:100%;max-width:34rem;padding:2rem 1.75rem 1.75rem;border:1px solid var(--line);border-radius:.75rem;
background:linear-gradient(var(--brand),var(--brand)) top/100% .3rem no-repeat var(--card);
box-shadow:0 1px 3px #0001,0 8px 24px #0001}
header{display:flex;align-items:center;gap:.75rem;margin-bottom:1.5rem;font-weight:600}
.logo{display:block;max-width:60%;max-height:3rem;border-radius:.4rem}
h1{margin:0 0 .75rem;font-size:1.5rem;line-height:1.25}p{margin:.75rem 0}main>:last-child{margin-bottom:0}
.lines{white-space:pre-line}.soft,footer{color:var(--soft);font-size:.9rem}
a{display:inline-block;padding:.2rem 0;color:inherit}
.to{padding:.75rem;background:var(--page);border:1px solid var(--line);border-radius:.5rem;font-size:.95rem}
.go{display:inline-block;padding:.65rem 1.4rem;border:1px solid #8884;border-radius:.5rem;font-weight:600;
text-decoration:none;color:var(--on-brand);background:var(--brand)}
button.go{font:inherit;font-weight:600;cursor:pointer}label{display:block;margin:.75rem 0 .25rem}
input{width:100%;margin-bottom:1rem;padding:.6rem .75rem;font:inherit;color:inherit;background:var(--page);
border:1px solid #8888;border-radius:.5rem}
.wrong{padding-left:.75rem;border-left:.25rem solid #d33}
)";

// Whether black can be read better on the colour than white: where the two contrasts are the same, by the
// formula of WCAG 2, the luminance is 0.179.
bool is_light(std::string_view color) {
    std::uint32_t rgb = 0;
    std::from_chars(color.data(), color.data() + color.size(), rgb, 16);
    return relative_luminance(rgb) > 0.179;
}

// In both themes the same, so what is written on it is black or white, whichever can be read.
std::string brand_style(std::string_view color) {
    return fmt::format(":root{{--brand:#{};--on-brand:{}}}", color, is_light(color) ? "#000" : "#fff");
}

bool has_color(const PageFrame& frame) { return frame.brand && !frame.brand->color.empty(); }

void append_style(std::string& out, const PageFrame& frame, std::string_view text) {
    if (frame.nonce.empty())
        out += fmt::format("<style>{}</style>\n", text);
    else
        out += fmt::format("<style nonce=\"{}\">{}</style>\n", frame.nonce, text);
}

// How a policy names a style that it allows: by what stands between the tags, to the byte.
std::string hash_source(std::string_view text) { return fmt::format("'sha256-{}'", base64(sha256(text))); }

// The picture, which nothing waits for, and the name that the domain has beside its own, or that one.
void append_header(std::string& out, const redirect::PageBrand& brand) {
    out += "<header>";
    if (!brand.logo_url.empty())
        out += fmt::format("<img class=\"logo\" src=\"{}\" alt=\"\" loading=\"lazy\" "
                           "referrerpolicy=\"no-referrer\">",
                           html_text(brand.logo_url));
    out += fmt::format("<bdi>{}</bdi></header>\n", html_text(brand.name.empty() ? brand.domain : brand.name));
}

} // namespace

void append_beginning(std::string& out, const PageFrame& frame, std::string_view title,
                      std::string_view head) {
    out += "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    if (!frame.is_found)
        out += "<meta name=\"robots\" content=\"noindex\">\n";
    out += "<title>";
    append_html(out, title);
    out += "</title>\n";
    out += head;
    append_style(out, frame, style);
    if (has_color(frame))
        append_style(out, frame, brand_style(frame.brand->color));
    out += "</head>\n<body><main>\n";
    if (frame.brand)
        append_header(out, *frame.brand);
}

void append_end(std::string& out, const PageFrame& frame) {
    out += "</main>\n";
    if (frame.brand && !frame.brand->name.empty())
        out += fmt::format("<footer><bdi>{}</bdi></footer>\n", html_text(frame.brand->domain));
    out += "</body></html>\n";
}

std::string frame_policy(const PageFrame& frame) {
    static const auto style_hash = hash_source(style);
    std::string out = "default-src 'none'; base-uri 'none'; ";
    if (!frame.has_form)
        out += "form-action 'none'; ";
    out += "frame-ancestors 'none'; ";
    if (!frame.nonce.empty())
        return out += fmt::format("style-src 'nonce-{}'", frame.nonce);
    out += "style-src " + style_hash;
    if (has_color(frame))
        out += " " + hash_source(brand_style(frame.brand->color));
    return out;
}

// Its host is all that is named: an address may have characters that mean something in a policy.
std::string picture_policy(const PageFrame& frame) {
    constexpr std::string_view scheme = "https://";
    if (!frame.brand || !frame.brand->logo_url.starts_with(scheme))
        return {};
    const std::string_view url = frame.brand->logo_url;
    return fmt::format("; img-src {}", url.substr(0, url.find_first_of("/?#\\", scheme.size())));
}

} // namespace slashpost::http
