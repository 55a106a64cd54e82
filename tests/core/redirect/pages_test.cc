#include "core/redirect/pages.h"

#include "tests/core/redirect/redirect_world.h"

using namespace slashpost;
using namespace slashpost::test;
using namespace slashpost::redirect;

namespace {

const Agent reader{.device = Device::desktop, .system = System::windows, .browser = Browser::firefox};
const Agent iphone{.device = Device::mobile, .system = System::ios, .browser = Browser::safari};
const Agent android{.device = Device::mobile, .system = System::android, .browser = Browser::chrome};
const Agent crawler{.device = Device::bot};
const Agent fetcher{.device = Device::bot, .fetches_previews = true};

const auto account_id = id_of<AccountId>(0xd1);

// A link at go.example.com/Sale with whatever parts a test gives it.
struct PagesWorld : RedirectWorld {
    PagesWorld() {
        set_up_sharing();
        link.slashtag_key = "sale";
        link.title = "Summer <sale>";
        link.description = "margins are thin";
        put(link);
    }

    // Everybody's domain, on which the workspace makes links.
    void set_up_sharing() {
        put(Workspace{.id = workspace_id, .name = "main", .owner = account_id});
        REQUIRE(engine->transact([&](data::Txn& txn) -> Result<void> {
            TRY(schema().accounts.insert(txn, {.id = account_id, .username = "me"}));
            TRY(schema().domain_shares.insert(txn, {.workspace = workspace_id, .domain = domain_id}));
            return schema().domain_shares.insert(
                txn, {.workspace = id_of<WorkspaceId>(0xa2), .domain = domain_id});
        }));
        put(Workspace{.id = id_of<WorkspaceId>(0xa2), .name = "other", .owner = id_of<AccountId>(0xd2)});
        put(Domain{
            .id = domain_id, .full_name = "go.example.com", .type = DomainType::service, .verified = true});
    }
    template <class T>
    void update(const data::Table<T>& table, const data::Bytes& primary,
                const std::function<void(T&)>& change) {
        REQUIRE(engine->transact([&](data::Txn& txn) -> Result<void> {
            const auto was = TRY(table.find(txn, primary)).value();
            auto now = was;
            change(now);
            return table.update(txn, was, now);
        }));
    }

    void give(LinkParts parts, std::string_view routing) {
        parts.link = link_id;
        parts.workspace = workspace_id;
        REQUIRE(engine->transact(
            [&](data::Txn& txn) -> Result<void> { return schema().link_parts.insert(txn, parts); }));
        link.routing = routing;
        put(link);
    }
    void give_open_graph(OpenGraph shown) { give({.open_graph = std::move(shown)}, "\x01"); }
    void give_app(std::string path, bool active = true) {
        give({.deep_links = {{.app = "instagram", .path = std::move(path), .active = active}}}, "\x02");
    }
    void give_script(std::uint64_t number, std::string value, std::string uri = {}) {
        const auto id = id_of<ScriptId>(number);
        REQUIRE(engine->transact([&](data::Txn& txn) {
            return schema().scripts.insert(
                txn, {.id = id, .workspace = workspace_id, .value = std::move(value), .uri = std::move(uri)});
        }));
        link.scripts.push_back(id);
        put(link);
    }
    // What `agent` gets in front of `location`; "redirect" or the page's kind by number.
    Outcome in_front(const Agent& agent, std::string location = "https://a.example/?b=c&d=e") {
        std::string stored;
        REQUIRE(*resolver.find(domain_id, "sale", stored));
        const auto target = TargetView::decode(stored);
        REQUIRE(may_have_page(*target));
        answer.location = std::move(location);
        answer.page.reset();
        const redirect::Visit visit{.host = "go.example.com", .path = "/sale"};
        const auto outcome = order_page_in_front({.target = *target,
                                                  .domain = *directory.now().find("go.example.com"),
                                                  .visit = visit,
                                                  .slashtag = "sale"},
                                                 agent, answer);
        if (outcome != Outcome::ordered)
            return outcome;
        redirector->make(PageOrder(*answer.order), answer);
        return answer.outcome;
    }
    std::string app_for(const Agent& agent, std::string location = "https://a.example/?b=c&d=e") {
        return in_front(agent, std::move(location)) == Outcome::page ? answer.page->app_url : "redirect";
    }

    Link link = RedirectWorld::link("Sale", "https://a.example/");
};

} // namespace

