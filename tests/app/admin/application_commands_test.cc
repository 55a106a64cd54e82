// `slashpost-admin application`.
#include "core/ops/grants.h"
#include "tests/app/admin/run_command.h"

#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// What `add` says behind "client id: ".
std::string client_of(const Run& added) {
    REQUIRE(added.output.starts_with("client id: "));
    return added.output.substr(11, 32);
}

Run add_calendar(StockedWorld& world) {
    return run(world, {"application", "add", "Calendar", "--account", "Ünal", "--redirect",
                       "https://calendar.example/back", "--redirect", "http://127.0.0.1/cb"});
}

bool is_secret_of(StockedWorld& world, const std::string& client, const std::string& secret) {
    return must(world.engine->read(
                    [&](data::View& view) { return identify_application(view, client, secret); }))
        .has_value();
}

} // namespace

TEST_CASE("the operator registers an application for an account", "[admin][oauth]") {
    StockedWorld world;
    const auto added = add_calendar(world);
    CHECK(added.code == 0);
    const auto client = client_of(added);
    CHECK(added.output == "client id: " + client + "\n");
    CHECK(added.notes.empty());
    CHECK(run(world, {"application", "list", "--account", "Ünal"}).output ==
          client + "  Calendar" + std::string(24, ' ') + " public       created " +
              to_iso(world.clock.now()) +
              "  account Ünal  grants 0  https://calendar.example/back http://127.0.0.1/cb\n");
    CHECK(is_secret_of(world, client, ""));
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a confidential application's secret is shown once by the tool, and renewed",
          "[admin][oauth][threat-40]") {
    StockedWorld world;
    const auto added = run(world, {"application", "add", "Server", "--account", "admin", "--redirect",
                                   "https://app.example/", "--website", "https://app.example",
                                   "--confidential", "--implicit"});
    const auto client = client_of(added);
    const auto secret_in = [](const std::string& output) {
        const auto at = output.find("client secret: ");
        REQUIRE(at != output.npos);
        return output.substr(at + 15, 64);
    };
    const auto secret = secret_in(added.output);
    CHECK_THAT(added.notes, Catch::Contains("shown this once"));
    CHECK(is_secret_of(world, client, secret));
    const auto listed = run(world, {"application", "list", "--account", "admin"}).output;
    CHECK_THAT(listed, Catch::Contains(client + "  Server") && Catch::Contains(" confidential created ") &&
                           Catch::Contains("  grants 0  implicit  https://app.example/\n"));
    CHECK(listed.find(secret) == listed.npos);
    const auto renewed = run(world, {"application", "secret", client});
    CHECK(renewed.code == 0);
    CHECK_FALSE(is_secret_of(world, client, secret));
    CHECK(is_secret_of(world, client, secret_in(renewed.output)));
    const auto open = client_of(add_calendar(world));
    const auto refused = run(world, {"application", "secret", open});
    CHECK(refused.code == 1);
    CHECK_THAT(refused.notes, Catch::Contains("keeps no secret"));
}

TEST_CASE("the operator lists the applications of all accounts, and deletes anybody's", "[admin][oauth]") {
    StockedWorld world;
    const auto client = client_of(add_calendar(world));
    const auto all = run(world, {"application", "list"}).output;
    CHECK_THAT(all, Catch::Contains(client + "  Calendar"));
    CHECK(run(world, {"application", "delete", client}).output == "deleted: " + client + " (Calendar)\n");
    CHECK(run(world, {"application", "list"}).output.find(client) == std::string::npos);
    CHECK(run(world, {"application", "list", "--account", "Ünal"}).output.empty());
    for (const auto* command : {"delete", "secret"}) {
        const auto gone = run(world, {"application", command, client});
        CHECK(gone.code == 1);
        CHECK_THAT(gone.notes, Catch::Contains("not found"));
    }
    CHECK(world.inconsistency().empty());
}

TEST_CASE("what is wrong with an application is told by the tool, and nothing is made", "[admin][oauth]") {
    StockedWorld world;
    const auto before = run(world, {"application", "list"}).output;
    const auto refused = run(world, {"application", "add", "Evil", "--account", "admin", "--redirect",
                                     "http://app.example/", "--website", "javascript:1"});
    CHECK(refused.code == 1);
    CHECK_THAT(refused.notes, Catch::Contains("redirects[0]") && Catch::Contains("website"));
    const auto nobody = run(
        world, {"application", "add", "Evil", "--account", "nobody", "--redirect", "https://app.example/"});
    CHECK(nobody.code == 1);
    CHECK_THAT(nobody.notes, Catch::Contains("not found"));
    CHECK(run(world, {"application", "list"}).output == before);
}
