// The two endpoints that change who is in a workspace by their very call, as everybody (interface 3.2 and
// 4.5, wire "Errors" and "Workspaces, people"); all others: access_test.cc.
#include "tests/api/api_world.h"
#include "tests/support/people.h"

#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// A workspace that can be left, deleted and joined, with somebody of each role.
struct Room : ApiWorld {
    WorkspaceId id = make_workspace(*this, "room").id;
    Colleague stranger = outsider();

    struct Person {
        std::string key;
        AccountId account;
    };
    // Somebody with this role.
    Person person(Role role) {
        if (role == Role::owner)
            return {.key = installed.key.key, .account = installed.account.id};
        const auto made = outsider();
        add_member(*this, id, made.account.id, role);
        return {.key = made.key, .account = made.account.id};
    }
    void set(const WorkspaceState& state) { set_state(*this, id, state); }
    std::string token() {
        const auto sent = send(post(fmt::format("/workspaces/{}/invite", id.hex()),
                                    fmt::format(R"({{"emails":["p{}@example.com"]}})", ++invited_)));
        REQUIRE(sent.status == 200);
        return token_of(sent.at("invites.0.acceptUrl"));
    }
    [[nodiscard]] Call leave(std::string_view query = {}) const {
        return del(fmt::format("/workspaces/{}{}", id.hex(), query));
    }
    [[nodiscard]] static Call accept(std::string_view token) {
        return post(fmt::format("/invites/{}/accept", token));
    }
    [[nodiscard]] bool is_there() { return send(get("/workspaces/" + id.hex())).status == 200; }

  private:
    int invited_ = 0;
};

const auto revoked = WorkspaceState{.revoked = Change<bool>::set(true), .trashed = {}};
const auto trashed = WorkspaceState{.revoked = {}, .trashed = Change<bool>::set(true)};

constexpr std::array below_owner{Role::viewer, Role::guest, Role::user, Role::admin};
constexpr std::array all_roles{Role::viewer, Role::guest, Role::user, Role::admin, Role::owner};

} // namespace

TEST_CASE("without a key of a member nobody deletes a workspace or leaves it", "[access]") {
    for (const auto* query : {"", "?trash=true", "?trash=false"}) {
        Room room;
        CHECK(room.send(room.leave(query).anonymous()).summary() == "401 Unauthorized apikey");
        CHECK(room.send(room.leave(query).as("wrong")).summary() == "401 Unauthorized apikey");
        CHECK(room.send(room.leave(query).as(room.stranger.key)).summary() == "404 NotFound workspace");
        for (const auto* id : {"ffffffffffffffffffffffffffffffff", "no-such-thing"})
            for (const auto& key : {room.stranger.key, room.installed.key.key})
                CHECK(room.send(del(fmt::format("/workspaces/{}{}", id, query)).as(key)).summary() ==
                      "404 NotFound workspace");
        CHECK(room.is_there());
        CHECK(room.inconsistency().empty());
    }
}

TEST_CASE("each member leaves a workspace by deleting it, only its owner takes it away", "[access]") {
    for (const auto& state : {WorkspaceState{}, revoked}) // what a revoked one blocks does not name this
        for (const auto* query : {"", "?trash=true", "?trash=false"})
            for (const auto role : all_roles) {
                INFO(to_string(role) << " " << query);
                Room room;
                const auto person = room.person(role), other = room.person(Role::viewer);
                room.set(state);
                CHECK(room.send(room.leave(query).as(person.key)).body == "{}");
                CHECK(room.send(room.leave(query).as(person.key)).summary() == "404 NotFound workspace");
                CHECK(room.is_there() == (role != Role::owner));
                const auto there = get("/workspaces/" + room.id.hex());
                CHECK(room.send(Call(there).as(other.key)).summary() ==
                      (role == Role::owner ? "404 NotFound workspace" : "200"));
                CHECK(room.inconsistency().empty());
            }
}

TEST_CASE("a trashed workspace can be neither left nor deleted", "[access]") {
    Room room;
    std::vector<Room::Person> people;
    for (const auto role : all_roles)
        people.push_back(room.person(role));
    room.set(trashed);
    for (const auto& person : people)
        CHECK(room.send(room.leave().as(person.key)).summary() == "404 NotFound workspace");
    room.set({.revoked = {}, .trashed = Change<bool>::set(false)});
    for (const auto& person : people)
        CHECK(role_in(room, room.id, person.account).has_value());
}

