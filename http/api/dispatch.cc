#include "http/api/dispatch.h"

#include "core/base/text.h"
#include "http/api/conditions.h"
#include "http/api/credentials.h"
#include "http/api/entity_tags.h"
#include "http/api/resource_metadata.h"
#include "http/api/scopes.h"
#include "http/wire/error_body.h"

#include <fmt/format.h>

#include <charconv>
#include <exception>

namespace slashpost::api {

namespace {

constexpr std::string_view mount = "/v1"; // interface 9

// CORS for any origin: a key travels in a header, never in a cookie (wire "Transport").
constexpr std::string_view allowed_headers =
    "apikey, workspace, content-type, authorization, idempotency-key, if-match, if-none-match, "
    "last-event-id";
constexpr std::string_view exposed_headers = "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, "
                                             "RateLimit, RateLimit-Policy, Retry-After, ETag, "
                                             "Idempotent-Replayed, WWW-Authenticate";
constexpr std::string_view preflight_seconds = "86400";
// What the program says of itself changes with the program only; five minutes later it is asked for anew.
constexpr std::string_view published_caching = "public, max-age=300";
constexpr std::string_view unavailable_retry_seconds = "5";
// Of a body that is read before it is known who sent it.
constexpr std::size_t body_with_key_bytes_max = std::size_t{16} * 1024;

struct Target {
    std::string_view path; // below the mount
    std::string_view query;
};

// Nothing when the target is not below the mount.
std::optional<Target> split_target(std::string_view target) {
    const auto path = target.substr(0, target.find('?'));
    if (!path.starts_with(mount) || (path.size() > mount.size() && path[mount.size()] != '/'))
        return std::nullopt;
    const auto query = path.size() == target.size() ? std::string_view() : target.substr(path.size() + 1);
    return Target{.path = path.size() == mount.size() ? "/" : path.substr(mount.size()), .query = query};
}

// "GET, HEAD, POST, OPTIONS"
std::string allow_of(const std::vector<http::Method>& methods) {
    std::string out;
    for (const auto method : methods)
        out += fmt::format("{}, ", to_string(method));
    return out + "OPTIONS";
}

wire::Tree no_input() { return *wire::parse_form({}); }

// How many seconds the window of a caller goes on.
std::int64_t seconds_left(const RateLimiter::Verdict& rate, Timestamp now) {
    return std::max<std::int64_t>(rate.reset_unix_seconds - now.ms / 1000, 1);
}

std::vector<http::Header> headers_with(const RateLimiter::Verdict& rate, Timestamp now,
                                       std::string_view caching = "no-store") {
    std::vector<http::Header> out{{"Access-Control-Allow-Origin", "*"},
                                  {"Access-Control-Expose-Headers", std::string(exposed_headers)},
                                  {"Cache-Control", std::string(caching)},
                                  {"X-Content-Type-Options", "nosniff"},
                                  {"X-RateLimit-Limit", std::to_string(rate.limit)},
                                  {"X-RateLimit-Remaining", std::to_string(rate.remaining)},
                                  {"X-RateLimit-Reset", std::to_string(rate.reset_unix_seconds)}};
    if (rate.period_seconds >
        0) { // draft-ietf-httpapi-ratelimit-headers-11, which has no word for "no limit"
        out.push_back(
            {"RateLimit-Policy", fmt::format("\"default\";q={};w={}", rate.limit, rate.period_seconds)});
        out.push_back(
            {"RateLimit", fmt::format("\"default\";r={};t={}", rate.remaining, seconds_left(rate, now))});
    }
    return out;
}

// There are clients that take the text of a 401 for what it is, and show it.
constexpr std::string_view text_media_type = "text/plain; charset=utf-8";
constexpr std::string_view problem_media_type = "application/problem+json";

bool accepts(std::string_view header, std::string_view word) {
    return lower_ascii(header).find(word) != std::string::npos;
}
bool accepts(const http::Request& request, std::string_view word) {
    return accepts(request.header("accept").value_or(""), word);
}

// Which workspace the call is about; empty: the caller's default one.
Result<std::string> workspace_of(const Route& route, const Input& input, const Credentials& credentials) {
    const auto named = input.at(workspace_parameter); // never empty when the path has it
    const bool by_header = named.empty() && route.guard.scope == Scope::workspace;
    if (by_header && credentials.workspaces_disagree)
        return invalid("workspace",
                       {invalid_format("workspace", "is named differently in header, query and body")});
    return std::string(by_header ? std::string_view(credentials.workspace) : named);
}

bool shows_bearer(const http::Request& request) {
    return !http::bearer_key(request.header("authorization").value_or("")).empty();
}

bool has_body(http::Method method) { return method != http::Method::get && method != http::Method::head; }

} // namespace

Api::Api(Parts parts, std::span<const RouteList* const> lists, OnFault on_fault)
    : parts_(std::move(parts)),
      on_fault_(std::move(on_fault)),
      router_(lists),
      times_(lists) {}

http::Reply Api::serve(const http::Request& request) {
    if (parts_.settings != nullptr)
        if (auto metadata = resource_metadata(*parts_.settings, request))
            return *std::move(metadata);
    return serve_known(request, nullptr);
}

http::Reply Api::serve_as(const Caller& caller, const http::Request& request) {
    return serve_known(request, &caller);
}

http::Reply Api::serve_known(const http::Request& request, const Caller* known) {
    try {
        auto out = answer(request, known);
        out.as_problem = accepts(request, problem_media_type);
        return render(std::move(out));
    } catch (
        const std::exception& exception) { // out of memory, or a mistake: one request fails, not the server
        return refuse(fault(exception.what()).error(), request.header("accept").value_or(""));
    }
}

http::Reply Api::admit_body(const http::Request& request) {
    const auto target = split_target(request.target);
    const auto match = target ? router_.match(request.method, target->path) : Router::Match{};
    if (match.route != nullptr && match.route->operation.document == nullptr) {
        const auto query = wire::parse_form(target->query);
        const Credentials credentials(request, query.has_value() ? *query : no_input());
        if (credentials.has_key ? authenticate(credentials).has_value() : may_bring_key(request))
            return {.status = 100, .headers = {}, .body = {}};
    }
    return serve(request);
}

// A body may have the key in it. It has to be read to know, so little is read, and nothing from an address
// that has shown as many wrong keys as it may.
bool Api::may_bring_key(const http::Request& request) const {
    const auto length = request.header("content-length").value_or("");
    std::size_t bytes = 0;
    const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), bytes);
    return error == std::errc{} && end == length.data() + length.size() && bytes <= body_with_key_bytes_max &&
           parts_.refusals_per_address.look(request.remote_address, parts_.clock.now()).allowed;
}

