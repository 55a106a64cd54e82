#include "http/server/ops.h"

#include "http/server/server.h"

#include <fmt/format.h>
#include <prometheus/text_serializer.h>
#include <string_view>

namespace slashpost::http {

namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

Limits ops_limits() {
    Limits limits;
    limits.header_bytes_max = limits.header_bytes_read_max = 8 * 1024;
    limits.target_bytes_max = 1024;
    limits.body_bytes_max = 1024;
    limits.input_bytes = 16 * 1024;
    limits.connections_max = 64;
    limits.workers = 1;
    limits.queue_max = 16;
    limits.stop_grace = std::chrono::milliseconds(1'000);
    return limits;
}

Reply text(unsigned status, std::string body) {
    return {.status = status,
            .headers = {{"Content-Type", "text/plain; charset=utf-8"}, {"Cache-Control", "no-store"}},
            .body = std::move(body)};
}

Reply serve(const Request& request, const ReadyCheck& ready, const CollectMetrics& collect) {
    if (request.method != Method::get && request.method != Method::head) {
        Reply reply = text(405, "Only GET and HEAD.\n");
        reply.headers.push_back({"Allow", "GET, HEAD"});
        return reply;
    }
    const std::string_view path = std::string_view(request.target).substr(0, request.target.find('?'));
    if (path == "/healthz")
        return text(200, "ok\n");
    if (path == "/readyz") {
        const std::optional<std::string> reason = ready();
        return reason ? text(503, *reason + "\n") : text(200, "ready\n");
    }
    if (path == "/metrics") {
        Reply reply = text(200, prometheus::TextSerializer().prometheus::Serializer::Serialize(collect()));
        reply.headers[0].value = "text/plain; version=0.0.4; charset=utf-8";
        return reply;
    }
    return text(404, "Not found. There are /healthz, /readyz and /metrics.\n");
}

MetricFamily family(std::string_view name, std::string_view help, MetricType type) {
    return {.name = fmt::format("slashpost_http_{}", name),
            .help = std::string(help),
            .type = type,
            .metric = {}};
}

void add_by_class(MetricFamily& family, std::string_view kind, const ServerMetrics::ByClass& counts) {
    for (std::size_t hundreds = 2; hundreds < counts.size(); ++hundreds) {
        ClientMetric metric;
        metric.label = {{"kind", std::string(kind)}, {"status", fmt::format("{}xx", hundreds)}};
        metric.counter.value = static_cast<double>(counts[hundreds]);
        family.metric.push_back(std::move(metric));
    }
}

ClientMetric histogram_of(const DurationMetrics& durations) {
    constexpr double us_per_second = 1e6; // a quotient is the number nearest to 0.001, a product may not be
    ClientMetric metric;
    std::uint64_t so_far = 0;
    for (std::size_t i = 0; i < duration_bounds_us.size(); ++i) {
        so_far += durations.buckets[i];
        metric.histogram.bucket.push_back(
            {.cumulative_count = so_far, .upper_bound = duration_bounds_us[i] / us_per_second});
    }
    metric.histogram.sample_count = so_far + durations.buckets.back();
    metric.histogram.sample_sum = static_cast<double>(durations.sum_us) / us_per_second;
    return metric;
}

void add_by_kind(MetricFamily& family, std::string_view kind, std::uint64_t count) {
    ClientMetric& metric = family.metric.emplace_back();
    metric.label = {{"kind", std::string(kind)}};
    metric.counter.value = static_cast<double>(count);
}

MetricFamily plain(std::string name, std::string help, MetricType type, double value) {
    MetricFamily family{.name = std::move(name), .help = std::move(help), .type = type, .metric = {}};
    ClientMetric& metric = family.metric.emplace_back();
    metric.counter.value = value;
    metric.gauge.value = value;
    return family;
}

} // namespace

Ops::Ops(const OpsOptions& options, ReadyCheck ready, CollectMetrics collect)
    : server_(std::make_unique<Server>(ServerOptions{.called = "ops-listen",
                                                     .address = options.address,
                                                     .port = options.port,
                                                     .limits = ops_limits()},
                                       [ready = std::move(ready), collect = std::move(collect)](
                                           const Request& request, const Respond& respond) {
                                           respond(serve(request, ready, collect));
                                       })) {}

Ops::~Ops() = default;

Result<void> Ops::start() { return server_->start(); }

void Ops::stop() { server_->stop(); }

std::uint16_t Ops::port() const { return server_->port(); }

MetricFamily counter_family(std::string name, std::string help, double value) {
    return plain(std::move(name), std::move(help), MetricType::Counter, value);
}

MetricFamily gauge_family(std::string name, std::string help, double value) {
    return plain(std::move(name), std::move(help), MetricType::Gauge, value);
}

MetricFamily duration_family(std::string name, std::string help, const std::string& label,
                             const std::vector<DurationsOf>& all) {
    MetricFamily family{
        .name = std::move(name), .help = std::move(help), .type = MetricType::Histogram, .metric = {}};
    for (const auto& [called, durations] : all) {
        family.metric.push_back(histogram_of(durations));
        family.metric.back().label = {{label, called}};
    }
    return family;
}

MetricFamily info_family(std::string name, std::string help, std::string label, std::string text) {
    auto family = gauge_family(std::move(name), std::move(help), 1);
    family.metric.front().label = {{std::move(label), std::move(text)}};
    return family;
}

Families server_families(const ServerMetrics& metrics) {
    const auto number = [](std::uint64_t n) { return static_cast<double>(n); };
    const auto counter = [&](std::string_view name, std::string_view help, std::uint64_t value) {
        return counter_family(fmt::format("slashpost_http_{}", name), std::string(help), number(value));
    };
    const auto gauge = [&](std::string_view name, std::string_view help, std::uint64_t value) {
        return gauge_family(fmt::format("slashpost_http_{}", name), std::string(help), number(value));
    };
    Families families;
    MetricFamily& answers = families.emplace_back(
        family("answers_total", "Answers by who gave them and by class of status.", MetricType::Counter));
    add_by_class(answers, "redirect", metrics.redirects);
    add_by_class(answers, "api", metrics.api);
    add_by_class(answers, "refused", metrics.refused);
    families.push_back(duration_family("slashpost_http_duration_seconds",
                                       "From the arrival of a request to its answer.", "kind",
                                       {{.name = "redirect", .durations = metrics.redirect_duration},
                                        {.name = "api", .durations = metrics.api_duration}}));
    MetricFamily& shed = families.emplace_back(
        family("shed_total", "Requests turned away with 503, as too many waited.", MetricType::Counter));
    add_by_kind(shed, "api", metrics.shed);
    add_by_kind(shed, "visitor", metrics.visitors_shed);
    families.push_back(
        counter("connections_accepted_total", "Connections accepted.", metrics.connections_accepted));
    families.push_back(counter("connections_refused_total", "Connections there was no room for.",
                               metrics.connections_refused));
    families.push_back(counter("connections_expired_total", "Connections closed at a deadline.",
                               metrics.connections_expired));
    families.push_back(counter("connections_evicted_total", "Connections closed to make room for others.",
                               metrics.connections_evicted));
    families.push_back(counter("tls_handshakes_total", "TLS handshakes finished.", metrics.handshakes));
    families.push_back(counter("tls_handshakes_resumed_total", "Of these, the ones that resumed a session.",
                               metrics.handshakes_resumed));
    families.push_back(counter("tls_handshakes_failed_total", "TLS handshakes that failed or were given up.",
                               metrics.handshakes_failed));
    families.push_back(gauge("connections_open", "Connections open now.", metrics.connections_open));
    families.push_back(gauge("connections_max", "Connections there is room for.", metrics.connections_max));
    families.push_back(gauge("queue_depth", "API requests waiting for a worker.", metrics.queue_depth));
    families.push_back(gauge("queue_max", "API requests that may wait.", metrics.queue_max));
    families.push_back(gauge("workers_busy", "Workers serving an API request.", metrics.workers_busy));
    families.push_back(gauge("workers", "Workers there are.", metrics.workers));
    families.push_back(gauge("visitors_waiting", "Visitors whose page or code waits for a worker.",
                             metrics.visitors_waiting));
    families.push_back(gauge("visitor_workers_busy", "Workers that make pages and codes now.",
                             metrics.visitor_workers_busy));
    return families;
}

} // namespace slashpost::http
