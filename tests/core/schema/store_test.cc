// The format of a store: what is marked, refused and upgraded when one is opened (core/schema/store.h).
#include "core/data/counts.h"
#include "core/data/sheets.h"
#include "core/schema/click_orders.h"
#include "core/schema/rollups.h"
#include "tests/support/domains.h"

#include <catch2/catch.hpp>
#include <map>

using namespace slashpost;
using namespace slashpost::test;
using data::Bytes;

namespace {

std::optional<Bytes> format_of(data::Engine& engine) {
    return must(engine.get_now(space::meta, meta_key::format));
}

void set_format(data::Engine& engine, std::string_view format) {
    must(engine.transact([&](data::Txn& txn) { return txn.put(space::meta, meta_key::format, format); }));
}

// All that is stored.
using Contents = std::map<std::pair<std::string_view, Bytes>, Bytes>;
Contents contents(data::Engine& engine) {
    Contents all;
    must(engine.read([&](data::View& view) -> Result<void> {
        for (const auto& one : space::all)
            TRY(view.scan(one, {}, data::Order::forward, [&](data::BytesView key, data::BytesView value) {
                all.emplace(std::pair(one.name, key), value);
                return true;
            }));
        return view.scan_tallies({}, data::Order::forward, [&](data::BytesView key, std::int64_t sum) {
            if (sum != 0)
                all.emplace(std::pair("tallies", key), std::to_string(sum));
            return true;
        });
    }));
    return all;
}

// Of links, until format 4.
constexpr std::array<std::uint8_t, 3> retired_entries{6, 7, 8};

std::size_t retired(World& world) {
    std::size_t found = 0;
    must(world.engine->read([&](data::View& view) -> Result<void> {
        for (const auto number : retired_entries)
            TRY(view.scan(space::links, data::Range::of_prefix(data::key(number)), data::Order::forward,
                          [&](data::BytesView, data::BytesView) { return ++found > 0; }));
        return {};
    }));
    return found;
}

// A store as a build of format 1 left it: every domain has an entry by its name and none by its owner, nor
// does the count of an owner's domains exist.
struct OldWorld : World {
    Domain pending, proved;

    OldWorld() {
        const Seat me(*this);
        pending = must(me.add("pending.example"));
        proved = must(me.prove(must(me.add("proved.example"))));
        must(create({.destination = "https://example.com/", .slashtag = "one"}));
        must(engine->transact([&](data::Txn& txn) -> Result<void> {
            const auto& domains = schema().domains;
            TRY(txn.put(space::domains, domains.by_name.prefix() + data::key(pending.full_name),
                        pending.id.view()));
            for (const auto& domain : {installed.domain, pending, proved})
                TRY(erase_newer(txn, domain));
            for (const std::uint8_t number : retired_entries)
                TRY(txn.put(space::links, data::key(number, std::uint32_t{1}), {}));
            return txn.put(space::meta, meta_key::format, "1");
        }));
    }

  private:
    static Result<void> erase_newer(data::Txn& txn, const Domain& domain) {
        const auto& domains = schema().domains;
        std::vector<data::Entry> entries;
        domains.by_owner.append_entries(domain, entries);
        domains.own_name.append_entries(domain, entries);
        for (const auto& entry : entries)
            TRY(txn.erase(*entry.space, entry.key));
        for (const auto& tally : domains.per_owner.tallies_of(domain))
            TRY(txn.add(tally, -1));
        return {};
    }
};

// What the account's own domains are, by an index that format 1 had not.
std::string own_domains(World& world) {
    std::string names;
    const data::Walk walk{.scope = data::key(world.installed.account.id)};
    const auto& domains = schema().domains;
    must(world.engine->read([&](data::View& view) {
        return domains.by_owner.walk(view, walk, [&](data::BytesView primary) -> Result<bool> {
            names += TRY(domains.find(view, primary)).value().full_name + " ";
            return true;
        });
    }));
    return names;
}

// An engine whose process dies instead of beginning the transaction after `lives` more.
class DyingEngine final : public data::Engine {
  public:
    DyingEngine(data::Engine& inner, int lives) : inner_(inner), lives_(lives) {}
    Result<std::optional<Bytes>> get_now(const data::Space& space, data::BytesView key) override {
        return inner_.get_now(space, key);
    }
    Result<void> verify_checksums() override { return inner_.verify_checksums(); }
    Figures figures() override { return inner_.figures(); }

