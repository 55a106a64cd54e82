#include "core/schema/routing.h"
#include "tests/core/redirect/redirect_world.h"

using namespace slashpost;
using namespace slashpost::test;
using namespace slashpost::redirect;

namespace {

const Domain plain_domain{.id = domain_id, .full_name = "go.example.com", .verified = true};

Domain with_pages() {
    auto domain = plain_domain;
    domain.custom_homepage = "https://home.example/";
    domain.not_found_url = "https://lost.example/";
    return domain;
}

} // namespace

TEST_CASE("a slashtag leads to its destination and counts one click", "[redirect]") {
    RedirectWorld world;
    world.put(RedirectWorld::link("sale", "https://a.example/?x=1"));
    const auto& answer = world.visit({.path = "/sale"});
    CHECK(answer.outcome == Outcome::forward);
    CHECK(answer.redirect_type == 302);
    CHECK(answer.location == "https://a.example/?x=1");
    REQUIRE(world.clicks() == 1);
    CHECK(decode_click(world.lane.records[0]) == Click{.link = link_id,
                                                       .workspace = workspace_id,
                                                       .domain = domain_id,
                                                       .time = Timestamp{1'767'225'600'000}});
}

TEST_CASE("a slashtag ignores case unless its domain minds it", "[redirect]") {
    RedirectWorld world;
    auto link = RedirectWorld::link("Sale", "https://a.example/");
    link.slashtag_key = "sale";
    world.put(link);
    for (const auto* path : {"/sale", "/Sale", "/SALE", "/s%41le", "/sale/"})
        CHECK(world.follow(path) == "https://a.example/");

    auto domain = plain_domain;
    domain.slashtag.case_sensitive = true;
    world.put(domain);
    link.slashtag_key = "Sale";
    world.put(link);
    CHECK(world.follow("/Sale") == "https://a.example/");
    CHECK(world.visit({.path = "/sale"}).outcome == Outcome::missing);
}

TEST_CASE("hosts are found in any spelling, and no other host has the link", "[redirect][threat-24]") {
    RedirectWorld world;
    world.put(RedirectWorld::link("sale", "https://a.example/"));
    for (const auto* host : {"go.example.com", "GO.EXAMPLE.COM", "go.example.com:443", "go.example.com."})
        CHECK(world.visit({.host = host, .path = "/sale"}).outcome == Outcome::forward);
    for (const auto* host :
         {"example.com", "xgo.example.com", "go.example.com:8080", "go.example.com..", "[", ":"}) {
        const auto& answer = world.visit({.host = host, .path = "/sale"});
        CHECK(answer.outcome == Outcome::unknown_host);
        CHECK(answer.location.empty());
    }
    CHECK(world.clicks() == 4);
}

TEST_CASE("a domain out of service is an unknown host", "[redirect]") {
    RedirectWorld world;
    world.put(RedirectWorld::link("sale", "https://a.example/"));
    auto domain = with_pages();
    domain.revoked = true;
    world.put(domain);
    for (const auto* path : {"/sale", "/", "/gone", "/robots.txt"}) {
        CHECK(world.visit({.path = path}).outcome == Outcome::unknown_host);
        CHECK(world.answer.location.empty());
    }
    domain.revoked = false;
    world.put(domain);
    CHECK(world.visit({.path = "/sale"}).outcome == Outcome::forward);
}

TEST_CASE("home and missing pages lead where the domain says, if it does", "[redirect][threat-5]") {
    RedirectWorld world;
    CHECK(world.visit({.path = "/"}).outcome == Outcome::home);
    CHECK(world.answer.location.empty());
    CHECK(world.visit({.path = "/gone"}).outcome == Outcome::missing);
    CHECK(world.answer.location.empty());

    world.put(with_pages());
    CHECK(world.visit({.path = "/", .query = "x=1&apikey=s"}).outcome == Outcome::home);
    CHECK(world.answer.location == "https://home.example/?x=1");
    CHECK(world.follow("/") == "https://home.example/");
    CHECK(world.follow("//") == "https://home.example/");
    for (const auto* path : {"/gone", "/a/b", "/a%2fb", "/v1/links", "/gone+", "/gone.qr", "/gone."}) {
        CHECK(world.visit({.path = path, .query = "x=1"}).outcome == Outcome::missing);
        CHECK(world.answer.location == "https://lost.example/?x=1");
    }
    CHECK(world.follow("/gone") == "https://lost.example/");
    CHECK(world.clicks() == 0);
}

