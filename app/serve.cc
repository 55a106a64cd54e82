#include "app/serve.h"

#include "app/admin_socket.h"
#include "app/dns/txt_resolver.h"
#include "app/examination.h"
#include "app/first_start.h"
#include "app/hooks/page_reader.h"
#include "app/installation.h"
#include "app/log.h"
#include "app/metrics.h"
#include "app/oidc/settings.h"
#include "app/options.h"
#include "app/process.h"
#include "app/webroot.h"
#include "core/base/errors.h"
#include "core/base/guarded.h"
#include "core/data/sync_later.h"
#include "http/api/dispatch.h"
#include "http/api/mcp.h"
#include "http/api/routes.h"
#include "http/dashboard/dashboard.h"
#include "http/server/holders.h"
#include "http/server/ops.h"
#include "http/server/server.h"
#include "http/server/shares.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <latch>
#include <new>
#include <string_view>
#include <thread>
#include <vector>

namespace slashpost::app {

namespace {

// Refused keys per client address and minute (wire "Rate limits"). Keys have 256 bits, so this spares our
// time rather than their secrecy; a proxy with many clients stays well below.
constexpr RateLimiter::Options refusals_per_address{
    .requests = 120, .period_seconds = 60, .callers_max = 20'000};

sigset_t ending_signals() {
    sigset_t signals{};
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    return signals;
}

// SIGTERM and SIGINT stop the server, SIGHUP makes it read its certificates and countries again; while it
// stops, that means nothing any more.
sigset_t awaited_signals() {
    auto signals = ending_signals();
    sigaddset(&signals, SIGHUP);
    return signals;
}

constexpr int exit_failure = 1;
// Those of the store, of the journal and the folds, of the listeners for operators and of the dashboard, of
// the admin tool, of certificates, and one for each name of a webhook's or of a page's that is looked up.
constexpr std::size_t threads_besides = 44 + HookSender::under_way_max + PageReader::pages_max;

// HTTP and the admin tool's socket in front of an installation.
class Front {
  public:
    // `certificates` is null without HTTPS.
    Front(const Config& config, std::span<const std::string> warnings, Installation& installation,
          http::Certificates* certificates, const InheritedSockets& sockets,
          const acme::Challenges& challenges, Log& log)
        : config_(config),
          installation_(installation),
          certificates_(certificates),
          log_(log),
          resolver_(resolver_options(config)),
          page_reader_(public_only_, page_options(config)),
          requests_({.requests = config.rate_limit, .period_seconds = config.rate_period_seconds}),
          api_({.service = installation.service(),
                .clock = installation.clock(),
                .requests_per_key = requests_,
                .refusals_per_address = refusals_,
                .look_up_txt = [this](std::string_view name) { return resolver_.look_up(name); },
                .read_page = [this](std::string_view address,
                                    const AccountId& account) { return page_reader_.read(address, account); },
                .on_key =
                    [this](std::string_view key, const AccountId* account) {
                        key_accounts_.learn(http::holder_of_key(key),
                                            account ? http::holder_of_key(account->view()) : 0);
                    },
                .settings = &installation.settings()},
               api::all_routes(),
               [&log](const Error& error) { log.error("fault", {{"reason", error.message}}); }),
          mcp_(api_, SLASHPOST_VERSION),
          provider_(oidc::provider_of(config, installation.clock(), log)),
          server_(
              server_options(config, api_, mcp_, key_accounts_, certificates_, sockets, challenges),
              [this](const http::Request& request, const http::Respond& respond) { serve(request, respond); },
              installation.redirector(),
              [&installation](std::uint32_t thread) { return installation.lane(thread); }),
          ops_(
              {.address = config.ops_listen.address, .port = config.ops_listen.port},
              [this] { return why_not_ready(); },
              [this] {
                  return collect_metrics(installation_, api_, server_, certificates_, issuer_.load());
              }) {
        installation.admin_context().examine = [&config, warnings, &installation, certificates] {
            return examine({.config = config,
                            .warnings = warnings,
                            .installation = installation,
                            .certificates = certificates});
        };
        if (config.dashboard_listen)
            dashboard_.emplace(dashboard_options(config, certificates_, sockets),
                               dashboard::Dashboard::Parts{.service = installation.service(),
                                                           .api = api_,
                                                           .settings = installation.settings(),
                                                           .on_fault =
                                                               [&log](const Error& error) {
                                                                   log.error("fault",
                                                                             {{"reason", error.message}});
                                                               },
                                                           .look = [this] { return look(); },
                                                           .provider = provider_.get()});
    }

    Result<void> start() {
        TRY(ops_.start());
        if (certificates_)
            TRY(certificates_->start());
        TRY(server_.start());
        if (dashboard_)
            TRY(dashboard_->start());
        const auto dashboard_url = config_.dashboard_url(dashboard_ ? dashboard_->port() : std::uint16_t{0});
        const auto url = base_url("http", config_.listen.address, server_.port());
        const auto has_certificate = certificate_check(config_, certificates_);
        TRY(install_if_new(
            config_, installation_,
            links_call(config_, {.plain = server_.port(), .tls = server_.tls_port()}, has_certificate),
            dashboard_url, log_));
        TRY(warn_of_domains(config_, installation_, log_));
        if (config_.orders_certificates())
            order_certificates();
        open_admin_socket();
        state_ = State::ready;
        log_.info("listening", {{"address", config_.listen.address},
                                {"port", server_.port()},
                                {"ops_address", config_.ops_listen.address},
                                {"ops_port", ops_.port()},
                                {"data", config_.data.native()},
                                {"io_threads", config_.io_threads},
                                {"workers", config_.workers}});
        if (config_.tls_listen)
            announce_https();
        if (dashboard_) {
            log_.info("dashboard",
                      {{"address", config_.dashboard_listen->address}, {"port", dashboard_->port()}});
            say(fmt::format("The dashboard is {}\n", dashboard_url));
        }
        say(fmt::format("Slashpost is listening on {}\n", url));
        return {};
    }

    void reload() {
        log_.info("reading the certificates and the countries again");
        if (certificates_)
            certificates_->reload();
        installation_.reload_countries();
    }

    // For whoever looks after the server: whether visitors are answered, and what there is to say.
    Supervisor::Life life() {
        const auto trouble = why_not_ready();
        return {.goes_on = server_.io_threads_move(), .status = trouble ? *trouble : "serving"};
    }

    // No more requests; those in flight are answered.
    void stop() {
        state_ = State::stopping;
        admin_.reset();
        if (dashboard_)
            dashboard_->stop();
        server_.stop();
        ops_.stop();
        issuer_ = nullptr;
        issuer_thread_.reset();
    }

  private:
    enum class State : std::uint8_t { starting, ready, stopping };

    // The reply leaves when what the call changed is on the disk; the worker does not wait for that.
    void serve(const http::Request& request, const http::Respond& respond) {
        data::SyncLater commits;
        auto reply = api::Mcp::takes(request) ? mcp_.serve(request) : api_.serve(request);
        std::string accept(request.header("accept").value_or(""));
        commits.then([=, this, reply = std::move(reply)](const Result<void>& on_disk) mutable {
            respond(on_disk.has_value() ? std::move(reply) : refusal(on_disk.error(), accept));
        });
    }
    // On the thread that syncs, which must go on.
    http::Reply refusal(const Error& error, std::string_view accept) const noexcept {
        try {
            return api_.refuse(error, accept);
        } catch (const std::exception&) {
            return {.status = 503, .headers = {}, .body = {}};
        }
    }
    dashboard::Health look() const {
        auto health = health_of(installation_, certificates_, config_.data);
        health.trouble = why_not_ready().value_or("");
        return health;
    }
    std::optional<std::string> why_not_ready() const {
        if (state_ != State::ready)
            return state_ == State::starting ? "starting" : "stopping";
        if (installation_.is_leaving())
            return "leaving: slashpost-admin drain --leave was asked for";
        if (const auto words = installation_.store_health().trouble(); !words.empty())
            return fmt::format("the store takes no writes, redirects and reading go on: {}", words);
        return std::nullopt;
    }

    // Not before visitors are served: whoever looks whether a domain is ours is one.
    void order_certificates() {
        issuer_thread_ = std::make_unique<acme::Issuer>(
            issuer_options(config_, server_.port()),
            acme::Issuer::Parts{
                .service = installation_.service(),
                .engine = installation_.engine(),
                .clock = installation_.clock(),
                .log = log_,
                .certificates = *certificates_,
                .web = make_web({.whom = "the certificate authority", .ca_file = config_.acme_ca.string()}),
                .domain_changes = [this] { return installation_.domain_changes(); }});
        issuer_ = issuer_thread_.get();
    }

    // Without it the server serves all the same, on a full disk for example.
    void open_admin_socket() {
        if (certificates_)
            installation_.admin_context().operator_certificates = [this] {
                return admin_certificates(*certificates_);
            };
        auto opened = AdminSocket::open(config_.data, installation_.admin_context(), log_);
        if (opened.has_value())
            admin_ = std::move(*opened);
        else
            log_.error("slashpost-admin cannot reach this server", {{"reason", opened.error().message}});
    }

    void announce_https() {
        const auto certificates = static_cast<std::int64_t>(certificates_->current()->size());
        log_.info("listening with TLS", {{"address", config_.tls_listen->address},
                                         {"port", server_.tls_port()},
                                         {"certificates", certificates}});
        if (certificates == 0)
            log_.warn("there is no certificate yet; HTTPS works as soon as there is one",
                      {{"folder", config_.certificates.native()}});
        say(fmt::format("Slashpost is listening on {}\n",
                        base_url("https", config_.tls_listen->address, server_.tls_port())));
    }

    const Config& config_;
    Installation& installation_;
    http::Certificates* const certificates_;
    Log& log_;
    dns::TxtResolver resolver_;
    // What webhooks may reach besides (--webhook-allow) is for those who may make webhooks.
    const Reachable public_only_{{}};
    PageReader page_reader_;
    RateLimiter requests_;
    RateLimiter refusals_{refusals_per_address};
    http::KeyAccounts key_accounts_;
    api::Api api_;
    api::Mcp mcp_;
    const std::unique_ptr<dashboard::Provider> provider_;
    http::Server server_;
    http::Ops ops_;
    std::optional<dashboard::Dashboard> dashboard_;
    std::unique_ptr<AdminSocket> admin_;
    std::unique_ptr<acme::Issuer> issuer_thread_;
    std::atomic<const acme::Issuer*> issuer_ = nullptr; // for the thread that collects metrics
    std::atomic<State> state_ = State::starting;
};

Result<void> run(const Config& config, std::span<const std::string> warnings, const InheritedSockets& sockets,
                 Supervisor& supervisor, Log& log) {
    if (config.domain.empty() && config.listen.port == 0)
        return refused("NoDomain", "domain", "give --domain when --listen leaves the port to the system");
    acme::Challenges challenges;
    const auto certificates = certificates_of(config, log, challenges);
    supervisor.status("opening the store");
    const auto installation =
        TRY(Installation::open(config, log, certificate_check(config, certificates.get())));
    if (config.durability == data::Durability::relaxed)
        log.warn("durability is relaxed: a power cut may take the last writes");
    TRY(make_webroot(config));
    challenges.open(installation->engine(), installation->clock());
    Front front(config, warnings, *installation, certificates.get(), sockets, challenges, log);
    TRY(front.start());
    supervisor.ready();
    supervisor.status(front.life().status);
    const auto signals = awaited_signals();
    const auto look = [&front] { return front.life(); };
    int signal = supervisor.await(signals, look);
    for (; signal == SIGHUP; signal = supervisor.await(signals, look))
        front.reload();
    supervisor.stopping();
    log.info("stopping: finishing requests in flight", {{"signal", signal}});
    const auto ending = ending_signals();
    ::pthread_sigmask(SIG_UNBLOCK, &ending, nullptr); // a second one ends the process at once
    front.stop();
    auto stopped = installation->stop();
    if (installation->store_health().gave_up)
        return unavailable(fmt::format("ended as --on-store-error says: the store took no writes: {}",
                                       installation->store_health().trouble()));
    return stopped;
}

// Where a library lets what it could not get from the system end the process: with a sentence, and no abort.
[[noreturn]] void end_with_a_sentence() noexcept {
    static constexpr std::string_view sentence =
        "slashpost: the server ends: the system gives it no more memory or threads\n";
    static_cast<void>(!::write(STDERR_FILENO, sentence.data(), sentence.size()));
    std::_Exit(exit_failure);
}

// All threads that will be needed, for a moment: libraries that cannot have one later do not say so in words.
Result<void> can_have_threads(const Config& config) {
    const std::size_t wanted = config.io_threads + config.workers + config.workers / 4 + threads_besides;
    std::vector<std::jthread> threads;
    std::latch all_are_there(1);
    const auto started = guarded([&]() -> Result<void> {
        while (threads.size() < wanted)
            threads.emplace_back([&] { all_are_there.wait(); });
        return {};
    });
    all_are_there.count_down();
    if (!started.has_value())
        return unavailable(
            fmt::format("the system lets this process have {} threads, and it needs {} ({}); raise "
                        "its limit of threads or of memory, or give fewer --workers",
                        threads.size() + 2, wanted + 2, started.error().message));
    return {};
}

Result<void> run_guarded(const Config& config, std::span<const std::string> warnings,
                         const InheritedSockets& sockets, Supervisor& supervisor, Log& log) {
    TRY(can_have_threads(config));
    try {
        return run(config, warnings, sockets, supervisor, log);
    } catch (const std::bad_alloc&) {
        return unavailable("the system gives this process too little memory; raise its limit");
    } catch (const std::exception& problem) {
        return unavailable(fmt::format("the system refuses what the server needs: {}", problem.what()));
    }
}

} // namespace

int serve(const Config& config, std::span<const std::string> warnings, const InheritedSockets& sockets,
          Supervisor supervisor) {
    const auto signals = awaited_signals();
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr); // in every thread to come
    std::signal(SIGPIPE, SIG_IGN);                   // NOLINT: a peer that went away is an error of write
    std::signal(SIGXFSZ, SIG_IGN);                   // NOLINT: so is a file that may not grow (ulimit -f)
    raise_file_limit();
    std::set_terminate(end_with_a_sentence);
    Log log(config.log_level, config.log_format);
    log.info("starting", {{"version", SLASHPOST_VERSION}});
    for (const auto& warning : warnings)
        log.warn(warning);
    const auto done = run_guarded(config, warnings, sockets, supervisor, log);
    if (!done.has_value()) {
        log.error(done.error().message);
        return exit_failure;
    }
    log.info("stopped");
    return 0;
}

} // namespace slashpost::app
