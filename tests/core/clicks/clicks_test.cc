#include "tests/core/redirect/redirect_world.h"
#include "tests/support/wrapped_engine.h"

#include "core/clicks/click_aggregator.h"
#include "core/clicks/click_fold.h"
#include "core/model/link_parts.h"
#include "core/schema/click_totals.h"

#include <array>

using namespace slashpost;
using namespace slashpost::test;
using namespace slashpost::redirect;
using namespace std::string_literals;
using Fails = WrappedEngine::Fails;

namespace {

const auto other_link = id_of<LinkId>(0xc2);

struct Fixture {
    std::unique_ptr<data::Engine> inner = storage::make_memory_engine(space::all);
    WrappedEngine engine{*inner};
    MemoryJournal journal;
    ClickFold click_fold{engine, journal, 10};

    void click(std::uint32_t lane, LinkId link, std::int64_t ms, DomainId domain = domain_id,
               WorkspaceId workspace = workspace_id) {
        const auto record =
            encode_click({.link = link, .workspace = workspace, .domain = domain, .time = Timestamp{ms}});
        REQUIRE(journal.lane(lane).value()->append({record.data(), record.size()}));
    }
    Result<FoldReport> fold() { return click_fold.fold(); }
    ClickTotals totals(LinkId link) {
        return inner->read([&](data::View& view) { return clicks_of_link(view, workspace_id, link); })
            .value();
    }
    std::int64_t clicks(LinkId link) { return totals(link).clicks; }
};

} // namespace

TEST_CASE("a click is recorded in the bytes that its header draws", "[clicks]") {
    const Click plain{
        .link = link_id, .workspace = workspace_id, .domain = domain_id, .time = Timestamp{0x0102'0304'0506}};
    const auto begin = "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xc1"
                       "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xa1"
                       "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xb1"
                       "\x01\x02\x03\x04\x05\x06"s;
    const auto record = encode_click(plain);
    CHECK(std::string(record.data(), record.size()) == begin + std::string(70, '\0'));

    auto full = plain;
    full.counts = false;
    full.tagged = true;
    full.chooser = Chooser::arm;
    full.choice = id_of<RotatorRuleId>(0xd1);
    full.visitor = 0x0102'0304'0506'0708;
    full.country = CountryCode::of("de");
    full.language = LanguageCode::of("fil");
    full.agent = {.device = Device::tablet, .system = System::android, .browser = Browser::samsung};
    full.referrer = ReferrerHost::of("news.example.com");
    const auto drawn = begin +
                       "\x00\x0b"
                       "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xd1"
                       "\x01\x02\x03\x04\x05\x06\x07\x08"
                       "de"
                       "fil"
                       "\x02\x02\x07"
                       "news.example.com"s +
                       std::string(20, '\0');
    const auto full_record = encode_click(full);
    CHECK(std::string(full_record.data(), full_record.size()) == drawn);
    CHECK(decode_click(drawn + "later parts") == full);
    CHECK_FALSE(decode_click(drawn.substr(0, 53)));
}

TEST_CASE("a click that its link decided says up to three tags, by the ends of their ids", "[clicks]") {
    const auto first = TagId(*RawId::parse("00112233445566778899aabbccddeeff"));
    const auto second = TagId(*RawId::parse("000102030405060708090a0b0c0d0e0f"));
    Click tagged{.link = link_id,
                 .workspace = workspace_id,
                 .domain = domain_id,
                 .time = Timestamp{1},
                 .tagged = true,
                 .tags = TagMarks::of(std::array{first, second})};
    const auto told = [&] {
        const auto record = encode_click(tagged);
        CHECK(decode_click({record.data(), record.size()}) == tagged);
        return std::string(record.data() + 56, 16);
    };
    CHECK(told() == "\x02\xbb\xcc\xdd\xee\xff\x0b\x0c\x0d\x0e\x0f\0\0\0\0\0"s);
    CHECK(tagged.tags.at(1) == 0x0b'0c0d'0e0f);
    tagged.tags = TagMarks::of(std::array{first, second, first, second}); // too many
    CHECK_FALSE(tagged.tags.told());
    CHECK(told() == std::string(16, '\0'));
    CHECK_FALSE(TagMarks::from_bytes("\x04" + std::string(20, 'x')).told());
    CHECK_FALSE(TagMarks::from_bytes("\x02" + std::string(9, 'x')).told());
}

