// What addresses say of campaigns and codes, on its way to the rows that statistics are read from.
#include "tests/core/redirect/redirect_world.h"

#include "core/clicks/click_fold.h"
#include "core/schema/click_totals.h"

using namespace slashpost;
using namespace slashpost::test;
using namespace slashpost::redirect;

namespace {

constexpr std::int64_t noon = 1'767'268'800'000; // 2026-01-01T12:00:00Z
const auto of_link = Subject::of(link_id, workspace_id);

struct Fixture {
    std::unique_ptr<data::Engine> engine = storage::make_memory_engine(space::all);
    MemoryJournal journal;
    ClickFold rollups{*engine, journal, 10};

    void append(const std::array<char, click_record_bytes>& record) {
        REQUIRE(journal.lane(0).value()->append({record.data(), record.size()}));
    }
    void click(bool scanned = false) {
        append(encode_click({.link = link_id,
                             .workspace = workspace_id,
                             .domain = domain_id,
                             .time = Timestamp{noon},
                             .scanned = scanned}));
    }
    void mark(CampaignPart part, std::string_view value) {
        append(encode_mark({.link = link_id,
                            .workspace = workspace_id,
                            .domain = domain_id,
                            .time = Timestamp{noon},
                            .part = part,
                            .value = CampaignValue::of(value)}));
    }
    data::Counts day(const Subject& subject) {
        return engine
            ->read([&](data::View& view) -> Result<data::Counts> {
                data::Counts found;
                const auto bucket = bucket_of(Grain::day, Timestamp{noon});
                TRY(RollupReader(view).each(subject, Grain::day, bucket, bucket,
                                            [&](std::uint32_t, const data::Counts& counts) {
                                                found = counts;
                                                return true;
                                            }));
                return found;
            })
            .value();
    }
};

const auto expected = data::Counts::of({{.name = "c", .number = 3},
                                        {.name = "s", .number = 3},
                                        {.name = "Snews", .number = 2},
                                        {.name = "Snews2", .number = 1},
                                        {.name = "Memail", .number = 1},
                                        {.name = "Nspring", .number = 1},
                                        {.name = "qqr", .number = 1}});

} // namespace

TEST_CASE_METHOD(Fixture, "marks of campaigns count by their values, and are neither clicks nor bots",
                 "[rollups]") {
    click(true);
    mark(CampaignPart::source, "news");
    mark(CampaignPart::medium, "email");
    mark(CampaignPart::campaign, "spring");
    click();
    mark(CampaignPart::source, "news2");
    click();
    mark(CampaignPart::source, "news");
    const auto report = rollups.fold().value();
    CHECK(report.clicks == 3);
    CHECK(report.unreadable == 0);
    for (const auto& subject : {of_link, Subject::of(workspace_id), Subject::of(domain_id, workspace_id)})
        CHECK(day(subject) == expected);
}

TEST_CASE_METHOD(Fixture, "totals pass marks of campaigns by", "[rollups]") {
    click();
    mark(CampaignPart::source, "news");
    const auto report = rollups.fold().value();
    CHECK(report.clicks == 1);
    CHECK(report.unreadable == 0);
    const auto totals =
        engine->read([](data::View& view) { return clicks_of_link(view, workspace_id, link_id); }).value();
    CHECK(totals.clicks == 1);
}

TEST_CASE_METHOD(Fixture, "marks that are folded apart from their clicks count all the same", "[rollups]") {
    click();
    REQUIRE(rollups.fold());
    mark(CampaignPart::source, "news");
    CHECK(rollups.fold().value().clicks == 0);
    CHECK(day(of_link) ==
          data::Counts::of(
              {{.name = "c", .number = 1}, {.name = "s", .number = 1}, {.name = "Snews", .number = 1}}));
}
