#include "app/metrics.h"

#include "app/process.h"

namespace slashpost::app {

namespace {

class Collected {
  public:
    explicit Collected(http::Families families) : families_(std::move(families)) {}

    template <class Number>
    void counter(const char* name, const char* help, Number value) {
        families_.push_back(http::counter_family(name, help, static_cast<double>(value)));
    }
    template <class Number>
    void gauge(const char* name, const char* help, Number value) {
        families_.push_back(http::gauge_family(name, help, static_cast<double>(value)));
    }
    void durations(const char* name, const char* help, const char* label,
                   const std::vector<http::DurationsOf>& all) {
        if (!all.empty()) // a family without a sample is none
            families_.push_back(http::duration_family(name, help, label, all));
    }
    void info(const char* name, const char* help, const char* label, const char* text) {
        families_.push_back(http::info_family(name, help, label, text));
    }
    http::Families take() { return std::move(families_); }

  private:
    http::Families families_;
};

void add_store(Collected& out, const data::Engine::Figures& store) {
    out.gauge("slashpost_store_memory_bytes", "Memory of the store: caches, write buffers, indexes.",
              store.memory_bytes);
    out.gauge("slashpost_store_disk_bytes", "Size of the store's files.", store.disk_bytes);
    out.gauge("slashpost_store_merging_bytes", "Bytes of these that are still to be merged with others.",
              store.merging_bytes);
    out.counter("slashpost_store_conflicts_total", "Transactions that had to run again.", store.conflicts);
    out.gauge("slashpost_store_writable", "1 while the disk takes writes, else 0.", store.writable ? 1 : 0);
    out.gauge("slashpost_store_servers", "Servers that use the store, this one among them.", store.servers);
    out.gauge("slashpost_store_behind_seconds",
              "For how long this server has not been told of what others wrote there.", store.behind_seconds);
}

void add_disk(Collected& out, const std::filesystem::space_info& disk) {
    out.gauge("slashpost_disk_free_bytes", "Room on the disk of the data folder that the server may take.",
              disk.available);
    out.gauge("slashpost_disk_size_bytes", "Size of that disk.", disk.capacity);
}

void add_visits(Collected& out, const Installation::Figures& figures) {
    out.counter("slashpost_redirect_cache_hits_total", "Short addresses found in memory.",
                figures.cache.hits);
    out.counter("slashpost_redirect_cache_misses_total", "Short addresses looked up in the store.",
                figures.cache.misses);
    out.counter("slashpost_redirect_cache_evictions_total",
                "Remembered short addresses that made room for others.", figures.cache.evictions);
    out.gauge("slashpost_redirect_cache_bytes", "Memory of remembered short addresses.", figures.cache.bytes);
    out.counter("slashpost_redirect_failures_total",
                "Visits that could not be answered because of the store.", figures.redirect_failures);
    out.counter("slashpost_clicks_folded_total", "Clicks added to totals and statistics.",
                figures.clicks.folded);
    out.counter("slashpost_clicks_lost_total", "Clicks for which there was no room on the disk.",
                figures.clicks_lost);
    out.counter("slashpost_click_fold_failures_total", "Rounds of folding that failed and were tried again.",
                figures.clicks.failures);
    out.counter("slashpost_click_folds_total", "Rounds of folding that were done.", figures.clicks.rounds);
    out.counter("slashpost_click_fold_seconds_total", "Time that these rounds took.", figures.clicks.seconds);
    out.gauge("slashpost_countries_loaded", "1 when the countries of addresses are known (--geoip), else 0.",
              figures.countries.loaded ? 1 : 0);
    out.gauge("slashpost_countries_built_seconds",
              "When their data was made, in Unix time; 0: none is loaded.", figures.countries.built_at);
}

void add_backlogs(Collected& out, const Installation::Figures& figures) {
    out.gauge("slashpost_rollup_records_waiting", "Records of the journal that are not counted yet.",
              figures.clicks.waiting);
    out.gauge("slashpost_clicks_unfolded",
              "The same, and what is lost with this server's disk if it is lost now.",
              figures.clicks.waiting);
    out.gauge("slashpost_clicks_unfolded_seconds", "How old the oldest of them is at most; 0: there is none.",
              figures.clicks.waiting_seconds);
    out.counter("slashpost_index_links_total", "Links brought up to date in the search index.",
                figures.index.links);
    out.gauge("slashpost_index_behind_seconds",
              "For how long the search index has had something to do all the time; 0: it is up to date.",
              figures.index.behind_seconds);
    out.counter("slashpost_webhook_attempts_delivered_total", "Requests to webhooks that were answered 2xx.",
                figures.webhooks.delivered);
    out.counter("slashpost_webhook_attempts_failed_total", "Requests to webhooks that were not.",
                figures.webhooks.failed);
    out.counter(
        "slashpost_webhook_clicks_dropped_total",
        "Clicks that webhooks are not told of, as they were too many at once or their webhook is too far "
        "behind.",
        figures.webhooks.clicks_missed + figures.clicks_untold);
    out.gauge("slashpost_webhook_attempts_under_way", "Requests to webhooks that have no answer yet.",
              figures.webhooks.under_way);
    if (!figures.backlog)
        return;
    out.gauge("slashpost_webhook_deliveries_open",
              "Events that webhooks were not told yet, those between two attempts included and those behind "
              "the first 256 of a webhook not; 10000 means so many or more.",
              figures.backlog->deliveries);
    out.gauge("slashpost_mails_waiting", "Mails that wait to be sent; 10000 means so many or more.",
              figures.backlog->mails);
    out.gauge("slashpost_jobs_waiting",
              "Work that deletions have left to the background; 10000 means so many or more.",
              figures.backlog->jobs);
}

void add_backups(Collected& out, const BackupThread::Figures& backups) {
    out.counter("slashpost_backups_total", "Backups made since the start.", backups.made);
    out.counter("slashpost_backup_failures_total", "Backups that could not be made.", backups.failed);
    out.gauge("slashpost_backup_last_failed", "1 when the last attempt at a backup failed, else 0.",
              backups.last_failed ? 1 : 0);
    out.gauge("slashpost_backup_last_seconds",
              "When the newest backup was made, in Unix time; 0: there is none.", backups.last.ms / 1000);
}

void add_certificates(Collected& out, const http::CertificateSet& set) {
    out.gauge("slashpost_tls_certificates", "Certificates in use.", set.size());
    out.gauge("slashpost_tls_first_expiry_seconds", "When the first of them expires, in Unix time; 0: none.",
              set.first_expiry());
}

void add_orders(Collected& out, const acme::Issuer::Figures& figures) {
    out.gauge("slashpost_certificates_pending", "Hosts that the server gets a certificate for (--acme).",
              figures.pending);
    out.gauge("slashpost_certificates_active", "Hosts that it got one for.", figures.active);
    out.gauge("slashpost_certificates_failed",
              "Hosts that have none because it could not be got; slashpost-admin certificates says why.",
              figures.failed);
    out.gauge("slashpost_certificate_not_after_seconds",
              "When the first of those that it got expires, in Unix time; 0: none.",
              figures.first_end.ms / 1000);
}

// By the names that Prometheus's own libraries use.
void add_process(Collected& out) {
    const auto process = process_figures();
    out.counter("process_cpu_seconds_total", "Processor time taken, in user and in system mode.",
                process.cpu_seconds);
    out.gauge("process_resident_memory_bytes", "Resident memory of the process.", process.resident_bytes);
    out.gauge("process_virtual_memory_bytes", "Virtual memory of the process.", process.virtual_bytes);
    out.gauge("process_open_fds", "File descriptors that are open.", process.open_files);
    out.gauge("process_max_fds", "File descriptors that may be open.", process.files_max);
    out.gauge("process_start_time_seconds", "When the process started, in Unix time.", process.start_seconds);
}

} // namespace

http::Families collect_metrics(const Installation& installation, const api::Api& api,
                               const http::Server& server, const http::Certificates* certificates,
                               const acme::Issuer* issuer) {
    Collected out(http::server_families(server.metrics()));
    out.info("slashpost_build_info", "Which program this is.", "version", SLASHPOST_VERSION);
    const auto calls = api.figures();
    out.gauge("slashpost_event_streams", "Streams of events that are open.", calls.streams);
    out.counter("slashpost_api_rate_limited_total",
                "Answers 429: a key or an address had used up its requests.", calls.rate_limited);
    out.counter("slashpost_api_keys_refused_total", "Answers 401: there was no key, or not a valid one.",
                calls.keys_refused);
    const auto figures = installation.figures();
    out.durations("slashpost_api_duration_seconds",
                  "Work on calls of the API by operation, without the waits for a worker and for the disk.",
                  "operation", calls.durations);
    add_store(out, figures.store);
    add_disk(out, figures.disk);
    add_visits(out, figures);
    add_backlogs(out, figures);
    if (figures.backups)
        add_backups(out, *figures.backups);
    if (certificates != nullptr)
        add_certificates(out, *certificates->current());
    if (issuer != nullptr)
        add_orders(out, issuer->figures());
    add_process(out);
    return out.take();
}

dashboard::Health health_of(const Installation& installation, const http::Certificates* certificates,
                            const std::filesystem::path& data) {
    const auto figures = installation.figures();
    const auto process = process_figures();
    const auto backlog = figures.backlog.value_or(Backlog());
    std::error_code not_known;
    const auto disk = std::filesystem::space(data, not_known);
    return {.version = SLASHPOST_VERSION,
            .trouble = {},
            .started_at_seconds = static_cast<std::int64_t>(process.start_seconds),
            .memory_bytes = process.resident_bytes,
            .store_bytes = figures.store.disk_bytes,
            .disk_free_bytes = not_known ? 0 : disk.available,
            .clicks_waiting = figures.clicks.waiting,
            .clicks_lost = figures.clicks_lost,
            .mails_waiting = backlog.mails,
            .jobs_waiting = backlog.jobs,
            .index_behind_seconds = static_cast<std::int64_t>(figures.index.behind_seconds),
            .certificates_end_at_seconds =
                certificates == nullptr ? 0
                                        : static_cast<std::int64_t>(certificates->current()->first_expiry())};
}

} // namespace slashpost::app
