#include "tests/core/redirect/redirect_world.h"

#include <atomic>
#include <thread>

using namespace slashpost;
using namespace slashpost::test;
using redirect::Directory;

namespace {

bool suspended(const Directory& directory, WorkspaceId workspace) {
    const auto* const facts = directory.now().unusual(workspace);
    return facts != nullptr && facts->suspended;
}

} // namespace

TEST_CASE("the directory finds domains by host, as far as they serve", "[redirect]") {
    RedirectWorld world;
    world.put(Domain{.id = id_of<DomainId>(1),
                     .full_name = "localhost:8080",
                     .verified = true,
                     .redirect_type = 301,
                     .custom_homepage = "https://home.example/",
                     .not_found_url = "https://lost.example/",
                     .slashtag = {.case_sensitive = true},
                     .forwarding = {.parameters = false, .on_conflict = OnConflict::both},
                     .expired_url = "https://over.example/"});
    const auto* facts = world.directory.now().find("localhost:8080");
    REQUIRE(facts);
    CHECK(facts->id == id_of<DomainId>(1));
    CHECK(facts->redirect_type == 301);
    CHECK(facts->custom_homepage == "https://home.example/");
    CHECK(facts->not_found_url == "https://lost.example/");
    CHECK(facts->expired_url == "https://over.example/");
    CHECK(facts->forwarding == Forwarding{.parameters = false, .on_conflict = OnConflict::both});
    CHECK(facts->slashtag.letters == redirect::Case::minded);
    CHECK(facts->serves);
    CHECK(world.directory.now().find("localhost") == nullptr);
    CHECK(world.directory.now().find("") == nullptr);
}

TEST_CASE("a domain of localhost is found by the addresses of the loopback too, with its port",
          "[redirect]") {
    RedirectWorld world;
    world.put(Domain{.id = id_of<DomainId>(1), .full_name = "localhost:8080", .verified = true});
    const auto found = [&](std::string_view host) {
        const auto* const facts = world.directory.now().find(host);
        return facts ? facts->id : DomainId{};
    };
    CHECK(found("127.0.0.1:8080") == id_of<DomainId>(1));
    CHECK(found("[::1]:8080") == id_of<DomainId>(1));
    CHECK(found("127.0.0.1:8081") == DomainId{});
    CHECK(found("127.0.0.1") == DomainId{});
    world.put(Domain{.id = id_of<DomainId>(2), .full_name = "127.0.0.1:8080", .verified = true});
    CHECK(found("127.0.0.1:8080") == id_of<DomainId>(2));
    CHECK(found("[::1]:8080") == id_of<DomainId>(1));
}

TEST_CASE("a domain's documents are shared by all tables that know it", "[redirect]") {
    RedirectWorld world;
    CHECK(world.directory.now().find("go.example.com")->asset_links == nullptr);
    world.put(Domain{.id = domain_id,
                     .full_name = "go.example.com",
                     .verified = true,
                     .apple_app_site_association = "{}",
                     .asset_links = "[]"});
    const auto before = world.directory.now().find("go.example.com")->asset_links;
    REQUIRE(before);
    CHECK(*before == "[]");
    CHECK(*world.directory.now().find("go.example.com")->apple_app_site_association == "{}");
    world.put(Domain{.id = id_of<DomainId>(78), .full_name = "other.example.com", .verified = true});
    CHECK(world.directory.now().find("go.example.com")->asset_links == before);
}

