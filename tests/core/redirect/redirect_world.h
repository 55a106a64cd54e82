#pragma once
// A small installation for tests of the redirect path: a store in memory with domains, workspaces and links,
// and everything between it and a visitor. Also a journal in memory.
#include "core/clicks/clicks.h"
#include "core/data/journal.h"
#include "core/redirect/directory.h"
#include "core/redirect/redirector.h"
#include "core/redirect/resolver.h"
#include "core/schema/schema.h"
#include "storage/memory/engine.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <map>

namespace slashpost::test {

class StillClock final : public Clock {
  public:
    [[nodiscard]] Timestamp now() const override { return time; }
    Timestamp time{1'767'225'600'000}; // 2026-01-01T00:00:00Z
};

// An id that differs from others by `number`; an id's second half is as good as random.
template <class I>
I id_of(std::uint64_t number) {
    I id;
    for (std::size_t i = 0; i < 8; ++i)
        id.bytes[15 - i] = static_cast<std::uint8_t>(number >> (8 * i));
    return id;
}

// Keeps what is appended, up to `room` records.
class MemoryLane final : public data::JournalLane {
  public:
    bool append(data::BytesView record) noexcept override {
        if (records.size() == room)
            return false;
        records.emplace_back(record);
        return true;
    }
    std::vector<std::string> records;
    std::size_t room = 1'000'000;
};

class MemoryJournal final : public data::Journal {
  public:
    [[nodiscard]] std::size_t record_bytes() const override { return redirect::click_record_bytes; }
    [[nodiscard]] std::uint32_t lane_count() const override {
        return lanes.empty() ? 0 : lanes.rbegin()->first + 1;
    }
    Result<data::JournalLane*> lane(std::uint32_t number) override { return &lanes[number].records; }
    [[nodiscard]] std::uint64_t begin(std::uint32_t number) const override {
        const auto found = lanes.find(number);
        return found == lanes.end() ? 0 : found->second.begin;
    }
    [[nodiscard]] std::uint64_t end(std::uint32_t number) const override {
        const auto found = lanes.find(number);
        return found == lanes.end() ? 0 : found->second.begin + found->second.records.records.size();
    }
    Result<void> read(std::uint32_t number, std::uint64_t from, const VisitRecord& visit) override {
        const auto& lane = lanes[number];
        for (auto i = std::max(from, lane.begin) - lane.begin; i < lane.records.records.size(); ++i)
            if (!visit(lane.records.records[i]))
                break;
        return {};
    }
    Result<void> release(std::uint32_t number, std::uint64_t position) override {
        auto& lane = lanes[number];
        auto& records = lane.records.records;
        const auto gone = std::min<std::uint64_t>(position - lane.begin, records.size());
        records.erase(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(gone));
        lane.begin = position;
        return {};
    }
    Result<void> sync() override {
        ++syncs;
        for (auto& [number, lane] : lanes)
            lane.synced = end(number);
        return {};
    }
    // As a power cut does.
    void lose_unsynced() {
        for (auto& [number, lane] : lanes)
            cut(number, lane.synced);
    }
    void cut(std::uint32_t number, std::uint64_t at) {
        auto& lane = lanes[number];
        if (at < end(number))
            lane.records.records.resize(at > lane.begin ? at - lane.begin : 0);
    }

    struct Lane {
        std::uint64_t begin = 0, synced = 0;
        MemoryLane records;
    };
    std::map<std::uint32_t, Lane> lanes;
    int syncs = 0;
};

// The workspace, the domain and the link that most tests are about.
inline const auto workspace_id = id_of<WorkspaceId>(0xa1);
inline const auto domain_id = id_of<DomainId>(0xb1);
inline const auto link_id = id_of<LinkId>(0xc1);

// A browser of which nothing else is known. Who sends no such header is taken for a bot.
inline constexpr std::string_view person = "Lynx/2.9.0";

struct RedirectWorld {
    RedirectWorld() {
        put(Workspace{.id = workspace_id, .name = "main"});
        put(Domain{.id = domain_id, .full_name = "go.example.com", .verified = true});
    }

    void put(const Domain& domain) {
        REQUIRE(engine->transact([&](data::Txn& txn) -> Result<void> {
            const auto was = TRY(schema().domains.find(txn, domain.id.view()));
            return was ? schema().domains.update(txn, *was, domain) : schema().domains.insert(txn, domain);
        }));
        REQUIRE(directory.refresh(*engine, std::vector{domain.id}, {}));
    }
    void put(const Workspace& workspace) {
        REQUIRE(engine->transact([&](data::Txn& txn) -> Result<void> {
            const auto was = TRY(schema().workspaces.find(txn, workspace.id.view()));
            return was ? schema().workspaces.update(txn, *was, workspace)
                       : schema().workspaces.insert(txn, workspace);
        }));
        REQUIRE(directory.refresh(*engine, {}, std::vector{workspace.id}));
    }
    // As an operation would write it: on disk first, then forgotten by the cache.
    void put(Link link) {
        if (link.slashtag_key.empty())
            link.slashtag_key = link.slashtag;
        std::vector<Link> touched{link};
        REQUIRE(engine->transact([&](data::Txn& txn) -> Result<void> {
            const auto was = TRY(schema().links.find(txn, link.id.view()));
            if (!was)
                return schema().links.insert(txn, link);
            touched.push_back(*was);
            return schema().links.update(txn, *was, link);
        }));
        for (const auto& each : touched)
            resolver.forget(each.domain, each.slashtag_key);
    }
    static Link link(std::string slashtag, std::string destination) {
        return {.id = link_id,
                .workspace = workspace_id,
                .domain = domain_id,
                .slashtag = std::move(slashtag),
                .destination = std::move(destination)};
    }

    const redirect::Answer& visit(redirect::Visit visit) {
        if (visit.host.empty())
            visit.host = "go.example.com";
        if (visit.user_agent.empty())
            visit.user_agent = person;
        redirector->answer(visit, lane, answer);
        if (answer.outcome == redirect::Outcome::ordered)
            redirector->make(redirect::PageOrder(*answer.order), answer);
        return answer;
    }
    // The address to which a plain visit of `path` leads, or the outcome if it leads nowhere.
    std::string follow(std::string_view path, std::string_view query = {}) {
        visit({.path = path, .query = query});
        if (!answer.location.empty())
            return answer.location;
        return std::to_string(static_cast<int>(answer.outcome));
    }
    // Those that count; `lane` also has what bots did.
    [[nodiscard]] std::size_t clicks() const {
        return static_cast<std::size_t>(std::ranges::count_if(lane.records, [](const auto& record) {
            const auto click = redirect::decode_click(record);
            return click && click->counts;
        }));
    }

    StillClock clock;
    SystemRandom random;
    std::unique_ptr<data::Engine> engine = storage::make_memory_engine(space::all);
    redirect::Directory directory;
    redirect::Resolver resolver{*engine, random, std::size_t{1} << 20};
    redirect::RedirectFigures figures;
    MemoryLane lane;
    std::unique_ptr<redirect::Redirector> redirector = redirect::make_redirector({.directory = directory,
                                                                                  .resolver = resolver,
                                                                                  .engine = *engine,
                                                                                  .clock = clock,
                                                                                  .random = random,
                                                                                  .figures = figures});
    redirect::Answer answer;
};

} // namespace slashpost::test
