#include "http/server/room.h"

#include "http/server/holdings.h"
#include "http/server/turn.h"

#include <catch2/catch.hpp>
#include <deque>
#include <set>
#include <string>

namespace slashpost::http {

namespace {

using redirect::Address;
using std::chrono::milliseconds;
using std::chrono::seconds;

class Guest final : public Occupant {
  public:
    Guest(Room& room, std::string_view client, std::size_t amount, int used_at_seconds) : room_(room) {
        used_at = SteadyTime(seconds(used_at_seconds));
        room.enter(place, Address::of(client), amount);
    }
    ~Guest() { room_.leave(place); }
    [[nodiscard]] bool may_make_way() const override { return !busy; }
    void make_way() override { room_.leave(place); }

    Room::Seat place{*this};
    bool busy = false;

  private:
    Room& room_;
};

} // namespace

TEST_CASE("of the client who holds most, the idlest makes way", "[room]") {
    Room room(0);
    Guest old(room, "192.0.2.1", 1, 1);
    Guest first(room, "192.0.2.2", 1, 5);
    Guest second(room, "192.0.2.2", 1, 4);
    Guest third(room, "192.0.2.2", 1, 6);
    CHECK(room.total() == 4);
    CHECK(room.first_to_go() == &second);
    second.used_at = SteadyTime(seconds(9));
    CHECK(room.first_to_go() == &first);
    first.busy = third.busy = true;
    CHECK(room.first_to_go() == &second);
    second.busy = true;
    CHECK(room.first_to_go() == &old); // nobody else may
    old.busy = true;
    CHECK(room.first_to_go() == nullptr);
}

TEST_CASE("while nobody holds more than a few, the idlest of all makes way", "[room]") {
    Room room(2);
    Guest first(room, "192.0.2.1", 1, 7);
    Guest second(room, "192.0.2.1", 1, 8);
    Guest third(room, "192.0.2.2", 1, 3);
    CHECK(room.first_to_go() == &third);
    Guest fourth(room, "192.0.2.1", 1, 9);
    CHECK(room.first_to_go() == &first);
}

TEST_CASE("what counts is how much is held, however many hold it", "[room]") {
    Room room(0);
    Guest many_a(room, "192.0.2.1", 10, 1);
    Guest many_b(room, "192.0.2.1", 10, 2);
    Guest large(room, "192.0.2.2", 30, 3);
    CHECK(room.first_to_go() == &large);
    room.change(many_b.place, 25);
    CHECK(room.total() == 65);
    CHECK(room.first_to_go() == &many_a);
    room.change(many_b.place, 0);
    CHECK(room.first_to_go() == &large);
    large.make_way();
    large.make_way();
    CHECK(room.total() == 10);
    CHECK(room.occupants() == 2);
    CHECK(room.first_to_go() == &many_a);
}

TEST_CASE("who may hold any number makes way only when there is nobody else", "[room]") {
    Room room(0);
    Guest proxy_a(room, "", 1, 1);
    Guest proxy_b(room, "", 1, 2);
    {
        Guest visitor(room, "192.0.2.1", 1, 9);
        CHECK(room.first_to_go() == &visitor);
    }
    CHECK(room.first_to_go() == &proxy_a);
    CHECK(room.first_to_go_of(Address{}) == nullptr);
}

TEST_CASE("one client's idlest is found, too", "[room]") {
    Room room(8);
    Guest other(room, "192.0.2.1", 1, 1);
    Guest late(room, "2001:db8::1", 1, 5);
    Guest early(room, "2001:db8::1", 1, 4);
    CHECK(room.first_to_go_of(Address::of("2001:db8::1")) == &early);
    CHECK(room.first_to_go_of(Address::of("192.0.2.9")) == nullptr);
}

TEST_CASE("a crowd is looked at in turn, so that nobody is overlooked for ever", "[room]") {
    Room room(0);
    std::deque<Guest> guests;
    for (int i = 0; i < 1'000; ++i)
        guests.emplace_back(room, "192.0.2.1", 1, 1'000 - i);
    std::set<Occupant*> gone;
    for (int i = 0; i < 1'000; ++i) {
        auto* const one = room.first_to_go();
        REQUIRE(one != nullptr);
        one->make_way();
        CHECK(gone.insert(one).second);
    }
    CHECK(room.occupants() == 0);
    CHECK(room.total() == 0);
}

TEST_CASE("a turn ends by bytes or by time, and serves one request at least", "[turn]") {
    Turn::Clock::time_point now{milliseconds(1'000)};
    int asked = 0;
    const auto clock = [&] {
        ++asked;
        return now;
    };
    Turn turn(milliseconds(5), 100);
    CHECK_FALSE(turn.is_over(1'000'000, clock)); // the first one
    CHECK(asked == 0);                           // costs no look at the clock
    CHECK(turn.is_over(100, clock));
    CHECK_FALSE(turn.is_over(99, clock));
    now += milliseconds(4);
    CHECK_FALSE(turn.is_over(99, clock));
    now += milliseconds(1);
    CHECK(turn.is_over(0, clock));
}

TEST_CASE("nobody holds more than a share, and what is given back is free", "[shares]") {
    Holdings<std::string> holdings;
    CHECK(holdings.take("a", 3, 4));
    CHECK_FALSE(holdings.take("a", 2, 4));
    CHECK(holdings.take("a", 1, 4));
    CHECK(holdings.held_by("a") == 4);
    CHECK(holdings.take("b", 4, 4));
    CHECK_FALSE(holdings.take("c", 5, 4));
    CHECK(holdings.held_by("c") == 0);
    holdings.give_back("a", 3);
    CHECK(holdings.take("a", 3, 4));
    holdings.give_back("a", 4);
    CHECK(holdings.held_by("a") == 0);
    {
        REQUIRE(holdings.take("a", 1, 1));
        Holdings<std::string>::One one(holdings, "a");
        auto moved = std::move(one);
        CHECK_FALSE(holdings.take("a", 1, 1));
        moved = {};
        CHECK(holdings.take("a", 1, 1));
    }
}

} // namespace slashpost::http