TEST_CASE("a domain is found by its further names as far as they are verified", "[redirect]") {
    RedirectWorld world;
    const auto found = [&](std::string_view host) {
        const auto* const facts = world.directory.now().find(host);
        return facts ? facts->id : DomainId{};
    };
    Domain domain{.id = domain_id,
                  .full_name = "go.example.com",
                  .verified = true,
                  .aliases = {{.full_name = "www.go.example.com", .verified = true},
                              {.full_name = "links.example.net"}}};
    world.put(domain);
    CHECK(found("go.example.com") == domain_id);
    CHECK(found("www.go.example.com") == domain_id);
    CHECK(found("links.example.net") == DomainId{});
    CHECK(world.visit({.host = "WWW.go.example.com", .path = "/gone"}).outcome == redirect::Outcome::missing);

    // Another domain takes a name that this one gives up, in the same breath.
    const Domain other{.id = id_of<DomainId>(79),
                       .full_name = "other.example.com",
                       .verified = true,
                       .aliases = {{.full_name = "www.go.example.com", .verified = true}}};
    domain.aliases = {{.full_name = "links.example.net", .verified = true}};
    world.put(domain);
    world.put(other);
    CHECK(found("www.go.example.com") == other.id);
    CHECK(found("links.example.net") == domain_id);
    Directory loaded;
    REQUIRE(loaded.load(*world.engine));
    CHECK(loaded.now().find("www.go.example.com")->id == other.id);

    domain.verified = false;
    world.put(domain);
    CHECK(found("links.example.net") == DomainId{});
    CHECK(found("go.example.com") == DomainId{});
}

TEST_CASE("a domain serves when it is verified, active and not revoked", "[redirect]") {
    RedirectWorld world;
    const auto serves = [&](bool verified, bool active, bool revoked) {
        world.put(Domain{.id = domain_id,
                         .full_name = "go.example.com",
                         .verified = verified,
                         .active = active,
                         .revoked = revoked});
        const auto* facts = world.directory.now().find("go.example.com");
        return facts != nullptr && facts->serves;
    };
    CHECK(serves(true, true, false));
    CHECK_FALSE(serves(false, true, false));
    CHECK_FALSE(serves(true, false, false));
    CHECK_FALSE(serves(true, true, true));
}

TEST_CASE("a domain that is not verified takes no host away from the one that is", "[redirect]") {
    RedirectWorld world;
    const auto other = id_of<DomainId>(77);
    world.put(Domain{.id = other, .full_name = "go.example.com", .owner = id_of<AccountId>(5)});
    CHECK(world.directory.now().find("go.example.com")->id == domain_id);
    Directory loaded;
    REQUIRE(loaded.load(*world.engine));
    CHECK(loaded.now().find("go.example.com")->id == domain_id);
}

TEST_CASE("a load knows all that the store has, and nothing else", "[redirect]") {
    RedirectWorld world;
    world.put(Workspace{.id = id_of<WorkspaceId>(7), .trashed = true});
    world.put(Workspace{.id = id_of<WorkspaceId>(8), .revoked = true});
    world.put(Workspace{.id = id_of<WorkspaceId>(9), .deleted_at = Timestamp{1}});
    Directory directory;
    CHECK(directory.now().find("go.example.com") == nullptr);
    REQUIRE(directory.load(*world.engine));
    CHECK(directory.now().find("go.example.com")->id == domain_id);
    CHECK(suspended(directory, id_of<WorkspaceId>(7)));
    CHECK_FALSE(suspended(directory, id_of<WorkspaceId>(8)));
    CHECK(suspended(directory, id_of<WorkspaceId>(9)));
    CHECK_FALSE(suspended(directory, workspace_id));

    const auto other = storage::make_memory_engine(space::all);
    REQUIRE(directory.load(*other));
    CHECK(directory.now().find("go.example.com") == nullptr);
    CHECK_FALSE(suspended(directory, id_of<WorkspaceId>(7)));
}

TEST_CASE("the directory knows which workspaces track conversions, and in which parameter", "[redirect]") {
    RedirectWorld world;
    CHECK(world.directory.now().unusual(workspace_id) == nullptr);
    world.put(Workspace{.id = workspace_id, .conversion_enabled = true, .click_id_parameter = "cid"});
    Directory loaded;
    REQUIRE(loaded.load(*world.engine));
    for (const auto* directory : {&world.directory, &loaded}) {
        const auto* const facts = directory->now().unusual(workspace_id);
        REQUIRE(facts);
        CHECK_FALSE(facts->suspended);
        CHECK(facts->tracks_conversions);
        CHECK(facts->click_id_parameter == "cid");
    }
    world.put(Workspace{.id = workspace_id, .conversion_enabled = false, .click_id_parameter = "cid"});
    CHECK(world.directory.now().unusual(workspace_id) == nullptr);
}

