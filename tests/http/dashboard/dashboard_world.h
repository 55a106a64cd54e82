#pragma once
// A World with the dashboard in front of it: requests without a socket, as browsers send them.
#include "core/access/sign_in_tokens.h"
#include "core/base/password_hash.h"
#include "http/api/routes.h"
#include "http/dashboard/dashboard.h"
#include "tests/support/must.h"
#include "tests/support/world.h"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

namespace slashpost::test {

// One request of one of the dashboard's pages, unless told otherwise.
struct PageCall {
    http::Method method = http::Method::get;
    std::string target;
    std::string body;
    std::map<std::string, std::string> headers{{"sec-fetch-site", "same-origin"}};
    std::string cookie = "the browser's"; // the browser's, or the header's value; empty: none
    std::string host = "localhost:8082";

    PageCall with(const std::string& name, const std::string& value) && {
        headers[name] = value;
        return std::move(*this);
    }
    PageCall without(const std::string& name) && {
        headers.erase(name);
        return std::move(*this);
    }
    PageCall at(std::string_view other_host) && {
        host = other_host;
        return std::move(*this);
    }
    PageCall with_cookie(std::string_view text) && {
        cookie = text;
        return std::move(*this);
    }
};

inline PageCall page_get(std::string target) { return {.target = std::move(target), .body = {}}; }
inline PageCall page_send(http::Method method, std::string target, std::string json = {}) {
    PageCall call{.method = method, .target = std::move(target), .body = std::move(json)};
    if (!call.body.empty())
        call.headers["content-type"] = "application/json";
    return call;
}
inline PageCall page_post(std::string target, std::string json = {}) {
    return page_send(http::Method::post, std::move(target), std::move(json));
}

struct PageAnswer {
    unsigned status = 0;
    std::vector<http::Header> headers;
    std::string body;

    // The value of the header; empty when there is none.
    [[nodiscard]] std::string header(std::string_view name) const {
        for (const auto& header : headers)
            if (header.name == name)
                return header.value;
        return {};
    }
    // A member of the JSON, as text; "(absent)" when there is none.
    [[nodiscard]] std::string at(std::string_view name) const {
        const auto json = boost::json::parse(body);
        const auto* value = json.as_object().if_contains(name);
        if (value == nullptr)
            return "(absent)";
        return value->is_string() ? std::string(value->get_string()) : boost::json::serialize(*value);
    }
    // "401 SignInFailed", "204".
    [[nodiscard]] std::string summary() const {
        if (status < 400 || header("Content-Type").starts_with("text/plain"))
            return std::to_string(status);
        auto out = fmt::format("{} {}", status, at("code"));
        const auto json = boost::json::parse(body);
        if (const auto* errors = json.as_object().if_contains("errors"))
            for (const auto& error : errors->as_array())
                out += fmt::format(" {} {}", std::string_view(error.at("code").as_string()),
                                   std::string_view(error.at("property").as_string()));
        return out;
    }
};

class DashboardWorld : public World {
  public:
    explicit DashboardWorld(std::string host = {}, dashboard::Provider* provider = nullptr,
                            bool shows_outside_images = false) {
        settings.dashboard_url = "http://localhost:8082";
        dashboard = std::make_unique<dashboard::Dashboard>(
            dashboard::Options{.port = 0,
                               .host = std::move(host),
                               .tls = {},
                               .trusted_proxies = {},
                               .shows_outside_images = shows_outside_images},
            dashboard::Dashboard::Parts{.service = service,
                                        .api = api,
                                        .settings = settings,
                                        .on_fault = [this](const Error& error) { faults.push_back(error); },
                                        .provider = provider});
    }

    RateLimiter requests_per_key{{}};
    RateLimiter refusals_per_address{{}};
    std::vector<Error> faults;
    api::Api api{{.service = service,
                  .clock = clock,
                  .requests_per_key = requests_per_key,
                  .refusals_per_address = refusals_per_address,
                  .look_up_txt = [](std::string_view) { return std::vector<std::string>(); },
                  .read_page =
                      [](std::string_view, const AccountId&) {
                          return WebPageAnswer(std::unexpected(WebPageProblem::no_answer));
                      }},
                 api::all_routes(),
                 [this](const Error& error) { faults.push_back(error); }};
    std::unique_ptr<dashboard::Dashboard> dashboard;
    std::string cookie; // the browser's: "slashpost=..."
    std::string remote_address = "192.0.2.1";

    http::Request request_of(const PageCall& call) const {
        http::Request request{.method = call.method,
                              .method_text = std::string(to_string(call.method)),
                              .target = call.target,
                              .host = call.host,
                              .headers = {},
                              .body = call.body,
                              .remote_address = remote_address};
        for (const auto& [name, value] : call.headers)
            request.headers.push_back({name, value});
        const auto& sent = call.cookie == "the browser's" ? cookie : call.cookie;
        if (!sent.empty())
            request.headers.push_back({"Cookie", sent});
        return request;
    }
    // The browser keeps the cookie that it is given.
    PageAnswer send(const PageCall& call) {
        auto reply = dashboard->serve(request_of(call));
        PageAnswer answer{
            .status = reply.status, .headers = std::move(reply.headers), .body = std::move(reply.body)};
        if (const auto set = answer.header("Set-Cookie"); !set.empty()) {
            cookie = set.substr(0, set.find(';'));
            if (cookie.ends_with('='))
                cookie.clear();
        }
        return answer;
    }
    std::string token_for(AccountId account) {
        return must(
            operate([&](SystemContext& system) { return issue_sign_in_token(system, account, false); }));
    }
    // Signed in as the account of the world, by a one-time address.
    void sign_in() {
        const auto answer =
            send(page_post("/session", fmt::format(R"({{"token":"{}"}})", token_for(installed.account.id))));
        INFO(answer.body);
        REQUIRE(answer.status == 200);
    }
    void set_password(std::string_view password) {
        sign_in();
        REQUIRE(send(page_send(http::Method::put, "/session/password",
                               fmt::format(R"({{"new":"{}"}})", password)))
                    .status == 204);
    }
};

} // namespace slashpost::test
