#include "app/admin/cli.h"

#include "tests/app/admin/run_command.h"
#include "tests/support/workspaces.h"

using namespace slashpost;
using namespace slashpost::test;

namespace {

admin::Job read(const std::vector<std::string>& arguments) {
    return admin::read_arguments(arguments, nullptr);
}

} // namespace

TEST_CASE("the data folder is what the flag says, else what the environment says", "[admin]") {
    CHECK(read({"verify"}).data == "./data");
    CHECK(read({"--data", "/x", "verify"}).data == "/x");
    CHECK(admin::read_arguments(std::vector<std::string>{"verify"}, "/e").data == "/e");
    CHECK(admin::read_arguments(std::vector<std::string>{"--data", "/x", "verify"}, "/e").data == "/x");
}

TEST_CASE("every command explains itself", "[admin]") {
    for (const char* command : {"account create",
                                "account list",
                                "account show",
                                "key create",
                                "key list",
                                "key revoke",
                                "sign-in-address",
                                "domain add",
                                "domain list",
                                "domain show",
                                "domain verify",
                                "domain revoke",
                                "domain restore",
                                "domain set",
                                "domain default",
                                "domain remove",
                                "account set",
                                "plan list",
                                "plan show",
                                "plan create",
                                "plan set",
                                "workspace list",
                                "workspace show",
                                "workspace revoke",
                                "workspace restore",
                                "workspace trash",
                                "workspace untrash",
                                "domain share",
                                "domain unshare",
                                "dump",
                                "restore",
                                "drain",
                                "verify",
                                "reindex",
                                "schema",
                                "completion",
                                "manual",
                                "version"}) {
        CAPTURE(command);
        const std::string text = command;
        const auto space = text.find(' ');
        std::vector<std::string> arguments{text.substr(0, space)};
        if (space != std::string::npos)
            arguments.push_back(text.substr(space + 1));
        arguments.emplace_back("--help");
        const auto job = read(arguments);
        CHECK(job.kind == admin::Job::Kind::print);
        CHECK(job.text.size() > 60);
        CHECK_THAT(read({"--help"}).text, Catch::Contains(arguments.front()));
    }
}

TEST_CASE("wrong arguments of the admin tool are complained about in one line", "[admin]") {
    const auto arguments = GENERATE(
        std::vector<std::string>{}, std::vector<std::string>{"nope"}, std::vector<std::string>{"dump"},
        std::vector<std::string>{"domain"}, std::vector<std::string>{"domain", "set"},
        std::vector<std::string>{"domain", "set", "a.example", "--active", "maybe"},
        std::vector<std::string>{"domain", "set", "a.example", "--slashtag-min", "x"},
        std::vector<std::string>{"key", "create"}, std::vector<std::string>{"verify", "x"});
    const auto job = read(arguments);
    CHECK(job.kind == admin::Job::Kind::complain);
    CHECK_THAT(job.text, Catch::StartsWith("slashpost-admin: ") && Catch::Contains("--help"));
    CHECK(job.text.find('\n') == std::string::npos);
}

TEST_CASE("restore and reindex need the folder for themselves", "[admin]") {
    CHECK(read({"restore", "x"}).kind == admin::Job::Kind::restore);
    CHECK(read({"reindex"}).beside == admin::Job::Beside::nobody);
    CHECK(read({"verify"}).beside == admin::Job::Beside::server);
    CHECK(read({"dump", "x"}).file == "x");
    CHECK(read({"domain", "add", "x.example"}).name == "domain add");
}

TEST_CASE("an account is shown with how its person signs in, and a key with its limits", "[admin]") {
    StockedWorld world;
    world.settings.dashboard_url = "https://links.example.com";
    const auto admin = run(world, {"account", "show", "admin"}).output;
    CHECK_THAT(admin,
               Catch::Contains("\nsigns in: with a password of 2027-01-15T08:00:01.000Z and a code\n"));
    CHECK_THAT(admin, Catch::Contains("limited (read only, workspace " +
                                      world.installed.account.default_workspace.hex() +
                                      ", until 2027-01-15T08:16:41.000Z)\n"));
    const auto made = run(world, {"account", "create", "ada"});
    CHECK_THAT(made.notes, Catch::Contains("slashpost-admin sign-in-address ada"));
    CHECK_THAT(run(world, {"account", "show", "ada"}).output,
               Catch::Contains("\nsigns in: with an address of: slashpost-admin sign-in-address ada\n"));
    const auto address = run(world, {"sign-in-address", "ada"}).output;
    CHECK(address.size() == std::string("https://links.example.com/sign-in#\n").size() + 64);
    CHECK_THAT(address, Catch::StartsWith("https://links.example.com/sign-in#"));
}

