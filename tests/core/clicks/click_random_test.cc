// Thousands of random clicks, folded while transactions fail now and then, against a plain model; then every
// row is compared. On both engines.
#include "tests/core/redirect/redirect_world.h"
#include "tests/support/must.h"
#include "tests/support/seed.h"
#include "tests/support/temp_folder.h"
#include "tests/support/wrapped_engine.h"

#include "core/clicks/click_fold.h"
#include "core/data/findings.h"
#include "core/schema/click_totals.h"
#include "core/schema/recent_rollups.h"
#include "storage/open.h"

#include <map>
#include <random>
#include <set>
#include <tuple>

using namespace slashpost;
using namespace slashpost::test;
using namespace slashpost::redirect;
using Fails = WrappedEngine::Fails;

namespace {

constexpr std::int64_t second = 1'000, hour = 3'600 * second, day = 24 * hour;

enum class Clocks { go_on, jump };

class Trial {
  public:
    Trial(std::unique_ptr<data::Engine> inner, unsigned seed, Clocks clocks)
        : inner_(std::move(inner)),
          dice_(seed),
          clocks_(clocks) {
        must(inner_->transact([&](data::Txn& txn) -> Result<void> {
            for (std::uint64_t link = 0; link < workspaces; ++link)
                for (std::uint64_t tag = 1; tag <= tags_each; ++tag)
                    TRY(schema().tags.insert(txn, {.id = tag_of(link, tag),
                                                   .workspace = workspace_of(link),
                                                   .name = std::to_string(tag)}));
            for (std::uint64_t link = 0; link < links; ++link)
                TRY(schema().links.insert(txn, row_of(link)));
            return {};
        }));
    }

    void run(int rounds) {
        for (int round = 0; round < rounds; ++round) {
            for (auto clicks = below(60); clicks > 0; --clicks)
                click();
            engine_.fails = std::array{Fails::never,        Fails::never,          Fails::before_commit,
                                       Fails::after_commit, Fails::and_runs_again, Fails::reading}[below(6)];
            fold();
            if (below(4) == 0) // hours that are over and hours that are not
                (void)engine_.transact([&](data::Txn& txn) {
                    return close_hours_batch(txn, static_cast<std::uint32_t>(now_ / hour) +
                                                      static_cast<std::uint32_t>(below(3)));
                });
            engine_.fails = Fails::never;
            if (below(10) == 0)
                settle();
        }
        settle();
        compare();
    }

  private:
    void fold() {
        if (below(2) == 0)
            (void)reader_->fold(); // whatever comes of it
    }

    static constexpr std::uint64_t links = 12, workspaces = 3, tags_each = 4;

    std::uint64_t below(std::uint64_t end) {
        return std::uniform_int_distribution<std::uint64_t>(0, end - 1)(dice_);
    }
    static WorkspaceId workspace_of(std::uint64_t link) { return id_of<WorkspaceId>(1 + link % workspaces); }
    // Of the link's workspace. The last one has the mark of the first (core/schema/tag_marks.h).
    static TagId tag_of(std::uint64_t link, std::uint64_t tag) {
        auto id = id_of<TagId>(16 * (link % workspaces) + (tag == tags_each ? 1 : tag));
        id.bytes[8] = tag == tags_each ? 1 : 0;
        return id;
    }
    static DomainId domain_of(std::uint64_t link) { return id_of<DomainId>(1 + link % 2); }

    Link row_of(std::uint64_t link) {
        return {.id = id_of<LinkId>(1 + link),
                .workspace = workspace_of(link),
                .domain = domain_of(link),
                .slashtag = std::to_string(link),
                .slashtag_key = std::to_string(link),
                .destination = "http://x/",
                .tags = {tags_[link].begin(), tags_[link].end()}};
    }

