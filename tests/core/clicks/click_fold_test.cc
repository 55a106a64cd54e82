// From the journal to the rows that statistics are read from.
#include "tests/core/redirect/redirect_world.h"
#include "tests/support/wrapped_engine.h"

#include "core/clicks/click_fold.h"
#include "core/schema/click_totals.h"
#include "core/schema/recent_links.h"

using namespace slashpost;
using namespace slashpost::test;
using namespace slashpost::redirect;
using data::Counts;
using Fails = WrappedEngine::Fails;
using namespace std::string_literals;

namespace {

constexpr std::int64_t minute = 60'000, hour = 60 * minute;
constexpr std::int64_t noon = 1'767'268'800'000; // 2026-01-01T12:00:00Z
constexpr std::uint32_t noon_hour = 490'908, noon_day = 20'454;

const auto tag_id = id_of<TagId>(0xe1);
const auto rule_id = id_of<RawId>(0xd1);
const auto other_link = id_of<LinkId>(0xc2);
const auto of_link = Subject::of(link_id, workspace_id);

struct Fixture {
    std::unique_ptr<data::Engine> inner = storage::make_memory_engine(space::all);
    WrappedEngine engine{*inner};
    MemoryJournal journal;
    std::unique_ptr<ClickFold> click_fold = std::make_unique<ClickFold>(engine, journal, 10);

    static Click plain(std::int64_t ms = noon) {
        return {.link = link_id, .workspace = workspace_id, .domain = domain_id, .time = Timestamp{ms}};
    }
    static Click by(std::uint64_t visitor, std::int64_t ms) {
        auto click = plain(ms);
        click.visitor = visitor;
        return click;
    }
    void click(const Click& click, std::uint32_t lane = 0) {
        const auto record = encode_click(click);
        REQUIRE(journal.lane(lane).value()->append({record.data(), record.size()}));
    }
    FoldReport fold() { return click_fold->fold().value(); }
    template <class F>
    void write(F f) {
        REQUIRE(inner->transact([&](data::Txn& txn) -> Result<void> { return f(txn); }));
    }
    Counts counts(const Subject& subject, Grain grain = Grain::all, std::uint32_t bucket = 0) {
        return inner
            ->read([&](data::View& view) -> Result<Counts> {
                RollupReader reader(view);
                if (grain == Grain::all)
                    return reader.lifetime(subject);
                Counts found;
                TRY(reader.each(subject, grain, bucket, bucket, [&](std::uint32_t, const Counts& counts) {
                    found = counts;
                    return true;
                }));
                return found;
            })
            .value();
    }
    std::int64_t clicks(const Subject& subject = of_link) { return counts(subject).of("c"); }
    std::int64_t sessions(const Subject& subject = of_link) { return counts(subject).of("s"); }
    std::int64_t total() {
        return inner->read([&](data::View& view) { return clicks_of_link(view, workspace_id, link_id); })
            .value()
            .clicks;
    }
    // What a version with two readers left, whose totals were ahead: the rollups have the first `rolled_up`
    // clicks of a lane, the totals the first `counted`.
    void left_by_two_readers(std::uint64_t rolled_up, std::uint64_t counted) {
        for (std::uint64_t i = 0; i < rolled_up; ++i)
            click(plain());
        fold();
        for (std::uint64_t i = rolled_up; i < counted; ++i)
            click(plain());
        write([&](data::Txn& txn) -> Result<void> {
            TRY(txn.put(space::journal, "\0\0\0\0"s, data::key(counted)));
            TRY(txn.put(space::journal, "\0\0\0\0\1"s, data::key(rolled_up)));
            data::CountsWriter total;
            total.put(total_group, {}, static_cast<std::int64_t>(counted - rolled_up));
            RecentLinks links;
            links.add({.hour = noon_hour,
                       .workspace = workspace_id,
                       .link = link_id,
                       .last = Timestamp{noon},
                       .counts = total.take()});
            return links.write(txn, TRY(settled_hours(txn)));
        });
    }
    std::size_t rows(const data::Space& in = space::rollups) {
        std::size_t found = 0;
        REQUIRE(inner->read([&](data::View& view) {
            return view.scan(in, {}, data::Order::forward,
                             [&](data::BytesView, data::BytesView) { return ++found > 0; });
        }));
        return found;
    }
    std::optional<Timestamp> last(const Subject& subject) {
        return inner->read([&](data::View& view) { return last_click_of(view, subject); }).value();
    }
    void put_tagged_link() {
        write([](data::Txn& txn) -> Result<void> {
            TRY(schema().tags.insert(txn, {.id = tag_id, .workspace = workspace_id, .name = "news"}));
            return schema().links.insert(txn, {.id = link_id,
                                               .workspace = workspace_id,
                                               .domain = domain_id,
                                               .slashtag = "a",
                                               .slashtag_key = "a",
                                               .destination = "http://x/",
                                               .tags = {tag_id, id_of<TagId>(0xe2)}}); // one is deleted
        });
    }
};

Counts of(std::vector<data::Count> all) { return Counts::of(std::move(all)); }

} // namespace

