// Thousands of random operations on links, each compared with a plain model in memory that knows the rules
// from the interface and nothing of tables; then a check of the whole store. On both engines.
#include "core/ops/link_batches.h"
#include "core/schema/click_orders.h"
#include "core/search/indexer.h"
#include "storage/open.h"
#include "tests/core/ops/random_labels.h"
#include "tests/core/ops/random_parts.h"
#include "tests/core/ops/random_search.h"
#include "tests/support/seed.h"
#include "tests/support/temp_folder.h"

#include <catch2/catch.hpp>

#include <map>
#include <set>
#include <tuple>

using namespace slashpost;
using namespace slashpost::test;

namespace {

class Trial {
  public:
    // `indexes`: the workspaces get search indexes at once, which are brought up now and then.
    Trial(std::unique_ptr<data::Engine> engine, unsigned seed, bool indexes)
        : world_(std::move(engine)),
          dice_(seed),
          indexes_(indexes) {
        domains_ = {world_.installed.domain, world_.domain("strict.example.com", {.case_sensitive = true}),
                    world_.domain("third.example.com")};
        other_ = world_.stranger("other");
    }

    void run(int steps) {
        for (int step = 0; step < steps; ++step) {
            world_.clock.advance_seconds(static_cast<std::int64_t>(below(20)));
            expire();
            if (indexes_ && chance(6))
                must(indexer_.run_batch());
            switch (below(21)) {
            case 0:
            case 1:
            case 2:
                create();
                break;
            case 3:
            case 4:
                update();
                break;
            case 5:
                remove();
                break;
            case 6:
                click();
                break;
            case 7:
                favourite();
                break;
            case 8:
                take_as_other();
                break;
            case 9:
                read_one();
                break;
            case 10:
            case 11:
            case 12:
                labels_.step(model_);
                break;
            case 13:
                create_several();
                break;
            case 14:
                remove_several();
                break;
            case 15:
                search();
                break;
            case 16:
            case 17:
            case 18:
                parts_.step(some_link());
                break;
            default:
                list_and_count();
                break;
            }
        }
        expire();
        must(world_.service.expire_links(world_.clock.time));
        run_jobs(world_); // then rows and what everybody sees are the same
        for (const auto& m : model_) {
            auto row = must(world_.engine->read(
                [&](data::View& view) { return schema().links.find(view, m.link.id.view()); }));
            REQUIRE(row.has_value());
            row->routing.clear(); // compiled of the link's parts, as inconsistency() compares below
            REQUIRE(data::encode(*row) == data::encode(m.link));
        }
        parts_.compare_all(model_);
        CHECK(world_.inconsistency().empty());
    }

  private:
    std::size_t below(std::size_t bound) { return dice_.below(bound); }
    bool chance(std::size_t one_in) { return dice_.chance(one_in); }
    const Domain& some_domain() { return domains_[below(domains_.size())]; }
    std::string some_slashtag() {
        static constexpr std::array<const char*, 10> names{"a",    "A", "b", "B", "sale",
                                                           "Sale", "c", "d", "e", "f"};
        return names[below(names.size())];
    }
    ModelLink* some_link() { return dice_.one_of(model_); }
    std::string model_key(DomainId domain, const std::string& slashtag) {
        return domain == domains_[1].id ? slashtag : lower(slashtag);
    }
    [[nodiscard]] bool held(DomainId domain, const std::string& key, const LinkId* but = nullptr) const {
        return std::ranges::any_of(model_, [&](const ModelLink& m) {
            return m.link.domain == domain && m.link.slashtag_key == key &&
                   m.link.status != LinkStatus::deleted && (!but || m.link.id != *but);
        });
    }
    // Everything the model gave up, for the other workspace's quarantine.
    void give_up(const Link& link) {
        released_[{link.domain, link.slashtag_key}] = world_.clock.time.plus_seconds(30LL * 24 * 3600);
    }

    void expire() {
        for (auto& m : model_)
            if (m.link.status == LinkStatus::active && m.link.expires_at &&
                *m.link.expires_at <= world_.clock.time)
                m.link.status = LinkStatus::expired;
    }