TEST_CASE("an account gets keys that work until they are revoked", "[admin]") {
    StockedWorld world;
    CHECK(run(world, {"account", "create", "ada", "--full-name", "Ada"}).code == 0);
    CHECK_THAT(run(world, {"account", "list"}).output, Catch::Contains("ada"));
    const auto made = run(world, {"key", "create", "--account", "ADA", "--name", "laptop"});
    REQUIRE_THAT(made.output, Catch::StartsWith("API key: "));
    const auto key = made.output.substr(9, 64);
    const auto caller = must(world.service.authenticate(key));
    const auto listed = run(world, {"key", "list", "--account", "ada"}).output;
    CHECK_THAT(listed, Catch::StartsWith(caller.key.hex()) && Catch::Contains("laptop"));
    CHECK(listed.find(key) == std::string::npos);
    CHECK_THAT(run(world, {"account", "show", "ada"}).output, Catch::Contains("Main workspace"));
    CHECK(run(world, {"key", "revoke", caller.key.hex()}).code == 0);
    CHECK_FALSE(world.service.authenticate(key).has_value());
}

TEST_CASE("a domain is added, set, shared, revoked, restored and removed", "[admin]") {
    StockedWorld world;
    const auto find = [&] {
        return must(world.engine->read([](data::View& view) { return find_any_domain(view, "a.example"); }));
    };
    CHECK(run(world, {"domain", "add", "A.Example."}).code == 0);
    CHECK_FALSE(find().verified);
    CHECK(find().type == DomainType::service);
    CHECK(run(world, {"domain", "verify", "a.example"}).code == 0);
    CHECK(find().verified);
    CHECK(run(world,
              {"domain", "set", "a.example", "--redirect-type", "301", "--homepage", "https://x.example/",
               "--not-found", "https://y.example/", "--slashtag-min", "3", "--slashtag-max", "9"})
              .code == 0);
    CHECK(find().redirect_type == 301);
    CHECK(find().custom_homepage == "https://x.example/");
    CHECK(find().slashtag.length_max == 9);
    CHECK(run(world, {"domain", "set", "a.example", "--not-found", "none"}).code == 0);
    CHECK(find().not_found_url.empty());
    CHECK(run(world, {"domain", "set", "a.example", "--expired", "https://z.example/{path}",
                      "--forward-parameters", "no", "--on-conflict", "visitor"})
              .code == 0);
    CHECK(find().forwarding == Forwarding{.parameters = false, .on_conflict = OnConflict::visitor});
    CHECK_THAT(run(world, {"domain", "show", "a.example"}).output,
               Catch::Contains("not found: -\nexpired: https://z.example/{path}\n"
                               "parameters forwarded: no, on conflict visitor\n"));
    CHECK(run(world, {"domain", "set", "a.example", "--expired", "none"}).code == 0);
    CHECK(find().expired_url.empty());
    CHECK(run(world, {"domain", "set", "a.example", "--brand-name", "Acme", "--brand-color", "#FF8800",
                      "--logo", "https://cdn.example.com/l.svg", "--home-text", "Hello"})
              .code == 0);
    CHECK(find().branding == Branding{.name = "Acme",
                                      .color = "ff8800",
                                      .logo_url = "https://cdn.example.com/l.svg",
                                      .home_text = "Hello"});
    CHECK_THAT(run(world, {"domain", "show", "a.example"}).output,
               Catch::Contains("brand name: Acme\nbrand color: ff8800\nlogo: https://cdn.example.com/l.svg\n"
                               "home text: Hello\n"));
    CHECK(run(world, {"domain", "set", "a.example", "--logo", "none"}).code == 0);
    CHECK(find().branding.logo_url.empty());
    CHECK(run(world, {"domain", "set", "a.example", "--aliases", "B.example,www.a.example"}).code == 0);
    CHECK_THAT(run(world, {"domain", "show", "b.example"}).output,
               Catch::Contains("aliases: b.example, www.a.example\n"));
    CHECK(run(world, {"domain", "set", "a.example", "--aliases", "none"}).code == 0);
    CHECK(find().aliases.empty());
    CHECK(run(world, {"domain", "share", "a.example", "admin"}).code == 0);
    CHECK_THAT(run(world, {"domain", "show", "a.example"}).output,
               Catch::Contains(world.installed.account.default_workspace.hex()));
    CHECK(run(world, {"domain", "revoke", "a.example"}).code == 0);
    CHECK(find().revoked);
    CHECK(run(world, {"domain", "restore", "a.example"}).code == 0);
    CHECK_FALSE(find().revoked);
    CHECK(world.listener.seen.back().domains == std::vector<DomainId>{find().id});
    CHECK(run(world, {"domain", "unshare", "a.example", "admin"}).code == 0);
    CHECK(run(world, {"domain", "remove", "go.example.com"}).code == 1); // has links
    CHECK(run(world, {"domain", "remove", "a.example"}).code == 0);
    CHECK(run(world, {"domain", "list"}).output.find("a.example") == std::string::npos);
}