  protected:
    Result<void> run_transaction(const std::function<Result<void>(data::Txn&)>& closure) override {
        if (lives_-- == 0)
            return unavailable("killed");
        return inner_.transact([&](data::Txn& txn) { return closure(txn); });
    }
    Result<void> run_read(const std::function<Result<void>(data::View&)>& closure) override {
        return inner_.read([&](data::View& view) { return closure(view); });
    }

  private:
    data::Engine& inner_;
    int lives_;
};

} // namespace

TEST_CASE("a new store is marked with the format of this build", "[schema]") {
    const auto engine = storage::make_memory_engine(space::all);
    std::vector<std::string> told;
    must(prepare_store(*engine, [&](std::string_view sentence) { told.emplace_back(sentence); }));
    CHECK(format_of(*engine) == "17");
    CHECK(told.empty());
}

TEST_CASE("a store of format 1 gets what it lacks, once", "[schema]") {
    OldWorld world;
    CHECK_FALSE(world.inconsistency().empty());
    CHECK(own_domains(world).empty());
    CHECK(retired(world) == 3);
    std::vector<std::string> told;
    const auto prepare = [&] {
        return prepare_store(*world.engine, [&](std::string_view sentence) { told.emplace_back(sentence); });
    };
    must(prepare());
    CHECK(world.inconsistency().empty());
    CHECK(format_of(*world.engine) == "17");
    CHECK(own_domains(world) == "pending.example proved.example ");
    CHECK(retired(world) == 0);
    CHECK(must(Seat(world).add("more.example")).full_name == "more.example");
    CHECK(must(world.operate([](SystemContext& system) {
              return find_any_domain(system.txn, "pending.example");
          })).id == world.pending.id);

    REQUIRE(told.size() > 2);
    CHECK(told.front() == "upgrading the store from format 1 to 17; it reads every row, and goes on at the "
                          "next start if it is cut off");
    // by_owner and own_name of three domains, of which the installation's has no owner, the one by name
    // that is too much, and the count.
    CHECK(std::ranges::find(told, "upgrading the store: domains: 7 entries renewed") != told.end());
    CHECK(std::ranges::find(told, "upgrading the store: links: 0 entries renewed") != told.end());
    CHECK(told.back() == "the store is upgraded to format 17");

    told.clear();
    const auto before = contents(*world.engine);
    must(prepare());
    CHECK(told.empty());
    CHECK(contents(*world.engine) == before);
}

TEST_CASE("what an upgrade is going to do is told without doing it", "[schema]") {
    const auto first = [](const char* stored) { return must(planned_upgrade(data::Bytes(stored))); };
    CHECK(must(planned_upgrade(std::nullopt)) ==
          std::vector<std::string>{"There is no store yet; a new one will be made."});
    const auto ours = std::to_string(store_format);
    CHECK(first(ours.c_str()) ==
          std::vector<std::string>{"The store has format " + ours +
                                   ", which is this program's: nothing will be changed."});
    CHECK(first("3")[0] ==
          "The store has format 3 and will be upgraded to " + ours + " when this program opens it first.");
    CHECK(first("3")[1].starts_with("That reads every row: "));
    CHECK(first("8")[1].starts_with("That reads every link: "));
    CHECK(first("13")[1] == "That takes a moment.");
    CHECK(planned_upgrade(data::Bytes("999")).error().code == "NewerStore");
}