    NewLink some_new_link() {
        const auto& domain = some_domain();
        NewLink in{.destination = "https://example.com/" + std::to_string(below(1000)),
                   .domain = {.id = domain.id},
                   .slashtag = chance(4) ? "" : some_slashtag(),
                   .title = chance(3) ? std::nullopt : std::optional("Title " + std::to_string(below(5))),
                   .favourite = chance(3),
                   .type = chance(3) ? LinkType::rotator : LinkType::standard};
        if (chance(4))
            in.ttl_seconds = 60 + static_cast<std::int64_t>(below(300));
        if (chance(3))
            in.tags = labels_.some_tags();
        if (chance(4))
            in.scripts = labels_.some_scripts();
        return in;
    }
    bool taken(const NewLink& in) {
        const auto key = model_key(*in.domain.id, in.slashtag);
        return !in.slashtag.empty() && (held(*in.domain.id, key) || theirs_.contains({*in.domain.id, key}));
    }
    void made(const NewLink& in, const LinkDetails& details) {
        released_.erase({*in.domain.id, details.link.slashtag_key});
        REQUIRE(details.link.destination == in.destination);
        REQUIRE(details.link.favourite == in.favourite);
        REQUIRE(details.link.type == in.type);
        REQUIRE(details.link.title == in.title.value_or("Link " + details.link.slashtag));
        REQUIRE(details.link.expires_at.has_value() == in.ttl_seconds.has_value());
        REQUIRE(as_shown(details).tags == RandomLabels::each_once(in.tags));
        REQUIRE(as_shown(details).scripts == RandomLabels::each_once(in.scripts));
        model_.push_back({.link = as_shown(details)});
    }

    void create() {
        const auto in = some_new_link();
        auto sent = in;
        if (chance(2))
            sent.domain = {.full_name = std::ranges::find(domains_, *in.domain.id, &Domain::id)->full_name};
        const auto done = world_.create(sent);
        REQUIRE(done.has_value() == !taken(in));
        if (done.has_value())
            made(in, *done);
    }

    void create_several() {
        std::vector<LinkDraft> drafts;
        std::set<std::pair<DomainId, std::string>> keys;
        bool refused = false;
        for (auto n = 1 + below(3); n > 0; --n) {
            const auto& in = drafts.emplace_back(LinkDraft{.link = some_new_link(), .problems = {}}).link;
            const auto key = std::pair(*in.domain.id, model_key(*in.domain.id, in.slashtag));
            refused = refused || taken(in) || (!in.slashtag.empty() && !keys.insert(key).second);
        }
        const auto done =
            world_.write([&](Context& ctx) { return create_links(ctx, drafts, batch_links_max); });
        REQUIRE(done.has_value() == !refused);
        if (!refused)
            for (std::size_t i = 0; i < drafts.size(); ++i)
                made(drafts[i].link, (*done)[i]);
    }

    void remove_several() {
        std::vector<ModelLink*> chosen;
        std::vector<std::string> ids;
        for (auto n = model_.empty() ? 0 : 1 + below(3); n > 0; --n) {
            auto* const m = some_link();
            ids.push_back(m->link.id.hex());
            if (std::ranges::find(chosen, m) == chosen.end())
                chosen.push_back(m);
        }
        const bool refused = chosen.empty();
        const auto done =
            world_.write([&](Context& ctx) { return delete_links(ctx, ids); }, {.link = LinkState::live});
        REQUIRE(done.has_value() == !refused);
        if (refused)
            return;
        std::erase_if(chosen, [](const ModelLink* m) { return m->link.status == LinkStatus::deleted; });
        REQUIRE(*done == std::ssize(chosen)); // those that were deleted before do not count
        for (auto* m : chosen) {
            give_up(m->link);
            m->link.status = LinkStatus::deleted;
            m->link.updated_at = world_.clock.time;
            parts_.forget(m->link.id);
        }
    }

    void search() {
        LinkFilter filter{.active = !chance(4), .in_any_state = chance(6)};
        if (chance(3))
            filter.domains = {some_domain().id};
        if (chance(4))
            filter.tags = labels_.any_tags();
        std::vector<const ModelLink*> rows;
        for (const auto& m : model_)
            if (model_passes(filter, m))
                rows.push_back(&m);
        random_search(world_, dice_, filter, std::move(rows), chance(2) ? some_link() : nullptr);
    }

