#include "core/access/doors.h"
#include "core/schema/target.h"
#include "tests/support/labels.h"
#include "tests/support/parts.h"
#include "tests/support/world.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// "AlreadyExists slashtag, InvalidFormat destination": what a refusal says of each field, in order.
template <class T>
std::string problems(const Result<T>& result) {
    if (result.has_value())
        return "none";
    std::string out;
    for (const auto& field : result.error().fields)
        out += (out.empty() ? "" : ", ") + field.code + " " + field.property;
    return out.empty() ? result.error().code : out;
}

const std::string somewhere = "https://example.com/a";

} // namespace

TEST_CASE("a link made with nothing but a destination has the interface's defaults", "[links]") {
    World world;
    const auto made = world.create({.destination = somewhere});
    REQUIRE(made.has_value());
    const auto& link = made->link;
    CHECK(link.destination == somewhere);
    CHECK(made->domain.full_name == "go.example.com");
    CHECK(link.slashtag.size() == 5);
    CHECK(link.slashtag.find_first_not_of("23456789abcdefghjkmnpqrstuvwxyz") == std::string::npos);
    CHECK(link.title == "Link " + link.slashtag);
    CHECK(link.status == LinkStatus::active);
    CHECK(link.type == LinkType::standard);
    CHECK_FALSE(link.favourite);
    CHECK(link.own_forwarding() == OwnForwarding{});
    CHECK(link.created_at == world.clock.time);
    CHECK(link.updated_at == link.created_at);
    CHECK_FALSE(link.expires_at);
    CHECK(made->clicks == 0);
    CHECK_FALSE(made->last_click_at);
    CHECK(made->creator.username == "admin");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a slashtag is unique on its domain until its link is deleted", "[links]") {
    World world;
    const auto first = world.create({.destination = somewhere, .slashtag = "sale"});
    REQUIRE(first.has_value());
    CHECK(problems(world.create({.destination = somewhere, .slashtag = "sale"})) == "AlreadyExists slashtag");
    CHECK(problems(world.create({.destination = somewhere, .slashtag = "SALE"})) == "AlreadyExists slashtag");
    REQUIRE(world.remove(first->link.id).has_value());
    CHECK(world.create({.destination = somewhere, .slashtag = "Sale"})->link.slashtag == "Sale");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("on a case-sensitive domain slashtags that differ in case are two", "[links]") {
    World world;
    const auto strict = world.domain("strict.example.com", {.case_sensitive = true});
    CHECK(world.create({.destination = somewhere, .domain = {.id = strict.id}, .slashtag = "sale"})
              .has_value());
    CHECK(world.create({.destination = somewhere, .domain = {.id = strict.id}, .slashtag = "Sale"})
              .has_value());
    CHECK(
        problems(world.create({.destination = somewhere, .domain = {.id = strict.id}, .slashtag = "sale"})) ==
        "AlreadyExists slashtag");
}

TEST_CASE("a slashtag given up is kept for its owner for 30 days", "[links]") {
    World world;
    const auto other = world.stranger("other");
    const auto create_as_other = [&] {
        return world.service.run(other.caller, {}, {.access = Access::write}, [](Context& ctx) {
            return create_link(ctx, {.destination = somewhere, .slashtag = "sale"});
        });
    };
    const auto made = world.create({.destination = somewhere, .slashtag = "sale"});
    REQUIRE(world.remove(made->link.id).has_value());
    CHECK(problems(create_as_other()) == "AlreadyExists slashtag");
    CHECK(create_as_other().error().fields.front().message ==
          "was given up by somebody else and is in quarantine until 2027-02-14T08:00:00.000Z");
    world.clock.advance_seconds(30LL * 24 * 3600 - 1);
    CHECK(problems(create_as_other()) == "AlreadyExists slashtag");
    world.clock.advance_seconds(1);
    CHECK(create_as_other().has_value());
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a rename frees the old slashtag and takes the new one", "[links]") {
    World world;
    const auto made = world.create({.destination = somewhere, .slashtag = "old"});
    REQUIRE(world.create({.destination = somewhere, .slashtag = "taken"}).has_value());
    CHECK(problems(world.update(made->link.id, {.slashtag = Change<std::string>::set("taken")})) ==
          "AlreadyExists slashtag");
    CHECK(world.update(made->link.id, {.slashtag = Change<std::string>::set("OLD")})->link.slashtag == "OLD");
    CHECK(world.update(made->link.id, {.slashtag = Change<std::string>::set("new")})->link.slashtag == "new");
    CHECK(world.create({.destination = somewhere, .slashtag = "old"}).has_value());
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an update with another domain moves the link", "[links]") {
    World world;
    const auto other = world.domain("other.example.com");
    const auto made = world.create({.destination = somewhere, .slashtag = "sale"});
    const auto moved = world.update(made->link.id, {.domain = {.full_name = "Other.Example.com"}});
    REQUIRE(moved.has_value());
    CHECK(moved->domain.id == other.id);
    CHECK(world.create({.destination = somewhere, .slashtag = "sale"}).has_value());
    CHECK(problems(world.update(made->link.id, {.domain = {.full_name = "go.example.com"}})) ==
          "AlreadyExists slashtag");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("every problem of an input is reported at once", "[links]") {
    World world;
    CHECK(
        problems(world.create(
            {.destination = "nonsense", .slashtag = "a b", .ttl_seconds = 59, .expires_at = std::nullopt})) ==
        "PatternMismatch slashtag, OutOfRange ttl, InvalidFormat destination");
    Problems earlier;
    earlier.add(invalid_length("title", 0, 255));
    CHECK(problems(world.write([&](Context& ctx) {
              return create_link(ctx, {.destination = "nonsense"}, earlier);
          })) == "InvalidLength title, InvalidFormat destination");
    CHECK(world.count({}) == 0);
}

TEST_CASE("a slashtag complies with the lengths of its domain", "[links]") {
    World world;
    const auto domain = world.domain("s.example.com", {.length_min = 3, .length_max = 4});
    const auto make = [&](std::string slashtag) {
        return problems(world.create(
            {.destination = somewhere, .domain = {.id = domain.id}, .slashtag = std::move(slashtag)}));
    };
    CHECK(make("ab") == "InvalidLength slashtag");
    CHECK(make("abc") == "none");
    CHECK(make("abcd") == "none");
    CHECK(make("abcde") == "InvalidLength slashtag");
    CHECK(world.create({.destination = somewhere, .domain = {.id = domain.id}})->link.slashtag.size() == 4);
}

TEST_CASE("slashtags have 1 to 40 characters unless the domain says otherwise", "[links]") {
    World world;
    CHECK(world.create({.destination = somewhere, .slashtag = "a"}).has_value());
    CHECK(world.create({.destination = somewhere, .slashtag = std::string(40, 'a')}).has_value());
    CHECK(problems(world.create({.destination = somewhere, .slashtag = std::string(41, 'a')})) ==
          "InvalidLength slashtag");
}

TEST_CASE("the slashtag v1 is reserved in any case", "[links]") {
    World world;
    CHECK(problems(world.create({.destination = somewhere, .slashtag = "v1"})) == "InvalidFormat slashtag");
    CHECK(problems(world.create({.destination = somewhere, .slashtag = "V1"})) == "InvalidFormat slashtag");
}

TEST_CASE("a domain is chosen by id, by name, or is the default one", "[links]") {
    World world;
    const auto other = world.domain("other.example.com");
    const auto unshared = world.operate([](SystemContext& system) {
        return add_domain(system, {.full_name = "far.example.com", .verified = true});
    });
    REQUIRE(unshared.has_value());
    const auto make = [&](DomainChoice choice) {
        return world.create({.destination = somewhere, .domain = std::move(choice)});
    };
    CHECK(make({})->domain.full_name == "go.example.com");
    CHECK(make({.id = other.id})->domain.full_name == "other.example.com");
    CHECK(make({.full_name = "OTHER.example.com"})->domain.id == other.id);
    for (const auto& missing : {make({.id = unshared->id}), make({.full_name = "far.example.com"}),
                                make({.full_name = "nowhere.example.com"})}) {
        REQUIRE_FALSE(missing.has_value());
        CHECK(missing.error().kind == ErrorKind::not_found);
        CHECK(missing.error().source == "domain");
    }
    CHECK(make({.id = unshared->id}).error().id == unshared->id.hex());
    CHECK(make({.full_name = "far.example.com"}).error().id == "far.example.com");
}

TEST_CASE("a link can come only to a domain that is verified, active and in force", "[links]") {
    World world;
    const auto make_with = [&](const DomainChange& change) {
        const auto done = world.operate([&](SystemContext& system) -> Result<Domain> {
            return change_domain(system, TRY(find_any_domain(system.txn, "go.example.com")), change);
        });
        REQUIRE(done.has_value());
        return problems(world.create({.destination = somewhere}));
    };
    CHECK(make_with({.verified = Change<bool>::set(false)}) == "NotVerified domain");
    CHECK(make_with({.verified = Change<bool>::set(true), .revoked = Change<bool>::set(true)}) ==
          "RevokedDomain");
    CHECK(make_with({.active = Change<bool>::set(false), .revoked = Change<bool>::set(false)}) ==
          "NotActive domain");
    CHECK(make_with({.active = Change<bool>::set(true)}) == "none");
}

TEST_CASE("a deleted link is not found when read and refused when changed", "[links]") {
    World world;
    const auto made = world.create({.destination = somewhere});
    const auto deleted = world.remove(made->link.id);
    REQUIRE(deleted.has_value());
    CHECK(deleted->link.status == LinkStatus::deleted);
    const auto read = world.read([&](Context& ctx) { return find_link(ctx, made->link.id); });
    CHECK(read.error().kind == ErrorKind::not_found);
    CHECK(problems(world.remove(made->link.id)) == "DeletedLink");
    CHECK(problems(world.update(made->link.id, {})) == "DeletedLink");
}

TEST_CASE("a link of another workspace is not found", "[links]") {
    World world;
    const auto other = world.stranger("other");
    const auto made = world.create({.destination = somewhere});
    const auto read =
        world.service.run(other.caller, {}, {}, [&](Context& ctx) { return find_link(ctx, made->link.id); });
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().kind == ErrorKind::not_found);
    CHECK(read.error().id == made->link.id.hex());
}

TEST_CASE("a link expires at the second and can be given more time", "[links]") {
    World world;
    const auto made = world.create({.destination = somewhere, .slashtag = "sale", .ttl_seconds = 60});
    REQUIRE(made.has_value());
    CHECK(made->link.expires_at == world.clock.time.plus_seconds(60));
    world.clock.advance_seconds(59);
    CHECK(world.count({}) == 1);
    world.clock.advance_seconds(1);
    CHECK(world.count({}) == 0);
    CHECK(world.count({.active = false}) == 1);
    CHECK(world.list({.active = false}, {})->front().link.status == LinkStatus::expired);
    CHECK(problems(world.create({.destination = somewhere, .slashtag = "sale"})) == "AlreadyExists slashtag");
    const auto later = world.clock.time.plus_seconds(100);
    CHECK(problems(world.update(made->link.id, {.expires_at = Change<Timestamp>::set({1})})) ==
          "OutOfRange expiresAt");
    CHECK(world.update(made->link.id, {.expires_at = Change<Timestamp>::set(later)})->link.status ==
          LinkStatus::active);
    CHECK(world.count({}) == 1);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a paused link keeps its address and is active again when it is let go on", "[links]") {
    World world;
    const auto id = must(world.create({.destination = somewhere, .slashtag = "sale"})).link.id;
    const auto set = [&](bool active) {
        return must(world.update(id, {.active = Change<bool>::set(active)})).link.status;
    };
    const auto ends_at = [&] { // as visitors find it
        return must(world.engine->read([&](data::View& view) -> Result<std::optional<Timestamp>> {
            const auto stored =
                TRY(schema().links.short_url.find(view, world.installed.domain.id, std::string("sale")));
            return redirect::TargetView::decode(stored.value())->expires_at;
        }));
    };
    CHECK(set(false) == LinkStatus::paused);
    CHECK(ends_at() == Timestamp{0});
    CHECK(world.count({}) == 0);
    CHECK(world.count({.active = false}) == 1);
    CHECK(must(world.update(id, {.title = Change<std::string>::set("A")})).link.status == LinkStatus::paused);
    CHECK(problems(world.create({.destination = somewhere, .slashtag = "sale"})) == "AlreadyExists slashtag");
    CHECK(set(true) == LinkStatus::active);
    CHECK(ends_at() == std::nullopt);
    CHECK(world.count({}) == 1);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("the end of a paused link comes all the same", "[links]") {
    World world;
    const auto id = must(world.create({.destination = somewhere, .ttl_seconds = 60})).link.id;
    const auto set = [&](const LinkChange& change) { return must(world.update(id, change)).link.status; };
    CHECK(set({.active = Change<bool>::set(false)}) == LinkStatus::paused);
    world.clock.advance_seconds(60);
    CHECK(world.list({.active = false}, {})->front().link.status == LinkStatus::paused);
    CHECK(set({.active = Change<bool>::set(true)}) == LinkStatus::expired);
    CHECK(set({.active = Change<bool>::set(false)}) == LinkStatus::paused);
    CHECK(set({.active = Change<bool>::set(true), .ttl_seconds = Change<std::int64_t>::set(60)}) ==
          LinkStatus::active);
    must(world.remove(id));
    CHECK(world.inconsistency().empty());
}

TEST_CASE("toggling the favourite by an update is blocked on a revoked domain, as by its own call",
          "[links]") {
    World world;
    const auto id = must(world.create({.destination = somewhere, .favourite = true})).link.id;
    must(world.operate([&](SystemContext& system) -> Result<Domain> {
        return change_domain(system, TRY(find_any_domain(system.txn, "go.example.com")),
                             {.revoked = Change<bool>::set(true)});
    }));
    CHECK(problems(world.update(id, {.favourite = Change<bool>::set(false)})) == "RevokedDomain");
    const auto same = must(
        world.update(id, {.title = Change<std::string>::set("A"), .favourite = Change<bool>::set(true)}));
    CHECK(same.link.title == "A");
    CHECK(same.link.favourite);
}

TEST_CASE("a time to live has at least 60 seconds", "[links]") {
    World world;
    CHECK(problems(world.create({.destination = somewhere, .ttl_seconds = 59})) == "OutOfRange ttl");
    CHECK(world.create({.destination = somewhere, .ttl_seconds = 60}).has_value());
    CHECK(problems(world.create({.destination = somewhere, .expires_at = world.clock.time})) ==
          "OutOfRange expiresAt");
}

TEST_CASE("a destination that leads back to its own short address is refused", "[links]") {
    World world;
    const auto loop = "InvalidFormat destination";
    CHECK(problems(world.create({.destination = "https://go.example.com/a", .slashtag = "a"})) == loop);
    CHECK(problems(world.create({.destination = "http://GO.example.com./A?x=1#y", .slashtag = "a"})) == loop);
    CHECK(problems(world.create({.destination = "http://go.example.com/%61/", .slashtag = "a"})) == loop);
    for (const auto* glued :
         {"http://go.example.com/a.", "http://go.example.com//a)", "http://go.example.com/a&x=1"})
        CHECK(problems(world.create({.destination = glued, .slashtag = "a"})) == loop);
    const auto b = world.create({.destination = somewhere, .slashtag = "b"});
    REQUIRE(world.create({.destination = "https://go.example.com/b", .slashtag = "a"}).has_value());
    CHECK(problems(world.update(
              b->link.id, {.destination = Change<std::string>::set("https://go.example.com/a")})) == loop);
    CHECK(world.create({.destination = "https://go.example.com/other/path", .slashtag = "c"}).has_value());
    CHECK(world.create({.destination = "https://go.example.com/", .slashtag = "d"}).has_value());
}

TEST_CASE("a loop over the rules and arms of other links is refused too", "[links][threat-4]") {
    World world;
    const auto loop = "InvalidFormat destination";
    const auto end = make_link(world, "end").id;
    const auto rotator =
        world.create({.destination = somewhere, .slashtag = "wheel", .type = LinkType::rotator});
    REQUIRE(rotator.has_value());
    must(change_parts(world, rotator->link.id, [](Context& ctx, const Link& link) {
        return create_rotator_rule(ctx, link,
                                   {.destination = "https://go.example.com/end", .weight = {}, .id = {}});
    }));
    const auto middle = make_link(world, "middle").id;
    must(change_parts(world, middle, [](Context& ctx, const Link& link) {
        auto rule = rule_input();
        rule.destination = "https://go.example.com/wheel";
        return create_rule(ctx, link, rule);
    }));
    const auto to = [&](std::string address) {
        return problems(world.update(end, {.destination = Change<std::string>::set(std::move(address))}));
    };
    CHECK(to("https://go.example.com/middle") == loop);
    CHECK(to("https://go.example.com/wheel?x=1") == loop);
    CHECK(to("https://go.example.com/other") == "none");
    CHECK(problems(change_parts(world, end, [](Context& ctx, const Link& link) {
              auto rule = rule_input();
              rule.destination = "http://go.example.com/Middle#x";
              return create_rule(ctx, link, rule);
          })) == loop);
}

TEST_CASE("a rename into a loop is refused", "[links][threat-4]") {
    World world;
    const auto made = world.create({.destination = "https://go.example.com/b", .slashtag = "a"});
    REQUIRE(made.has_value());
    CHECK(problems(world.update(made->link.id, {.slashtag = Change<std::string>::set("b")})) ==
          "InvalidFormat slashtag");
}

TEST_CASE("what an update does not name stays as it is", "[links]") {
    World world;
    const auto made = world.create({.destination = somewhere,
                                    .slashtag = "sale",
                                    .title = "Title",
                                    .description = "Notes",
                                    .favourite = true,
                                    .forwarding = {.parameters = false}});
    world.clock.advance_seconds(5);
    const auto same = world.update(made->link.id, {});
    REQUIRE(same.has_value());
    CHECK(same->link.title == "Title");
    CHECK(same->link.description == "Notes");
    CHECK(same->link.favourite);
    CHECK(same->link.own_forwarding() == OwnForwarding{.parameters = false});
    CHECK(same->link.destination == somewhere);
    CHECK(same->link.updated_at == made->link.created_at.plus_seconds(5));
    const auto cleared = world.update(made->link.id, {.description = Change<std::string>::clear()});
    CHECK(cleared->link.description.empty());
}

TEST_CASE("the type of a link cannot be changed", "[links]") {
    World world;
    const auto made = world.create({.destination = somewhere});
    CHECK(problems(world.update(made->link.id, {.type = LinkType::rotator})) == "WrongLinkType");
    CHECK(world.update(made->link.id, {.type = LinkType::standard}).has_value());
}

TEST_CASE("a guest changes only links it made", "[links]") {
    World world;
    const auto guest = world.stranger("guest");
    const auto workspace = world.installed.account.default_workspace;
    REQUIRE(world
                .operate([&](SystemContext& system) {
                    return schema().members.insert(system.txn, {.workspace = workspace,
                                                                .account = guest.account.id,
                                                                .role = Role::guest,
                                                                .created_at = system.now});
                })
                .has_value());
    const auto run = [&](auto&& work) {
        return world.service.run(guest.caller, workspace.hex(), {.access = Access::write}, work);
    };
    const auto theirs = world.create({.destination = somewhere});
    const auto own = run([](Context& ctx) { return create_link(ctx, {.destination = somewhere}); });
    REQUIRE(own.has_value());
    const auto find = [&](const Link& link) {
        return run([&](Context& ctx) { return find_link(ctx, link.id.hex()); });
    };
    CHECK(problems(find(theirs->link)) == "Forbidden");
    CHECK(find(own->link).has_value());
}

TEST_CASE("what a redirect knows is written with the link", "[links]") {
    World world;
    const auto made = world.create({.destination = somewhere, .slashtag = "Sale"});
    const auto stored =
        world.engine->get_now(space::redirects, data::key(made->domain.id, std::string_view("sale")));
    REQUIRE((stored.has_value() && *stored));
    const auto target = redirect::TargetView::decode(**stored);
    REQUIRE(target);
    CHECK(target->link == made->link.id);
    CHECK(target->workspace == made->link.workspace);
    CHECK(target->destination == somewhere);
    CHECK(target->forwarding == OwnForwarding{});
}

TEST_CASE("every change names the short addresses that the redirect path must forget", "[links]") {
    World world;
    const auto made = world.create({.destination = somewhere, .slashtag = "old"});
    CHECK(world.listener.seen.back().addresses[0].slashtag_key == "old");
    REQUIRE(world.update(made->link.id, {.slashtag = Change<std::string>::set("New")}).has_value());
    REQUIRE(world.listener.seen.back().addresses.size() == 2);
    CHECK(world.listener.seen.back().addresses[0].slashtag_key == "old");
    CHECK(world.listener.seen.back().addresses[1].slashtag_key == "new");
    REQUIRE(world.remove(made->link.id).has_value());
    CHECK(world.listener.seen.back().addresses[0].slashtag_key == "new");
}