http::Reply Api::refuse(const Error& error, std::string_view accept) const {
    Answer out{.body = std::unexpected(error), .rate = usual_rate(), .headers = {}};
    out.as_problem = accepts(accept, problem_media_type);
    return render(std::move(out));
}

Api::Answer Api::answer(const http::Request& request, const Caller* known) {
    const auto target = split_target(request.target);
    const auto match = target ? router_.match(request.method, target->path) : Router::Match{};
    const auto plain = [&](Result<std::string> body, std::vector<http::Header> headers = {}) {
        return Answer{.body = std::move(body), .rate = usual_rate(), .headers = std::move(headers)};
    };
    if (match.methods.empty())
        return plain(not_found("endpoint", request.target.substr(0, request.target.find('?'))));
    if (request.method == http::Method::options) {
        auto out = plain("", {{"Allow", allow_of(match.methods)},
                              {"Access-Control-Allow-Methods", allow_of(match.methods)},
                              {"Access-Control-Allow-Headers", std::string(allowed_headers)},
                              {"Access-Control-Max-Age", std::string(preflight_seconds)}});
        out.status = 204;
        return out;
    }
    if (match.route == nullptr)
        return plain(wire::method_refused(), {{"Allow", allow_of(match.methods)}});
    if (match.route->operation.document != nullptr)
        return publish(request, match.route->operation);
    // What a GET of the path answers is what a write of it changes.
    const auto* shown =
        has_body(request.method) ? router_.match(http::Method::get, target->path).route : match.route;
    const auto begun = std::chrono::steady_clock::now();
    auto out = answer_caller(request, match, shown, target->query, known);
    times_.add(*match.route, std::chrono::steady_clock::now() - begun);
    return out;
}