TEST_CASE("links that a domain's owner retires are closed on that domain alone", "[redirect]") {
    RedirectWorld world;
    world.put(RedirectWorld::link("sale", "https://a.example/"));
    CHECK(world.follow("/sale") == "https://a.example/");
    world.put(Workspace{.id = workspace_id, .name = "main", .retiring_domains = {id_of<DomainId>(0xb2)}});
    CHECK(world.follow("/sale") == "https://a.example/");
    world.put(Workspace{.id = workspace_id, .name = "main", .retiring_domains = {domain_id}});
    CHECK(world.visit({.path = "/sale"}).outcome == redirect::Outcome::missing);
    CHECK(world.visit({.path = "/sale+"}).outcome == redirect::Outcome::missing);
    world.put(Workspace{.id = workspace_id, .name = "main"});
    CHECK(world.follow("/sale") == "https://a.example/");
}

TEST_CASE("a domain that was removed or renamed leaves its host", "[redirect]") {
    RedirectWorld world;
    world.put(Domain{.id = domain_id, .full_name = "new.example.com", .verified = true});
    CHECK(world.directory.now().find("go.example.com") == nullptr);
    CHECK(world.directory.now().find("new.example.com"));

    REQUIRE(world.engine->transact([&](data::Txn& txn) -> Result<void> {
        const auto domain = TRY(schema().domains.find(txn, domain_id.view()));
        return schema().domains.remove(txn, *domain);
    }));
    REQUIRE(world.directory.refresh(*world.engine, std::vector{domain_id}, {}));
    CHECK(world.directory.now().find("new.example.com") == nullptr);
}

TEST_CASE("two domains may swap their hosts", "[redirect]") {
    RedirectWorld world;
    const auto other = id_of<DomainId>(2);
    world.put(Domain{.id = other, .full_name = "other.example.com", .verified = true});
    REQUIRE(world.engine->transact([&](data::Txn& txn) -> Result<void> {
        for (const auto& [id, name] : {std::pair{other, "passing.example"},
                                       {domain_id, "other.example.com"},
                                       {other, "go.example.com"}}) {
            const auto was = TRY(schema().domains.find(txn, id.view()));
            auto now = *was;
            now.full_name = name;
            TRY(schema().domains.update(txn, *was, now));
        }
        return {};
    }));
    REQUIRE(world.directory.refresh(*world.engine, std::vector{domain_id}, {}));
    REQUIRE(world.directory.refresh(*world.engine, std::vector{other}, {}));
    CHECK(world.directory.now().find("other.example.com")->id == domain_id);
    CHECK(world.directory.now().find("go.example.com")->id == other);
}

TEST_CASE("a table stays as it was for the thread that holds it", "[redirect]") {
    RedirectWorld world;
    const auto* before = &world.directory.now();
    std::thread([&] {
        world.put(Domain{.id = domain_id, .full_name = "x.example", .verified = true});
    }).join();
    CHECK(before->find("go.example.com"));
    CHECK(&world.directory.now() != before);
    CHECK(world.directory.now().find("x.example"));
}

TEST_CASE("readers and writers of the directory do not disturb each other", "[redirect]") {
    RedirectWorld world;
    std::atomic<unsigned> acknowledged = 300;
    std::atomic<bool> stop = false;
    std::atomic<int> wrong = 0;
    std::vector<std::thread> readers;
    for (int i = 0; i < 2; ++i)
        readers.emplace_back([&] {
            while (!stop) {
                const auto least = acknowledged.load();
                const auto* facts = world.directory.now().find("go.example.com");
                wrong += !facts || (facts->redirect_type < least && least != 300);
            }
        });
    for (unsigned type = 301; type < 600; ++type) {
        world.put(
            Domain{.id = domain_id, .full_name = "go.example.com", .verified = true, .redirect_type = type});
        acknowledged = type;
    }
    stop = true;
    for (auto& reader : readers)
        reader.join();
    CHECK(wrong == 0);
}