TEST_CASE_METHOD(Fixture, "a click counts by all that is known of the visitor", "[rollups]") {
    auto known = by(1, noon + 5);
    known.country = CountryCode::of("de");
    known.language = LanguageCode::of("fil");
    known.agent = {.device = Device::tablet, .system = System::android, .browser = Browser::samsung};
    known.referrer = ReferrerHost::of("news.example.com");
    known.chooser = Chooser::rule;
    known.choice = rule_id;
    click(known);
    known.agent.device = Device::mobile;
    known.chooser = Chooser::arm;
    click(known);
    click(plain());
    CHECK(fold().clicks == 3);

    const auto rule = "r"s + std::string(rule_id.view()), arm = "a"s + std::string(rule_id.view());
    const auto whole = of({{"c", 3},
                           {"s", 2},
                           {"Cde", 2},
                           {"Lfil", 2},
                           {"Dtablet", 1},
                           {"Dmobile", 1},
                           {"Oandroid", 2},
                           {"Bsamsung", 2},
                           {"Rnews.example.com", 2},
                           {rule, 1},
                           {arm, 1}});
    const auto for_life = of({{"c", 3}, {"s", 2}, {rule, 1}, {arm, 1}});
    for (const auto& subject : {of_link, Subject::of(workspace_id), Subject::of(domain_id, workspace_id)}) {
        CHECK(counts(subject, Grain::hour, noon_hour) == whole);
        CHECK(counts(subject, Grain::day, noon_day) == whole);
        CHECK(counts(subject) == for_life);
    }
    CHECK(rows(space::recent_rollups) == 2);
    CHECK(rows(space::recent_links) == 1);
    CHECK(rows() == 0);
    CHECK(last(Subject::of(domain_id, workspace_id)) == Timestamp{noon + 5});
    CHECK_FALSE(last(of_link));
}

TEST_CASE_METHOD(Fixture, "bots, HEAD and prefetches are kept apart", "[rollups]") {
    auto bot = by(1, noon);
    bot.counts = false;
    bot.country = CountryCode::of("de");
    click(bot);
    CHECK(fold().clicks == 0);
    CHECK(counts(of_link, Grain::hour, noon_hour) == of({{"b", 1}}));
    CHECK(counts(of_link) == of({{"b", 1}}));
    CHECK_FALSE(last(Subject::of(domain_id, workspace_id)));
    click(by(1, noon));
    fold();
    CHECK(counts(of_link, Grain::hour, noon_hour) == of({{"b", 1}, {"c", 1}, {"s", 1}}));
}

TEST_CASE_METHOD(Fixture, "hours and days begin and end in UTC", "[rollups]") {
    click(plain(noon - 1));
    click(plain(noon));
    click(plain(noon + hour - 1));
    click(plain(noon + 12 * hour - 1));
    click(plain(noon + 12 * hour));
    fold();
    CHECK(counts(of_link, Grain::hour, noon_hour - 1).of("c") == 1);
    CHECK(counts(of_link, Grain::hour, noon_hour).of("c") == 2);
    CHECK(counts(of_link, Grain::hour, noon_hour + 11).of("c") == 1);
    CHECK(counts(of_link, Grain::hour, noon_hour + 12).of("c") == 1);
    CHECK(counts(of_link, Grain::day, noon_day).of("c") == 4);
    CHECK(counts(of_link, Grain::day, noon_day + 1).of("c") == 1);
    CHECK(clicks() == 5);
}