    void update() {
        auto* m = some_link();
        if (!m)
            return;
        LinkChange change;
        auto expected = m->link;
        if (chance(2)) {
            const auto slashtag = some_slashtag();
            change.slashtag = Change<std::string>::set(slashtag);
            expected.slashtag = slashtag;
        }
        if (chance(4)) {
            const auto& domain = some_domain();
            change.domain = {.id = domain.id};
            expected.domain = domain.id;
        }
        if (chance(3)) {
            expected.title = "Title " + std::to_string(below(5));
            change.title = Change<std::string>::set(expected.title);
        }
        if (chance(5)) {
            expected.expires_at = world_.clock.time.plus_seconds(60 + static_cast<std::int64_t>(below(300)));
            change.expires_at = Change<Timestamp>::set(*expected.expires_at);
        } else if (chance(5)) {
            expected.expires_at.reset();
            change.expires_at = Change<Timestamp>::clear();
        }
        if (chance(3)) {
            const auto tags = labels_.some_tags();
            change.tags = Change<std::vector<TagId>>::set(tags);
            expected.tags = RandomLabels::each_once(tags);
        }
        expected.slashtag_key = model_key(expected.domain, expected.slashtag);
        expected.updated_at = world_.clock.time;
        expected.status = expected.expires_at && *expected.expires_at <= world_.clock.time
                              ? LinkStatus::expired
                              : LinkStatus::active;
        const bool deleted = m->link.status == LinkStatus::deleted;
        const bool moved = expected.domain != m->link.domain || expected.slashtag_key != m->link.slashtag_key;
        const bool taken = moved && (held(expected.domain, expected.slashtag_key, &m->link.id) ||
                                     theirs_.contains({expected.domain, expected.slashtag_key}));
        const auto done = world_.update(m->link.id, change);
        REQUIRE(done.has_value() == (!deleted && !taken));
        if (!done.has_value())
            return;
        REQUIRE(data::encode(as_shown(*done)) == data::encode(expected));
        if (moved) {
            give_up(m->link);
            released_.erase({expected.domain, expected.slashtag_key});
        }
        m->link = expected;
    }

    void remove() {
        auto* m = some_link();
        if (!m)
            return;
        const bool deleted = m->link.status == LinkStatus::deleted;
        const auto done = world_.remove(m->link.id);
        REQUIRE(done.has_value() == !deleted);
        if (deleted)
            return;
        give_up(m->link);
        parts_.forget(m->link.id);
        m->link = as_shown(*done);
        REQUIRE(m->link.status == LinkStatus::deleted);
    }

    void favourite() {
        auto* m = some_link();
        if (!m || m->link.status == LinkStatus::deleted)
            return;
        const auto done = world_.write([&](Context& ctx) -> Result<LinkDetails> {
            return set_favourite(ctx, TRY(find_link(ctx, m->link.id)), !m->link.favourite);
        });
        REQUIRE(done.has_value());
        m->link.favourite = !m->link.favourite;
        m->link.updated_at = world_.clock.time;
        REQUIRE(data::encode(as_shown(*done)) == data::encode(m->link));
    }

    // Another workspace tries for a slashtag: it gets only what nobody holds and no quarantine keeps.
    void take_as_other() {
        const auto& domain = domains_[0];
        const auto slashtag = some_slashtag();
        const auto key = model_key(domain.id, slashtag);
        const auto until = released_.find({domain.id, key});
        const bool free = !held(domain.id, key) && !theirs_.contains({domain.id, key}) &&
                          (until == released_.end() || until->second <= world_.clock.time);
        const auto made = world_.service.run(other_.caller, {}, {.access = Access::write}, [&](Context& ctx) {
            return create_link(ctx, {.destination = "https://example.com/", .slashtag = slashtag});
        });
        REQUIRE(made.has_value() == free);
        if (!free)
            return;
        released_.erase({domain.id, key});
        theirs_.insert({{domain.id, key}, made->link.id});
    }

    void click() {
        auto* m = some_link();
        if (!m)
            return;
        const auto& link = m->link;
        const auto clicks = static_cast<std::int64_t>(1 + below(3));
        REQUIRE(world_.engine
                    ->transact([&](data::Txn& txn) -> Result<void> {
                        return add_settled_clicks(txn, link.workspace, link.id,
                                                  {.clicks = clicks, .last_click_at = world_.clock.time});
                    })
                    .has_value());
        m->clicks += clicks;
        m->last_click_at = world_.clock.time;
    }

    void read_one() {
        auto* m = some_link();
        if (!m)
            return;
        const auto read = world_.read([&](Context& ctx) -> Result<LinkDetails> {
            return describe_link(ctx, TRY(find_link(ctx, m->link.id)));
        });
        REQUIRE(read.has_value() == (m->link.status != LinkStatus::deleted));
        if (!read.has_value())
            return;
        REQUIRE(data::encode(as_shown(*read)) == data::encode(m->link));
        REQUIRE(read->clicks == m->clicks);
        REQUIRE(read->last_click_at == m->last_click_at);
    }

    bool model_passes(const LinkFilter& f, const ModelLink& m) {
        const auto& l = m.link;
        return (f.in_any_state || (l.status == LinkStatus::active) == f.active) &&
               (f.domains.empty() || std::ranges::find(f.domains, l.domain) != f.domains.end()) &&
               (f.slashtag.empty() || model_key(l.domain, f.slashtag) == l.slashtag_key) &&
               (f.tags.empty() || RandomLabels::has_one_of(l, f.tags)) &&
               (!f.favourite || l.favourite == *f.favourite) &&
               (!f.created_from || l.created_at >= *f.created_from) &&
               (!f.created_until || l.created_at < *f.created_until);
    }