    void click() {
        now_ += static_cast<std::int64_t>(below(600)) * second;
        if (clocks_ == Clocks::jump && below(100) == 0)
            now_ -= static_cast<std::int64_t>(below(3)) * static_cast<std::int64_t>(below(30)) * hour;
        const auto number = below(links);
        Click click{.link = id_of<LinkId>(1 + number),
                    .workspace = workspace_of(number),
                    .domain = domain_of(number),
                    .time = Timestamp{now_},
                    .counts = below(5) != 0,
                    .tagged = !tags_[number].empty(),
                    .tags = below(2) == 0 ? TagMarks::of(row_of(number).tags) : TagMarks(),
                    .visitor = below(6),
                    .country = CountryCode::of(std::array{"", "de", "at"}[below(3)]),
                    .language = LanguageCode::of(std::array{"", "de", "fil"}[below(3)]),
                    .agent = {.device = static_cast<Device>(below(4)),
                              .system = static_cast<System>(below(7)),
                              .browser = static_cast<Browser>(below(10))},
                    .referrer = ReferrerHost::of(std::array{"", "a.example", "b.example"}[below(3)])};
        if (below(3) == 0) {
            click.chooser = below(2) == 0 ? Chooser::rule : Chooser::arm;
            click.choice = id_of<RawId>(1 + below(3));
        }
        const auto record = encode_click(click);
        REQUIRE(must(journal_.lane(static_cast<std::uint32_t>(below(3))))
                    ->append({record.data(), record.size()}));
        expect(click, number);
    }