TEST_CASE_METHOD(Fixture, "a tag counts clicks on links while they carry it", "[rollups]") {
    put_tagged_link();
    auto tagged = by(1, noon);
    tagged.tagged = true;
    click(by(1, noon - minute)); // before it was attached
    click(tagged);
    auto gone = tagged;
    gone.link = other_link; // never was there
    click(gone);
    fold();
    CHECK(clicks() == 2);
    CHECK(counts(Subject::of(tag_id)) == of({{"c", 1}}));
    CHECK(last(Subject::of(tag_id)) == Timestamp{noon});
    CHECK(counts(Subject::of(id_of<TagId>(0xe2))).empty());
    CHECK(sessions(Subject::of(workspace_id)) == 2);

    write([](data::Txn& txn) -> Result<void> {
        return schema().tags.remove(txn, *TRY(schema().tags.find(txn, tag_id.view())));
    });
    click(tagged);
    tagged.tags = TagMarks::of(std::array{tag_id});
    click(tagged);
    fold();
    CHECK(clicks() == 4);
    CHECK(counts(Subject::of(tag_id)) == of({{"c", 1}}));
}

TEST_CASE_METHOD(Fixture, "a click counts for the tags that it says, whatever its link has now",
                 "[rollups]") {
    put_tagged_link();
    auto tagged = by(1, noon);
    tagged.tagged = true;
    tagged.tags = TagMarks::of(std::array{tag_id, id_of<TagId>(0xe2)}); // one is deleted
    click(tagged);
    tagged.link = other_link; // is gone
    click(tagged);
    fold();
    CHECK(counts(Subject::of(tag_id)) == of({{"c", 2}, {"s", 2}}));
}

TEST_CASE_METHOD(Fixture, "the last click of a domain never goes back", "[rollups]") {
    const auto domain = Subject::of(domain_id, workspace_id);
    click(plain(noon));
    fold();
    click(plain(noon - hour));
    fold();
    CHECK(last(domain) == Timestamp{noon});
    CHECK_FALSE(last(Subject::of(domain_id, id_of<WorkspaceId>(0xa2))));
}

TEST_CASE_METHOD(Fixture, "a deleted workspace has no new statistics, only totals", "[rollups]") {
    write([](data::Txn& txn) {
        return schema().workspaces.insert(
            txn, {.id = workspace_id, .name = "gone", .deleted_at = Timestamp{noon}});
    });
    click(plain());
    fold();
    CHECK(rows() == 0);
    CHECK(rows(space::recent_rollups) == 0);
    CHECK(clicks() == 0);
    CHECK(total() == 1);
    REQUIRE(close_all_hours(*inner));
    CHECK(rows() == 0);
    CHECK(total() == 1);
}

TEST_CASE_METHOD(Fixture, "what was folded is given back, and the store says how far that is", "[rollups]") {
    for (int i = 0; i < 3; ++i)
        click(plain());
    CHECK(click_fold->waiting().value() == 3);
    fold();
    CHECK(journal.begin(0) == 3);
    CHECK(click_fold->waiting().value() == 0);
    click(plain());
    fold();
    CHECK(journal.begin(0) == 4);
    CHECK(clicks() == 4);
    CHECK(total() == 4);
    CHECK(inner->get_now(space::journal, "\0\0\0\0"s).value() == "\0\0\0\0\0\0\0\x04"s);
}

TEST_CASE_METHOD(Fixture, "a store of before there were rollups begins them where its totals stand",
                 "[rollups]") {
    for (int i = 0; i < 5; ++i)
        click(plain());
    write([](data::Txn& txn) {
        return txn.put(space::journal, "\0\0\0\0"s, data::key(std::uint64_t{3})); // as it was written then
    });
    REQUIRE(begin_folding(engine, journal));
    CHECK(journal.begin(0) == 3);
    click(plain(), 1); // a lane of which that store knew nothing
    fold();
    CHECK(clicks() == 3);
    CHECK(total() == 3);
}

