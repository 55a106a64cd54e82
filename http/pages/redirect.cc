#include "http/pages/redirect.h"

#include "core/base/host.h"
#include "core/base/local_host.h"
#include "core/base/text.h"
#include "core/redirect/gate.h"
#include "http/pages/gate_page.h"
#include "http/pages/pages.h"
#include "http/pages/plain_pages.h"
#include "http/server/session.h"

#include <optional>

namespace slashpost::http {

namespace {

using redirect::Outcome;

// An answer that is known beforehand, to the byte; text, unless it is empty.
struct Page {
    unsigned status;
    std::string_view caching;
    std::string_view body;
};

// Not cached: the link may be made the next moment.
constexpr std::string_view never = "Cache-Control: private, no-store\r\n";

constexpr std::string_view retry_soon = "Retry-After: 1\r\n";
constexpr std::string_view text_headers = "Content-Type: text/plain; charset=utf-8\r\n"
                                          "X-Content-Type-Options: nosniff\r\n";

constexpr Page robots{200, "Cache-Control: public, max-age=3600\r\n", "User-agent: *\nDisallow:\n"};
constexpr Page nothing_known{404, "Cache-Control: public, max-age=60\r\n", "Not found.\n"};
constexpr Page favicon{204, "Cache-Control: public, max-age=86400\r\n", {}};
constexpr Page wrong_method{405, never,
                            "Short links answer GET and HEAD, and others where they are redirected with 307 "
                            "or 308.\n"};
constexpr Page unavailable{503, never, "The service is not available; try again in a moment.\n"};

// For what is neither a redirect nor a page of a domain.
const Page& page_for(Outcome outcome) {
    switch (outcome) {
    case Outcome::robots:
        return robots;
    case Outcome::favicon:
        return favicon;
    case Outcome::well_known:
        return nothing_known;
    default:
        return unavailable;
    }
}

std::optional<PlainPage> plain_page_for(Outcome outcome) {
    switch (outcome) {
    case Outcome::home:
        return PlainPage::home;
    case Outcome::missing:
    case Outcome::unknown_host:
        return PlainPage::missing;
    case Outcome::expired:
        return PlainPage::expired;
    default:
        return std::nullopt;
    }
}

void append_page(std::string& out, const Page& page, Method method, std::string_view date_line,
                 Persistence persistence) {
    append_head(out, page.status, date_line, persistence);
    if (!page.body.empty())
        out.append(text_headers);
    out.append(page.caching);
    if (page.status == 405)
        out.append("Allow: GET, HEAD\r\n");
    if (page.status == 503)
        out.append(retry_soon);
    if (page.status != 204)
        append_content_length(out, page.body.size());
    out.append("\r\n");
    if (method != Method::head)
        out.append(page.body);
}

// The same as a reply.
Reply reply_of(const Page& page) {
    Reply reply{.status = page.status, .headers = {}, .body = std::string(page.body)};
    const auto add = [&](std::string_view lines) {
        while (!lines.empty()) {
            const auto line = lines.substr(0, lines.find("\r\n"));
            const auto colon = line.find(": ");
            reply.headers.push_back(
                {std::string(line.substr(0, colon)), std::string(line.substr(colon + 2))});
            lines.remove_prefix(line.size() + 2);
        }
    };
    if (!page.body.empty())
        add(text_headers);
    add(page.caching);
    if (page.status == 503)
        add(retry_soon);
    return reply;
}

// Whether the visitor is sent elsewhere: not with a page, nor by one of the fixed ones.
bool leads_elsewhere(const redirect::Answer& answer) {
    return !answer.location.empty() &&
           (answer.outcome == Outcome::forward || answer.outcome == Outcome::home ||
            answer.outcome == Outcome::missing || answer.outcome == Outcome::expired);
}

bool reads(Method method) { return method == Method::get || method == Method::head; }

// Whether a method is one that goes on to a destination together with its body.
bool may_be_kept(Method method) {
    return method == Method::post || method == Method::put || method == Method::patch ||
           method == Method::del;
}

// Leads to a link's destination even who would get a page in front of it: there is none for a form that is
// sent. Whatever is no link is read only.
void keep_method(redirect::Answer& answer) {
    using Kind = redirect::Page::Kind;
    const bool in_front = answer.outcome == Outcome::ordered && answer.order &&
                          answer.order->kind != Kind::preview && answer.order->kind != Kind::qr_code &&
                          answer.order->kind != Kind::gate; // which came to be guarded just now
    answer.order.reset();
    answer.page.reset();
    if (in_front)
        answer.outcome = Outcome::forward;
    else if (answer.outcome != Outcome::forward)
        answer.location.clear();
}

// Where the link says, as it says; anywhere else for now only.
unsigned redirect_status(const redirect::Answer& answer) {
    return answer.outcome == Outcome::forward ? answer.redirect_type : 302;
}

std::string_view redirect_caching(unsigned status) {
    return status == 301 || status == 308 ? "Cache-Control: private, max-age=90\r\n" : never;
}

// Whether who opens the host itself looks for the API rather than for a link: on the hosts that the operator
// has named for it, otherwise on this machine. Visitors of other domains are told nothing of it.
bool leads_to_api(const ApiScope* scope, std::string_view host) {
    if (scope == nullptr)
        return false;
    if (!scope->hosts.empty())
        return scope->covers_host(host);
    const auto name = normal_host(host);
    return name && is_local_host(*name);
}

} // namespace

unsigned Redirects::serve(const RequestHead& head, std::string_view date_line, Persistence persistence,
                          std::string& out, const Sender& client) {
    const auto send_page = [&](const Page& page) {
        append_page(out, page, head.method, date_line, persistence);
        return page.status;
    };
    const auto send = [&](const Reply& reply) {
        append_reply(out, reply, head.method, date_line, persistence);
        return reply.status;
    };
    const bool posts = head.method == Method::post && redirector_.is_guarded(head.host, head.path);
    if (!reads(head.method) && !posts &&
        !(may_be_kept(head.method) && redirector_.keeps_method(head.host, head.path)))
        return send_page(wrong_method);

    answer_.outcome = Outcome::missing;
    answer_.redirect_type = 302;
    answer_.location.clear();
    answer_.brand.reset();
    answer_.page.reset();
    answer_.order.reset();
    redirector_.answer({.host = head.host,
                        .path = head.path,
                        .query = head.query,
                        .user_agent = head.user_agent,
                        .accept_language = head.accept_language,
                        .referrer = head.referrer,
                        .address = client.address,
                        .secure = client.secure,
                        .objects = head.objects,
                        .counts = (head.method == Method::get || posts) && !head.prefetch,
                        .posts = posts},
                       lane_, answer_);
    if (!reads(head.method) && !posts) [[unlikely]] {
        keep_method(answer_);
        if (answer_.outcome != Outcome::forward && answer_.outcome != Outcome::missing &&
            answer_.outcome != Outcome::expired && answer_.outcome != Outcome::unavailable)
            return send_page(wrong_method);
    }
    if (answer_.outcome == Outcome::ordered && answer_.order) [[unlikely]]
        return 0;
    if (answer_.outcome == Outcome::page && answer_.page)
        return send(render_page(*answer_.page, answer_.location, head.query));
    if (!leads_elsewhere(answer_)) {
        const bool at_the_door = answer_.outcome == Outcome::home || answer_.outcome == Outcome::unknown_host;
        const bool is_door = at_the_door && head.path == "/" && leads_to_api(scope_, head.host);
        const auto plain = is_door ? PlainPage::door : plain_page_for(answer_.outcome);
        return plain ? send(plain_page(*plain, answer_.brand.get())) : send_page(page_for(answer_.outcome));
    }
    // Location goes out as it is, so anything that could end the header line must not be in it.
    if (!is_visible_ascii(answer_.location))
        return send_page(unavailable);

    const unsigned status = redirect_status(answer_);
    append_head(out, status, date_line, persistence);
    append_header(out, "Location", answer_.location);
    out.append(redirect_caching(status));
    out.append("Content-Length: 0\r\n\r\n");
    return status;
}

bool takes_form(const redirect::PageOrder& order) { return order.guarded && order.guarded->posts; }

void give_form(redirect::PageOrder& order, std::string_view body) {
    order.guarded->password = password_of_form(body);
}

Reply make_page(redirect::Redirector& redirector, const redirect::PageOrder& order) {
    redirect::Answer answer;
    redirector.make(order, answer);
    if (answer.outcome == Outcome::page && answer.page)
        return render_page(*answer.page, answer.location, order.query);
    if (!leads_elsewhere(answer)) {
        const auto plain = plain_page_for(answer.outcome);
        return plain ? plain_page(*plain, answer.brand.get()) : reply_of(page_for(answer.outcome));
    }
    if (!is_visible_ascii(answer.location))
        return reply_of(unavailable);
    const unsigned status = redirect_status(answer);
    Reply reply = reply_of({status, redirect_caching(status), {}});
    reply.headers.push_back({"Location", std::move(answer.location)});
    return reply;
}

} // namespace slashpost::http
