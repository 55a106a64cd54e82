#pragma once
// The API as one function: a request in, a reply out. The only place that knows the order of things.
//
//   path and method -> key, which a short body may have (401) -> rate limit (429) -> Service::run: workspace,
//   guard -> the handler's parameters: what the path names, its state, the query and the body (400, 406 when
//   they cannot be read)
//   -> what the request says of before (http/api/conditions.h): the answer of the same call, 412, 422
//   -> the operation
//
// Where a route needs the DNS, or a page of the web, there are two runs: one that only reads what to ask,
// and, with the answer, the other.
//
// Every reply has its rate-limit, CORS and caching headers; errors look as http/wire/error_body.h says.
#include "core/access/page_lookup.h"
#include "core/access/rate_limit.h"
#include "core/access/service.h"
#include "core/access/txt_lookup.h"
#include "core/base/time.h"
#include "http/api/route_times.h"
#include "http/api/router.h"
#include "http/api/streams.h"
#include "http/server/message.h"

#include <atomic>
#include <functional>
#include <span>

namespace slashpost::api {

class Conditions;
struct Credentials;

class Api {
  public:
    // All must outlive the Api.
    struct Parts {
        Service& service;
        const Clock& clock;
        RateLimiter& requests_per_key;
        RateLimiter& refusals_per_address; // of keys; so that nobody guesses them at speed
        TxtLookup look_up_txt;
        WebPageLookup read_page;
        // Told whose a key is that was looked up; null: nobody's, as it is not in force. May be empty. Called
        // from any thread.
        std::function<void(std::string_view api_key, const AccountId* account)> on_key = {};
        // Where applications of others are told to go for a token; null: nowhere.
        const Settings* settings = nullptr;
    };
    // Told of every fault, whose message no caller sees. Called from any thread.
    using OnFault = std::function<void(const Error&)>;

    Api(Parts parts, std::span<const RouteList* const> lists, OnFault on_fault);

    // Answers a request whose path is /v1 or below. May block on the disk; safe to call from any thread.
    // For HEAD the reply has the body of a GET, for the server to leave out.
    http::Reply serve(const http::Request& request);
    // The same for who was found out already to call, whatever key the request shows.
    http::Reply serve_as(const Caller& caller, const http::Request& request);
    // Whether the body of that request, which has none yet, is to be read: status 100 when its key is in
    // force, or when it shows none and its body is short and may have it, and something is there to take it;
    // else the answer to the request.
    http::Reply admit_body(const http::Request& request);
    // The answer to a request with this header Accept that fails with the error for reasons that the Api does
    // not see.
    [[nodiscard]] http::Reply refuse(const Error& error, std::string_view accept) const;
    // The header WWW-Authenticate of a 401 for the request.
    [[nodiscard]] http::Header challenge(const http::Request& request) const;
    // The same of a 403 for the scope that the route needs.
    [[nodiscard]] http::Header challenge_for_scope(const http::Request& request, const Route& route) const;
    // The headers that every answer of the API has, for answers that the server gives without asking the Api
    // (wire "Rate limits": on errors too). Safe to call from any thread.
    [[nodiscard]] std::vector<http::Header> common_headers() const;

    // Answers since the start.
    struct Figures {
        std::uint64_t rate_limited = 0;           // 429
        std::uint64_t keys_refused = 0;           // 401
        std::size_t streams = 0;                  // that are open now
        std::vector<http::DurationsOf> durations; // by operation: of the work on a call, waits left out
    };
    // Safe to call from any thread.
    [[nodiscard]] Figures figures() const {
        return {.rate_limited = rate_limited_,
                .keys_refused = keys_refused_,
                .streams = streams_.open(),
                .durations = times_.by_operation()};
    }

  private:
    struct Answer {
        Result<std::string> body; // JSON, mostly
        RateLimiter::Verdict rate;
        std::vector<http::Header> headers;             // besides those that every reply has
        std::string_view media_type = json_media_type; // of a body that is no error
        unsigned status = 200;                         // unless it is an error; 204 and 304 have no body
        std::string_view caching = "no-store";
        bool in_plain_text = false; // an error for a client that does not ask for JSON
        bool as_problem = false;    // an error for one that asks for problem details
        std::function<std::optional<http::ReplyPart>()> next_part = {}; // what follows `body`
        std::chrono::milliseconds pause{0};                             // before it
    };
    struct InParts;
    // `known` is null when the request has to say who calls.
    http::Reply serve_known(const http::Request& request, const Caller* known);
    Answer answer(const http::Request& request, const Caller* known);
    [[nodiscard]] Answer publish(const http::Request& request, const Operation& operation) const;
    // `was_done_before`: the answer is that of an earlier call with the same Idempotency-Key.
    Result<std::string> run(Caller caller, const Route& route, Input input, std::string_view workspace,
                            const Conditions& conditions, bool& was_done_before);
    // The first part, which brings the others about (parts.cc).
    Answer begin_parts(const Caller& caller, const Route& route, Input input, const std::string& workspace,
                       const RateLimiter::Verdict& rate);
    Result<Part> next_part(InParts& answer);
    Result<Part> next_of_stream(InParts& answer);
    // With the headers that tell what a resource is like, and that the client has it already. `shown` is the
    // route of a GET of the same path, null when there is none.
    static Answer tagged(Answer out, const http::Request& request, const Route& route, const Route* shown,
                         bool was_done_before);
    Answer answer_caller(const http::Request& request, const Router::Match& match, const Route* shown,
                         std::string_view query, const Caller* known);
    Result<Caller> authenticate(const Credentials& credentials);
    [[nodiscard]] bool may_bring_key(const http::Request& request) const;
    Answer refused_key(const Error& error, const http::Request& request);
    // Of answers for which no key was looked at: what a key may send where its plan says nothing else.
    [[nodiscard]] RateLimiter::Verdict usual_rate() const;
    http::Reply render(Answer answer) const;

    const Parts parts_;
    const OnFault on_fault_;
    const Router router_;
    RouteTimes times_;
    Streams streams_;
    mutable std::atomic<std::uint64_t> rate_limited_ = 0;
    mutable std::atomic<std::uint64_t> keys_refused_ = 0;
};

} // namespace slashpost::api