TEST_CASE_METHOD(Fixture, "a store whose totals were ahead of its rollups has all in both when it is opened",
                 "[rollups]") {
    left_by_two_readers(3, 8);
    click(plain()); // which nobody has counted
    CHECK(clicks() == 3);
    CHECK(total() == 8);
    REQUIRE(begin_folding(engine, journal));
    CHECK(clicks() == 8);
    CHECK(total() == 8);
    CHECK(journal.begin(0) == 8);
    CHECK_FALSE(inner->get_now(space::journal, "\0\0\0\0\1"s).value());
    REQUIRE(begin_folding(engine, journal)); // and once only
    fold();
    CHECK(clicks() == 9);
    CHECK(total() == 9);
}

TEST_CASE_METHOD(Fixture,
                 "what a power cut left of the part that only the totals have is counted in the rollups",
                 "[rollups]") {
    left_by_two_readers(3, 8);
    journal.cut(0, 6); // the disk had confirmed eight
    REQUIRE(begin_folding(engine, journal));
    CHECK(clicks() == 6);
    CHECK(total() == 8);
    CHECK(journal.end(0) == 8);
    click(plain());
    fold();
    CHECK(clicks() == 7);
    CHECK(total() == 9);
}

TEST_CASE_METHOD(Fixture, "every click is rolled up once, however transactions end", "[rollups]") {
    const auto fails = GENERATE(Fails::before_commit, Fails::after_commit, Fails::and_runs_again);
    for (int i = 0; i < 10; ++i) {
        click(by(7, noon + i));
        click(plain(), 1);
        engine.fails = i % 2 == 0 ? fails : Fails::never;
        (void)click_fold->fold();
    }
    engine.fails = Fails::never;
    fold();
    CHECK(clicks() == 20);
    CHECK(total() == 20);
    CHECK(sessions() == 11); // one of the visitor, ten of nobody known
    CHECK(counts(of_link, Grain::hour, noon_hour) == of({{"c", 20}, {"s", 11}}));
    CHECK(journal.begin(0) == 10);
}

TEST_CASE_METHOD(Fixture, "a journal that lost its end in a power cut goes on behind what was counted",
                 "[rollups]") {
    for (int i = 0; i < 5; ++i)
        click(plain());
    fold();
    journal = {};
    REQUIRE(begin_folding(engine, journal));
    CHECK(journal.end(0) == 5);
    click(plain());
    fold();
    CHECK(clicks() == 6);
    CHECK(total() == 6);
}

TEST_CASE_METHOD(Fixture, "a visitor's clicks on a link within half an hour are one session", "[rollups]") {
    click(by(7, noon));
    click(by(8, noon)); // another agent behind the same address
    click(by(7, noon + 20 * minute));
    fold();
    click(by(7, noon + 40 * minute));
    fold();
    CHECK(sessions() == 2);
    click(by(7, noon + 71 * minute));
    click(by(0, noon));
    click(by(0, noon));
    fold();
    CHECK(sessions() == 5);
    CHECK(counts(of_link, Grain::hour, noon_hour).of("s") == 4);
    CHECK(counts(of_link, Grain::hour, noon_hour + 1).of("s") == 1);
    click_fold = std::make_unique<ClickFold>(engine, journal, 10); // a restart
    click(by(7, noon + 72 * minute));
    fold();
    CHECK(sessions() == 6);
}

TEST_CASE_METHOD(Fixture, "two lanes that were long not folded tell sessions in the order of time",
                 "[rollups]") {
    for (int i = 0; i < 4; ++i) {
        click(by(7, noon + i * hour), 0);
        click(by(7, noon + i * hour + minute), 1);
    }
    fold();
    CHECK(sessions() == 4);
}

TEST_CASE_METHOD(Fixture, "a clock that is set back begins no session again, and no count is negative",
                 "[rollups]") {
    const bool between_folds = GENERATE(true, false);
    for (const std::uint32_t lane : {0U, 1U}) {
        click(by(7, noon + lane), lane);
        click(by(8, noon + lane), lane);
    }
    if (between_folds)
        fold();
    for (const std::uint32_t lane : {1U, 0U}) // by two hours
        click(by(7, noon - 2 * hour + lane), lane);
    fold();
    CHECK(sessions() == 2);
    CHECK(clicks() == 6);
    CHECK(counts(of_link, Grain::hour, noon_hour).of("c") == 4);
    CHECK(counts(of_link, Grain::hour, noon_hour).of("s") == 2);
    CHECK(counts(of_link, Grain::hour, noon_hour - 2).of("c") == 2);
    CHECK(counts(of_link, Grain::hour, noon_hour - 2).of("s") == 0);
    click(by(7, noon - hour)); // the clock goes on from there
    fold();
    CHECK(sessions() == 3);
}

