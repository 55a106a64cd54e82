// `slashpost-admin plan`, `account set`, `workspace` and `domain set`.
#include "core/ops/domains.h"
#include "core/ops/plans.h"
#include "core/ops/workspaces.h"
#include "tests/app/admin/run_command.h"

using namespace slashpost;
using namespace slashpost::test;

namespace {

Plan plan(StockedWorld& world, std::string_view name) {
    return must(world.engine->read([&](data::View& view) { return find_plan(view, name); }));
}

} // namespace

TEST_CASE("a plan is made, changed, shown and given to an account", "[admin]") {
    StockedWorld world;
    CHECK(run(world, {"plan", "list"}).output ==
          "default: category default\n"
          "  features: all\n"
          "  links unlimited  workspaces unlimited  domains unlimited  teammates unlimited  tags unlimited  "
          "scripts unlimited  invites default\n"
          "  rate: default requests in default seconds\n");
    const auto made = run(world, {"plan", "create", "basic", "--features", "links.tags,links.bulk", "--links",
                                  "500", "--rate", "600", "--period", "30", "--category", "Basic"});
    CHECK(made.code == 0);
    CHECK(made.output ==
          "basic: category Basic\n"
          "  features: links.tags,links.bulk\n"
          "  links 500  workspaces unlimited  domains unlimited  teammates unlimited  tags unlimited  "
          "scripts unlimited  invites default\n"
          "  rate: 600 requests in 30 seconds\n");
    CHECK(run(world, {"plan", "set", "basic", "--links", "unlimited", "--workspaces", "3", "--rate",
                      "default", "--invites", "7"})
              .code == 0);
    const auto basic = plan(world, "basic");
    CHECK_FALSE(basic.limits.links);
    CHECK(basic.limits.workspaces == 3);
    CHECK(basic.limits.invites_per_day == 7);
    CHECK_FALSE(basic.rate_requests);
    CHECK(basic.rate_period_seconds == 30U);
    CHECK(basic.features.size() == 2); // what is not named stays
    CHECK(run(world, {"plan", "set", "basic", "--features", "none"}).output.find("features: none") !=
          std::string::npos);
    CHECK(run(world, {"plan", "set", "basic", "--features", "all"}).output.find("features: all") !=
          std::string::npos);

    CHECK_THAT(run(world, {"account", "set", "admin", "--plan", "basic", "--revoke", "links.bulk"}).output,
               Catch::Contains("plan basic  granted none  revoked links.bulk"));
    CHECK_THAT(run(world, {"account", "show", "admin"}).output, Catch::Contains("plan: basic"));
    CHECK_THAT(run(world, {"account", "set", "admin", "--plan", "default", "--revoke", "none"}).output,
               Catch::Contains("plan default  granted none  revoked none"));
}

TEST_CASE("wrong plans are refused with every broken part named", "[admin]") {
    StockedWorld world;
    const auto refused = run(world, {"plan", "create", "basic", "--features", "links.nope", "--links",
                                     "2147483648", "--period", "0"});
    CHECK(refused.code == 1);
    CHECK_THAT(refused.notes, Catch::Contains("links.nope") && Catch::Contains("links must be") &&
                                  Catch::Contains("period"));
    CHECK(run(world, {"plan", "show", "basic"}).code == 1);
    CHECK(run(world, {"plan", "set", "basic", "--links", "1"}).code == 1);
    CHECK(run(world, {"account", "set", "admin", "--plan", "basic"}).code == 1);
    for (const auto* number : {"-1", "x", "1x", ""})
        CHECK(admin::read_arguments(std::vector<std::string>{"plan", "set", "default", "--rate", number},
                                    nullptr)
                  .kind == admin::Job::Kind::complain);
}

TEST_CASE("a plan that an account has but that is not there is a finding", "[admin]") {
    StockedWorld world;
    must(world.operate([](SystemContext& system) -> Result<void> {
        const auto was = TRY(find_account(system.txn, "admin"));
        auto now = was;
        now.plan = "lost";
        return schema().accounts.update(system.txn, was, now);
    }));
    const auto found = run(world, {"verify"});
    CHECK(found.code == 1);
    CHECK_THAT(found.output, Catch::Contains("lost"));
}

TEST_CASE("the operator revokes, restores, trashes and untrashes workspaces", "[admin]") {
    StockedWorld world;
    const auto id = world.installed.account.default_workspace;
    const auto state = [&] {
        const auto found =
            must(world.engine->read([&](data::View& view) { return find_any_workspace(view, id.hex()); }));
        return std::pair(found.revoked, found.trashed);
    };
    CHECK_THAT(run(world, {"workspace", "revoke", "admin"}).output, Catch::Contains("default revoked\n"));
    CHECK(state() == std::pair(true, false));
    CHECK(run(world, {"workspace", "trash", id.hex()}).code == 0);
    CHECK(state() == std::pair(true, true));
    CHECK(world.listener.seen.back().workspaces == std::vector<WorkspaceId>{id});
    CHECK(run(world, {"workspace", "restore", "admin"}).code == 0);
    CHECK(state() == std::pair(false, true));
    CHECK(run(world, {"workspace", "untrash", "admin"}).code == 0);
    CHECK(state() == std::pair(false, false));
    CHECK(run(world, {"workspace", "trash", WorkspaceId().hex()}).code == 1);
}

TEST_CASE("workspaces are listed, and one is shown with its people and figures", "[admin]") {
    StockedWorld world;
    const auto listed = run(world, {"workspace", "list"}).output;
    CHECK_THAT(listed, Catch::Contains("owner admin  default\n") && Catch::Contains("owner Ünal  default\n"));
    const auto shown = run(world, {"workspace", "show", "admin"});
    CHECK_THAT(shown.output, Catch::Contains("links: 3 active, 3 not deleted\nclicks: 5\n") &&
                                 Catch::Contains("  owner  admin\n"));
    CHECK(world.plain.folds == 1); // so that the figures are true
}

TEST_CASE("the operator sets the documents of apps for a domain of the installation", "[admin]") {
    StockedWorld world;
    const auto domain = [&] {
        return must(
            world.engine->read([](data::View& view) { return find_any_domain(view, "go.example.com"); }));
    };
    CHECK(domain().type == DomainType::service);
    CHECK(run(world, {"domain", "set", "go.example.com", "--asset-links", R"([{"relation":["x"]}])",
                      "--apple-app-site-association", R"({"applinks":{}})"})
              .code == 0);
    CHECK(domain().asset_links == R"([{"relation":["x"]}])");
    CHECK(domain().apple_app_site_association == R"({"applinks":{}})");
    CHECK_THAT(run(world, {"domain", "show", "go.example.com"}).output,
               Catch::Contains(R"(asset links: [{"relation":["x"]}])"));
    CHECK(run(world, {"domain", "set", "go.example.com", "--asset-links", "none"}).code == 0);
    CHECK(domain().asset_links.empty());
    CHECK(domain().apple_app_site_association == R"({"applinks":{}})"); // what is not named stays
    const auto wrong = admin::read_arguments(
        std::vector<std::string>{"domain", "set", "go.example.com", "--asset-links", "{"}, nullptr);
    CHECK(wrong.kind == admin::Job::Kind::complain);
    CHECK_THAT(wrong.text, Catch::Contains("not a JSON document"));
}
