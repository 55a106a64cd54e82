// Random operations on people and invites, beside a plain model: who works where, as what, and which token
// still opens which door.
#include "core/schema/click_totals.h"
#include "tests/core/ops/random_model.h"
#include "tests/support/people.h"
#include "tests/support/seed.h"

#include <fmt/format.h>

#include <map>

using namespace slashpost;
using namespace slashpost::test;

namespace {

constexpr int steps = 3000;
constexpr int steps_between_checks = 50;
constexpr std::int64_t invites_max = 4;   // a day, of the first person's plan
constexpr std::int64_t teammates_max = 5; // of the first person's plan
constexpr std::array roles{Role::viewer, Role::guest, Role::user, Role::admin, Role::owner};

struct Room {
    WorkspaceId id;
    std::size_t owner = 0;
    bool is_default = true;
    bool revoked = false;
    std::map<std::size_t, Role> members; // by person
};

struct Offer {
    InviteId id;
    std::size_t room = 0;
    std::size_t to = 0; // whose address
    std::size_t sender = 0;
    Role role = Role::viewer;
    std::string token;
    Timestamp end;
    bool accepted = false;
    bool gone = false;       // withdrawn or replaced
    bool cut = false;        // its sender went or lost a role since
    bool to_account = false; // found by its id, which only whom it is for can use
};

class Model {
  public:
    Model() {
        people_.push_back({.account = world.installed.account, .caller = world.caller});
        for (const auto* name : {"b", "c", "d", "e"})
            people_.push_back(person(world, name, fmt::format("{}@example.com", name)));
        for (std::size_t i = 0; i < people_.size(); ++i)
            rooms_.push_back(
                {.id = people_[i].account.default_workspace, .owner = i, .members = {{i, Role::owner}}});
        for (const std::size_t owner : {0U, 0U, 1U}) {
            const auto made = must(try_workspace(world, {.name = "room"}, people_[owner].caller));
            rooms_.push_back(
                {.id = made.id, .owner = owner, .is_default = false, .members = {{owner, Role::owner}}});
        }
        set_plan(world, {.teammates = Change<std::int64_t>::set(teammates_max),
                         .invites_per_day = Change<std::int64_t>::set(invites_max)});
    }

    [[nodiscard]] unsigned seed() const { return seed_; }

    void step() {
        world.clock.advance_seconds(3600);
        switch (dice_.below(10)) {
        case 0:
        case 1:
        case 2:
            return invite();
        case 3:
        case 4:
        case 5:
            return accept();
        case 6:
            return set_role();
        case 7:
            return remove();
        case 8:
            return withdraw();
        default:
            return change_state();
        }
    }

    void check() {
        for (std::size_t i = 0; i < rooms_.size(); ++i) {
            const auto& room = rooms_[i];
            std::map<std::size_t, Role> seen;
            for (std::size_t p = 0; p < people_.size(); ++p)
                if (const auto role = role_in(world, room.id, people_[p].account.id))
                    seen.emplace(p, *role);
            CHECK(seen == room.members);
            std::map<InviteStatus, std::int64_t> expected;
            for (const auto& offer : offers_)
                if (offer.room == i && !offer.gone)
                    ++expected[offer.accepted                  ? InviteStatus::accepted
                               : offer.end > world.clock.now() ? InviteStatus::pending
                                                               : InviteStatus::expired];
            for (const auto status : {InviteStatus::pending, InviteStatus::accepted, InviteStatus::expired}) {
                const auto count =
                    must(world.service.run(people_[room.owner].caller, room.id.hex(), {},
                                           [&](Context& ctx) { return count_invites(ctx, status); }));
                CHECK(count == expected[status]);
            }
        }
        CHECK(world.inconsistency().empty());
    }

    World world;
    int accepted = 0;
    int taken_over = 0;

  private:
    std::size_t somebody() { return dice_.below(people_.size()); }
    // The first person has no address, so an address of nobody stands for it.
    std::string email_of(std::size_t who) { return who == 0 ? "a@example.com" : people_[who].account.email; }
    static Role role_of(const Room& room, std::size_t who) { return room.members.at(who); }
    static std::string admission(const Room& room, std::size_t who) {
        const auto member = room.members.find(who);
        if (member == room.members.end())
            return "NotFound";
        return member->second < Role::admin ? "Forbidden" : "none";
    }
    bool is_full(std::size_t owner) {
        std::int64_t teammates = 0;
        for (const auto& room : rooms_)
            if (room.owner == owner)
                teammates += std::ssize(room.members) - 1;
        return owner == 0 && teammates >= teammates_max;
    }