TEST_CASE("an upgrade that was cut off anywhere goes on when the store is opened again", "[schema]") {
    int cuts = 0;
    for (bool whole = false; !whole; ++cuts) {
        OldWorld world;
        DyingEngine dying(*world.engine, cuts);
        whole = prepare_store(dying).has_value();
        CHECK(format_of(*world.engine) == (whole ? "17" : "1"));
        must(prepare_store(*world.engine));
        CHECK(format_of(*world.engine) == "17");
        CHECK(world.inconsistency().empty());
    }
    CHECK(cuts > 4);
}

TEST_CASE("what a redirect finds of links that had expired before format 7 says so after it", "[schema]") {
    World world;
    const auto made =
        must(world.create({.destination = "https://example.com/", .slashtag = "one", .ttl_seconds = 60}));
    world.clock.advance_seconds(60);
    CHECK(*world.count({}) == 0); // so it is settled
    must(world.engine->transact([&](data::Txn& txn) -> Result<void> {
        auto link = TRY(schema().links.find(txn, made.link.id.view())).value();
        link.status = LinkStatus::active; // the entry said no more than when it ends
        std::vector<data::Entry> entries;
        schema().links.short_url.append_entries(link, entries);
        return txn.put(*entries.front().space, entries.front().key, entries.front().value);
    }));
    CHECK_FALSE(world.inconsistency().empty());
    set_format(*world.engine, "6");
    must(prepare_store(*world.engine));
    CHECK(world.inconsistency().empty());
}

TEST_CASE("clicks of an hour that goes on, which format 4 kept in more sheets, are where they are looked for",
          "[schema]") {
    World world;
    const auto link = must(world.create({.destination = "https://example.com/", .slashtag = "one"})).link;
    constexpr std::uint32_t hour = 490'906; // of 2026-01-01
    constexpr std::uint16_t old_slot = 0x2001;
    data::Bytes sheet;
    data::begin_sheet(sheet);
    const auto counts = data::Counts::of({{.name = "c", .number = 7}, {.name = "n", .number = 7}});
    data::add_to_sheet(sheet,
                       {.id = link.id, .latest = Timestamp{1'767'261'600'000}, .counts = counts.encode()});
    must(world.engine->transact([&](data::Txn& txn) {
        return txn.put(space::recent_links, data::key(hour, link.workspace, old_slot), sheet);
    }));
    set_format(*world.engine, "4");
    const auto clicks = [&] {
        return must(world.engine->read(
            [&](data::View& view) { return clicks_of_link(view, link.workspace, link.id); }));
    };
    CHECK(clicks().clicks == 0);
    std::vector<std::string> told;
    must(prepare_store(*world.engine, [&](std::string_view sentence) { told.emplace_back(sentence); }));
    CHECK(told ==
          std::vector<std::string>{"upgrading the store from format 4 to 17; it reads every link, and "
                                   "goes on at the next start if it is cut off",
                                   "the store is upgraded to format 17"});
    CHECK(clicks().clicks == 7);
    CHECK(clicks().last_click_at == Timestamp{1'767'261'600'000});
    CHECK(must(world.engine->read([&](data::View& view) {
              return RollupReader(view).lifetime(Subject::of(link.id, link.workspace));
          })).of("c") == 7);
}

