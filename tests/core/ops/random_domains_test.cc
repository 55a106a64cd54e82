// Random operations on domains beside a plain model: who has a name, who may do what with it, what each
// workspace shares, and what counts for a plan.
#include "core/ops/domain_workspaces.h"
#include "tests/support/domains.h"
#include "tests/support/seed.h"

#include <map>
#include <set>

using namespace slashpost;
using namespace slashpost::test;

namespace {

constexpr int steps = made_up(3000);
constexpr int steps_between_checks = 50;
constexpr std::int64_t domains_max = 6; // of the first person's plan

struct ModelDomain {
    Domain row;
    std::size_t owner = 0;
    std::set<std::size_t> rooms;      // that share it
    std::set<std::size_t> given_back; // by rooms that may share it again
};

// An active link.
struct ModelLink {
    Seat maker;
    std::size_t room = 0;
    DomainId domain;
};

// Each person owns the room of the same number; the second is an admin in the first one's, too.
class Model {
  public:
    Model() {
        people_.push_back({.account = world.installed.account, .caller = world.caller});
        for (const auto* name : {"b", "c"})
            people_.push_back(world.stranger(name));
        add_member(world, people_[0].account.default_workspace, people_[1].account.id, Role::admin);
        set_plan(world, {.domains = Change<std::int64_t>::set(domains_max)});
    }

    [[nodiscard]] unsigned seed() const { return seed_; }

    void step() {
        world.clock.advance_seconds(1);
        const auto person = roll(people_.size());
        const auto room = person == 1 ? roll(2) : person;
        const Seat seat(world, people_[person].caller, room_id(room).hex());
        switch (roll(10)) {
        case 0:
        case 1:
            return add(seat, room);
        case 2:
        case 3:
            return prove(seat, person, room);
        case 4:
            return share(seat, person, room);
        case 5:
            return make_link(seat, room);
        case 6:
            return delete_link();
        case 7:
            return change_link();
        case 8:
            return take_away(seat, person, room);
        default:
            return roll(2) == 0 ? set(seat, person, room) : remove(seat, person, room);
        }
    }

    void check() {
        for (std::size_t i = 0; i < people_.size(); ++i) {
            std::string expected;
            std::int64_t owned = 0, shared = 0;
            std::map<std::string, int> names;
            for (const auto& [id, domain] : domains_) {
                owned += domain.owner == i ? 1 : 0;
                if (!domain.rooms.contains(i))
                    continue;
                ++shared;
                ++names[domain.row.full_name];
            }
            for (const auto& [name, times] : names)
                for (int n = 0; n < times; ++n)
                    expected += name + " ";
            const Seat seat(world, people_[i].caller, room_id(i).hex());
            CHECK(seat.list({.type = DomainType::user},
                            {.limit = 100, .order_by = "fullName", .direction = Direction::ascending}) +
                      (expected.empty() ? "" : " ") ==
                  expected);
            CHECK(seat.count() == shared + 1); // and the installation's
            const auto account =
                must(world.service.run(people_[i].caller, {}, account_read, describe_account));
            CHECK(account.domains.used == owned);
        }
        for (const auto& [id, domain] : domains_)
            check_workspaces(domain);
        CHECK(world.inconsistency().empty());
    }

    World world;

  private:
    std::size_t roll(std::size_t sides) { return dice_() % sides; }
    [[nodiscard]] WorkspaceId room_id(std::size_t room) const {
        return people_[room].account.default_workspace;
    }
    ModelDomain* some_domain() {
        if (domains_.empty())
            return nullptr;
        return &std::next(domains_.begin(), static_cast<std::ptrdiff_t>(roll(domains_.size())))->second;
    }
    [[nodiscard]] bool taken(const std::string& name) const {
        return std::ranges::any_of(domains_, [&](const auto& entry) {
            return entry.second.row.verified && entry.second.row.full_name == name;
        });
    }
    // What somebody gets who wants to manage the domain from a room.
    static std::string admission(const ModelDomain& domain, std::size_t person, std::size_t room) {
        if (domain.owner != person && !domain.rooms.contains(room))
            return "NotFound domain";
        return domain.owner == person || domain.owner == room ? "none"
                                                              : "InvalidFormat domain: NotShared domain";
    }