TEST_CASE("a domain may say where the missing lead by what was asked for", "[redirect]") {
    RedirectWorld world;
    auto domain = plain_domain;
    domain.not_found_url = "https://shop.example/%7Bpath%7D?from=%7Bdomain%7D#top";
    world.put(domain);
    CHECK(world.follow("/old/page", "x=1&from=me") ==
          "https://shop.example/old/page?from=go.example.com&x=1#top");
    CHECK(world.follow("/gone+") == "https://shop.example/gone+?from=go.example.com#top");
    CHECK(world.visit({.path = "/gone"}).outcome == Outcome::missing);
}

TEST_CASE("paths that are never slashtags have their own outcomes", "[redirect]") {
    RedirectWorld world;
    world.put(with_pages());
    CHECK(world.visit({.path = "/robots.txt"}).outcome == Outcome::robots);
    CHECK(world.visit({.path = "/favicon.ico"}).outcome == Outcome::favicon);
    CHECK(world.visit({.path = "/.well-known/x"}).outcome == Outcome::well_known);
    CHECK(world.answer.location.empty());
}

TEST_CASE("a link expires at the second, without anybody sweeping", "[redirect]") {
    RedirectWorld world;
    auto link = RedirectWorld::link("sale", "https://a.example/");
    link.expires_at = world.clock.time.plus_seconds(10);
    world.put(link);
    CHECK(world.visit({.path = "/sale"}).outcome == Outcome::forward);
    world.clock.time = {link.expires_at->ms - 1};
    CHECK(world.visit({.path = "/sale"}).outcome == Outcome::forward);
    world.clock.time = *link.expires_at;
    CHECK(world.visit({.path = "/sale"}).outcome == Outcome::expired);
    CHECK(world.answer.location.empty());
    CHECK(world.clicks() == 2);
    world.put(with_pages());
    CHECK(world.visit({.path = "/sale"}).outcome == Outcome::expired);
    CHECK(world.answer.location == "https://lost.example/");
    CHECK(world.visit({.path = "/sale+"}).outcome == Outcome::expired);
}

TEST_CASE("a plain page presents the domain that was visited, and no other", "[redirect]") {
    RedirectWorld world;
    auto link = RedirectWorld::link("sale", "https://a.example/");
    link.expires_at = world.clock.time;
    world.put(link);
    world.put(Domain{
        .id = domain_id,
        .full_name = "go.example.com",
        .verified = true,
        .branding = {
            .name = "Acme", .color = "ff8800", .logo_url = "https://a.example/l.png", .home_text = "Hello"}});
    for (const auto* path : {"/", "/gone", "/sale"}) {
        world.visit({.path = path});
        REQUIRE(world.answer.brand);
        CHECK(world.answer.brand->domain == "go.example.com");
        CHECK(world.answer.brand->name == "Acme");
        CHECK(world.answer.brand->color == "ff8800");
        CHECK(world.answer.brand->logo_url == "https://a.example/l.png");
        CHECK(world.answer.brand->home_text == "Hello");
    }
    CHECK(world.visit({.host = "other.example.com", .path = "/"}).outcome == Outcome::unknown_host);
    CHECK(world.answer.brand == nullptr);
}

