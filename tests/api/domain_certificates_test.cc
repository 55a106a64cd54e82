// What a domain says of its certificate where the server gets certificates by itself.
#include "core/work/certificates.h"
#include "tests/api/api_world.h"
#include "tests/support/must.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

TEST_CASE("encryption is pending until there is a certificate, failed with the reason, then active",
          "[domains]") {
    ApiWorld world;
    std::set<std::string, std::less<>> certificates;
    world.settings.has_certificate = [&](std::string_view host) { return certificates.contains(host); };
    world.settings.orders_certificates = true;
    const auto id = world.domain("go.mine.example").id.hex();
    const auto status = [&] { return world.send(get("/domains/" + id)).at("status"); };
    CHECK(status() == R"({"dns":"verified","encryption":"pending"})"); // its row is not there yet
    must(world.operate([](SystemContext& system) -> Result<void> {
        TRY(match_certificates(system, [](std::string_view) { return false; }));
        return {};
    }));
    CHECK(status() == R"({"dns":"verified","encryption":"pending"})");
    must(world.operate([](SystemContext& system) {
        return book_trouble(
            system, "go.mine.example",
            {.kind = OrderTrouble::Kind::refused, .reason = "Connection refused", .retry_at = {}});
    }));
    CHECK(status() == R"({"dns":"verified","encryption":"failed","encryptionError":"Connection refused"})");
    certificates.insert("go.mine.example"); // the operator's own
    CHECK(status() == R"({"dns":"verified","encryption":"active"})");
    certificates.clear();
    must(world.operate([](SystemContext& system) -> Result<void> {
        TRY(change_domain(system, TRY(find_any_domain(system.txn, "go.mine.example")),
                          {.active = Change<bool>::set(false)}));
        return {};
    }));
    CHECK(status() == R"({"dns":"verified","encryption":"none"})"); // nobody orders one
}