    void expect(const Click& click, std::uint64_t link) {
        std::vector<Subject> subjects{Subject::of(click.link), Subject::of(click.workspace),
                                      Subject::of(click.domain, click.workspace)};
        for (const auto& tag : tags_[link])
            subjects.push_back(Subject::of(tag));
        std::vector<std::string> names{"b"};
        if (click.counts) {
            names = {"c"};
            auto& last = visits_[{link, click.visitor}];
            if (click.visitor == 0 || last == 0 || click.time.ms / second > last / second + 1'800)
                names.emplace_back("s");
            last = click.time.ms;
            const auto name = [&](char group, std::string_view value) {
                if (!value.empty())
                    names.push_back(group + std::string(value));
            };
            name('C', click.country.view()), name('L', click.language.view()),
                name('R', click.referrer.view());
            name('D', word_of(click.agent.device)), name('O', word_of(click.agent.system));
            name('B', word_of(click.agent.browser));
            if (click.chooser != Chooser::link)
                name(click.chooser == Chooser::rule ? 'r' : 'a', click.choice.view());
            totals_[click.link].add({.clicks = 1, .last_click_at = click.time});
            workspaces_[click.workspace].add({.clicks = 1, .last_click_at = click.time});
            ++domains_[click.domain];
        }
        for (const auto& subject : subjects)
            for (const auto& name : names) {
                const auto& prefix = subject.prefix;
                expected_[prefix + '\2' + data::key(static_cast<std::uint32_t>(now_ / hour))].add(name, 1);
                expected_[prefix + '\1' + data::key(static_cast<std::uint32_t>(now_ / day))].add(name, 1);
                if (std::string("csbra").find(name[0]) != std::string::npos)
                    expected_[prefix + '\0' + data::key(std::uint32_t{0})].add(name, 1);
            }
    }

    // All is folded; then links change their tags, or the program starts anew.
    void settle() {
        must(reader_->fold());
        CHECK(must(reader_->waiting()) == 0);
        const auto link = below(links);
        const auto before = row_of(link);
        tags_[link].clear();
        for (std::uint64_t tag = 1; tag <= tags_each; ++tag)
            if (below(2) == 0)
                tags_[link].insert(tag_of(link, tag));
        must(inner_->transact(
            [&](data::Txn& txn) { return schema().links.update(txn, before, row_of(link)); }));
        if (below(3) == 0) {
            reader_ = std::make_unique<ClickFold>(engine_, journal_, 12);
            visits_.clear();
        }
    }

    void compare() {
        compare_with_readers();
        must(close_all_hours(*inner_));
        compare_with_readers();
        std::map<data::Bytes, data::Counts> found;
        must(inner_->read([&](data::View& view) {
            return view.scan(space::rollups, {}, data::Order::forward,
                             [&](data::BytesView at, data::BytesView value) {
                                 found.emplace(at, must(data::Counts::decode(value)));
                                 return true;
                             });
        }));
        REQUIRE(found.size() == expected_.size());
        for (auto& [at, counts] : found) {
            INFO(data::printable(at));
            auto& expected = expected_[at];
            CHECK(counts.of("s") <= counts.of("c"));
            CHECK(counts.of("s") >= 0);
            if (clocks_ == Clocks::jump) // then the model does not know sessions
                expected.add("s", counts.of("s") - expected.of("s"));
            CHECK(data::Counts::decode(expected.encode()).value() == counts);
        }
        for (std::uint64_t link = 0; link < links; ++link) {
            const auto id = id_of<LinkId>(1 + link);
            const auto totals = must(
                inner_->read([&](data::View& view) { return clicks_of_link(view, workspace_of(link), id); }));
            CHECK(totals == totals_[id]);
        }
        must(inner_->read([&](data::View& view) -> Result<void> {
            for (const auto& [workspace, totals] : workspaces_)
                CHECK(TRY(clicks_of_workspace(view, workspace)) == totals);
            for (const auto& [domain, clicks] : domains_)
                CHECK(TRY(clicks_of_domain(view, domain)) == clicks);
            return {};
        }));
        check_sums(found);
    }

    // What a reader sees does not hang on what is settled.
    void compare_with_readers() {
        must(inner_->read([&](data::View& view) -> Result<void> {
            RollupReader reader(view);
            for (std::uint64_t link = 0; link < links; ++link) {
                const auto subject = Subject::of(id_of<LinkId>(1 + link), workspace_of(link));
                const std::int64_t ever = TRY(reader.lifetime(subject)).of("c");
                CHECK(ever == totals_[id_of<LinkId>(1 + link)].clicks);
                for (const auto grain : {Grain::day, Grain::hour}) {
                    std::int64_t sum = 0;
                    std::optional<std::uint32_t> before;
                    TRY(reader.each(subject, grain, 0, 0xffff'ffff,
                                    [&](std::uint32_t bucket, const data::Counts& counts) {
                                        CHECK((!before || *before < bucket));
                                        before = bucket;
                                        sum += counts.of("c");
                                        return true;
                                    }));
                    CHECK(sum == ever);
                }
            }
            return {};
        }));
    }

    // Hours add up to days, days to all that ever was.
    static void check_sums(const std::map<data::Bytes, data::Counts>& found) {
        std::map<data::Bytes, std::array<std::int64_t, 3>> clicks, sessions;
        for (const auto& [at, counts] : found) {
            const auto grain = static_cast<std::size_t>(at[at.size() - 5]);
            clicks[at.substr(0, at.size() - 5)].at(grain) += counts.of("c");
            sessions[at.substr(0, at.size() - 5)].at(grain) += counts.of("s");
        }
        for (const auto& sums : {clicks, sessions})
            for (const auto& [subject, of_grains] : sums) {
                CHECK(of_grains[0] == of_grains[1]);
                CHECK(of_grains[0] == of_grains[2]);
            }
    }

    std::unique_ptr<data::Engine> inner_;
    WrappedEngine engine_{*inner_};
    MemoryJournal journal_;
    std::unique_ptr<ClickFold> reader_ = std::make_unique<ClickFold>(engine_, journal_, 12);
    std::mt19937 dice_;
    const Clocks clocks_;
    std::int64_t now_ = 1'767'225'600'000;

    std::map<std::uint64_t, std::set<TagId>> tags_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::int64_t> visits_; // (link, visitor) -> last
    std::map<LinkId, ClickTotals> totals_;
    std::map<WorkspaceId, ClickTotals> workspaces_;
    std::map<DomainId, std::int64_t> domains_;
    std::map<data::Bytes, data::Counts> expected_;
};

} // namespace

TEST_CASE("rollups agree with a plain model, whatever fails, in memory", "[rollups][long]") {
    const auto clocks = GENERATE(Clocks::go_on, Clocks::jump);
    for (int round = 0; round < 4; ++round) {
        const auto seed = new_seed("rollups in memory");
        INFO("seed " << seed);
        Trial(storage::make_memory_engine(space::all), seed, clocks).run(made_up(200));
    }
}

TEST_CASE("rollups agree with a plain model, whatever fails, on disk", "[rollups][long]") {
    const auto clocks = GENERATE(Clocks::go_on, Clocks::jump);
    const TempFolder folder;
    const auto seed = new_seed("rollups on disk");
    INFO("seed " << seed);
    Trial(must(storage::open("rocksdb:" + folder.path().string(), space::all,
                             {.durability = data::Durability::relaxed})),
          seed, clocks)
        .run(made_up(200));
}