TEST_CASE("a deleted link is missing, and so is one that moved", "[redirect]") {
    RedirectWorld world;
    auto link = RedirectWorld::link("sale", "https://a.example/");
    world.put(link);
    CHECK(world.visit({.path = "/sale"}).outcome == Outcome::forward);
    link.slashtag = link.slashtag_key = "sold";
    world.put(link);
    CHECK(world.visit({.path = "/sale"}).outcome == Outcome::missing);
    CHECK(world.visit({.path = "/sold"}).outcome == Outcome::forward);
    link.status = LinkStatus::deleted;
    world.put(link);
    CHECK(world.visit({.path = "/sold"}).outcome == Outcome::missing);
}

TEST_CASE("links of a trashed workspace do not redirect until it is restored", "[redirect][threat-39]") {
    RedirectWorld world;
    world.put(RedirectWorld::link("sale", "https://a.example/"));
    CHECK(world.visit({.path = "/sale"}).outcome == Outcome::forward);
    world.put(Workspace{.id = workspace_id, .trashed = true});
    CHECK(world.visit({.path = "/sale"}).outcome == Outcome::missing);
    world.put(Workspace{.id = workspace_id, .revoked = true}); // only blocks changes
    CHECK(world.visit({.path = "/sale"}).outcome == Outcome::forward);
}

TEST_CASE("what is glued to an address is no part of it, and parameters go along as if they were sent",
          "[redirect]") {
    RedirectWorld world;
    world.put(RedirectWorld::link("sale", "https://a.example/?x=1"));
    for (const auto* path : {"/sale.", "/sale)", "//sale%20", "/sale%E2%80%9D,", "/sale%E2%80%8B"})
        CHECK(world.follow(path) == "https://a.example/?x=1");
    CHECK(world.follow("/sale&utm_source=mail&x=2") == "https://a.example/?x=1&utm_source=mail");
    CHECK(world.follow("/sale&utm_source=mail", "y=3") == "https://a.example/?x=1&y=3");
    CHECK(world.follow("/sale&") == "https://a.example/?x=1");
    CHECK(world.clicks() == 8);
}

TEST_CASE("before a link begins its visitors get what they get when it has ended", "[redirect]") {
    RedirectWorld world;
    auto link = RedirectWorld::link("sale", "https://a.example/");
    link.active_from = world.clock.now().plus_seconds(60);
    world.put(link);
    CHECK(world.visit({.path = "/sale"}).outcome == redirect::Outcome::expired);
    link.expired_url = "https://a.example/soon";
    world.put(link);
    CHECK(world.follow("/sale") == "https://a.example/soon");
    CHECK(world.clicks() == 0);
    world.clock.time = *link.active_from;
    CHECK(world.follow("/sale") == "https://a.example/");
    CHECK(world.clicks() == 1);
}

TEST_CASE("the visitor's query goes along when the link forwards parameters", "[redirect]") {
    RedirectWorld world;
    auto link = RedirectWorld::link("sale", "https://a.example/?x=1#top");
    world.put(link);
    CHECK(world.follow("/sale", "x=2&y=3") == "https://a.example/?x=1&y=3#top");
    CHECK(world.follow("/sale", "") == "https://a.example/?x=1#top");
    link.forward(false);
    world.put(link);
    CHECK(world.follow("/sale", "x=2&y=3") == "https://a.example/?x=1#top");
}

TEST_CASE("whose parameter wins is for the domain to say, and for a link that says so itself", "[redirect]") {
    RedirectWorld world;
    auto domain = plain_domain;
    auto link = RedirectWorld::link("sale", "https://a.example/?x=1");
    const auto follow = [&](Forwarding by_domain, OwnForwarding by_link) {
        domain.forwarding = by_domain;
        world.put(domain);
        link.forward(by_link.parameters);
        link.on_conflict = by_link.on_conflict;
        world.put(link);
        return world.follow("/sale", "x=2&y=3");
    };
    using enum OnConflict;
    CHECK(follow({}, {}) == "https://a.example/?x=1&y=3");
    CHECK(follow({.on_conflict = visitor}, {}) == "https://a.example/?x=2&y=3");
    CHECK(follow({.on_conflict = both}, {}) == "https://a.example/?x=1&x=2&y=3");
    CHECK(follow({.on_conflict = visitor}, {.on_conflict = destination}) == "https://a.example/?x=1&y=3");
    CHECK(follow({.on_conflict = visitor}, {.on_conflict = both}) == "https://a.example/?x=1&x=2&y=3");
    CHECK(follow({}, {.on_conflict = visitor}) == "https://a.example/?x=2&y=3");
    CHECK(follow({.parameters = false}, {}) == "https://a.example/?x=1");
    CHECK(follow({.parameters = false}, {.on_conflict = visitor}) == "https://a.example/?x=1");
    CHECK(follow({.parameters = false, .on_conflict = visitor}, {.parameters = true}) ==
          "https://a.example/?x=2&y=3");
    CHECK(follow({.on_conflict = visitor}, {.parameters = false}) == "https://a.example/?x=1");
}