TEST_CASE("a plain link has no page", "[pages]") {
    TargetView target;
    CHECK_FALSE(may_have_page(target));
    target.routing = std::string_view("\0", 1);
    CHECK_FALSE(may_have_page(target));
    target.routing = "\xfc"; // other parts
    CHECK_FALSE(may_have_page(target));
    target.routing = "\x01";
    CHECK(may_have_page(target));
    target.routing = "\x82";
    CHECK(may_have_page(target));
    target.routing = {};
    target.scripts = "0123456789abcdef";
    CHECK(may_have_page(target));
}

TEST_CASE("a preview shows what a link is and where it leads, and counts no click", "[pages]") {
    PagesWorld world;
    CHECK(world.visit({.path = "/SALE+", .query = "x=1", .secure = true}).outcome == Outcome::page);
    REQUIRE(world.answer.page);
    const auto& page = *world.answer.page;
    CHECK(page.kind == Page::Kind::preview);
    CHECK(page.short_url == "https://go.example.com/Sale");
    CHECK(page.title == "Summer <sale>");
    CHECK(page.description.empty()); // notes are the members' own
    CHECK_FALSE(page.varies);
    CHECK(world.answer.location == "https://a.example/");
    CHECK(world.lane.records.empty());

    world.give({.rules = {{.destination = "https://b.example/"}}}, std::string_view("\x04", 1));
    CHECK(world.visit({.path = "/sale%2b"}).page->varies);
    CHECK(world.answer.page->short_url == "http://go.example.com/Sale");
    CHECK(world.visit({.path = "/sale"}).outcome == Outcome::forward);
    CHECK(world.answer.page == nullptr);
}

TEST_CASE("a code carries the scheme by which visitors should come", "[pages]") {
    PagesWorld world;
    const auto code_at = [&](redirect::Redirector& redirector, std::string_view path) {
        Answer answer;
        redirector.answer({.host = "go.example.com", .path = path, .user_agent = person}, world.lane, answer);
        redirector.make(PageOrder(*answer.order), answer);
        return answer.page->short_url;
    };
    for (const bool https : {false, true}) {
        const auto redirector = make_redirector(
            {.directory = world.directory,
             .resolver = world.resolver,
             .engine = *world.engine,
             .clock = world.clock,
             .random = world.random,
             .figures = world.figures,
             .comes_by_https = [&](std::string_view host) { return https && host == "go.example.com"; }});
        const std::string scheme = https ? "https" : "http";
        CHECK(code_at(*redirector, "/sale.qr") == scheme + "://go.example.com/sale?sp_scan");
        CHECK(code_at(*redirector, "/sale+") == scheme + "://go.example.com/Sale");
    }
}

TEST_CASE("a code is of the short address as it was reached, and counts no click", "[pages]") {
    PagesWorld world;
    CHECK(world.visit({.path = "/Sale.qr"}).outcome == Outcome::page);
    CHECK(world.answer.page->kind == Page::Kind::qr_code);
    CHECK(world.answer.page->short_url == "http://go.example.com/sale?sp_scan");
    CHECK(world.visit({.host = "GO.example.com:443", .path = "/sale.qr", .secure = true}).page->short_url ==
          "https://go.example.com/sale?sp_scan");
    world.put(Domain{.id = domain_id, .full_name = "localhost:8080", .verified = true});
    CHECK(world.visit({.host = "localhost:8080", .path = "/sale.qr"}).page->short_url ==
          "http://localhost:8080/sale?sp_scan");
    CHECK(world.lane.records.empty());
}

TEST_CASE("what is not there has neither preview nor code", "[pages]") {
    PagesWorld world;
    world.put(Domain{.id = domain_id,
                     .full_name = "go.example.com",
                     .verified = true,
                     .not_found_url = "https://lost.example/"});
    const auto lost = [&](std::string_view path) {
        world.visit({.path = path});
        const auto outcome = world.answer.outcome;
        return (outcome == Outcome::missing || outcome == Outcome::expired) && world.answer.page == nullptr &&
               world.answer.location == "https://lost.example/";
    };
    CHECK(lost("/gone+"));
    CHECK(lost("/gone.qr"));
    world.link.expires_at = world.clock.time;
    world.put(world.link);
    CHECK(lost("/sale+"));
    CHECK(lost("/sale.qr"));
    world.link.expires_at.reset();
    world.put(world.link);
    CHECK_FALSE(lost("/sale+"));
    world.put(Workspace{.id = workspace_id, .trashed = true});
    CHECK(lost("/sale+"));
    CHECK(lost("/sale.qr"));
    CHECK(world.visit({.host = "other.example.com", .path = "/sale+"}).outcome == Outcome::unknown_host);
}

