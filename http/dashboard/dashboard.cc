#include "http/dashboard/dashboard.h"

#include "core/base/text.h"
#include "core/data/sync_later.h"
#include "http/api/credentials.h"
#include "http/api/entity_tags.h"
#include "http/api/resource_metadata.h"
#include "http/dashboard/built_files.h"

#include <algorithm>
#include <charconv>
#include <exception>
#include <fmt/format.h>

namespace slashpost::dashboard {

namespace {

// Those who are not signed in send their names and passwords, and no more.
constexpr std::size_t strangers_body_bytes_max = std::size_t{16} * 1024;

http::Limits limits_of(const Options& options) {
    http::Limits limits;
    limits.body_bytes_max = options.body_bytes_max;
    limits.connections_max = 192; // within the descriptors that the other listeners leave
    limits.handshakes_max = 64;
    // Of which passwords and the provider take four at most, each (hash_gate.h), and so do pages that are
    // read for their titles.
    limits.workers = 16;
    limits.queue_max = 256;
    limits.stop_grace = std::chrono::milliseconds(2'000);
    return limits;
}

// What every answer tells browsers: which pages, scripts and frames may have to do with this origin. Scripts
// are those of our own files; no text is ever taken for a script or for markup (Trusted Types).
// A form may go to `posts_to` besides.
std::string page_policy(bool shows_outside_images, std::string_view posts_to) {
    return fmt::format("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:{}; "
                       "connect-src 'self'; form-action 'self'{}{}; base-uri 'none'; frame-ancestors 'none'; "
                       "require-trusted-types-for "
                       "'script'; "
                       "trusted-types 'none'",
                       shows_outside_images ? " https:" : "", posts_to.empty() ? "" : " ", posts_to);
}

std::vector<http::Header> safety_headers(bool shows_outside_images) {
    return {{"Content-Security-Policy", page_policy(shows_outside_images, "")},
            {"Cross-Origin-Opener-Policy", "same-origin"},
            {"Cross-Origin-Resource-Policy", "same-origin"},
            {"Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"},
            {"Referrer-Policy", "no-referrer"},
            {"X-Content-Type-Options", "nosniff"},
            {"X-Frame-Options", "DENY"},
            {"X-Robots-Tag", "noindex, nofollow"}};
}

bool has_header(const http::Reply& reply, std::string_view name) {
    return std::ranges::any_of(reply.headers, [&](const http::Header& header) {
        return lower_ascii(header.name) == lower_ascii(name);
    });
}

http::Reply text(unsigned status, std::string body) {
    return {.status = status,
            .headers = {{"Content-Type", "text/plain; charset=utf-8"}, {"Cache-Control", "no-store"}},
            .body = std::move(body)};
}

// Asked for anew each time, and sent again only when it has changed.
http::Reply file_reply(const http::Request& request, const BuiltFile& file) {
    const auto& edition = file.content.edition_for(request);
    http::Reply reply{
        .status = 200,
        .headers = {{"Cache-Control", "no-cache"}, {"ETag", edition.tag}, {"Vary", "Accept-Encoding"}},
        .body = {}};
    if (api::has_already(request, edition.tag)) {
        reply.status = 304;
        return reply;
    }
    reply.headers.push_back({"Content-Type", std::string(file.media_type)});
    if (!edition.encoding.empty())
        reply.headers.push_back({"Content-Encoding", std::string(edition.encoding)});
    reply.body = edition.body;
    return reply;
}

bool is_below(std::string_view path, std::string_view top) {
    return path.starts_with(top) && (path.size() == top.size() || path[top.size()] == '/');
}

http::Reply page_or_file(const http::Request& request, std::string_view path) {
    if (request.method != http::Method::get && request.method != http::Method::head) {
        auto reply = text(405, "Only GET and HEAD.\n");
        reply.headers.push_back({"Allow", "GET, HEAD"});
        return reply;
    }
    constexpr std::string_view assets = "/assets/";
    const BuiltFile* file = nullptr;
    if (path.starts_with(assets))
        file = built_file(path.substr(assets.size()));
    else if (path.find('.') == path.npos)
        file = built_file("index.html");
    return file == nullptr ? text(404, "Not found.\n") : file_reply(request, *file);
}

bool shows_key(const http::Request& request) {
    const auto question = request.target.find('?');
    const auto query = wire::parse_form(
        question == std::string::npos ? "" : std::string_view(request.target).substr(question + 1));
    return query.has_value() && api::Credentials(request, *query).has_key;
}

// An address that a person opened by itself, as they may that of the API's reference: done without a session.
bool was_typed(const http::Request& request) {
    const bool reads = request.method == http::Method::get || request.method == http::Method::head;
    return reads && request.header("sec-fetch-site") == "none";
}

std::string_view path_of(const http::Request& request) {
    return std::string_view(request.target).substr(0, request.target.find('?'));
}

} // namespace

Dashboard::Dashboard(const Options& options, Parts parts)
    : parts_(std::move(parts)),
      origin_(options.host),
      shows_outside_images_(options.shows_outside_images),
      safety_headers_(safety_headers(options.shows_outside_images)),
      sessions_(parts_.service, parts_.settings, origin_, parts_.provider, options.shows_outside_images,
                parts_.on_fault),
      operators_(parts_.service, parts_.settings, origin_, parts_.look),
      authorize_(parts_.service, parts_.settings, origin_),
      tokens_(parts_.service, parts_.settings),
      server_(std::make_unique<http::Server>(
          http::ServerOptions{.called = "dashboard-listen",
                              .address = options.address,
                              .port = options.port,
                              .inherited = options.inherited,
                              .api_hosts = {},
                              .api_refusal_headers = [this] { return safety_headers_; },
                              .admit_body = [this](const http::Request& head) { return admit_body(head); },
                              .tls = options.tls,
                              .https_rules = {},
                              .trusted_proxies = options.trusted_proxies,
                              .limits = limits_of(options)},
          [this](const http::Request& request, const http::Respond& respond) {
              serve_later(request, respond);
          })) {}

Dashboard::~Dashboard() = default;

Result<void> Dashboard::start() { return server_->start(); }

void Dashboard::stop() { server_->stop(); }

std::uint16_t Dashboard::port() const { return server_->port(); }

std::uint16_t Dashboard::tls_port() const { return server_->tls_port(); }

void Dashboard::serve_later(const http::Request& request, const http::Respond& respond) {
    data::SyncLater commits;
    auto reply = serve(request);
    commits.then([this, respond, reply = std::move(reply)](const Result<void>& on_disk) mutable {
        respond(on_disk.has_value() ? std::move(reply) : made_safe(sessions_.refuse(on_disk.error())));
    });
}

// A page that has a policy of its own keeps it: that of the API's reference.
http::Reply Dashboard::made_safe(http::Reply reply) const {
    for (const auto& header : safety_headers_)
        if (!has_header(reply, header.name))
            reply.headers.push_back(header);
    return reply;
}

http::Reply Dashboard::serve(const http::Request& request) {
    try {
        return made_safe(answer(request));
    } catch (const std::exception& exception) { // one request fails, not the server
        return made_safe(sessions_.refuse(fault(exception.what()).error()));
    }
}

http::Reply Dashboard::answer(const http::Request& request) {
    if (!origin_.covers(request))
        return text(403, origin_.refusal(request));
    const auto path = path_of(request);
    if (is_below(path, "/v1"))
        return answer_api(request);
    if (is_below(path, "/session"))
        return sessions_.serve(request, path);
    if (auto metadata = api::resource_metadata(parts_.settings, request))
        return *std::move(metadata);
    if (TokenCalls::takes(path)) {
        auto answered = tokens_.answer(request, path);
        return answered.has_value() ? *std::move(answered) : sessions_.refuse(answered.error());
    }
    if (is_below(path, "/connect"))
        return answer_authorize(request, path);
    if (is_below(path, "/operator")) {
        auto answered = operators_.answer(request, path);
        return answered.has_value() ? *std::move(answered) : sessions_.refuse(answered.error());
    }
    return page_or_file(request, path);
}

http::Reply Dashboard::answer_authorize(const http::Request& request, std::string_view path) {
    constexpr std::string_view page = "/connect/authorize", page_of_before = "/connect/authorize/";
    const bool reads = request.method == http::Method::get || request.method == http::Method::head;
    if (!reads || (path != page && path != page_of_before)) {
        auto answered = authorize_.answer(request, path);
        return answered.has_value() ? *std::move(answered) : sessions_.refuse(answered.error());
    }
    auto opened = authorize_.open(request);
    if (!opened.has_value())
        return sessions_.refuse(opened.error());
    if (opened->reply)
        return *std::move(opened->reply);
    auto reply = page_or_file(request, page);
    if (!opened->posts_to.empty())
        reply.headers.push_back(
            {"Content-Security-Policy", page_policy(shows_outside_images_, opened->posts_to)});
    return reply;
}

http::Reply Dashboard::answer_api(const http::Request& request) {
    const auto token = origin_.token_of(request);
    auto reply = [&] {
        if (token.empty() || shows_key(request) || was_typed(request))
            return parts_.api.serve(request);
        if (const auto admitted = admit_page(origin_, request); !admitted.has_value())
            return sessions_.refuse(admitted.error());
        const auto caller = parts_.service.authenticate_session(token);
        return caller.has_value() ? parts_.api.serve_as(*caller, request) : sessions_.refuse(caller.error());
    }();
    // No other origin has any business with what is signed in here.
    std::erase_if(reply.headers,
                  [](const http::Header& header) { return header.name.starts_with("Access-Control-"); });
    return reply;
}

http::Reply Dashboard::admit_body(const http::Request& request) {
    const http::Reply go_on{.status = 100, .headers = {}, .body = {}};
    if (!origin_.covers(request))
        return serve(request);
    const auto length = request.header("content-length").value_or("");
    std::size_t bytes = 0;
    const auto read = std::from_chars(length.data(), length.data() + length.size(), bytes);
    const bool is_short = read.ec == std::errc{} && read.ptr == length.data() + length.size() &&
                          bytes <= strangers_body_bytes_max;
    const auto path = path_of(request);
    if (is_below(path, "/session") || is_below(path, "/operator") || is_below(path, "/connect"))
        return is_short ? go_on
                        : made_safe(text(413, "What is sent to sign in is short, and its length is said.\n"));
    const auto token = origin_.token_of(request);
    if (!is_below(path, "/v1") || token.empty() || shows_key(request))
        return is_below(path, "/v1") ? parts_.api.admit_body(request) : serve(request);
    return parts_.service.authenticate_session(token).has_value() ? go_on : serve(request);
}

} // namespace slashpost::dashboard
