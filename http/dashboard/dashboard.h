#pragma once
// The dashboard, on a listener of its own, because the others show short links: the script of a link may run
// on their origins, and never on this one.
//
//   /v1/...        the API, for whoever is signed in, or with a key as everywhere
//   /session...    signing in and out (session_calls.h)
//   /operator...   for who runs the installation (operator_calls.h)
//   /connect...    applications of others, and who allows them what (authorize_calls.h, token_calls.h)
//   /assets/NAME   the files of http/dashboard/built
//   everything else without a dot: the page, which finds its way by the address itself
#include "core/access/service.h"
#include "http/api/dispatch.h"
#include "http/dashboard/authorize_calls.h"
#include "http/dashboard/operator_calls.h"
#include "http/dashboard/origin.h"
#include "http/dashboard/provider.h"
#include "http/dashboard/session_calls.h"
#include "http/dashboard/token_calls.h"
#include "http/server/server.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace slashpost::dashboard {

struct Options {
    std::string address = "127.0.0.1";
    std::uint16_t port = 8082;       // 0: the system chooses
    std::vector<int> inherited = {}; // as of http::ServerOptions
    std::string host;                // as Origin has it
    std::optional<http::TlsOptions> tls;
    std::vector<std::string> trusted_proxies;
    std::size_t body_bytes_max = 1024 * 1024;
    bool shows_outside_images = false; // avatars, of https addresses: browsers tell those hosts who looks
};

class Dashboard {
  public:
    // All must outlive it.
    struct Parts {
        Service& service;
        api::Api& api;
        const Settings& settings;
        SessionCalls::OnFault on_fault;
        OperatorCalls::Look look = {}; // how the server is
        Provider* provider = nullptr;  // that people may sign in with; null: there is none
    };

    Dashboard(const Options& options, Parts parts);
    ~Dashboard();

    // Listens and serves. Fails when the address cannot be had. Once only.
    Result<void> start();
    // As http::Server::stop.
    void stop();
    [[nodiscard]] std::uint16_t port() const;
    [[nodiscard]] std::uint16_t tls_port() const;

    // The answer to one request, without a socket.
    http::Reply serve(const http::Request& request);
    // Whether its body, which has not arrived, is to be waited for: 100, or the answer.
    http::Reply admit_body(const http::Request& request);

  private:
    http::Reply answer(const http::Request& request);
    // With what every answer tells browsers.
    [[nodiscard]] http::Reply made_safe(http::Reply reply) const;
    http::Reply answer_api(const http::Request& request);
    http::Reply answer_authorize(const http::Request& request, std::string_view path);
    // The reply leaves when what the call changed is on the disk.
    void serve_later(const http::Request& request, const http::Respond& respond);

    const Parts parts_;
    const Origin origin_;
    const bool shows_outside_images_;
    const std::vector<http::Header> safety_headers_;
    SessionCalls sessions_;
    OperatorCalls operators_;
    AuthorizeCalls authorize_;
    TokenCalls tokens_;
    std::unique_ptr<http::Server> server_;
};

} // namespace slashpost::dashboard