    void invite() {
        const auto at = dice_.below(rooms_.size());
        auto& room = rooms_[at];
        const auto sender = dice_.chance(3) ? somebody() : room.owner, to = somebody();
        const auto role = roles.at(dice_.below(roles.size()));
        auto expected = admission(room, sender);
        const bool offers = role == Role::owner;
        const bool works_here = to != 0 && room.members.contains(to) && (!offers || room.owner == to);
        auto& sent_today = sent_[{room.owner, day_of(world.clock.now())}];
        if (expected == "none" && room.revoked)
            expected = "RevokedWorkspace";
        if (expected == "none" && role > role_of(room, sender))
            expected = "Forbidden";
        if (expected == "none" && (works_here || (offers && room.is_default)))
            expected = "InvalidFormat";
        if (expected == "none" &&
            ((!offers && is_full(room.owner)) || (room.owner == 0 && sent_today >= invites_max)))
            expected = "LimitReached";
        const auto sent =
            write_as(world, people_[sender].caller, room.id,
                     [&](Context& ctx) {
                         return create_invites(ctx, {.emails = {email_of(to)}, .role = role, .message = {}});
                     },
                     {.role = Role::admin});
        CHECK(code_of(sent) == expected);
        if (!sent.has_value())
            return;
        ++sent_today;
        for (auto& other : offers_)
            if (other.room == at && other.to == to && !other.accepted && !other.to_account)
                other.gone = true;
        const auto& made = sent->front();
        offers_.push_back({.id = made.details.invite.id,
                           .room = at,
                           .to = to,
                           .sender = sender,
                           .role = role,
                           .token = token_of(made.address),
                           .end = world.clock.now().plus_seconds(30LL * 24 * 3600)});
    }

    // One of the last, mostly: older ones have ended or been answered.
    Offer* some_offer() {
        if (offers_.empty())
            return nullptr;
        const auto back =
            dice_.below(dice_.chance(4) ? offers_.size() : std::min<std::size_t>(offers_.size(), 6));
        return &offers_[offers_.size() - 1 - back];
    }

    void accept() {
        auto* offer = some_offer();
        if (offer == nullptr)
            return;
        auto& room = rooms_[offer->room];
        const auto who = dice_.chance(3) ? somebody() : offer->to;
        const auto sender = room.members.find(offer->sender);
        const bool takes_over = offer->role == Role::owner;
        std::string expected = "none";
        if (offer->accepted || offer->gone || offer->cut || offer->end <= world.clock.now() ||
            sender == room.members.end() || sender->second < std::max(Role::admin, offer->role) ||
            (offer->to_account && who != offer->to))
            expected = "NotFound";
        else if (who != 0 && who != offer->to)
            expected = "InvalidFormat";
        else if (room.revoked)
            expected = "RevokedWorkspace";
        else if (!takes_over && !room.members.contains(who) && is_full(room.owner))
            expected = "LimitReached";
        else if (takes_over && who == 0 && room.owner != 0 && !has_room_for(room))
            expected = "LimitReached";
        CHECK(code_of(accept_with(world, people_[who].caller, offer->token)) == expected);
        if (expected != "none")
            return;
        offer->accepted = true;
        ++accepted;
        auto& role = room.members.emplace(who, offer->role).first->second;
        role = std::max(role, offer->role);
        if (takes_over && room.owner != who) {
            room.members[room.owner] = Role::admin;
            cut_offers(offer->room, room.owner);
            room.owner = who;
            ++taken_over;
        }
    }
    // The first person can take the room over with all who are in it then.
    bool has_room_for(const Room& room) {
        std::int64_t teammates = std::ssize(room.members) - (room.members.contains(0) ? 1 : 0);
        for (const auto& other : rooms_)
            if (other.owner == 0)
                teammates += std::ssize(other.members) - 1;
        return teammates <= teammates_max;
    }

    // Whoever goes or loses a role takes along what they offered.
    void cut_offers(std::size_t room, std::size_t sender) {
        for (auto& offer : offers_)
            offer.cut = offer.cut || (offer.room == room && offer.sender == sender);
    }
    bool work_together(std::size_t a, std::size_t b, std::size_t elsewhere_than) {
        for (std::size_t i = 0; i < rooms_.size(); ++i)
            if (i != elsewhere_than && rooms_[i].members.contains(a) && rooms_[i].members.contains(b))
                return true;
        return false;
    }