TEST_CASE("what an address says of its campaign is recorded in the bytes that the header draws", "[clicks]") {
    const CampaignMark mark{.link = link_id,
                            .workspace = workspace_id,
                            .domain = domain_id,
                            .time = Timestamp{0x0102'0304'0506},
                            .tagged = true,
                            .part = CampaignPart::campaign,
                            .value = CampaignValue::of("spring sale")};
    const auto drawn = "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xc1"
                       "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xa1"
                       "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xb1"
                       "\x01\x02\x03\x04\x05\x06"
                       "\x00\x62"s +
                       std::string(16, '\0') + "spring sale" + std::string(41, '\0');
    const auto record = encode_mark(mark);
    CHECK(std::string(record.data(), record.size()) == drawn);
    CHECK(decode_mark(drawn) == mark);
    CHECK_FALSE(decode_click(drawn)); // so it counts as none
    CHECK_FALSE(decode_mark(drawn.substr(0, 123)));
    CHECK_FALSE(decode_mark(drawn.substr(0, 72) + std::string(52, '\0'))); // without a value

    Click scanned{.link = link_id, .workspace = workspace_id, .domain = domain_id, .time = Timestamp{1}};
    scanned.scanned = true;
    const auto of_click = encode_click(scanned);
    CHECK(of_click[55] == '\x10');
    CHECK(decode_click({of_click.data(), of_click.size()}) == scanned);
    CHECK_FALSE(decode_mark({of_click.data(), of_click.size()}));
}

TEST_CASE("a record of before visitors were told apart is read", "[clicks]") {
    const auto record = encode_click({.link = link_id,
                                      .workspace = workspace_id,
                                      .domain = domain_id,
                                      .time = Timestamp{0x0102'0304'0506}});
    const auto click = decode_click(std::string(record.data(), 60));
    REQUIRE(click);
    CHECK(click->link == link_id);
    CHECK(click->workspace == workspace_id);
    CHECK(click->domain == domain_id);
    CHECK(click->time == Timestamp{0x0102'0304'0506});
    CHECK(click->counts);
    CHECK(click->visitor == 0);
}