TEST_CASE("a domain of an account is a user domain and may be the default", "[admin]") {
    StockedWorld world;
    CHECK(run(world, {"domain", "add", "mine.example", "--account", "admin", "--verified"}).code == 0);
    const auto domain =
        must(world.engine->read([](data::View& view) { return find_any_domain(view, "mine.example"); }));
    CHECK(domain.type == DomainType::user);
    CHECK(domain.owner == world.installed.account.id);
    CHECK(run(world, {"domain", "default", "mine.example"}).code == 0);
    CHECK(must(world.engine->read([](data::View& view) { return default_domain(view); })) == domain.id);
}

TEST_CASE("the default domain is shared with who makes links that name none", "[admin]") {
    StockedWorld world;
    const auto sharing = [&](const char* name) {
        return must(world.engine->read([&](data::View& view) -> Result<std::size_t> {
            return TRY(workspaces_sharing(view, TRY(find_any_domain(view, name)).id)).size();
        }));
    };
    const auto before = sharing("go.example.com");
    REQUIRE(before > 1);
    CHECK(run(world, {"domain", "add", "new.example", "--verified"}).code == 0);
    CHECK(sharing("new.example") == 0);
    CHECK(run(world, {"domain", "unshare", "go.example.com", "admin"}).code == 0); // makes no such links
    const auto made = run(world, {"domain", "default", "new.example"});
    CHECK(made.output == "new.example: links that name no domain are made here; it is shared with the " +
                             std::to_string(before - 1) + " workspaces that make such\n");
    CHECK(sharing("new.example") == before - 1);
    CHECK(run(world, {"account", "create", "ada"}).code == 0);
    CHECK(sharing("new.example") == before);

    CHECK(run(world, {"domain", "remove", "new.example"}).code == 0);
    CHECK(run(world, {"domain", "add", "only.example", "--verified"}).code == 0);
    make_workspace(world, "another of somebody's");
    CHECK(run(world, {"domain", "default", "only.example"}).code == 0);
    CHECK(sharing("only.example") ==
          before + 1); // there was no default, so everybody's main workspace makes such
    CHECK(run(world, {"verify"}).code == 0);
}

TEST_CASE("a name that several registered is found by ids until one is verified", "[admin]") {
    StockedWorld world;
    CHECK(run(world, {"domain", "add", "two.example"}).code == 0);
    CHECK(run(world, {"domain", "add", "two.example", "--account", "admin"}).code == 0);
    const auto ids = must(world.engine->read([](data::View& view) { return list_domains(view); }));
    const auto mine = ids.back();
    const auto unclear = run(world, {"domain", "verify", "two.example"});
    CHECK(unclear.code == 1);
    CHECK_THAT(unclear.notes, Catch::Contains(mine.id.hex()) && Catch::Contains("id"));
    CHECK_THAT(
        run(world, {"domain", "show", mine.id.hex()}).output,
        Catch::Contains("owner: admin\nverified by: TXT _slashpost.two.example slashpost-verification=" +
                        mine.id.hex()));
    CHECK(run(world, {"domain", "verify", mine.id.hex()}).code == 0);
    CHECK_THAT(run(world, {"domain", "show", "two.example"}).output, Catch::StartsWith(mine.id.hex()));
    CHECK(run(world, {"domain", "add", "two.example"}).code == 1);
}

TEST_CASE("every broken field of a domain's settings is named", "[admin]") {
    StockedWorld world;
    const auto refused = run(world, {"domain", "set", "go.example.com", "--redirect-type", "300",
                                     "--homepage", "javascript:alert(1)"});
    CHECK(refused.code == 1);
    CHECK_THAT(refused.notes, Catch::Contains("redirectType must be") && Catch::Contains("customHomepage"));
    const auto unknown = run(world, {"domain", "show", "nowhere.example"});
    CHECK(unknown.code == 1);
    CHECK_THAT(unknown.notes, Catch::Contains("nowhere.example"));
}
