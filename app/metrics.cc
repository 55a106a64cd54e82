#include "app/metrics.h"

#include <fstream>
#include <unistd.h>

namespace slashpost::app {

namespace {

double resident_bytes() {
    std::ifstream statm("/proc/self/statm");
    std::uint64_t total_pages = 0;
    std::uint64_t resident_pages = 0;
    statm >> total_pages >> resident_pages;
    return static_cast<double>(resident_pages) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

} // namespace

http::Families collect_metrics(const Site& site, const http::Server& server,
                               const http::Certificates* certificates) {
    auto families = http::server_families(server.metrics());
    const auto counter = [&](const char* name, const char* help, std::uint64_t value) {
        families.push_back(http::counter_family(name, help, static_cast<double>(value)));
    };
    const auto gauge = [&](const char* name, const char* help, double value) {
        families.push_back(http::gauge_family(name, help, value));
    };
    const auto figures = site.figures();
    gauge("slashpost_store_memory_bytes", "Memory of the store: caches, write buffers, indexes.",
          static_cast<double>(figures.store.memory_bytes));
    gauge("slashpost_store_disk_bytes", "Size of the store's files.",
          static_cast<double>(figures.store.disk_bytes));
    counter("slashpost_store_conflicts_total", "Transactions that had to run again.",
            figures.store.conflicts);
    gauge("slashpost_store_writable", "1 while the disk takes writes, else 0.",
          figures.store.writable ? 1 : 0);
    counter("slashpost_redirect_cache_hits_total", "Short addresses found in memory.", figures.cache.hits);
    counter("slashpost_redirect_cache_misses_total", "Short addresses looked up in the store.",
            figures.cache.misses);
    gauge("slashpost_redirect_cache_bytes", "Memory of remembered short addresses.",
          static_cast<double>(figures.cache.bytes));
    counter("slashpost_redirect_failures_total", "Visits that could not be answered because of the store.",
            figures.redirect_failures);
    counter("slashpost_clicks_folded_total", "Clicks added to the totals.", figures.clicks.folded);
    counter("slashpost_clicks_rolled_up_total", "Clicks added to the statistics.", figures.clicks.rolled_up);
    gauge("slashpost_rollup_records_waiting", "Records of the journal that are not in the statistics yet.",
          static_cast<double>(figures.clicks.waiting));
    counter("slashpost_clicks_lost_total", "Clicks for which there was no room on the disk.",
            figures.clicks_lost);
    counter("slashpost_click_fold_failures_total", "Rounds of folding that failed and were tried again.",
            figures.clicks.failures);
    gauge("slashpost_countries_loaded", "1 when the countries of addresses are known (--geoip), else 0.",
          figures.countries.loaded ? 1 : 0);
    gauge("slashpost_countries_built_seconds", "When their data was made, in Unix time; 0: none is loaded.",
          static_cast<double>(figures.countries.built_at));
    if (certificates != nullptr) {
        const auto set = certificates->current();
        gauge("slashpost_tls_certificates", "Certificates in use.", static_cast<double>(set->size()));
        gauge("slashpost_tls_first_expiry_seconds", "When the first of them expires, in Unix time; 0: none.",
              static_cast<double>(set->first_expiry()));
    }
    gauge("process_resident_memory_bytes", "Resident memory of the process.", resident_bytes());
    return families;
}

} // namespace slashpost::app