TEST_CASE("people get a page that runs the link's scripts; bots are redirected", "[pages][threat-8]") {
    PagesWorld world;
    world.give_script(1, "<b>one</b>");
    world.give_script(2, "", "https://pixel.example/two.js");
    for (const auto& agent : {reader, iphone, android, Agent{}}) {
        REQUIRE(world.in_front(agent) == Outcome::page);
        const auto& page = *world.answer.page;
        CHECK(page.kind == Page::Kind::interstitial);
        REQUIRE(page.scripts.size() == 2);
        CHECK(page.scripts[0].text == "<b>one</b>");
        CHECK(page.scripts[1].uri == "https://pixel.example/two.js");
        CHECK(page.app_url.empty());
        CHECK(world.answer.location == "https://a.example/?b=c&d=e");
    }
    for (const auto& agent : {crawler, fetcher}) {
        CHECK(world.in_front(agent) == Outcome::forward);
        CHECK(world.answer.page == nullptr);
    }
}

TEST_CASE("the page with scripts counts one click, for HEAD and a prefetch none", "[pages]") {
    PagesWorld world;
    world.give_script(1, "one()");
    CHECK(world.visit({.path = "/sale", .query = "x=1"}).outcome == Outcome::page);
    CHECK(world.answer.location == "https://a.example/?x=1");
    CHECK(world.clicks() == 1);
    CHECK(world.visit({.path = "/sale", .counts = false}).outcome == Outcome::page);
    CHECK(world.clicks() == 1);
    CHECK(world.visit({.path = "/sale", .user_agent = "Googlebot/2.1"}).outcome == Outcome::forward);
    CHECK(world.clicks() == 1);
    CHECK(world.lane.records.size() == 3);
}

TEST_CASE("no two pages have the same nonce, and it cannot be guessed", "[pages]") {
    PagesWorld world;
    world.give_script(1, "one()");
    std::vector<std::string> nonces;
    for (int i = 0; i < 100; ++i) {
        world.in_front(reader);
        nonces.push_back(world.answer.page->nonce);
        CHECK(nonces.back().size() == 32);
        CHECK(nonces.back().find_first_not_of("0123456789abcdef") == std::string::npos);
    }
    std::ranges::sort(nonces);
    CHECK(std::ranges::adjacent_find(nonces) == nonces.end());
}

TEST_CASE("a deleted script is not run, and a link whose scripts are all deleted redirects", "[pages]") {
    PagesWorld world;
    world.give_script(1, "one()");
    world.link.scripts.push_back(id_of<ScriptId>(2));
    world.put(world.link);
    REQUIRE(world.in_front(reader) == Outcome::page);
    CHECK(world.answer.page->scripts.size() == 1);
    world.link.scripts = {id_of<ScriptId>(2)};
    world.put(world.link);
    CHECK(world.in_front(reader) == Outcome::forward);
    CHECK(world.answer.page == nullptr);
}

TEST_CASE("scripts run only where the workspace may make links, and, beside others, with the feature for it",
          "[pages]") {
    PagesWorld world;
    world.give_script(1, "<script>a()</script>");
    CHECK(world.in_front(reader) == Outcome::page);
    const auto share =
        DomainShare::primary_of({.workspace = workspace_id, .domain = domain_id, .ended_at = {}});
    const auto end = [&](std::optional<Timestamp> at) {
        world.update<DomainShare>(schema().domain_shares, share, [&](DomainShare& s) { s.ended_at = at; });
    };
    end(Timestamp{1});
    CHECK(world.in_front(reader) == Outcome::forward);
    end(std::nullopt);
    CHECK(world.in_front(reader) == Outcome::page);

    world.update<Account>(schema().accounts, data::Bytes(account_id.view()),
                          [](Account& a) { a.revoked_features = {"links.scripts.shared"}; });
    CHECK(world.in_front(reader) == Outcome::forward);
    world.put(Workspace{.id = id_of<WorkspaceId>(0xa2), .name = "other", .owner = account_id}); // no others
    CHECK(world.in_front(reader) == Outcome::page);
    world.put(Domain{.id = domain_id, .full_name = "go.example.com", .owner = account_id, .verified = true});
    CHECK(world.in_front(reader) == Outcome::page);
    world.put(Domain{
        .id = domain_id, .full_name = "go.example.com", .owner = id_of<AccountId>(0xd2), .verified = true});
    CHECK(world.in_front(reader) == Outcome::forward);
}