    // What a list is ordered by, as the wire says; equal ones by creation.
    static std::tuple<std::int64_t, std::string, LinkId> model_place(const std::string& order,
                                                                     const ModelLink& m) {
        if (order == "updatedAt")
            return {m.link.updated_at.ms, "", m.link.id};
        if (order == "title")
            return {0, lower(m.link.title), m.link.id};
        if (order == "slashtag")
            return {0, lower(m.link.slashtag), m.link.id};
        if (order == "clicks")
            return {m.clicks, "", m.link.id};
        if (order == "lastClickAt")
            return {m.last_click_at.value_or(Timestamp{}).ms, "", m.link.id};
        return {m.link.created_at.ms, "", m.link.id};
    }

    void list_and_count() {
        static constexpr std::array<const char*, 7> orders{"",         "createdAt", "updatedAt",  "title",
                                                           "slashtag", "clicks",    "lastClickAt"};
        LinkFilter filter{.active = !chance(4), .in_any_state = chance(6)};
        for (std::size_t n = chance(2) ? below(3) : 0; n > 0; --n)
            filter.domains.push_back(some_domain().id);
        if (chance(4))
            filter.slashtag = some_slashtag();
        if (chance(3))
            filter.favourite = chance(2);
        if (chance(5) && !model_.empty())
            filter.created_from = some_link()->link.created_at;
        if (chance(5) && !model_.empty())
            filter.created_until = some_link()->link.created_at;
        if (chance(4))
            filter.creators = {world_.installed.account.id};
        if (chance(3))
            filter.tags = labels_.any_tags();

        PageRequest page{.limit = static_cast<std::uint32_t>(1 + below(40)),
                         .order_by = orders[below(orders.size())],
                         .direction = chance(2) ? Direction::ascending : Direction::descending};
        if (chance(4))
            page.offset = static_cast<std::uint32_t>(below(5));

        std::vector<const ModelLink*> rows;
        for (const auto& m : model_)
            if (model_passes(filter, m))
                rows.push_back(&m);
        const auto count = must(world_.count(filter));
        REQUIRE(count == static_cast<std::int64_t>(rows.size()));
        const auto less = [&](const ModelLink& a, const ModelLink& b) {
            const auto x = model_place(page.order_by, a), y = model_place(page.order_by, b);
            return page.direction == Direction::ascending ? x < y : y < x;
        };
        std::ranges::sort(rows, [&](const ModelLink* a, const ModelLink* b) { return less(*a, *b); });
        if (const auto* last = chance(2) ? some_link() : nullptr) {
            page.last = last->link.id.hex();
            std::erase_if(rows, [&](const ModelLink* m) { return !less(*last, *m); });
        }
        rows.erase(rows.begin(), rows.begin() + std::min<std::ptrdiff_t>(page.offset, std::ssize(rows)));
        if (rows.size() > page.limit)
            rows.resize(page.limit);

        const auto got = world_.list(filter, page);
        REQUIRE(got.has_value());
        REQUIRE(got->size() == rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            REQUIRE(data::encode(as_shown((*got)[i])) == data::encode(rows[i]->link));
            REQUIRE((*got)[i].clicks == rows[i]->clicks);
        }
    }

    World world_;
    Dice dice_;
    bool indexes_;
    search::Indexer indexer_{*world_.engine, 1, 7};
    RandomLabels labels_{world_, dice_};
    RandomParts parts_{world_, dice_};
    std::vector<Domain> domains_;
    Stranger other_;
    std::vector<ModelLink> model_;
    std::map<std::pair<DomainId, std::string>, Timestamp> released_;
    std::map<std::pair<DomainId, std::string>, LinkId> theirs_;
};

} // namespace

TEST_CASE("random operations agree with a plain model, on the memory engine", "[links][random]") {
    for (const bool indexes : {false, true, false, true}) {
        const auto seed = new_seed("random operations in memory");
        INFO("seed " << seed);
        Trial(storage::make_memory_engine(space::all), seed, indexes).run(made_up(3000));
    }
}

TEST_CASE("random operations agree with a plain model, on RocksDB", "[links][random][rocksdb][long]") {
    const TempFolder folder;
    auto engine = storage::open("rocksdb:" + folder.path().string(), space::all,
                                {.durability = data::Durability::relaxed});
    REQUIRE(engine.has_value());
    const auto seed = new_seed("random operations on RocksDB");
    INFO("seed " << seed);
    Trial(std::move(*engine), seed, true).run(made_up(5000));
}