TEST_CASE("an invite is accepted with any account's key and with nothing less", "[access]") {
    Room room;
    const auto token = room.token();
    CHECK(room.send(Room::accept(token).anonymous()).summary() == "401 Unauthorized apikey");
    CHECK(room.send(Room::accept(token).as("wrong")).summary() == "401 Unauthorized apikey");
    CHECK_FALSE(role_in(room, room.id, room.stranger.account.id).has_value());
    CHECK(room.send(Room::accept(token).as(room.stranger.key)).at("status") == "accepted");
    CHECK(role_in(room, room.id, room.stranger.account.id) == Role::user);
    for (const auto role : all_roles) { // never less than before, and the owner stays what it is
        INFO(to_string(role));
        const auto person = room.person(role);
        CHECK(room.send(Room::accept(room.token()).as(person.key)).status == 200);
        CHECK(role_in(room, room.id, person.account) == (role < Role::user ? Role::user : role));
    }
    CHECK(room.inconsistency().empty());
}

TEST_CASE("an invite is refused by whoever may accept it, and with nothing less", "[access]") {
    Room room;
    const auto token = room.token();
    const auto decline = [&] { return post(fmt::format("/invites/{}/decline", token)); };
    CHECK(room.send(decline().anonymous()).summary() == "401 Unauthorized apikey");
    CHECK(room.send(decline().as("wrong")).summary() == "401 Unauthorized apikey");
    room.set(revoked);
    CHECK(room.send(decline().as(room.stranger.key)).summary() == "403 RevokedWorkspace workspace");
    room.set({.revoked = Change<bool>::set(false), .trashed = {}});
    CHECK(room.send(decline().as(room.stranger.key)).at("workspace.id") == room.id.hex());
    CHECK(room.send(Room::accept(token).as(room.stranger.key)).summary() == "404 NotFound invite");
    CHECK_FALSE(role_in(room, room.id, room.stranger.account.id).has_value());
    CHECK(room.inconsistency().empty());
}

TEST_CASE("an unknown, withdrawn or used token is not there for anybody", "[access]") {
    Room room;
    std::vector<std::string> keys{room.stranger.key};
    for (const auto role : all_roles)
        keys.push_back(room.person(role).key);
    const auto used = room.token(), withdrawn = room.token();
    REQUIRE(room.send(Room::accept(used).as(room.outsider().key)).status == 200);
    const auto invites = fmt::format("/workspaces/{}/invites", room.id.hex());
    REQUIRE(room.send(del(invites + "/" + room.send(get(invites)).at("0.id"))).status == 200);
    for (const auto& token : {used, withdrawn, std::string(64, 'f'), std::string("no-such-thing")})
        for (const auto& key : keys)
            CHECK(room.send(Room::accept(token).as(key)).summary() == "404 NotFound invite");
}

TEST_CASE("a revoked workspace takes nobody in by an invite, a trashed or deleted one is not there",
          "[access]") {
    Room room;
    std::vector<std::string> keys{room.stranger.key};
    for (const auto role : below_owner)
        keys.push_back(room.person(role).key);
    const auto token = room.token();
    const auto all_are_told = [&](std::string_view summary) {
        for (const auto& key : keys)
            CHECK(room.send(Room::accept(token).as(key)).summary() == summary);
        CHECK(room.send(Room::accept(token).as("wrong")).status == 401);
        CHECK(room.send(Room::accept("x").as(keys.front())).summary() == "404 NotFound invite");
    };
    room.set(revoked);
    all_are_told("403 RevokedWorkspace workspace");
    room.set(trashed);
    all_are_told("404 NotFound invite");
    room.set({.revoked = Change<bool>::set(false), .trashed = Change<bool>::set(false)});
    REQUIRE(room.send(room.leave()).status == 200);
    all_are_told("404 NotFound invite");
    CHECK_FALSE(role_in(room, room.id, room.stranger.account.id).has_value());
}