TEST_CASE(
    "a store of format 5 is told where domains are at home, what is left on them, and who had scripts there",
    "[schema]") {
    World world;
    const Seat me(world), other(world, world.stranger("other").caller);
    const auto domain = must(me.prove(must(me.add("mine.example"))));
    must(me.link(domain.id, "a"));
    must(me.unshare(domain.id));
    const auto shared = must(other.add("shared.example"));
    must(world.engine->transact([&](data::Txn& txn) -> Result<void> {
        const auto& s = schema();
        for (const auto& id : {domain.id, shared.id}) { // as format 5 had them
            const auto row = TRY(s.domains.find(txn, id.view())).value();
            auto old = row;
            old.registered_in = {};
            TRY(s.domains.update(txn, row, old));
        }
        const auto ended = DomainShare::primary_of(
            {.workspace = world.installed.account.default_workspace, .domain = domain.id, .ended_at = {}});
        TRY(s.domain_shares.remove(txn, TRY(s.domain_shares.find(txn, ended)).value()));
        TRY(s.plans.insert(txn,
                           {.name = "p", .everything = false, .features = {"links.scripts", "links.tags"}}));
        TRY(s.plans.insert(txn, {.name = "q", .everything = false, .features = {"links.tags"}}));
        return txn.put(space::meta, meta_key::format, "5");
    }));
    must(prepare_store(*world.engine));
    CHECK(format_of(*world.engine) == "17");
    must(world.engine->read([&](data::View& view) -> Result<void> {
        const auto& s = schema();
        CHECK(TRY(s.domains.find(view, shared.id.view()))->registered_in == shared.registered_in);
        CHECK_FALSE(shared.registered_in.empty());
        CHECK(TRY(s.domains.find(view, domain.id.view()))->registered_in.empty()); // nothing tells
        const auto left = TRY(s.domain_shares.find(
            view, DomainShare::primary_of({.workspace = world.installed.account.default_workspace,
                                           .domain = domain.id,
                                           .ended_at = {}})));
        REQUIRE(left);
        CHECK_FALSE(left->in_force());
        CHECK(TRY(s.plans.find(view, Plan::primary_of({.name = "p"})))->features ==
              std::vector<std::string>{"links.scripts", "links.tags", "links.scripts.shared"});
        CHECK(TRY(s.plans.find(view, Plan::primary_of({.name = "q"})))->features ==
              std::vector<std::string>{"links.tags"});
        return {};
    }));
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a store of format 7 gets orders by clicks, also when the upgrade was cut off", "[schema]") {
    World world;
    const auto never = must(world.create({.destination = "https://example.com/"})).link;
    const auto clicked = must(world.create({.destination = "https://example.com/"})).link;
    const auto first = must(world.create({.destination = "https://example.com/"})).link;
    must(world.operate([&](SystemContext& system) -> Result<void> {
        TRY(add_settled_clicks(system.txn, clicked.workspace, clicked.id,
                               {.clicks = 3, .last_click_at = Timestamp{2000}}));
        return add_settled_clicks(system.txn, first.workspace, first.id,
                                  {.clicks = 9, .last_click_at = Timestamp{1000}});
    }));
    must(world.engine->transact([&](data::Txn& txn) -> Result<void> { // as format 7 had it
        std::vector<data::Bytes> keys;
        TRY(txn.scan(space::click_orders, {}, data::Order::forward,
                     [&](data::BytesView key, data::BytesView) {
                         keys.emplace_back(key);
                         return true;
                     }));
        CHECK(keys.size() == 6);
        for (const auto& key : keys)
            TRY(txn.erase(space::click_orders, key));
        return forget_click_orders(txn);
    }));
    for (const auto* format : {"7", "17"}) { // the latter: the format was there when it was cut off
        set_format(*world.engine, format);
        must(prepare_store(*world.engine));
        CHECK(format_of(*world.engine) == "17");
        CHECK(world.inconsistency().empty());
        std::vector<LinkId> order;
        must(world.engine->read([&](data::View& view) {
            return walk_click_order(view, first.workspace, RankedBy::clicks, data::Order::backward, {},
                                    [&](const RankedLink& link) -> Result<bool> {
                                        order.push_back(link.link);
                                        return true;
                                    });
        }));
        CHECK(order == std::vector<LinkId>{first.id, clicked.id, never.id});
        must(world.engine->transact([](data::Txn& txn) { return forget_click_orders(txn); }));
    }
}

