#include "http/server/server.h"

#include "core/base/errors.h"
#include "core/base/host.h"
#include "http/server/io_thread.h"
#include "http/server/listener.h"
#include "http/server/render.h"
#include "http/server/worker_pool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <fmt/format.h>
#include <mutex>
#include <sys/resource.h>

namespace slashpost::http {

namespace {

// Descriptors that connections leave to the store, the journal and the log: running out of them there would
// be worse than refusing a connection.
constexpr std::size_t reserved_descriptors = 512;
constexpr std::size_t connections_per_address_min = 64; // where the setting leaves it to us

std::size_t room_for_connections(std::size_t wanted) {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return wanted;
    const auto descriptors = static_cast<std::size_t>(limit.rlim_cur);
    return std::min(wanted, descriptors > 2 * reserved_descriptors ? descriptors - reserved_descriptors
                                                                   : descriptors / 2);
}

// `Options` are those of the server, or of its listener with TLS.
template <class Options>
Result<ListeningSockets> sockets_of(const Options& options, unsigned threads) {
    return options.inherited.empty() ? listen_on(options.called, options.address, options.port, threads)
                                     : share_out(options.called, options.inherited, threads);
}

// Fails when the system refuses what it waits for connections with.
Result<std::unique_ptr<IoThread>> make_io_thread(const IoEnvironment& environment,
                                                 std::optional<Redirects> redirects,
                                                 std::vector<ListeningSocket> sockets,
                                                 std::vector<ListeningSocket> tls_sockets) {
    try {
        auto thread = std::make_unique<IoThread>(environment, std::move(redirects));
        thread->open(std::move(sockets), std::move(tls_sockets));
        return thread;
    } catch (const boost::system::system_error& refused) {
        return unavailable(fmt::format("cannot wait for connections: {}", refused.code().message()));
    }
}

} // namespace

struct Server::Running {
    Running(const ServerOptions& options, const ApiHandler& api, ApiScope::Paths paths)
        : limits(options.limits),
          refuse_api([headers = options.api_refusal_headers](const Refusal& refusal) {
              Reply reply = json_refusal(refusal);
              if (headers)
                  for (Header& header : headers())
                      set_header(reply, std::move(header));
              return reply;
          }),
          admit_body(options.admit_body),
          workers("api", api, admit_body, refuse_api, limits.workers, limits.queue_max, options.key_accounts),
          visitor_workers("visitors", api, admit_body, refuse_api, limits.visitor_workers,
                          limits.visitor_queue_max),
          https_rules(options.https_rules),
          proxies(options.trusted_proxies) {
        environment.key_accounts = options.key_accounts;
        environment.connections_per_address =
            limits.connections_per_address > 0
                ? limits.connections_per_address
                : std::max(environment.connections_max / 4, connections_per_address_min);
        environment.https_rules = https_rules.any() ? &https_rules : nullptr;
        const std::size_t io_threads = std::max(options.io_threads, 1U);
        environment.handshakes_max = std::max<std::size_t>(limits.handshakes_max / io_threads, 1);
        environment.waiting_bytes_max = limits.waiting_bytes_max / io_threads;
        if (options.tls && options.tls->hsts_seconds > 0)
            environment.secure_lines =
                fmt::format("Strict-Transport-Security: max-age={}\r\n", options.tls->hsts_seconds);
        if (!options.robots_tag.empty())
            environment.visitor_lines = fmt::format("X-Robots-Tag: {}\r\n", options.robots_tag);
        scope.paths = paths;
        for (const std::string& host : options.api_hosts)
            scope.hosts.push_back(normal_host(host).value_or(host));
    }

    void thread_exited() {
        const std::lock_guard lock(mutex);
        ++exited;
        changed.notify_all();
    }

    // Set once.
    const Limits limits;
    ApiScope scope;
    const RefuseApi refuse_api;
    const AdmitBody admit_body;
    std::uint16_t port = 0;
    std::uint16_t tls_port = 0;
    std::unique_ptr<TlsContext> tls;

