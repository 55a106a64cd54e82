// Random operations on workspaces, their members, links and states, beside a plain model: who may do what,
// what each sees, and what counts for a plan.
#include "tests/support/seed.h"
#include "tests/support/workspaces.h"

#include <map>
#include <set>

using namespace slashpost;
using namespace slashpost::test;

namespace {

constexpr int steps = made_up(3000);
constexpr int steps_between_checks = 50;
constexpr std::int64_t links_max = 12; // of the first person's plan
constexpr std::int64_t workspaces_max = 5;

struct Room {
    WorkspaceId id;
    std::size_t owner = 0;
    WorkspaceType type = WorkspaceType::classic;
    bool is_default = false;
    bool revoked = false;
    bool trashed = false;
    bool deleted = false;
    std::map<std::size_t, Role> members; // by person
    std::set<LinkId> links;
    [[nodiscard]] bool hidden() const { return trashed || deleted; }
};

class Model {
  public:
    Model() {
        people_.push_back({.account = world.installed.account, .caller = world.caller});
        for (const auto* name : {"b", "c", "d"})
            people_.push_back(world.stranger(name));
        for (std::size_t i = 0; i < people_.size(); ++i)
            rooms_.push_back({.id = people_[i].account.default_workspace,
                              .owner = i,
                              .is_default = true,
                              .members = {{i, Role::owner}},
                              .links = {}});
        set_plan(world, {.links = Change<std::int64_t>::set(links_max),
                         .workspaces = Change<std::int64_t>::set(workspaces_max)});
    }

    [[nodiscard]] unsigned seed() const { return seed_; }

    void step() {
        world.clock.advance_seconds(1);
        switch (roll(10)) {
        case 0:
        case 1:
            return make_room();
        case 2:
            return rename();
        case 3:
            return remove();
        case 4:
            return add_somebody();
        case 5:
        case 6:
        case 7:
            return make_link();
        case 8:
            return delete_a_link();
        default:
            return set_some_state();
        }
    }

