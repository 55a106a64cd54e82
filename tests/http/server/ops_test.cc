#include "http/server/ops.h"

#include "tests/http/server/client.h"

#include <catch2/catch.hpp>

namespace slashpost::http {

namespace {

Response get(const Ops& ops, const std::string& path, const std::string& method = "GET") {
    return Client(ops.port()).ask(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").value();
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("operators ask for health, readiness and metrics", "[ops][threat-42]") {
    std::optional<std::string> reason;
    ServerMetrics metrics;
    metrics.redirects[3] = 7;
    metrics.redirect_duration.buckets[0] = 5;
    metrics.redirect_duration.buckets[2] = 2;
    metrics.redirect_duration.sum_us = 250'000;
    metrics.shed = 4;
    metrics.visitors_shed = 1;
    Ops ops(
        {.address = "127.0.0.1", .port = 0}, [&] { return reason; },
        [&] {
            Families families = server_families(metrics);
            families.push_back(info_family("slashpost_build_info", "Which it is.", "version", "1.2.3"));
            return families;
        });
    REQUIRE(ops.start());

    CHECK(get(ops, "/healthz").status == 200);
    CHECK(get(ops, "/healthz").body == "ok\n");
    CHECK(get(ops, "/readyz").status == 200);
    reason = "the store takes no writes";
    CHECK(get(ops, "/readyz").status == 503);
    CHECK(get(ops, "/readyz").body == "the store takes no writes\n");
    CHECK(get(ops, "/healthz").status == 200);

    const Response page = get(ops, "/metrics");
    CHECK(page.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8");
    CHECK(has(page.body, "slashpost_http_answers_total{kind=\"redirect\",status=\"3xx\"} 7\n"));
    CHECK(has(page.body, "slashpost_http_shed_total{kind=\"api\"} 4\n"));
    CHECK(has(page.body, "slashpost_http_shed_total{kind=\"visitor\"} 1\n"));
    CHECK(has(page.body, "# TYPE slashpost_http_duration_seconds histogram\n"));
    CHECK(has(page.body, "slashpost_http_duration_seconds_count{kind=\"redirect\"} 7\n"));
    CHECK(has(page.body, "slashpost_http_duration_seconds_bucket{kind=\"redirect\",le=\"+Inf\"} 7\n"));
    CHECK(has(page.body, "# TYPE slashpost_build_info gauge\nslashpost_build_info{version=\"1.2.3\"} 1\n"));

    CHECK(get(ops, "/").status == 404);
    CHECK(get(ops, "/v1/links").status == 404);
    CHECK(get(ops, "/healthz", "POST").status == 405);
    CHECK(get(ops, "/healthz?verbose").status == 200);
}

TEST_CASE("the bounds of durations are written as a person would", "[ops]") {
    ServerMetrics metrics;
    metrics.redirect_duration.sum_us = 1'234'567;
    Ops ops(
        {.address = "127.0.0.1", .port = 0}, [] { return std::optional<std::string>(); },
        [&] { return server_families(metrics); });
    REQUIRE(ops.start());
    const auto page = get(ops, "/metrics").body;
    for (const auto* bound : {"2.5e-05", "5e-05", "0.0001", "0.00025", "0.0005", "0.001", "0.0025", "0.005",
                              "0.01", "0.025", "0.05", "0.1", "0.25", "1", "5", "+Inf"}) {
        CAPTURE(bound);
        CHECK(has(page, "_bucket{kind=\"redirect\",le=\"" + std::string(bound) + "\"} 0\n"));
    }
    CHECK(has(page, "slashpost_http_duration_seconds_sum{kind=\"redirect\"} 1.234567\n"));
}

} // namespace slashpost::http
