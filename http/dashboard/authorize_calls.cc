#include "http/dashboard/authorize_calls.h"

#include "core/base/errors.h"
#include "core/base/percent.h"
#include "core/ops/applications.h"
#include "http/dashboard/session_calls.h"
#include "http/dashboard/session_replies.h"
#include "http/wire/error_body.h"

#include <boost/json.hpp>
#include <fmt/format.h>

namespace slashpost::dashboard {

namespace json = boost::json;

namespace {

constexpr std::size_t state_bytes_max = 2'048;

struct QueryInput {
    std::string query;
    static constexpr std::string_view wire_name = "AuthorizationQuery";
    static wire::Fields fields() { return {wire::field("query", &QueryInput::query, wire::required)}; }
};

struct DecisionInput {
    std::string query, workspace;
    bool allow = false;
    static constexpr std::string_view wire_name = "AuthorizationDecision";
    static wire::Fields fields() {
        return {wire::field("query", &DecisionInput::query, wire::required),
                wire::field("workspace", &DecisionInput::workspace),
                wire::field("allow", &DecisionInput::allow)};
    }
};

// "https://example.com:8443" of an address there, "com.example.app:" of an app's own.
std::string source_of(std::string_view address) {
    const auto scheme = address.find("://");
    if (!address.starts_with("http") || scheme == address.npos)
        return std::string(address.substr(0, address.find(':') + 1));
    return std::string(address.substr(0, address.find_first_of("/?", scheme + 3)));
}

json::array names_of(const std::vector<AppScope>& scopes) {
    json::array out;
    for (const auto& [name, scope] : app_scopes)
        if (has_scope(scopes, scope))
            out.emplace_back(name);
    return out;
}

http::Reply told_plainly(const Error& error) {
    return {.status = 400,
            .headers = {{"Content-Type", "text/plain; charset=utf-8"}, {"Cache-Control", "no-store"}},
            .body = error.message + "\n"};
}

} // namespace

Result<AuthorizeCalls::Asked> AuthorizeCalls::read_asked(std::string_view query) {
    const auto tree = TRY(wire::parse_form(query));
    Asked out;
    for (const auto& [name, into] : {std::pair<std::string_view, std::string*>{"client_id", &out.client_id},
                                     {"redirect_uri", &out.redirect},
                                     {"state", &out.state},
                                     {"response_type", &out.request.response_type},
                                     {"response_mode", &out.request.response_mode},
                                     {"scope", &out.request.scope},
                                     {"code_challenge", &out.request.code_challenge},
                                     {"code_challenge_method", &out.request.code_challenge_method}}) {
        const auto values = wire::texts_at(tree, {name});
        out.repeated = out.repeated || values.size() > 1;
        if (!values.empty())
            *into = values.front();
    }
    return out;
}

Result<AuthorizeCalls::Known> AuthorizeCalls::look_up(std::string_view query) {
    auto asked = TRY(read_asked(query.starts_with('?') ? query.substr(1) : query));
    if (asked.repeated)
        return malformed("The address that the application sent you to says something twice.");
    auto application = TRY(service_.run_as_operator(
        [&](SystemContext& system) { return find_application(system.txn, asked.client_id); }));
    if (!application)
        return refused("UnknownApplication", "application",
                       "The application that sent you here is not known: its client_id is not registered.");
    if (!has_redirect(*application, asked.redirect))
        return refused(
            "UnknownRedirect", "application",
            "The application that sent you here names an address to go back to (redirect_uri) that "
            "is not registered for it.");
    auto wish = asked.state.size() > state_bytes_max
                    ? OrRefusal<AppWish>(std::unexpected(
                          AppRefusal{.code = "invalid_request", .description = "state is too long."}))
                    : read_wish(*application, asked.request);
    if (asked.state.size() > state_bytes_max)
        asked.state.clear();
    return Known{.asked = std::move(asked), .application = *std::move(application), .wish = std::move(wish)};
}

AuthorizeCalls::Words AuthorizeCalls::with_state(const Asked& asked, Words words) const {
    if (!asked.state.empty())
        words.emplace_back("state", asked.state);
    words.emplace_back("iss", settings_.dashboard_url); // RFC 9207
    return words;
}

AuthorizeCalls::Words AuthorizeCalls::refusal(const Asked& asked, const AppRefusal& why) const {
    return with_state(asked, {{"error", why.code}, {"error_description", why.description}});
}

std::string AuthorizeCalls::address_with(const Asked& asked, AnswerMode mode, const Words& words) {
    auto out = asked.redirect;
    char mark = mode == AnswerMode::fragment ? '#' : out.find('?') == out.npos ? '?' : '&';
    for (const auto& [name, value] : words) {
        out += mark;
        out.append(name) += '=';
        append_uri_value(out, value);
        mark = '&';
    }
    return out;
}

http::Reply AuthorizeCalls::shown_answer(const Asked& asked, const Words& words) {
    const auto mode = answer_mode(asked.request);
    json::object answer;
    if (mode == AnswerMode::form_post) {
        json::object fields;
        for (const auto& [name, value] : words)
            fields[name] = value;
        answer = {{"address", asked.redirect}, {"fields", std::move(fields)}};
    } else {
        answer = {{"address", address_with(asked, mode, words)}};
    }
    return json_reply(200, json::serialize(json::object{{"answer", std::move(answer)}}));
}

Result<AuthorizeCalls::Opened> AuthorizeCalls::open(const http::Request& request) {
    const auto question = request.target.find('?');
    const auto known =
        look_up(question == std::string::npos ? "" : std::string_view(request.target).substr(question));
    if (!known.has_value()) {
        if (known.error().kind != ErrorKind::refused && known.error().kind != ErrorKind::malformed)
            return std::unexpected(known.error());
        return Opened{.reply = told_plainly(known.error()), .posts_to = {}};
    }
    const auto mode = answer_mode(known->asked.request);
    if (mode == AnswerMode::form_post)
        return Opened{.reply = std::nullopt, .posts_to = source_of(known->asked.redirect)};
    if (known->wish.has_value())
        return Opened{};
    return Opened{.reply = http::Reply{.status = 303,
                                       .headers = {{"Location",
                                                    address_with(known->asked, mode,
                                                                 refusal(known->asked, known->wish.error()))},
                                                   {"Cache-Control", "no-store"}},
                                       .body = {}},
                  .posts_to = {}};
}

Result<http::Reply> AuthorizeCalls::answer(const http::Request& request, std::string_view path) {
    TRY(admit_page(origin_, request));
    if (request.method != http::Method::post)
        return wire::method_refused();
    if (path == "/connect/authorize")
        return decide(request);
    if (path == "/connect/authorize/shown")
        return show(request);
    return not_found("endpoint", path);
}

Result<http::Reply> AuthorizeCalls::show(const http::Request& request) {
    const auto caller = TRY(service_.authenticate_session(origin_.token_of(request)));
    const auto input = TRY(read_body<QueryInput>(request));
    const auto known = TRY(look_up(input.query));
    if (!known.wish.has_value())
        return shown_answer(known.asked, refusal(known.asked, known.wish.error()));
    return service_.run(caller, {}, own_account, [&](Context& ctx) -> Result<http::Reply> {
        const bool asks = !TRY(is_allowed_already(ctx, known.application, *known.wish));
        const auto owner = TRY(registered_by(ctx, known.application));
        return json_reply(200, json::serialize(json::object{
                                   {"application", json::object{{"id", known.application.id.hex()},
                                                                {"name", known.application.name},
                                                                {"website", known.application.website},
                                                                {"registeredBy", owner}}},
                                   {"scopes", names_of(known.wish->scopes)},
                                   {"returnsTo", source_of(known.asked.redirect)},
                                   {"asks", asks}}));
    });
}

Result<http::Reply> AuthorizeCalls::decide(const http::Request& request) {
    const auto caller = TRY(service_.authenticate_session(origin_.token_of(request)));
    const auto input = TRY(read_body<DecisionInput>(request));
    const auto known = TRY(look_up(input.query));
    if (!known.wish.has_value())
        return shown_answer(known.asked, refusal(known.asked, known.wish.error()));
    if (!input.allow)
        return shown_answer(known.asked, refusal(known.asked, {.code = "access_denied",
                                                               .description = "The person said no."}));
    Consent consent{.application = known.application,
                    .wish = *known.wish,
                    .redirect = known.asked.redirect,
                    .workspace = {}};
    if (!input.workspace.empty()) {
        const auto workspace = WorkspaceId::parse(input.workspace);
        if (!workspace)
            return invalid("connection", {unknown_reference("workspace")});
        consent.workspace = *workspace;
    }
    return service_.run(caller, {}, own_account_to_write, [&](Context& ctx) -> Result<http::Reply> {
        if (!consent.wish.implicit) {
            const auto code = TRY(issue_code(ctx, consent));
            return shown_answer(known.asked, with_state(known.asked, {{"code", code}}));
        }
        const auto tokens = TRY(issue_access_token(ctx, consent));
        return shown_answer(
            known.asked, with_state(known.asked, {{"access_token", tokens.access},
                                                  {"token_type", "Bearer"},
                                                  {"expires_in", std::to_string(tokens.expires_in_seconds)},
                                                  {"scope", scope_text(tokens.scopes)}}));
    });
}

} // namespace slashpost::dashboard