    void add(const Seat& seat, std::size_t room) {
        const auto name = "n" + std::to_string(roll(5)) + ".example";
        const auto owned =
            std::ranges::count_if(domains_, [&](const auto& entry) { return entry.second.owner == room; });
        const bool own = std::ranges::any_of(domains_, [&](const auto& entry) {
            return entry.second.owner == room && entry.second.row.full_name == name;
        });
        const auto made = seat.add(name);
        CHECK(refusal_of(made) == (taken(name) || own ? "InvalidFormat domain: AlreadyExists fullName"
                                   : room == 0 && owned >= domains_max ? "LimitReached domain"
                                                                       : "none"));
        if (made.has_value())
            domains_[made->id] = {.row = *made, .owner = room, .rooms = {room}};
    }
    void prove(const Seat& seat, std::size_t person, std::size_t room) {
        auto* domain = some_domain();
        if (!domain)
            return;
        const bool set = roll(4) != 0;
        auto expected = admission(*domain, person, room);
        if (expected == "none" && !domain->row.verified)
            expected = taken(domain->row.full_name) ? "InvalidFormat domain: AlreadyExists fullName"
                       : set                        ? "none"
                                                    : "InvalidFormat domain: NotFound verification";
        const auto done = set ? seat.prove(domain->row) : seat.verify(domain->row.id, {"x"});
        CHECK(refusal_of(done) == expected);
        if (done.has_value())
            domain->row = *done;
    }
    void share(const Seat& seat, std::size_t person, std::size_t room) {
        auto* domain = some_domain();
        if (!domain)
            return;
        const bool shared = domain->rooms.contains(room);
        if (roll(3) == 0) {
            CHECK(refusal_of(seat.unshare(domain->row.id)) == (shared ? "none" : "NotFound domain"));
            if (shared)
                domain->given_back.insert(room);
            domain->rooms.erase(room);
            return;
        }
        const bool may = shared || domain->owner == person || domain->given_back.contains(room);
        CHECK(refusal_of(seat.share(domain->row.id)) == (may ? "none" : "NotFound domain"));
        if (may) {
            domain->rooms.insert(room);
            domain->given_back.erase(room);
        }
    }
    void make_link(const Seat& seat, std::size_t room) {
        auto* domain = some_domain();
        if (!domain)
            return;
        const auto made = seat.link(domain->row.id);
        CHECK(refusal_of(made) == (!domain->rooms.contains(room)                ? "NotFound domain"
                                   : domain->row.verified && domain->row.active ? "none"
                                   : domain->row.verified ? "InvalidFormat link: NotActive domain"
                                   : domain->row.active   ? "InvalidFormat link: NotVerified domain"
                                                          : "InvalidFormat link: NotVerified domain, "
                                                            "NotActive domain"));
        if (!made.has_value())
            return;
        links_.emplace(made->link.id, ModelLink{.maker = seat, .room = room, .domain = domain->row.id});
    }
    void delete_link() {
        if (links_.empty())
            return;
        const auto at = some_link();
        must(at->second.maker.write(
            [&](Context& ctx) -> Result<LinkDetails> { return delete_link_of(ctx, at->first); },
            {.link = LinkState::live, .place = LinkDomain::any_domain}));
        links_.erase(at);
    }
    // Where the domain is shared.
    void change_link() {
        if (links_.empty())
            return;
        const auto [id, link] = *some_link();
        const auto done = link.maker.write(
            [&](Context& ctx) -> Result<LinkDetails> {
                return update_link(ctx, TRY(find_link(ctx, id)), {.title = Change<std::string>::set("new")});
            },
            {.link = LinkState::live});
        const bool shared = domains_.at(link.domain).rooms.contains(link.room);
        CHECK(refusal_of(done) == (shared ? "none" : "InvalidFormat link: NotShared domain"));
    }
    // From any room, by whoever manages the domain.
    void take_away(const Seat& seat, std::size_t person, std::size_t room) {
        auto* domain = some_domain();
        if (!domain)
            return;
        const auto id = domain->row.id;
        const auto from = roll(people_.size());
        const auto retire = roll(2) == 0;
        auto expected = admission(*domain, person, room);
        if (expected == "none" && !domain->rooms.contains(from) && links_of(id, from) == 0)
            expected = "NotFound workspace";
        const auto done = seat.write([&](Context& ctx) -> Result<DomainWorkspace> {
            const auto managed = TRY(find_managed_domain(ctx, id.hex()));
            const auto found = TRY(find_domain_workspace(ctx, managed, room_id(from).hex()));
            return take_domain_from(ctx, managed, found, retire ? LinksLeft::retire : LinksLeft::keep);
        });
        CHECK(refusal_of(done) == expected);
        if (!done.has_value())
            return;
        domain->rooms.erase(from);
        domain->given_back.erase(from);
        if (from == room)
            domain->given_back.insert(from);
        if (!retire)
            return;
        run_all_jobs(world);
        std::erase_if(links_, [&](const auto& entry) {
            return entry.second.domain == id && entry.second.room == from;
        });
    }
    std::int64_t links_of(DomainId domain, std::size_t room) const {
        return std::ranges::count_if(links_, [&](const auto& entry) {
            return entry.second.domain == domain && entry.second.room == room;
        });
    }
    // What the owner is shown of the rooms that have anything on it.
    void check_workspaces(const ModelDomain& domain) {
        std::map<WorkspaceId, std::pair<bool, std::int64_t>> expected, seen;
        for (std::size_t room = 0; room < people_.size(); ++room)
            if (const auto links = links_of(domain.row.id, room); links > 0 || domain.rooms.contains(room))
                expected[room_id(room)] = {domain.rooms.contains(room), links};
        const Seat owner(world, people_[domain.owner].caller);
        const auto found = must(owner.read(
            [&](Context& ctx) { return list_domain_workspaces(ctx, domain.row, {.limit = 100}); }));
        for (const auto& one : found)
            seen[one.workspace.id] = {one.share.in_force(), one.links};
        CHECK(seen == expected);
        CHECK(found.size() == expected.size());
        CHECK(must(owner.read([&](Context& ctx) { return count_domain_workspaces(ctx, domain.row); })) ==
              std::ssize(found));
    }
    std::map<LinkId, ModelLink>::iterator some_link() {
        return std::next(links_.begin(), static_cast<std::ptrdiff_t>(roll(links_.size())));
    }
    static Result<LinkDetails> delete_link_of(Context& ctx, LinkId id) {
        return slashpost::delete_link(ctx, TRY(find_link(ctx, id)));
    }
    void set(const Seat& seat, std::size_t person, std::size_t room) {
        auto* domain = some_domain();
        if (!domain)
            return;
        const auto done = seat.set(domain->row.id, {.active = Change<bool>::set(!domain->row.active)});
        CHECK(refusal_of(done) == admission(*domain, person, room));
        if (done.has_value())
            domain->row = *done;
    }
    void remove(const Seat& seat, std::size_t person, std::size_t room) {
        auto* domain = some_domain();
        if (!domain)
            return;
        auto expected = admission(*domain, person, room);
        const auto id = domain->row.id;
        const bool has_links =
            std::ranges::any_of(links_, [&](const auto& entry) { return entry.second.domain == id; });
        if (expected == "none" && has_links)
            expected = "Conflict domain";
        CHECK(refusal_of(seat.remove(id)) == expected);
        if (expected == "none")
            domains_.erase(id);
    }

    const unsigned seed_ = new_seed("random operations on domains");
    std::mt19937 dice_{seed_};
    std::vector<Stranger> people_;
    std::map<DomainId, ModelDomain> domains_;
    std::map<LinkId, ModelLink> links_;
};

} // namespace

TEST_CASE("random operations on domains do what the model says", "[domains]") {
    Model model;
    INFO("seed " << model.seed());
    for (int i = 1; i <= steps; ++i) {
        model.step();
        if (i % steps_between_checks == 0)
            model.check();
    }
    model.check();
}
