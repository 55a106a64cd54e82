#pragma once
// The HTTP server: listens, reads requests, gives those for the API to a pool of workers and answers
// visitors' redirects on the I/O threads themselves.
//
// Whatever clients send, it stays within `Limits`. What the API and the redirects mean is not known here.
#include "core/base/result.h"
#include "core/redirect/redirector.h"
#include "http/server/holders.h"
#include "http/server/https_rules.h"
#include "http/server/limits.h"
#include "http/server/message.h"
#include "http/server/metrics.h"
#include "http/server/worker_pool.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost::http {

// The listener with TLS.
struct TlsOptions {
    std::string called = "tls-listen"; // what the address is to whoever chose it, for complaints
    std::string address = "127.0.0.1";
    std::uint16_t port = 8443;                  // 0: the system chooses
    std::vector<int> inherited = {};            // as of ServerOptions
    const Certificates* certificates = nullptr; // must outlive the server
    std::uint32_t hsts_seconds = 0;             // Strict-Transport-Security; 0: none
};

struct ServerOptions {
    std::string called = "listen";     // what the address is to whoever chose it, for complaints
    std::string address = "127.0.0.1"; // IPv4, IPv6 (brackets or not), or "localhost" for both loopbacks
    std::uint16_t port = 8080;         // 0: the system chooses
    // Sockets that listen already, at any address, instead of one at `address`. They stay the caller's, who
    // closes them when the server does not run any more; what waits at them when it stops keeps waiting.
    std::vector<int> inherited = {};
    unsigned io_threads = 1;
    std::vector<std::string> api_hosts; // where /v1 is the API, and /mcp; empty: on every host
    // Headers of the answers that the server gives by itself on the API's side (too large, overloaded, ...),
    // in place of its own of those names. Called from any thread; nothing: none are added.
    std::function<std::vector<Header>()> api_refusal_headers;
    AdmitBody admit_body; // asked before a body is waited for; empty: everybody may send one
    // Of callers, who do not wait for strangers; must outlive the server. Null: everybody is a caller.
    const KeyAccounts* key_accounts = nullptr;
    std::optional<TlsOptions> tls;
    HttpsRules https_rules;
    std::vector<std::string> trusted_proxies; // as TrustedProxies::normal_network has them
    std::string robots_tag = {};              // X-Robots-Tag of answers to visitors; empty: none
    Limits limits;
};

// The lane for the clicks of one I/O thread, numbered from 0; called once for each before they start.
using LaneProvider = std::function<Result<data::JournalLane*>(std::uint32_t io_thread)>;

class Server {
  public:
    // `redirector` and the lanes must outlive the server.
    Server(ServerOptions options, ApiHandler api, redirect::Redirector& redirector, LaneProvider lanes);
    // A server that gives every path to `api`.
    Server(ServerOptions options, ApiHandler api);
    ~Server();

    // Listens and serves. Fails when the address cannot be had or a lane cannot be opened. Once only.
    Result<void> start();
    // Accepts no more, answers what has arrived, for at most `stop_grace`; then closes. Waits for API calls
    // that are being worked on, however long. May be called more than once, not from a handler.
    void stop();

    // The port that is listened on, after `start`.
    [[nodiscard]] std::uint16_t port() const;
    // That of the listener with TLS; 0 when there is none.
    [[nodiscard]] std::uint16_t tls_port() const;
    // From any thread, at any time.
    [[nodiscard]] ServerMetrics metrics() const;
    // Whether every I/O thread has done something since this was asked last; one that lives does at every
    // `Limits::tick`. From one thread, while the server runs.
    bool io_threads_move();

  private:
    struct Running;

    ServerOptions options_;
    ApiHandler api_;
    redirect::Redirector* redirector_; // null: every path belongs to the API
    LaneProvider lanes_;
    std::unique_ptr<Running> running_;
};

} // namespace slashpost::http