TEST_CASE("a store of format 8 forgets what its search index holds, and has every link marked", "[schema]") {
    World world;
    const auto link = must(world.create({.destination = "https://example.com/", .title = "Café"})).link;
    must(world.engine->transact([&](data::Txn& txn) -> Result<void> { // as if all had been indexed
        TRY(txn.put(space::documents, data::key(link.workspace, std::uint8_t{1}), "accents"));
        TRY(txn.put(space::postings, data::key(link.workspace, std::uint8_t{5}), "accents"));
        std::vector<data::Bytes> marks;
        TRY(txn.scan(space::unindexed, {}, data::Order::forward, [&](data::BytesView key, data::BytesView) {
            marks.emplace_back(key);
            return true;
        }));
        for (const auto& mark : marks)
            TRY(txn.erase(space::unindexed, mark));
        return {};
    }));
    set_format(*world.engine, "8");
    must(prepare_store(*world.engine));
    const auto entries = [&](const data::Space& space) {
        int count = 0;
        must(world.engine->read([&](data::View& view) {
            return view.scan(space, {}, data::Order::forward, [&](data::BytesView, data::BytesView) {
                ++count;
                return true;
            });
        }));
        return count;
    };
    CHECK(entries(space::documents) == 0);
    CHECK(entries(space::postings) == 0);
    CHECK(entries(space::unindexed) == 1);
    CHECK(format_of(*world.engine) == "17");
}

TEST_CASE("a store of format 11 has nobody who signed in, and what it has stays as it is", "[schema]") {
    World world;
    const auto before = must(world.create({.destination = "https://example.com/", .slashtag = "a"})).link;
    set_format(*world.engine, "11");
    must(prepare_store(*world.engine));
    CHECK(format_of(*world.engine) == "17");
    CHECK(must(world.read([&](Context& ctx) { return find_link(ctx, before.id); })).slashtag == "a");
    CHECK(world.service.authenticate(world.installed.key.key)->limits == KeyLimits{});
    CHECK(world.inconsistency().empty());
}

TEST_CASE("events of a store of format 14 are found by their type after it", "[schema]") {
    World world;
    must(world.create({.destination = "https://example.com/", .slashtag = "a"}));
    const auto prefix = schema().events.by_type.prefix();
    const auto found = [&] {
        std::vector<Bytes> keys;
        must(world.engine->read([&](data::View& view) {
            return view.scan(space::events, data::Range::of_prefix(prefix), data::Order::forward,
                             [&](data::BytesView key, data::BytesView) {
                                 keys.emplace_back(key);
                                 return true;
                             });
        }));
        return keys;
    };
    const auto before = found();
    REQUIRE_FALSE(before.empty());
    must(world.engine->transact([&](data::Txn& txn) -> Result<void> {
        for (const auto& key : before)
            TRY(txn.erase(space::events, key));
        return txn.put(space::meta, meta_key::format, "14");
    }));
    must(prepare_store(*world.engine));
    CHECK(found() == before);
    CHECK(format_of(*world.engine) == "17");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an unknown format is refused, and the store stays as it was", "[schema]") {
    OldWorld world;
    for (const auto& [format, code] : {std::pair{"18", "NewerStore"},
                                       {"99", "NewerStore"},
                                       {"", "InternalError"},
                                       {"2x", "InternalError"}}) {
        INFO(format);
        set_format(*world.engine, format);
        const auto before = contents(*world.engine);
        CHECK(code_of(prepare_store(*world.engine)) == code);
        CHECK(contents(*world.engine) == before);
    }
}

TEST_CASE("an old store whose restore was cut off is refused rather than upgraded", "[schema]") {
    OldWorld world;
    must(world.engine->transact(
        [](data::Txn& txn) { return txn.put(space::meta, meta_key::restoring, "1"); }));
    const auto before = contents(*world.engine);
    CHECK(code_of(prepare_store(*world.engine)) == "UnfinishedRestore");
    CHECK(contents(*world.engine) == before);
}
