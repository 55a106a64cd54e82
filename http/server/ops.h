#pragma once
// What operators and their tools ask a running server, on a listener of its own that belongs on loopback:
//   GET /healthz   200 "ok" as long as the process answers at all
//   GET /readyz    200 "ready", or 503 and the reason why it should get no requests now
//   GET /metrics   Prometheus text
// No name of a domain, link, account or key is ever a label.
#include "core/base/result.h"
#include "http/server/metrics.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <prometheus/metric_family.h>
#include <string>
#include <vector>

namespace slashpost::http {

class Server;

// Nothing when ready, else a short reason.
using ReadyCheck = std::function<std::optional<std::string>()>;
using Families = std::vector<prometheus::MetricFamily>;
using CollectMetrics = std::function<Families()>;

struct OpsOptions {
    std::string address = "127.0.0.1";
    std::uint16_t port = 9090; // 0: the system chooses
};

class Ops {
  public:
    // Both callbacks run on the ops listener's own worker thread, one at a time.
    Ops(const OpsOptions& options, ReadyCheck ready, CollectMetrics collect);
    ~Ops();

    Result<void> start();
    void stop();
    [[nodiscard]] std::uint16_t port() const;

  private:
    std::unique_ptr<Server> server_;
};

// The server's own figures as families, each named slashpost_http_...
Families server_families(const ServerMetrics& metrics);
// One family with one value, for what others have to report.
prometheus::MetricFamily counter_family(std::string name, std::string help, double value);
prometheus::MetricFamily gauge_family(std::string name, std::string help, double value);
// A histogram, with the names of `all` as values of the label.
prometheus::MetricFamily duration_family(std::string name, std::string help, const std::string& label,
                                         const std::vector<DurationsOf>& all);
// What a text has to say: the label `name` with that value, and 1.
prometheus::MetricFamily info_family(std::string name, std::string help, std::string label, std::string text);

} // namespace slashpost::http