TEST_CASE_METHOD(Fixture, "clicks add up per link, domain and workspace", "[clicks]") {
    const auto other_domain = id_of<DomainId>(0xb2);
    const auto other_workspace = id_of<WorkspaceId>(0xa2);
    click(0, link_id, 1'000);
    click(0, link_id, 3'000);
    click(1, link_id, 2'000);
    click(1, other_link, 4'000, other_domain);
    click(4, id_of<LinkId>(0xc3), 5'000, other_domain, other_workspace);

    const auto report = fold().value();
    CHECK(report.clicks == 5);
    CHECK(report.unreadable == 0);
    CHECK(report.transactions == 1);
    CHECK(totals(link_id).clicks == 3);
    CHECK(totals(link_id).last_click_at == Timestamp{3'000});
    CHECK(totals(other_link).clicks == 1);
    CHECK(totals(id_of<LinkId>(0xff)).clicks == 0);
    CHECK_FALSE(totals(id_of<LinkId>(0xff)).last_click_at);
    REQUIRE(inner->read([&](data::View& view) -> Result<void> {
        CHECK(TRY(clicks_of_domain(view, domain_id)) == 3);
        CHECK(TRY(clicks_of_domain(view, other_domain)) == 2);
        CHECK(TRY(clicks_of_domain(view, domain_id, workspace_id)) == 3);
        CHECK(TRY(clicks_of_domain(view, other_domain, workspace_id)) == 1);
        CHECK(TRY(clicks_of_domain(view, other_domain, other_workspace)) == 1);
        CHECK(TRY(clicks_of_domain(view, domain_id, other_workspace)) == 0);
        CHECK(TRY(clicks_of_workspace(view, workspace_id)).clicks == 4);
        CHECK(TRY(clicks_of_workspace(view, workspace_id)).last_click_at == Timestamp{4'000});
        CHECK(TRY(clicks_of_workspace(view, other_workspace)).clicks == 1);
        CHECK(TRY(clicks_of_workspace(view, other_workspace)).last_click_at == Timestamp{5'000});
        return {};
    }));
}

TEST_CASE_METHOD(Fixture, "a workspace's clicks are counted by day, from midnight to midnight UTC",
                 "[clicks]") {
    constexpr std::int64_t day_ms = 86'400'000;
    click(0, link_id, 100 * day_ms - 1);
    click(0, link_id, 100 * day_ms);
    click(1, other_link, 100 * day_ms + 5);
    click(1, link_id, 101 * day_ms - 1);
    click(1, link_id, 101 * day_ms);
    REQUIRE(fold());
    REQUIRE(inner->read([&](data::View& view) -> Result<void> {
        CHECK(TRY(clicks_of_days(view, workspace_id, 99, 99)) == 1);
        CHECK(TRY(clicks_of_days(view, workspace_id, 100, 100)) == 3);
        CHECK(TRY(clicks_of_days(view, workspace_id, 99, 100)) == 4);
        CHECK(TRY(clicks_of_days(view, workspace_id, 0, 200)) == 5);
        CHECK(TRY(clicks_of_days(view, id_of<WorkspaceId>(0xa2), 0, 200)) == 0);
        return {};
    }));
    const auto recent = inner->read([](data::View& view) { return recent_clicks(view, workspace_id); });
    REQUIRE(recent);
    CHECK(recent->size() == 2); // the workspace's own last click is no link's
}

TEST_CASE_METHOD(Fixture, "folding twice counts once", "[clicks]") {
    click(0, link_id, 1'000);
    REQUIRE(fold());
    const auto again = fold().value();
    CHECK(again.clicks == 0);
    CHECK(again.transactions == 0);
    CHECK(clicks(link_id) == 1);
    click(0, link_id, 2'000);
    REQUIRE(fold());
    CHECK(clicks(link_id) == 2);
    CHECK(totals(link_id).last_click_at == Timestamp{2'000});
}

TEST_CASE_METHOD(Fixture, "positions are stored in the bytes that the header draws", "[clicks]") {
    click(2, link_id, 1'000);
    REQUIRE(fold());
    CHECK(inner->get_now(space::journal, "\0\0\0\x02"s).value() == "\0\0\0\0\0\0\0\x01"s);
    CHECK(inner->get_now(space::journal, "\0\0\0\0"s).value() == std::nullopt);
}

TEST_CASE_METHOD(Fixture, "what is folded is released, and no more", "[clicks]") {
    click(0, link_id, 1'000);
    engine.fails = Fails::before_commit;
    CHECK_FALSE(fold().has_value());
    CHECK(journal.begin(0) == 0);
    engine.fails = Fails::never;
    REQUIRE(fold());
    CHECK(journal.begin(0) == 1);
}

TEST_CASE_METHOD(Fixture, "every click counts once, however transactions end", "[clicks]") {
    const auto fails = GENERATE(Fails::before_commit, Fails::after_commit, Fails::and_runs_again);
    for (int i = 0; i < 10; ++i) {
        click(0, link_id, 1'000 + i);
        click(1, other_link, 1'000);
        engine.fails = i % 2 == 0 ? fails : Fails::never;
        (void)fold();
    }
    engine.fails = Fails::never;
    REQUIRE(fold());
    CHECK(clicks(link_id) == 10);
    CHECK(clicks(other_link) == 10);
    CHECK(totals(link_id).last_click_at == Timestamp{1'009});
}

TEST_CASE_METHOD(Fixture, "a long journal is folded in bounded transactions", "[clicks][long]") {
    constexpr int total = 600'000;
    click(0, link_id, 9'000'000); // a batch of its own, as the clock is set back behind it
    for (int i = 1; i < total; ++i)
        click(0, i % 2 ? link_id : other_link, i);
    click(1, link_id, 8'000'000);
    const auto report = fold().value();
    CHECK(report.clicks == total + 1);
    CHECK(report.transactions == 11);
    CHECK(clicks(link_id) == total / 2 + 2);
    CHECK(clicks(other_link) == total / 2 - 1);
    CHECK(totals(link_id).last_click_at == Timestamp{9'000'000});
}

TEST_CASE_METHOD(Fixture, "a fold that was cut off between two transactions goes on behind the first",
                 "[clicks][long]") {
    for (int i = 0; i < 600'000; ++i)
        click(0, link_id, i);
    engine.after_get = nullptr;
    struct Cut final : data::Journal { // stops working after the first release
        explicit Cut(MemoryJournal& journal) : inner(journal) {}
        [[nodiscard]] std::size_t record_bytes() const override { return inner.record_bytes(); }
        [[nodiscard]] std::uint32_t lane_count() const override { return inner.lane_count(); }
        Result<data::JournalLane*> lane(std::uint32_t number) override { return inner.lane(number); }
        [[nodiscard]] std::uint64_t begin(std::uint32_t lane) const override { return inner.begin(lane); }
        [[nodiscard]] std::uint64_t end(std::uint32_t lane) const override { return inner.end(lane); }
        Result<void> read(std::uint32_t lane, std::uint64_t from, const VisitRecord& visit) override {
            return inner.read(lane, from, visit);
        }
        Result<void> release(std::uint32_t, std::uint64_t) override { return fault("killed"); }
        Result<void> sync() override { return {}; }
        MemoryJournal& inner;
    } cut(journal);
    CHECK_FALSE(ClickFold(engine, cut).fold().has_value());
    CHECK(clicks(link_id) == 65'536);
    REQUIRE(fold());
    CHECK(clicks(link_id) == 600'000);
}

TEST_CASE_METHOD(Fixture, "a journal that lost its end in a power cut goes on behind what was folded",
                 "[clicks]") {
    for (int i = 0; i < 5; ++i)
        click(0, link_id, 1'000);
    REQUIRE(fold());
    journal = {}; // the store knows of five records, the journal of none
    REQUIRE(begin_folding(engine, journal));
    CHECK(journal.end(0) == 5);
    click(0, link_id, 2'000);
    REQUIRE(fold());
    CHECK(clicks(link_id) == 6);
}

TEST_CASE_METHOD(Fixture, "a record that the journal has given up is no click", "[clicks]") {
    click(0, link_id, 1'000);
    const std::string given_up(click_record_bytes, '\0');
    REQUIRE(journal.lane(0).value()->append(given_up));
    click(0, link_id, 2'000);
    CHECK(fold().value().unreadable == 1);
    CHECK(clicks(link_id) == 2);
}

TEST_CASE_METHOD(Fixture, "a journal shorter than the store believes is not folded on", "[clicks]") {
    for (int i = 0; i < 5; ++i)
        click(0, link_id, 1'000);
    REQUIRE(fold());
    journal = {};
    click(0, link_id, 2'000); // nobody aligned it
    CHECK_FALSE(fold().has_value());
}

TEST_CASE_METHOD(Fixture, "a journal that outlived its store is folded from where it begins", "[clicks]") {
    for (int i = 0; i < 5; ++i)
        click(0, link_id, 1'000);
    REQUIRE(journal.release(0, 3));
    REQUIRE(fold());
    CHECK(clicks(link_id) == 2);
    CHECK(fold().value().clicks == 0);
}

TEST_CASE_METHOD(Fixture, "a record that is no click is left out and counted", "[clicks]") {
    REQUIRE(journal.lane(0).value()->append("too short"));
    click(0, link_id, 1'000);
    const auto report = fold().value();
    CHECK(report.clicks == 1);
    CHECK(report.unreadable == 1);
    CHECK(fold().value().unreadable == 0);
}

TEST_CASE_METHOD(Fixture, "servers that take turns with one store each count their own clicks once",
                 "[clicks]") {
    const auto first = first_lane_of(engine, "first").value();
    const auto second = first_lane_of(engine, "second").value();
    CHECK(first == 65'536);
    CHECK(second == 131'072);
    CHECK(first_lane_of(engine, "first").value() == first);
    for (int i = 0; i < 3; ++i)
        click(0, link_id, 1'000);
    REQUIRE(ClickFold(engine, journal, 10, first).fold());
    click(0, link_id, 1'000); // and the server dies before that is counted
    MemoryJournal other;
    REQUIRE(begin_folding(engine, other, second));
    std::swap(journal, other);
    for (int i = 0; i < 5; ++i)
        click(0, link_id, 2'000);
    std::swap(journal, other);
    CHECK(ClickFold(engine, other, 10, second).fold().value().clicks == 5);
    CHECK(clicks(link_id) == 8);
    REQUIRE(begin_folding(engine, journal, first)); // it comes back
    CHECK(ClickFold(engine, journal, 10, first).fold().value().clicks == 1);
    CHECK(ClickFold(engine, other, 10, second).fold().value().clicks == 0);
    CHECK(clicks(link_id) == 9);
}