TEST_CASE_METHOD(Fixture, "a million referrers on one link stay few, and their sum exact",
                 "[rollups][long][volume]") {
    constexpr int hosts = 1'000'000;
    journal.lanes[0].records.room = hosts + 200;
    auto from = plain();
    for (int i = 0; i < hosts; ++i) {
        from.referrer = ReferrerHost::of("h" + std::to_string(i) + ".example");
        click(from);
        if (i % 10'000 == 0) {
            from.referrer = ReferrerHost::of("news.example");
            click(from);
            click(from);
        }
        if (i % 100'000 == 99'999)
            fold();
    }
    fold();
    const auto day = counts(of_link, Grain::day, noon_day);
    CHECK(day.of("c") == hosts + 200);
    CHECK(day.sum('R') == hosts + 200);
    CHECK(day.group('R').size() == 257);
    CHECK(day.of("Rnews.example") == 200);
    CHECK(day.of("R\xff") >= hosts - 256);
    const auto stored =
        inner->get_now(space::recent_links, recent_links_key(noon_hour, workspace_id, link_id)).value();
    CHECK(stored->size() < 8'000);
}

TEST_CASE_METHOD(Fixture, "a hundred thousand referrers over many links stay few for what they share",
                 "[rollups][long]") {
    constexpr int hosts = 100'000, links = 1'000;
    auto from = plain();
    for (int i = 0; i < hosts; ++i) {
        from.link = id_of<LinkId>(static_cast<std::uint64_t>(i % links) + 1);
        from.referrer = ReferrerHost::of("h" + std::to_string(i) + ".example");
        click(from);
    }
    const auto report = fold();
    CHECK(report.clicks == hosts);
    const auto of_one = counts(Subject::of(id_of<LinkId>(1), workspace_id), Grain::hour, noon_hour);
    CHECK(of_one.sum('R') == 100);
    CHECK(of_one.group('R').size() == 100);
    const auto of_all = counts(Subject::of(workspace_id), Grain::hour, noon_hour);
    CHECK(of_all.of("c") == hosts);
    CHECK(of_all.sum('R') == hosts);
    CHECK(of_all.group('R').size() == 257);
    CHECK(rows(space::recent_rollups) == 2);
    CHECK(rows(space::recent_links) == links);
    REQUIRE(close_all_hours(*inner));
    CHECK(rows(space::recent_rollups) == 0);
    CHECK(rows(space::recent_links) == 0);
    CHECK(rows() == 3 * links + 6);
    CHECK(counts(Subject::of(workspace_id), Grain::hour, noon_hour).sum('R') == hosts);
}

TEST_CASE_METHOD(Fixture, "a long journal is rolled up in bounded transactions", "[rollups][long]") {
    constexpr int total = 600'000;
    journal.lanes[0].records.room = total;
    for (int i = 0; i < total; ++i)
        click(plain(noon + i));
    const auto report = fold();
    CHECK(report.clicks == total);
    CHECK(report.transactions == 10);
    CHECK(clicks() == total);
}

TEST_CASE_METHOD(Fixture, "records that are no clicks, or say what nobody can know, do no harm",
                 "[rollups]") {
    REQUIRE(journal.lane(0).value()->append("too short"));
    const auto record = encode_click(plain());
    REQUIRE(journal.lane(0).value()->append({record.data(), 60})); // of before visitors were told apart
    auto strange = plain(0xffff'ffff'ffff);
    strange.agent = {.device = static_cast<Device>(99),
                     .system = static_cast<System>(99),
                     .browser = static_cast<Browser>(255)};
    strange.referrer = ReferrerHost::of(std::string(36, '\xff'));
    click(strange);
    const auto report = fold();
    CHECK(report.unreadable == 1);
    CHECK(report.clicks == 2);
    CHECK(counts(of_link) == of({{"c", 2}, {"s", 2}}));
    CHECK(counts(of_link, Grain::hour, noon_hour) == of({{"c", 1}, {"s", 1}}));
}