TEST_CASE("scripts of a page are bounded together, as they are sent", "[pages]") {
    PagesWorld world;
    for (std::uint64_t number = 1; number <= 20; ++number)
        world.give_script(number, std::string(65'536, 'x'));
    REQUIRE(world.in_front(reader) == Outcome::page);
    CHECK(world.answer.page->scripts.size() == 8);
    PagesWorld escaped; // each of these becomes six bytes
    for (std::uint64_t number = 1; number <= 16; ++number)
        escaped.give_script(number, std::string(65'535, '"'));
    REQUIRE(escaped.in_front(reader) == Outcome::page);
    CHECK(escaped.answer.page->scripts.size() == 1);
}

TEST_CASE("a page is ordered without a look at the store, and made from what the order says", "[pages]") {
    PagesWorld world;
    world.give_open_graph({.title = "T"});
    world.give_script(1, "one()");
    const struct {
        std::string path, agent, location;
    } cases[] = {
        {"/sale+", "x", "https://a.example/"},
        {"/sale.qr", "x", ""},
        {"/sale", "Mozilla/5.0 (Windows NT 10.0; rv:128.0) Firefox/128.0", "https://a.example/?size=64"},
        {"/sale", "facebookexternalhit/1.1", "https://a.example/?size=64"}};
    for (const auto& [path, agent, location] : cases) {
        std::string path_text = path;
        Answer answer;
        const redirect::Visit visit{.host = "go.example.com",
                                    .path = path_text,
                                    .query = "size=64",
                                    .user_agent = agent,
                                    .secure = true};
        world.redirector->answer(visit, world.lane, answer);
        REQUIRE(answer.outcome == Outcome::ordered);
        CHECK(answer.page == nullptr);
        const auto order = std::move(*answer.order);
        path_text.assign(path_text.size(), '?'); // the request is gone by now
        world.redirector->make(order, answer);
        CHECK(answer.outcome == Outcome::page);
        CHECK(answer.order == nullptr);
        CHECK(answer.page->short_url.starts_with("https://go.example.com/"));
        CHECK(answer.location == location);
        CHECK(order.query == "size=64");
    }
    CHECK(world.clicks() == 1); // the one of a reader who came by the link itself
}

TEST_CASE("a link leads on when the store cannot tell what is in front of it", "[pages]") {
    PagesWorld world;
    world.give_script(1, "one()");
    REQUIRE(world.engine->transact([&](data::Txn& txn) {
        return txn.put(space::scripts, data::Bytes(1, '\0').append(id_of<ScriptId>(1).view()), "\x01\xff");
    }));
    CHECK(world.visit({.path = "/sale"}).outcome == Outcome::forward);
    CHECK(world.answer.location == "https://a.example/");
    CHECK(world.figures.store_failures == 1);
    CHECK(world.clicks() == 1);
}

TEST_CASE("programs that fetch previews get the link's own, everybody else the redirect", "[pages]") {
    PagesWorld world;
    world.give_open_graph({.title = "T",
                           .description = "D",
                           .image = "https://i.example/",
                           .type = "article",
                           .locale = "en_GB"});
    REQUIRE(world.in_front(fetcher) == Outcome::page);
    const auto& page = *world.answer.page;
    CHECK(page.kind == Page::Kind::open_graph);
    CHECK(page.title == "T");
    CHECK(page.description == "D");
    CHECK(page.image == "https://i.example/");
    CHECK(page.type == "article");
    CHECK(page.locale == "en_GB");
    CHECK(page.short_url == "http://go.example.com/sale");
    for (const auto& agent : {reader, iphone, android, crawler, Agent{}})
        CHECK(world.in_front(agent) == Outcome::forward);
}

TEST_CASE("a preview without a title of its own has the link's", "[pages]") {
    PagesWorld world;
    world.give_open_graph({.description = "D"});
    REQUIRE(world.in_front(fetcher) == Outcome::page);
    CHECK(world.answer.page->title == "Summer <sale>");
}

TEST_CASE("telephones open the app that a link knows, with the destination to fall back on", "[pages]") {
    PagesWorld world;
    world.give_app("user?username=ada;x");
    CHECK(world.app_for(iphone) == "instagram://user?username=ada;x");
    CHECK(world.answer.page->kind == Page::Kind::app);
    CHECK(world.app_for(android) ==
          "intent://user?username=ada;x#Intent;scheme=instagram;package=com.instagram.android;"
          "S.browser_fallback_url=https%3A%2F%2Fa.example%2F%3Fb%3Dc%26d%3De;end");
    CHECK(world.answer.location == "https://a.example/?b=c&d=e");
    for (const auto& agent : {reader, crawler, fetcher, Agent{}})
        CHECK(world.app_for(agent) == "redirect");
    // Android goes to web pages only.
    CHECK(world.app_for(android, "myapp://host/x") ==
          "intent://user?username=ada;x#Intent;scheme=instagram;package=com.instagram.android;end");
}

TEST_CASE("a path within an app cannot say which app, or end its line", "[pages]") {
    PagesWorld world;
    world.give_app("a%20 \r\n\"<>\xff{path}#Intent;scheme=evil;end");
    CHECK(world.app_for(iphone) == "instagram://a%20%20%0D%0A%22%3C%3E%FF%7Bpath%7D");
}

TEST_CASE("deep links that are switched off, or into an app that nobody knows, open nothing", "[pages]") {
    PagesWorld world;
    world.give_app("x", false);
    CHECK(world.app_for(iphone) == "redirect");
    PagesWorld other;
    other.give({.deep_links = {{.app = "unheard-of", .path = "x"}, {.app = "x", .path = "y"}}}, "\x02");
    CHECK(other.app_for(iphone) == "twitter://y");
}

TEST_CASE("scripts run before an app is opened", "[pages]") {
    PagesWorld world;
    world.give_app("user");
    world.give_script(1, "one()");
    REQUIRE(world.app_for(iphone) == "instagram://user");
    CHECK(world.answer.page->kind == Page::Kind::interstitial);
    CHECK(world.app_for(reader).empty());
    CHECK(world.answer.page->scripts.size() == 1);
}

TEST_CASE("no page leads to an address that a browser would run", "[pages][threat-1]") {
    PagesWorld world;
    world.give_app("user");
    world.give_script(1, "one()");
    for (const auto* location : {"javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x",
                                 "vbscript:x", "file:///etc/passwd", "blob:x", "//a.example/", "x", ""})
        CHECK(world.in_front(iphone, location) == Outcome::forward);
    CHECK(world.in_front(iphone, "myapp://host/x") == Outcome::page);
}

TEST_CASE("a domain answers the documents that it was given, at their places only", "[pages]") {
    RedirectWorld world;
    constexpr auto apple = "/.well-known/apple-app-site-association";
    constexpr auto google = "/.well-known/assetlinks.json";
    CHECK(world.visit({.path = apple}).outcome == Outcome::well_known);
    CHECK(world.visit({.path = google}).outcome == Outcome::well_known);
    Domain domain{.id = domain_id, .full_name = "go.example.com", .verified = true, .asset_links = "[1]"};
    world.put(domain);
    CHECK(world.visit({.path = apple}).outcome == Outcome::well_known);
    CHECK(world.visit({.path = google}).outcome == Outcome::page);
    CHECK(world.answer.page->kind == Page::Kind::document);
    CHECK(*world.answer.page->document == "[1]");
    domain.apple_app_site_association = "{}";
    world.put(domain);
    CHECK(*world.visit({.path = apple}).page->document == "{}");
    for (const auto* path :
         {"/.well-known", "/.well-known/", "/.well-known/x", "/.well-known/assetlinks.json/",
          "/.well-known/../.well-known/assetlinks.json", "/.well-known/ASSETLINKS.JSON"}) {
        CHECK(world.visit({.path = path}).outcome == Outcome::well_known);
        CHECK(world.answer.page == nullptr);
    }
    CHECK(world.visit({.host = "other.example.com", .path = google}).outcome == Outcome::unknown_host);
    domain.revoked = true;
    world.put(domain);
    CHECK(world.visit({.path = google}).outcome == Outcome::unknown_host);
    CHECK(world.lane.records.empty());
}