Api::Answer Api::publish(const http::Request& request, const Operation& operation) const {
    const auto dashboard = parts_.settings == nullptr ? std::string_view() : parts_.settings->dashboard_url;
    const auto& edition = operation.document(dashboard).edition_for(request);
    const bool known = has_already(request, edition.tag);
    Answer out{.body = known ? std::string() : edition.body,
               .rate = usual_rate(),
               .headers = operation.headers,
               .media_type = operation.media_type,
               .status = known ? 304U : 200U,
               .caching = published_caching};
    out.headers.push_back({"ETag", edition.tag});
    out.headers.push_back({"Vary", "Accept-Encoding"});
    if (!known && !edition.encoding.empty())
        out.headers.push_back({"Content-Encoding", std::string(edition.encoding)});
    return out;
}

Api::Answer Api::answer_caller(const http::Request& request, const Router::Match& match, const Route* shown,
                               std::string_view query_text, const Caller* known) {
    const auto now = parts_.clock.now();
    const auto query = wire::parse_form(query_text);
    Credentials credentials(request, query.has_value() ? *query : no_input());
    const auto read_body = [&] {
        auto body = has_body(request.method) ? wire::parse_body(request.header("content-type"), request.body)
                                             : no_input();
        if (body.has_value())
            credentials.add(*body);
        return body;
    };
    std::optional<Result<wire::Tree>> early_body; // the key may be in it
    if (known == nullptr && !credentials.has_key && request.body.size() <= body_with_key_bytes_max)
        early_body = read_body();
    const auto caller = known != nullptr ? Result<Caller>(*known) : authenticate(credentials);
    if (!caller.has_value())
        return refused_key(caller.error(), request);
    const auto rate = parts_.requests_per_key.take(caller->counted_by(), now, caller->rate);
    if (!rate.allowed)
        return {.body = limited(), .rate = rate, .headers = {}};

    const auto& route = *match.route;
    if (!caller->grant.empty() && !may_call(caller->scopes, route))
        return {.body = scope_refused(route), .rate = rate, .headers = {challenge_for_scope(request, route)}};
    if (route.operation.part) {
        Input input{.resource = match.list->resource,
                    .path = match.path,
                    .query = query,
                    .body = no_input(),
                    .last_event_id = std::string(request.header("last-event-id").value_or(""))};
        auto workspace = workspace_of(route, input, credentials);
        if (!workspace.has_value())
            return {.body = std::unexpected(workspace.error()), .rate = rate, .headers = {}};
        return begin_parts(*caller, route, std::move(input), *workspace, rate);
    }
    bool was_done_before = false;
    const auto answer = [&]() -> Result<std::string> {
        Input input{.resource = match.list->resource,
                    .path = match.path,
                    .query = query,
                    .body = early_body ? *early_body : read_body()};
        const auto workspace = TRY(workspace_of(route, input, credentials));
        const auto conditions = TRY(Conditions::of(request, route, shown, workspace));
        return run(*caller, route, std::move(input), workspace, conditions, was_done_before);
    };
    auto body = answer();
    return tagged({.body = std::move(body), .rate = rate, .headers = {}}, request, route, shown,
                  was_done_before);
}

Api::Answer Api::tagged(Answer out, const http::Request& request, const Route& route, const Route* shown,
                        bool was_done_before) {
    if (was_done_before)
        out.headers.push_back({"Idempotent-Replayed", "true"});
    if (!out.body.has_value() || !shows_resource(route, shown))
        return out;
    const auto tag = resource_tag(*out.body);
    out.headers.push_back({"ETag", tag});
    if (&route == shown && has_already(request, tag)) {
        out.body = "";
        out.status = 304;
    }
    return out;
}