    WorkerPool workers;
    WorkerPool visitor_workers;
    HttpsRules https_rules;
    const TrustedProxies proxies;
    Occupancy occupancy;
    IoEnvironment environment{.limits = limits,
                              .scope = scope,
                              .refuse_api = refuse_api,
                              .workers = workers,
                              .visitor_workers = visitor_workers,
                              .admit_body = admit_body,
                              .key_accounts = nullptr,
                              .occupancy = occupancy,
                              .connections_max = room_for_connections(limits.connections_max),
                              .proxies = proxies,
                              .on_exit = [this] { thread_exited(); }};
    std::vector<std::unique_ptr<IoThread>> threads;

    std::mutex mutex;
    std::condition_variable changed;
    std::size_t exited = 0; // guarded by mutex
};

Server::Server(ServerOptions options, ApiHandler api, redirect::Redirector& redirector, LaneProvider lanes)
    : options_(std::move(options)),
      api_(std::move(api)),
      redirector_(&redirector),
      lanes_(std::move(lanes)) {}

Server::Server(ServerOptions options, ApiHandler api)
    : options_(std::move(options)),
      api_(std::move(api)),
      redirector_(nullptr) {}

Server::~Server() { stop(); }

Result<void> Server::start() {
    const unsigned count = std::max(options_.io_threads, 1U);
    ListeningSockets sockets = TRY(sockets_of(options_, count));
    auto running =
        std::make_unique<Running>(options_, api_, redirector_ ? ApiScope::Paths::v1 : ApiScope::Paths::all);
    running->port = sockets.port;
    ListeningSockets tls_sockets{.port = 0, .by_thread = {}};
    tls_sockets.by_thread.resize(count);
    if (options_.tls) {
        running->tls = TRY(TlsContext::make(*options_.tls->certificates));
        running->environment.tls = running->tls.get();
        tls_sockets = TRY(sockets_of(*options_.tls, count));
        running->tls_port = tls_sockets.port;
        if (running->https_rules.https_port == 0)
            running->https_rules.https_port = tls_sockets.port;
    }
    for (unsigned i = 0; i < count; ++i) {
        std::optional<Redirects> redirects;
        if (redirector_)
            redirects.emplace(*redirector_, *TRY(lanes_(i)), &running->scope);
        running->threads.push_back(
            TRY(make_io_thread(running->environment, std::move(redirects), std::move(sockets.by_thread[i]),
                               std::move(tls_sockets.by_thread[i]))));
    }
    running->workers.start();
    if (redirector_)
        running->visitor_workers.start();
    for (const auto& thread : running->threads)
        thread->start();
    running_ = std::move(running);
    return {};
}

void Server::stop() {
    if (!running_ || running_->threads.empty())
        return;
    Running& running = *running_;
    for (const auto& thread : running.threads)
        thread->order(IoThread::Order::drain);
    {
        std::unique_lock lock(running.mutex);
        running.changed.wait_for(lock, running.limits.stop_grace,
                                 [&] { return running.exited == running.threads.size(); });
    }
    for (const auto& thread : running.threads)
        thread->order(IoThread::Order::close);
    running.workers.stop();
    running.visitor_workers.stop();
    for (const auto& thread : running.threads)
        thread->join();
}

std::uint16_t Server::port() const { return running_ ? running_->port : 0; }

std::uint16_t Server::tls_port() const { return running_ ? running_->tls_port : 0; }

bool Server::io_threads_move() {
    return running_ && std::ranges::count_if(running_->threads, &IoThread::has_moved) ==
                           std::ranges::ssize(running_->threads);
}

ServerMetrics Server::metrics() const {
    ServerMetrics metrics;
    if (!running_)
        return metrics;
    for (const auto& thread : running_->threads)
        thread->counters().collect(metrics);
    const WorkerPool::Load load = running_->workers.load();
    metrics.connections_open = running_->occupancy.connections.load(std::memory_order_relaxed);
    metrics.connections_max = running_->environment.connections_max;
    metrics.queue_depth = load.queued;
    metrics.queue_max = running_->limits.queue_max;
    metrics.workers_busy = load.busy;
    metrics.shed = load.shed;
    metrics.workers = running_->limits.workers;
    const WorkerPool::Load pages = running_->visitor_workers.load();
    metrics.visitors_waiting = pages.queued;
    metrics.visitors_shed = pages.shed;
    metrics.visitor_workers_busy = pages.busy;
    return metrics;
}

} // namespace slashpost::http
