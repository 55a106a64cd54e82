// No caller has all workers, and nobody works for who has gone.
#include "http/server/shares.h"

#include "http/server/holders.h"
#include "tests/http/server/fixture.h"

#include <catch2/catch.hpp>

namespace slashpost::http {

namespace {

ServerOptions with_workers(std::size_t workers, const KeyAccounts* accounts = nullptr) {
    auto options = Fixture::quick_options();
    options.limits.workers = workers;
    options.key_accounts = accounts;
    return options;
}

Client ask(const Fixture& fixture, const std::string& path, const std::string& key) {
    Client client = fixture.client();
    client.send("GET " + path + " HTTP/1.1\r\nHost: h\r\napikey: " + key + "\r\n\r\n");
    return client;
}

} // namespace

TEST_CASE("the calls of one key have at most half of the workers", "[shares]") {
    Fixture fixture(with_workers(4));
    std::vector<Client> waiting;
    for (int i = 0; i < 3; ++i)
        waiting.push_back(ask(fixture, "/v1/wait", "a"));
    fixture.gate.until_waiting(2);
    REQUIRE(comes_true([&] { return fixture.server.metrics().queue_depth == 1; }));
    for (int i = 0; i < 3; ++i)
        CHECK(ask(fixture, "/v1/x", "b").receive()->status == 200);
    CHECK(fixture.served == 5); // two of the three, and those of the other key
    fixture.gate.open();
    for (auto& client : waiting)
        CHECK(client.receive()->status == 200);
}

TEST_CASE("the calls of all keys of an account have at most three quarters of the workers", "[shares]") {
    KeyAccounts accounts;
    for (const auto* key : {"a", "b", "c"})
        accounts.learn(holder_of_key(key), 7);
    accounts.learn(holder_of_key("d"), 8);
    Fixture fixture(with_workers(4, &accounts));
    std::vector<Client> waiting;
    for (const auto* key : {"a", "b", "c", "a"})
        waiting.push_back(ask(fixture, "/v1/wait", key));
    fixture.gate.until_waiting(3);
    REQUIRE(comes_true([&] { return fixture.server.metrics().queue_depth == 1; }));
    CHECK(ask(fixture, "/v1/x", "d").receive()->status == 200);
    CHECK(fixture.served == 4);
    fixture.gate.open();
    for (auto& client : waiting)
        CHECK(client.receive()->status == 200);
}

TEST_CASE("one worker serves everybody", "[shares]") {
    Fixture fixture(with_workers(1));
    for (const auto* key : {"a", "a", "b", ""})
        CHECK(ask(fixture, "/v1/x", key).receive()->status == 200);
}

TEST_CASE("a share is used up and given back", "[shares]") {
    Shares shares(16);
    const Shares::Owner one{.key = 1, .account = 9}, other{.key = 2, .account = 9};
    for (int i = 0; i < 8; ++i)
        CHECK(shares.take(one));
    CHECK_FALSE(shares.take(one));
    for (int i = 0; i < 4; ++i)
        CHECK(shares.take(other));
    CHECK_FALSE(shares.take(other)); // of the account; and the key has lost nothing by it
    shares.give_back(one);
    CHECK(shares.take(one));
    CHECK_FALSE(shares.take(other));
    shares.give_back(other);
    CHECK(shares.take(other));
    for (int i = 0; i < 100; ++i)
        CHECK(shares.take({})); // without a key
}

TEST_CASE("what is known of keys is bounded", "[shares]") {
    KeyAccounts accounts;
    for (Holder key = 1; key <= KeyAccounts::keys_max; ++key)
        accounts.learn(key, 5);
    CHECK(accounts.account_of(1) == 5);
    accounts.learn(1, 6);
    CHECK(accounts.account_of(1) == 6);
    accounts.learn(KeyAccounts::keys_max + 1, 5);
    CHECK(accounts.account_of(KeyAccounts::keys_max + 1) == 5);
    CHECK(accounts.account_of(2) == 0);
    accounts.learn(KeyAccounts::keys_max + 1, 0); // no more in force
    CHECK(accounts.account_of(KeyAccounts::keys_max + 1) == 0);
}

TEST_CASE("a call whose client closed the connection is not begun", "[shares]") {
    Fixture fixture(with_workers(1));
    Client working = ask(fixture, "/v1/wait", "a");
    fixture.gate.until_waiting(1);
    Client impatient = ask(fixture, "/v1/x", "b");
    Client patient = ask(fixture, "/v1/x", "c");
    patient.finish_writing(); // it has said its last word, and waits
    REQUIRE(comes_true([&] { return fixture.server.metrics().queue_depth == 2; }));
    impatient.reset();
    // The server hears of it before the one worker is free.
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    fixture.gate.open();
    CHECK(working.receive()->status == 200);
    CHECK(patient.receive()->status == 200);
    REQUIRE(comes_true([&] { return fixture.server.metrics().connections_open <= 1; }));
    CHECK(fixture.served == 2);
}

} // namespace slashpost::http
