// Further names of a domain: who may have which, and how each is proved.
#include "core/ops/domain_aliases.h"
#include "tests/support/domains.h"

#include <fmt/format.h>

#include <thread>

using namespace slashpost;
using namespace slashpost::test;

namespace {

DomainChange named(std::vector<std::string> names) {
    return {.aliases = Change<std::vector<std::string>>::set(std::move(names)), .proved_aliases = {}};
}

// "www.mine.example yes, links.example no"
std::string shown(const Result<Domain>& domain) {
    if (!domain.has_value())
        return refusal_of(domain);
    std::string out;
    for (const auto& alias : domain->aliases)
        out +=
            fmt::format("{}{} {}", out.empty() ? "" : ", ", alias.full_name, alias.verified ? "yes" : "no");
    return out;
}

// When the DNS says these texts where the further name is to be proved.
Result<Domain> verify(const Seat& seat, DomainId id, std::string_view name,
                      const std::vector<std::string>& texts) {
    return seat.write([&](Context& ctx) -> Result<Domain> {
        const auto domain = TRY(find_managed_domain(ctx, id.hex()));
        const auto* const alias = find_alias(domain, name);
        REQUIRE(alias != nullptr);
        return verify_alias(ctx, domain, *alias, texts);
    });
}

Result<Domain> prove(const Seat& seat, const Domain& domain, std::string_view name) {
    return verify(seat, domain.id, name, {verification_record(domain, name).value});
}

} // namespace

TEST_CASE("a further name is proved by a record of its own", "[domains][threat-38]") {
    World world;
    const Seat me(world);
    const auto domain = must(me.add("mine.example"));
    must(me.prove(domain));
    CHECK(shown(me.set(domain.id, named({"Links.Example.net."}))) == "links.example.net no");
    const auto record = verification_record(domain, "links.example.net");
    CHECK(record.name == "_slashpost.links.example.net");
    CHECK(record.value == "slashpost-verification=" + domain.id.hex());

    CHECK(shown(verify(me, domain.id, "links.example.net", {})) ==
          "InvalidFormat domain: NotFound verification");
    CHECK(shown(verify(me, domain.id, "links.example.net", {record.value + "0"})) ==
          "InvalidFormat domain: NotFound verification");
    CHECK(shown(prove(me, domain, "links.example.net")) == "links.example.net yes");
    CHECK(world.listener.seen.back().domains == std::vector{domain.id});
    CHECK(world.inconsistency().empty());
}

