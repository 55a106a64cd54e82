#include "app/acme/order_steps.h"

#include <catch2/catch.hpp>

using namespace slashpost::acme;

TEST_CASE("the words of RFC 8555 are known, and no others", "[acme]") {
    CHECK(status_of("pending") == Status::pending);
    CHECK(status_of("processing") == Status::processing);
    CHECK(status_of("ready") == Status::ready);
    CHECK(status_of("valid") == Status::valid);
    CHECK(status_of("invalid") == Status::invalid);
    CHECK(status_of("deactivated") == Status::deactivated);
    CHECK(status_of("expired") == Status::expired);
    CHECK(status_of("revoked") == Status::revoked);
    CHECK(status_of("Valid") == Status::unknown);
    CHECK(status_of("") == Status::unknown);
}

TEST_CASE("an order goes from proof to certificate, and gives up where the standard has no way on",
          "[acme]") {
    const struct {
        OrderView seen;
        Step step;
    } cases[] = {
        {{Status::pending, Status::unknown, Status::unknown}, Step::read_authorization},
        {{Status::pending, Status::pending, Status::pending}, Step::prove},
        {{Status::pending, Status::pending, Status::processing}, Step::wait_for_proof},
        {{Status::pending, Status::valid, Status::valid}, Step::wait_for_proof},
        {{Status::pending, Status::pending, Status::unknown}, Step::give_up}, // it does not offer our way
        {{Status::pending, Status::pending, Status::invalid}, Step::give_up},
        {{Status::pending, Status::invalid, Status::invalid}, Step::give_up},
        {{Status::pending, Status::expired, Status::pending}, Step::give_up},
        {{Status::pending, Status::revoked, Status::valid}, Step::give_up},
        {{Status::pending, Status::deactivated, Status::valid}, Step::give_up},
        {{Status::ready, Status::unknown, Status::unknown}, Step::finalize}, // it was proved before
        {{Status::ready, Status::valid, Status::valid}, Step::finalize},
        {{Status::processing, Status::valid, Status::valid}, Step::wait_for_certificate},
        {{Status::valid, Status::valid, Status::valid}, Step::download},
        {{Status::invalid, Status::invalid, Status::invalid}, Step::give_up},
        {{Status::unknown, Status::unknown, Status::unknown}, Step::give_up},
    };
    for (const auto& [seen, step] : cases) {
        CAPTURE(static_cast<int>(seen.order), static_cast<int>(seen.authorization),
                static_cast<int>(seen.challenge));
        CHECK(next_step(seen) == step);
    }
}

TEST_CASE("an authority is asked again as it says, within bounds, else less and less often", "[acme]") {
    CHECK(wait_before_asking(0, std::nullopt) == 500);
    CHECK(wait_before_asking(1, std::nullopt) == 1000);
    CHECK(wait_before_asking(4, std::nullopt) == 8000);
    CHECK(wait_before_asking(1000, std::nullopt) == 8000);
    CHECK(wait_before_asking(0, 5) == 5000);
    CHECK(wait_before_asking(0, 0) == 200);
    CHECK(wait_before_asking(0, 3600) == 30'000);
}

TEST_CASE("a host is proved over port 80 where that is ours, else over TLS, or as was chosen", "[acme]") {
    CHECK(method_for(Method::automatic, {.http_port = 80, .has_tls = true}) == Method::http_01);
    CHECK(method_for(Method::automatic, {.http_port = 8080, .has_tls = true}) == Method::tls_alpn_01);
    CHECK(method_for(Method::automatic, {.http_port = 8080, .has_tls = false}) == Method::http_01);
    CHECK(method_for(Method::http_01, {.http_port = 8080, .has_tls = true}) == Method::http_01);
    CHECK(method_for(Method::tls_alpn_01, {.http_port = 80, .has_tls = true}) == Method::tls_alpn_01);
    CHECK(name_of(Method::http_01) == "http-01");
    CHECK(name_of(Method::tls_alpn_01) == "tls-alpn-01");
}