TEST_CASE("a domain that forwards no parameters does so on its own addresses, too", "[redirect]") {
    RedirectWorld world;
    auto domain = with_pages();
    domain.custom_homepage = "https://home.example/?x=1";
    domain.forwarding.on_conflict = OnConflict::visitor;
    world.put(domain);
    CHECK(world.follow("/", "x=2") == "https://home.example/?x=2");
    CHECK(world.follow("/gone", "x=2") == "https://lost.example/?x=2");
    domain.forwarding.parameters = false;
    world.put(domain);
    CHECK(world.follow("/", "x=2") == "https://home.example/?x=1");
    CHECK(world.follow("/gone", "x=2") == "https://lost.example/");
}

TEST_CASE("a link that has ended leads where it says, else where its domain says, else where the missing do",
          "[redirect]") {
    RedirectWorld world;
    auto link = RedirectWorld::link("sale", "https://a.example/");
    auto domain = with_pages();
    const auto put = [&] {
        world.put(link);
        world.put(domain);
    };
    link.status = LinkStatus::paused;
    put();
    CHECK(world.follow("/sale", "x=1") == "https://lost.example/?x=1");
    domain.expired_url = "https://over.example/%7Bdomain%7D?was=%7Bpath%7D";
    put();
    CHECK(world.follow("/sale", "x=1") == "https://over.example/go.example.com?was=sale&x=1");
    CHECK(world.visit({.path = "/sale"}).outcome == Outcome::expired);
    CHECK(world.answer.redirect_type == 302);
    CHECK(world.follow("/gone") == "https://lost.example/");
    link.expired_url = "https://own.example/%7Bpath%7D";
    put();
    CHECK(world.follow("/Sale", "x=1") == "https://own.example/Sale?x=1");
    link.status = LinkStatus::active;
    link.expires_at = world.clock.time;
    link.forward(false);
    put();
    CHECK(world.follow("/sale", "x=1") == "https://own.example/sale");
    CHECK(world.follow("/sale+") == "https://own.example/sale+");
    link.forward(std::nullopt);
    domain.forwarding.parameters = false;
    put();
    CHECK(world.follow("/sale", "x=1") == "https://own.example/sale");
    CHECK(world.clicks() == 0);
}