TEST_CASE("www before a verified name needs no proof", "[domains]") {
    World world;
    const Seat me(world);
    const auto domain = must(me.add("mine.example"));
    // Nothing is verified before the domain is.
    CHECK(shown(me.set(domain.id, named({"www.mine.example", "links.example.net"}))) ==
          "www.mine.example no, links.example.net no");
    CHECK(shown(prove(me, domain, "links.example.net")) == "InvalidFormat domain: NotVerified fullName");
    CHECK(shown(me.prove(domain)) == "www.mine.example yes, links.example.net no");
    CHECK(shown(me.set(domain.id, named({"www.links.example.net", "links.example.net", "wwww.mine.example",
                                         "www.www.mine.example", "www.other.example"}))) ==
          "www.links.example.net no, links.example.net no, wwww.mine.example no, www.www.mine.example no, "
          "www.other.example no");
    CHECK(shown(prove(me, domain, "links.example.net")) ==
          "www.links.example.net yes, links.example.net yes, wwww.mine.example no, www.www.mine.example no, "
          "www.other.example no");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a verified name belongs to one domain, be it its first or a further one", "[domains][threat-38]") {
    World world;
    const Seat me(world), other(world, world.stranger("other").caller);
    const auto mine = must(me.add("mine.example")), theirs = must(other.add("theirs.example"));
    const auto www = must(other.add("www.mine.example"));
    must(me.prove(mine));
    must(other.prove(theirs));
    // Registered, not proved: keeps nobody from the name.
    CHECK(shown(me.set(mine.id, named({"www.mine.example"}))) == "www.mine.example yes");
    CHECK(refusal_of(other.prove(www)) == "InvalidFormat domain: AlreadyExists fullName");
    CHECK(refusal_of(other.add("WWW.mine.example")) == "InvalidFormat domain: AlreadyExists fullName");
    CHECK(shown(other.set(theirs.id, named({"ok.example", "www.mine.example", "mine.example"}))) ==
          "InvalidFormat domain: AlreadyExists aliases[1], AlreadyExists aliases[2]");
    const auto later = must(other.set(theirs.id, named({"shared.example"})));
    CHECK(shown(me.set(mine.id, named({"shared.example"}))) == "shared.example no");
    CHECK(shown(prove(other, theirs, "shared.example")) == "shared.example yes");
    CHECK(shown(prove(me, mine, "shared.example")) == "InvalidFormat domain: AlreadyExists aliases");
    // What was waiting stays as it is, and does not stand in the way of anything else.
    CHECK(shown(me.set(mine.id, named({"shared.example", "www.mine.example"}))) ==
          "shared.example no, www.mine.example yes");
    // A name that is given up is free.
    CHECK(shown(me.set(mine.id, {.aliases = Change<std::vector<std::string>>::clear()})).empty());
    CHECK(refusal_of(other.prove(www)) == "none");
    CHECK(shown(me.set(mine.id, named({"www.mine.example"}))) ==
          "InvalidFormat domain: AlreadyExists aliases[0]");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a domain whose www is somebody else's is verified without it", "[domains]") {
    World world;
    const Seat me(world), other(world, world.stranger("other").caller);
    const auto mine = must(me.add("mine.example")), www = must(other.add("www.mine.example"));
    CHECK(shown(me.set(mine.id, named({"www.mine.example"}))) == "www.mine.example no");
    must(other.prove(www));
    CHECK(shown(me.prove(mine)) == "www.mine.example no");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("of two domains that prove a further name at the same time one has it", "[domains]") {
    World world;
    const auto other = world.stranger("other").caller;
    for (int round = 0; round < 20; ++round) {
        const auto name = "race" + std::to_string(round) + ".example";
        const Seat a(world), b(world, other);
        const auto first = must(a.add("a" + name)), second = must(b.add(name));
        must(a.prove(first));
        must(a.set(first.id, named({name})));
        std::string outcome_a, outcome_b;
        {
            const std::jthread thread([&] { outcome_a = refusal_of(prove(a, first, name)); });
            outcome_b = refusal_of(b.prove(second));
        }
        CHECK(((outcome_a == "none") != (outcome_b == "none")));
        CHECK((outcome_a + outcome_b).find("AlreadyExists") != std::string::npos);
    }
    CHECK(world.inconsistency().empty());
}

TEST_CASE("what cannot be a further name is refused by its place", "[domains]") {
    World world;
    const Seat me(world);
    const auto domain = must(me.add("mine.example"));
    must(me.prove(domain));
    CHECK(shown(me.set(domain.id,
                       named({"a b", "mine.example", "a.example", "A.example.", "192.0.2.1", "[::1]"}))) ==
          "InvalidFormat domain: InvalidFormat aliases[0], InvalidFormat aliases[1], InvalidFormat "
          "aliases[3], InvalidFormat aliases[4], InvalidFormat aliases[5]");
    std::vector<std::string> many;
    for (int i = 0; i < 10; ++i)
        many.push_back("a" + std::to_string(i) + ".example");
    CHECK(must(me.set(domain.id, named(many))).aliases.size() == 10);
    many.emplace_back("a10.example");
    CHECK(shown(me.set(domain.id, named(many))) == "InvalidFormat domain: OutOfRange aliases");
}

TEST_CASE("no address of a domain leads back to it over a further name", "[domains][threat-4]") {
    World world;
    const Seat me(world);
    const auto domain = must(me.add("mine.example"));
    must(me.prove(domain));
    const auto to = [](const char* address) { return Change<std::string>::set(address); };
    must(me.set(domain.id, {.custom_homepage = to("https://www.mine.example/"),
                            .not_found_url = to("https://help.example/")}));
    CHECK(shown(me.set(domain.id, named({"www.mine.example", "help.example"}))) ==
          "InvalidFormat domain: InvalidFormat aliases[0], InvalidFormat aliases[1]");
    must(me.set(domain.id, {.custom_homepage = Change<std::string>::clear()}));
    must(me.set(domain.id, named({"www.mine.example"})));
    CHECK(refusal_of(me.set(domain.id, {.custom_homepage = to("https://www.mine.example/x")})) ==
          "InvalidFormat domain: InvalidFormat customHomepage");

    must(me.share(domain.id));
    const auto link = me.write([&](Context& ctx) {
        return create_link(ctx, {.destination = "https://WWW.mine.example/sale",
                                 .domain = {.id = domain.id, .full_name = {}},
                                 .slashtag = "sale"});
    });
    CHECK(refusal_of(link) == "InvalidFormat link: InvalidFormat destination");
}

TEST_CASE("the operator's word verifies further names", "[domains]") {
    World world;
    const auto change = [&](const DomainChange& what) {
        return world.operate([&](SystemContext& system) -> Result<Domain> {
            return change_domain(system, TRY(find_any_domain(system.txn, "go.example.com")), what);
        });
    };
    auto trusted = named({"Links.example.net", "127.0.0.1:8080"});
    trusted.proved_aliases = trusted.aliases.value();
    CHECK(shown(change(trusted)) == "links.example.net yes, 127.0.0.1:8080 yes");
    CHECK(must(world.engine->read([](data::View& view) {
              return find_any_domain(view, "LINKS.example.net");
          })).full_name == "go.example.com");
    CHECK(world.inconsistency().empty());
}