    void set_role() {
        const auto at = dice_.below(rooms_.size());
        auto& room = rooms_[at];
        const auto by = somebody(), who = somebody();
        const auto role = roles.at(dice_.below(roles.size()));
        auto expected = admission(room, by);
        if (expected == "none" && room.revoked)
            expected = "RevokedWorkspace";
        const bool works_here = room.members.contains(who);
        const bool as_it_was = works_here && role == role_of(room, who); // which nobody is refused
        const bool touches_owner = role == Role::owner || room.owner == who;
        if (expected == "none" && touches_owner && !as_it_was)
            expected = room.owner == by ? "InvalidFormat" : "Forbidden";
        const bool invites = !works_here && !work_together(by, who, at);
        auto& sent_today = sent_[{room.owner, day_of(world.clock.now())}];
        if (expected == "none" && role > role_of(room, by) && !as_it_was)
            expected = "Forbidden";
        if (expected == "none" && ((!works_here && is_full(room.owner)) ||
                                   (invites && room.owner == 0 && sent_today >= invites_max)))
            expected = "LimitReached";
        const auto done =
            write_as(world, people_[by].caller, room.id,
                     [&](Context& ctx) -> Result<SetTeammate> {
                         return set_teammate(ctx, TRY(find_person(ctx, people_[who].account.id.hex())), role);
                     },
                     {.role = Role::admin});
        CHECK(code_of(done) == expected);
        if (!done.has_value())
            return;
        CHECK(done->invite.has_value() == invites);
        if (!invites) {
            if (works_here && role < role_of(room, who))
                cut_offers(at, who);
            room.members[who] = role;
            return;
        }
        ++sent_today;
        for (auto& other : offers_)
            if (other.room == at && other.to == who && !other.accepted && other.to_account)
                other.gone = true;
        offers_.push_back({.id = done->invite->id,
                           .room = at,
                           .to = who,
                           .sender = by,
                           .role = role,
                           .token = done->invite->id.hex(),
                           .end = world.clock.now().plus_seconds(30LL * 24 * 3600),
                           .to_account = true});
    }

    void remove() {
        const auto at = dice_.below(rooms_.size());
        auto& room = rooms_[at];
        const auto by = somebody(), who = somebody();
        auto expected = admission(room, by);
        if (expected == "none" && room.revoked)
            expected = "RevokedWorkspace";
        if (expected == "none" && !room.members.contains(who))
            expected = "NotFound";
        if (expected == "none" && room.owner == who)
            expected = room.owner == by ? "InvalidFormat" : "Forbidden";
        const auto done =
            write_as(world, people_[by].caller, room.id,
                     [&](Context& ctx) -> Result<void> {
                         return remove_teammate(ctx, TRY(find_teammate(ctx, people_[who].account.id.hex())));
                     },
                     {.role = Role::admin});
        CHECK(code_of(done) == expected);
        if (!done.has_value())
            return;
        room.members.erase(who);
        cut_offers(at, who);
    }

    void withdraw() {
        auto* offer = dice_.one_of(offers_);
        if (offer == nullptr)
            return;
        const auto& room = rooms_[offer->room];
        const auto done =
            write_as(world, people_[room.owner].caller, room.id, [&](Context& ctx) -> Result<InviteDetails> {
                return withdraw_invite(ctx, TRY(find_invite(ctx, offer->id.hex())));
            });
        CHECK(code_of(done) == (room.revoked      ? "RevokedWorkspace"
                                : offer->gone     ? "NotFound"
                                : offer->accepted ? "Conflict"
                                                  : "none"));
        offer->gone = offer->gone || done.has_value();
    }

    // A room is revoked or restored; or a week goes by.
    void change_state() {
        if (dice_.chance(4))
            return world.clock.advance_seconds(7LL * 24 * 3600);
        auto& room = rooms_[dice_.below(rooms_.size())];
        room.revoked = !room.revoked && dice_.chance(3);
        set_state(world, room.id, {.revoked = Change<bool>::set(room.revoked)});
    }

    const unsigned seed_ = new_seed("random operations on people");
    Dice dice_{seed_};
    std::vector<Stranger> people_;
    std::vector<Room> rooms_;
    std::vector<Offer> offers_;
    std::map<std::pair<std::size_t, std::uint32_t>, std::int64_t> sent_; // by owner and day
};

} // namespace

TEST_CASE("random operations on people and invites do what the model says", "[people]") {
    Model model;
    INFO("seed " << model.seed());
    for (int i = 1; i <= steps; ++i) {
        model.step();
        if (i % steps_between_checks == 0)
            model.check();
    }
    CHECK(model.accepted > 100); // so it did not only meet refusals
    CHECK(model.taken_over > 3);
}