Result<std::string> Api::run(Caller caller, const Route& route, Input input, std::string_view workspace,
                             const Conditions& conditions, bool& was_done_before) {
    caller.call = route.operation_id;
    const auto& operation = route.operation;
    if (const auto& asks = operation.txt_name ? operation.txt_name : operation.page_address; asks) {
        const auto what =
            TRY(parts_.service.run(caller, workspace, route.guard, [&](Context& ctx) -> Result<std::string> {
                if (TRY(conditions.earlier_answer(ctx)))
                    return "";
                return asks(ctx, input);
            }));
        if (!what.empty() && operation.txt_name)
            input.txt_records = TRY(parts_.look_up_txt(what));
        else if (!what.empty())
            input.page = parts_.read_page(what, caller.account);
    }
    return parts_.service.run(caller, workspace, route.guard, [&](Context& ctx) -> Result<std::string> {
        auto earlier = TRY(conditions.earlier_answer(ctx));
        was_done_before = earlier.has_value();
        if (earlier)
            return *std::move(earlier);
        TRY(conditions.check_state(ctx, input));
        auto answer = TRY(operation.run(ctx, input));
        TRY(conditions.keep(ctx, answer));
        return answer;
    });
}

Result<Caller> Api::authenticate(const Credentials& credentials) {
    auto caller = parts_.service.authenticate(credentials.api_key);
    const bool is_known = caller.has_value() || caller.error().kind == ErrorKind::unauthenticated;
    if (parts_.on_key && is_known)
        parts_.on_key(credentials.api_key, caller.has_value() ? &caller->account : nullptr);
    return caller;
}

// Only what is refused is counted, so that a good key is served whatever others send from its address.
Api::Answer Api::refused_key(const Error& error, const http::Request& request) {
    if (error.kind != ErrorKind::unauthenticated)
        return {.body = std::unexpected(error), .rate = usual_rate(), .headers = {}};
    const auto rate = parts_.refusals_per_address.take(request.remote_address, parts_.clock.now());
    if (!rate.allowed)
        return {.body = limited(), .rate = rate, .headers = {}};
    return {.body = std::unexpected(error),
            .rate = rate,
            .headers = {challenge(request)},
            .in_plain_text = !accepts(request, "json") && !shows_bearer(request)};
}

RateLimiter::Verdict Api::usual_rate() const { return parts_.requests_per_key.look({}, parts_.clock.now()); }

http::Header Api::challenge(const http::Request& request) const {
    return bearer_challenge(parts_.settings, request, shows_bearer(request));
}

http::Header Api::challenge_for_scope(const http::Request& request, const Route& route) const {
    return scope_challenge(route, parts_.settings, request);
}

std::vector<http::Header> Api::common_headers() const {
    return headers_with(usual_rate(), parts_.clock.now());
}

http::Reply Api::render(Answer answer) const {
    http::Reply reply;
    reply.headers = headers_with(answer.rate, parts_.clock.now(), answer.caching);
    for (auto& header : answer.headers)
        reply.headers.push_back(std::move(header));
    if (answer.body.has_value()) {
        reply.status = answer.status;
        reply.body = *std::move(answer.body);
        reply.next_part = std::move(answer.next_part);
        reply.pause = answer.pause;
        if (reply.status == 200)
            reply.headers.push_back({"Content-Type", std::string(answer.media_type)});
        return reply;
    }
    const auto& error = answer.body.error();
    reply.headers.push_back({"Content-Type", std::string(answer.in_plain_text ? text_media_type
                                                         : answer.as_problem  ? problem_media_type
                                                                              : json_media_type)});
    if (error.kind == ErrorKind::fault)
        on_fault_(error);
    if (error.kind == ErrorKind::unauthenticated)
        ++keys_refused_;
    if (error.kind == ErrorKind::limited)
        ++rate_limited_;
    if (error.kind == ErrorKind::limited)
        reply.headers.push_back(
            {"Retry-After", std::to_string(seconds_left(answer.rate, parts_.clock.now()))});
    if (error.kind == ErrorKind::unavailable)
        reply.headers.push_back({"Retry-After", std::string(unavailable_retry_seconds)});
    reply.status = wire::status_of(error);
    reply.body = answer.in_plain_text ? error.code
                 : answer.as_problem  ? wire::problem_body(error)
                                      : wire::error_body(error);
    return reply;
}

} // namespace slashpost::api
