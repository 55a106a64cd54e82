// What the admin tool does with certificates that the server got by itself: it dumps them only when asked,
// and lists them with those of the operator's folder.
#include "core/work/certificates.h"

#include "app/admin/commands.h"
#include "app/admin/dump_file.h"
#include "tests/app/admin/run_command.h"
#include "tests/app/admin/stocked_world.h"

#include <sstream>

using namespace slashpost;
using namespace slashpost::test;

namespace {

Result<int> restore(EmptyHouse& into, const std::string& dump) {
    RememberingConsole console;
    std::istringstream in(dump);
    admin::DumpReader reader(in);
    return admin::restore(into.plain.context, reader, console);
}

} // namespace

TEST_CASE("certificates and their keys are in a dump only when they are asked for, and restored",
          "[dump][threat-40]") {
    StockedWorld world;
    must(world.operate([&](SystemContext& system) -> Result<void> {
        TRY(acme_account(system, "https://ca.example/dir", "the account's key"));
        TRY(schema().host_certificates.insert(system.txn, {.host = "go.example.com"}));
        return book_certificate(
            system, "go.example.com",
            {.chain = "a chain", .key = "the host's key", .not_before = {1}, .not_after = {2}});
    }));
    const auto plain = world.dump();
    for (const auto* secret : {"the account's key", "the host's key", "acme_accounts", "host_certificates"})
        CHECK(plain.find(secret) == std::string::npos);
    RememberingConsole console;
    REQUIRE(must(admin::dump(world.plain.context, console, admin::DumpKeys::with)) == admin::exit_good);
    for (const auto* secret :
         {R"("key":"the account's key")", R"("key":"the host's key")", R"("chain":"a chain")"})
        CHECK_THAT(console.output, Catch::Contains(secret));
    EmptyHouse second;
    REQUIRE(must(restore(second, console.output)) == admin::exit_good);
    const auto restored = must(second.engine->read([](data::View& view) {
        return schema().certificate_files.find(view, HostCertificate::primary_for("go.example.com"));
    }));
    REQUIRE(restored);
    CHECK(restored->key == "the host's key");
}

TEST_CASE("certificates are listed by name with source, days left, the last failure and the next try",
          "[admin]") {
    StockedWorld world; // its clock stands at 2027-01-15T08:00:01Z
    const Timestamp now = world.clock.now();
    must(world.operate([&](SystemContext& system) -> Result<void> {
        for (const auto* name : {"a.example.com", "b.example.com", "c.example.net", "d.example.net"})
            TRY(add_domain(system, {.full_name = name, .verified = true}));
        TRY(schema().host_certificates.insert(system.txn, {.host = "go.example.com",
                                                           .wanted = true,
                                                           .state = CertificateState::active,
                                                           .due_at = now.plus_seconds(3600),
                                                           .issued_at = now,
                                                           .not_after = now.plus_seconds(90LL * 24 * 3600)}));
        return schema().host_certificates.insert(system.txn, {.host = "c.example.net",
                                                              .wanted = true,
                                                              .state = CertificateState::failed,
                                                              .due_at = now.plus_seconds(7200),
                                                              .failures = 2,
                                                              .error = "no route to c.example.net",
                                                              .failed_at = now});
    }));
    world.plain.context.operator_certificates = [&] {
        return std::vector<admin::OperatorCertificate>{
            {.folder = "example.com", .names = {"*.example.com"}, .not_after = now.plus_seconds(864'001)},
            {.folder = "old", .names = {"d.example.net"}, .not_after = now.plus_seconds(-1)}};
    };
    const auto answer = run(world, {"certificates"});
    CHECK(answer.output ==
          "*.example.com                    folder  10 days left, until 2027-01-25T08:00:02.000Z (in "
          "example.com)\n"
          "d.example.net                    folder  expired 2027-01-15T08:00:00.000Z (in old)\n"
          "c.example.net                    acme    none yet; 2 failures, the last at "
          "2027-01-15T08:00:01.000Z: "
          "no route to c.example.net; next try 2027-01-15T10:00:01.000Z\n"
          "go.example.com                   acme    90 days left, until 2027-04-15T08:00:01.000Z; next try "
          "2027-01-15T09:00:01.000Z\n"
          "not covered: c.example.net, d.example.net, short.example.org\n");
}