    void check() {
        for (std::size_t person = 0; person < people_.size(); ++person) {
            std::set<WorkspaceId> expected, seen;
            std::int64_t links = 0, owned = 0, teammates = 0;
            for (const auto& room : rooms_) {
                if (room.hidden())
                    continue;
                if (room.members.contains(person))
                    expected.insert(room.id);
                if (room.owner != person)
                    continue;
                ++owned;
                links += std::ssize(room.links);
                teammates += std::ssize(room.members) - 1;
            }
            const auto& caller = people_[person].caller;
            for (const auto& details : must(world.service.run(caller, {}, account_read, [](Context& ctx) {
                     return list_workspaces(ctx, {}, {.limit = 10'000});
                 })))
                seen.insert(details.workspace.id);
            CHECK(seen == expected);
            const auto account = must(world.service.run(caller, {}, account_read, describe_account));
            CHECK(account.links.used == links);
            CHECK(account.workspaces.used == owned);
            CHECK(account.teammates.used == teammates);
        }
        CHECK(world.inconsistency().empty());
    }

    void end() {
        run_all_jobs(world);
        check();
        must(world.engine->read([&](data::View& view) -> Result<void> {
            for (const auto& room : rooms_) {
                const auto left = TRY(schema().links.kept.count(view, room.id));
                CHECK(left == (room.deleted ? 0 : std::ssize(room.links)));
            }
            return {};
        }));
    }

    World world;

  private:
    std::size_t roll(std::size_t sides) { return dice_() % sides; }
    Room& some_room() { return rooms_[roll(rooms_.size())]; }
    // What somebody gets who enters the room with at least this role; "none" when let in.
    static std::string admission(const Room& room, std::size_t person, Role lowest) {
        const auto member = room.members.find(person);
        if (room.hidden() || member == room.members.end())
            return "NotFound";
        return member->second < lowest ? "Forbidden" : "none";
    }
    template <class Work>
    auto act(const Room& room, std::size_t person, const Guard& guard, Work work) {
        auto writes = guard;
        writes.access = Access::write;
        return world.service.run(people_[person].caller, room.id.hex(), writes, work);
    }
    bool is_full(const Room& room) {
        std::int64_t links = 0;
        for (const auto& other : rooms_)
            if (other.owner == 0 && !other.hidden())
                links += std::ssize(other.links);
        return room.owner == 0 && links >= links_max;
    }

    void make_room() {
        const auto person = roll(people_.size());
        const auto type = std::array{WorkspaceType::classic, WorkspaceType::gallery}.at(roll(2));
        const auto owned = std::ranges::count_if(
            rooms_, [&](const Room& room) { return room.owner == person && !room.hidden(); });
        const auto made = try_workspace(world, {.name = "abc", .type = type}, people_[person].caller);
        CHECK(code_of(made) == (person == 0 && owned >= workspaces_max ? "LimitReached" : "none"));
        if (!made.has_value())
            return;
        must(world.operate([&](SystemContext& system) {
            return share_domain(system, world.installed.domain.id, made->id);
        }));
        rooms_.push_back(
            {.id = made->id, .owner = person, .type = type, .members = {{person, Role::owner}}, .links = {}});
    }
    void rename() {
        const auto& room = some_room();
        const auto person = roll(people_.size());
        auto expected = admission(room, person, Role::owner);
        if (expected == "Forbidden")
            expected = "NotFound";
        if (expected == "none" && room.revoked)
            expected = "RevokedWorkspace";
        CHECK(
            code_of(act(room, person, {.role = Role::owner, .too_low = TooLow::not_found}, [](Context& ctx) {
                return update_workspace(ctx, {.name = Change<std::string>::set("xyz")});
            })) == expected);
    }
    void remove() {
        auto& room = some_room();
        const auto person = roll(people_.size());
        const auto how = roll(2) == 0 ? Removal::deleted : Removal::trashed;
        auto expected = admission(room, person, Role::viewer);
        const bool by_owner = expected == "none" && room.owner == person;
        if (by_owner && room.is_default)
            expected = "CouldNotDeleteDefaultWorkspace";
        const auto done = act(room, person, {.while_revoked = true}, [&](Context& ctx) {
            return ctx.role == Role::owner ? remove_workspace(ctx, how) : leave_workspace(ctx);
        });
        CHECK(code_of(done) == expected);
        if (!done.has_value())
            return;
        if (!by_owner)
            room.members.erase(person);
        else if (how == Removal::deleted)
            room.deleted = true;
        else
            room.trashed = true;
    }
    void add_somebody() {
        auto& room = some_room();
        const auto person = roll(people_.size());
        if (room.deleted || room.members.contains(person))
            return;
        const auto role = std::array{Role::viewer, Role::guest, Role::user, Role::admin}.at(roll(4));
        add_member(world, room.id, people_[person].account.id, role);
        room.members.emplace(person, role);
    }
    void make_link() {
        auto& room = some_room();
        const auto person = roll(people_.size());
        auto expected = admission(room, person, Role::guest);
        if (expected == "none" && room.revoked)
            expected = "RevokedWorkspace";
        if (expected == "none" && is_full(room))
            expected = "LimitReached";
        const auto made = act(room, person, {.role = Role::guest}, [](Context& ctx) {
            return create_link(ctx, {.destination = "https://example.com/"});
        });
        CHECK(code_of(made) == expected);
        if (made.has_value())
            room.links.insert(made->link.id);
    }
    void delete_a_link() {
        auto& room = some_room();
        if (room.links.empty())
            return;
        const auto id = *room.links.begin();
        const auto deleted =
            act(room, room.owner, {.link = LinkState::live}, [&](Context& ctx) -> Result<LinkDetails> {
                return delete_link(ctx, TRY(find_link(ctx, id)));
            });
        CHECK(code_of(deleted) == (room.hidden() ? "NotFound" : room.revoked ? "RevokedWorkspace" : "none"));
        if (deleted.has_value())
            room.links.erase(id);
    }
    // By the operator; or one batch of the jobs.
    void set_some_state() {
        auto& room = some_room();
        const auto what = roll(4);
        if (what == 0) {
            must(runner_.run_batch());
        } else if (!room.deleted && what == 1) {
            room.revoked = !room.revoked;
            set_state(world, room.id, {.revoked = Change<bool>::set(room.revoked)});
        } else if (!room.deleted && !room.is_default) {
            room.trashed = !room.trashed && what == 3;
            set_state(world, room.id, {.trashed = Change<bool>::set(room.trashed)});
        }
    }

    const unsigned seed_ = new_seed("random operations on workspaces");
    std::mt19937 dice_{seed_};
    std::vector<Stranger> people_;
    std::vector<Room> rooms_;
    JobRunner runner_{world.service};
};

} // namespace

TEST_CASE("random operations on workspaces do what the model says", "[workspaces]") {
    Model model;
    INFO("seed " << model.seed());
    for (int i = 1; i <= steps; ++i) {
        model.step();
        if (i % steps_between_checks == 0)
            model.check();
    }
    model.end();
}