TEST_CASE("a destination of an older store that has no room in a header is on a page to go on from",
          "[redirect]") {
    RedirectWorld world;
    const auto address = [](std::size_t bytes) {
        const std::string begin = "https://a.example/";
        return begin + std::string(bytes - begin.size(), 'x');
    };
    world.put(RedirectWorld::link("sale", address(3'840)));
    CHECK(world.follow("/sale", "y=1") == address(3'840) + "?y=1");
    world.put(RedirectWorld::link("sale", address(3'841)));
    CHECK(world.visit({.path = "/sale", .query = "y=1"}).outcome == Outcome::page);
    CHECK(world.answer.page->kind == Page::Kind::preview);
    CHECK(world.answer.location == address(3'841) + "?y=1");
    CHECK(world.clicks() == 2);

    auto domain = plain_domain;
    domain.custom_homepage = domain.not_found_url = domain.expired_url = address(3'841);
    world.put(domain);
    CHECK(world.visit({.path = "/"}).outcome == Outcome::home);
    CHECK(world.answer.location.empty());
    CHECK(world.visit({.path = "/gone"}).outcome == Outcome::missing);
    CHECK(world.answer.location.empty());
    auto link = RedirectWorld::link("sale", "https://a.example/");
    link.expires_at = world.clock.time;
    world.put(link);
    CHECK(world.visit({.path = "/sale"}).outcome == Outcome::expired);
    CHECK(world.answer.location.empty());
}

TEST_CASE("a location never breaks out of its header, even if the store holds something hostile",
          "[redirect]") {
    RedirectWorld world;
    auto domain = with_pages();
    domain.not_found_url = "https://lost.example/\r\nX: y";
    world.put(domain);
    world.put(RedirectWorld::link("sale", "https://a.example/\r\nSet-Cookie: a=b\xff"));
    CHECK(world.follow("/sale") == "https://a.example/%0D%0ASet-Cookie:%20a=b%FF");
    CHECK(world.follow("/sale", "\r\n") == "https://a.example/%0D%0ASet-Cookie:%20a=b%FF?%0D%0A");
    CHECK(world.follow("/gone") == "https://lost.example/%0D%0AX:%20y");
}

TEST_CASE("bots, HEAD and prefetches get the answer and count no click", "[redirect]") {
    RedirectWorld world;
    world.put(RedirectWorld::link("sale", "https://a.example/"));
    CHECK(world.visit({.path = "/sale", .counts = false}).outcome == Outcome::forward);
    CHECK(world.visit({.path = "/sale", .user_agent = "Twitterbot/1.0"}).outcome == Outcome::forward);
    CHECK(world.answer.location == "https://a.example/");
    CHECK(world.clicks() == 0);
    CHECK(world.visit({.path = "/sale", .user_agent = "curl/7.88.1"}).outcome == Outcome::forward);
    CHECK(world.clicks() == 1);
}

TEST_CASE("a click that cannot be kept is counted as lost, and the visitor goes on", "[redirect]") {
    RedirectWorld world;
    world.put(RedirectWorld::link("sale", "https://a.example/"));
    world.lane.room = 1;
    for (int i = 0; i < 3; ++i)
        CHECK(world.visit({.path = "/sale"}).outcome == Outcome::forward);
    CHECK(world.clicks() == 1);
    CHECK(world.figures.clicks_lost == 2);
}

TEST_CASE("a target that cannot be read is no miss", "[redirect]") {
    RedirectWorld world;
    REQUIRE(world.engine->transact([&](data::Txn& txn) {
        return txn.put(space::redirects, data::key(domain_id, std::string_view("sale")), "garbage");
    }));
    CHECK(world.visit({.path = "/sale"}).outcome == Outcome::unavailable);
    CHECK(world.answer.location.empty());
    CHECK(world.figures.store_failures == 1);
    CHECK(world.clicks() == 0);
}

namespace {

// The link with these parts, as an operation would write it.
Link with_parts(const LinkParts& parts) {
    auto link = RedirectWorld::link("sale", "https://own.example/");
    link.routing = compile_routing(parts);
    return link;
}

LinkRule for_language(std::uint64_t number, std::string language, std::string destination) {
    return {.id = id_of<RuleId>(number),
            .destination = std::move(destination),
            .conditions = {{.property = RuleProperty::language, .values = {std::move(language)}}}};
}

} // namespace

TEST_CASE("a rule sends visitors elsewhere, and the click says which", "[redirect]") {
    RedirectWorld world;
    LinkParts parts;
    parts.rules = {for_language(1, "de", "https://de.example/?a=1"),
                   for_language(2, "fr", "https://fr.example/")};
    auto link = with_parts(parts);
    world.put(link);
    CHECK(world.visit({.path = "/sale", .accept_language = "en, fr;q=0.9"}).location ==
          "https://own.example/");
    CHECK(world.visit({.path = "/sale", .query = "a=2&b=3", .accept_language = "de-AT,fr;q=0.5"}).location ==
          "https://de.example/?a=1&b=3");
    link.forward(false);
    world.put(link);
    CHECK(world.visit({.path = "/sale", .query = "b=3", .accept_language = "fr"}).location ==
          "https://fr.example/");
    REQUIRE(world.clicks() == 3);
    const auto click = [&](std::size_t number) { return *decode_click(world.lane.records[number]); };
    CHECK(click(0).chooser == Chooser::link);
    CHECK(click(0).choice.empty());
    CHECK(click(1).chooser == Chooser::rule);
    CHECK(click(1).choice == id_of<RuleId>(1));
    CHECK(click(2).choice == id_of<RuleId>(2));
}

TEST_CASE("a rotator deals visitors out, and whoever counts no click takes no turn", "[redirect]") {
    RedirectWorld world;
    LinkParts parts;
    for (std::uint64_t arm = 1; arm <= 3; ++arm)
        parts.rotator.push_back(
            {.id = id_of<RotatorRuleId>(arm), .destination = "https://" + std::to_string(arm) + ".example/"});
    world.put(with_parts(parts));
    const auto next = [&] { return world.visit({.path = "/sale"}).location; };
    CHECK(next() == "https://1.example/");
    CHECK(world.visit({.path = "/sale", .counts = false}).location == "https://2.example/");
    CHECK(world.visit({.path = "/sale", .user_agent = "Googlebot/2.1"}).location == "https://2.example/");
    CHECK(next() == "https://2.example/");
    CHECK(next() == "https://3.example/");
    CHECK(next() == "https://1.example/");
    const auto last = *decode_click(world.lane.records.back());
    CHECK(last.chooser == Chooser::arm);
    CHECK(last.choice == id_of<RotatorRuleId>(1));
}

TEST_CASE("a link with tags says so in its clicks", "[redirect]") {
    RedirectWorld world;
    auto link = RedirectWorld::link("sale", "https://own.example/");
    world.put(link);
    world.visit({.path = "/sale"});
    link.tags = {id_of<TagId>(1)};
    world.put(link);
    world.visit({.path = "/sale"});
    CHECK_FALSE(decode_click(world.lane.records[0])->tagged);
    CHECK(decode_click(world.lane.records[1])->tagged);
    CHECK(decode_click(world.lane.records[1])->tags == TagMarks::of(link.tags));
}

TEST_CASE("a click says that its address was read off a code, and marks say what campaign it was of",
          "[redirect]") {
    RedirectWorld world;
    auto link = RedirectWorld::link("sale", "https://own.example/");
    link.tags = {id_of<TagId>(1)};
    world.put(link);
    CHECK(world.follow("/sale", "sp_scan&utm_source=news&utm_campaign=a+b") ==
          "https://own.example/?utm_source=news&utm_campaign=a+b");
    REQUIRE(world.lane.records.size() == 3);
    CHECK(decode_click(world.lane.records[0])->scanned);
    const auto source = decode_mark(world.lane.records[1]), campaign = decode_mark(world.lane.records[2]);
    REQUIRE(source);
    CHECK(source->link == link_id);
    CHECK(source->workspace == workspace_id);
    CHECK(source->domain == domain_id);
    CHECK(source->tagged);
    CHECK(source->tags == TagMarks::of(link.tags));
    CHECK(source->part == CampaignPart::source);
    CHECK(source->value.view() == "news");
    REQUIRE(campaign);
    CHECK(campaign->part == CampaignPart::campaign);
    CHECK(campaign->value.view() == "a b");

    world.visit({.path = "/sale", .query = "utm_source=news", .user_agent = "Googlebot/2.1"});
    world.visit({.path = "/sale", .query = "x=1"});
    CHECK(world.lane.records.size() == 5); // no bot marks a campaign
    CHECK_FALSE(decode_click(world.lane.records.back())->scanned);
}
