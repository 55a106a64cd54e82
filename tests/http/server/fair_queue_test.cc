#include "http/server/fair_queue.h"

#include "http/server/holders.h"

#include <catch2/catch.hpp>
#include <string>

namespace slashpost::http {

namespace {

// All that waits, in the order in which it is worked on.
std::string order_of(FairQueue<std::string>& queue) {
    std::string order;
    while (const auto work = queue.pop())
        order += *work + " ";
    return order;
}

} // namespace

TEST_CASE("holders take turns, and each one's work keeps its order", "[fair_queue]") {
    FairQueue<std::string> queue(100);
    for (const auto* work : {"a1", "a2", "a3", "a4"})
        CHECK_FALSE(queue.push(1, work));
    CHECK_FALSE(queue.push(2, "b1"));
    CHECK_FALSE(queue.push(3, "c1"));
    CHECK_FALSE(queue.push(3, "c2"));
    CHECK(queue.size() == 7);
    CHECK(order_of(queue) == "a1 b1 c1 a2 c2 a3 a4 ");
    CHECK(queue.size() == 0);
    CHECK_FALSE(queue.pop());
}

TEST_CASE("who comes back has their turn behind those who wait", "[fair_queue]") {
    FairQueue<std::string> queue(100);
    queue.push(1, "a1");
    queue.push(2, "b1");
    CHECK(queue.pop() == "a1");
    queue.push(1, "a2");
    queue.push(2, "b2");
    CHECK(order_of(queue) == "b1 a2 b2 ");
}

TEST_CASE("who may not begin now is passed over and keeps their turn", "[fair_queue]") {
    FairQueue<std::string> queue(100);
    for (const auto* work : {"a1", "a2"})
        queue.push(1, work);
    queue.push(2, "b1");
    const auto not_a = [](const std::string& work) { return work[0] != 'a'; };
    CHECK(queue.pop(not_a) == "b1");
    CHECK_FALSE(queue.pop(not_a));
    CHECK(queue.size() == 2);
    queue.push(2, "b2");
    CHECK(order_of(queue) == "a1 b2 a2 ");
}

TEST_CASE("a full queue takes from who has most, the newest, and nothing from who has little",
          "[fair_queue]") {
    FairQueue<std::string> queue(4);
    for (const auto* work : {"a1", "a2", "a3", "a4"})
        queue.push(1, work);
    CHECK(queue.push(1, "a5") == "a5"); // it would be their own
    CHECK(queue.push(2, "b1") == "a4");
    CHECK(queue.push(2, "b2") == "a3");
    CHECK(queue.push(2, "b3") == "b3"); // one more than the other would be no better
    CHECK(queue.push(3, "c1") == "a2");
    CHECK(queue.size() == 4);
    CHECK(queue.push(4, "d1") == "b2");
    CHECK(queue.push(5, "e1") == "e1"); // one of each
    CHECK(order_of(queue) == "a1 b1 c1 d1 ");
}

TEST_CASE("a queue without room takes nothing", "[fair_queue]") {
    FairQueue<std::string> queue(0);
    CHECK(queue.push(1, "a") == "a");
    CHECK_FALSE(queue.pop());
}

TEST_CASE("a request is its key's, else its address's", "[holders]") {
    RequestHead head;
    CHECK(shown_key(head).empty());
    head.query = "x=1&apikey=abc&apikey=def&y";
    CHECK(shown_key(head) == "def"); // as the API reads it
    head.query = "%61pikey=a%62c";
    CHECK(shown_key(head) == "abc"); // nobody else
    head.query = "xapikey=1&apikey&apikeys=2";
    CHECK(shown_key(head).empty());
    head.fields[0] = {.name = "Host", .value = "h"};
    head.fields[1] = {.name = "ApiKey", .value = "123"};
    head.field_count = 2;
    CHECK(shown_key(head) == "123");
    head.fields[2] = {.name = "Authorization", .value = "Bearer 456"};
    head.field_count = 3;
    CHECK(shown_key(head) == "123");
    head.fields[1] = {.name = "AUTHORIZATION", .value = "Basic YTpi"}; // a proxy's
    CHECK(shown_key(head) == "456");
    CHECK(holder_of_key("123") == holder_of_key("123"));
    CHECK(holder_of_key("123") != holder_of_key("124"));
}

TEST_CASE("addresses of IPv6 are one holder by /64, those of IPv4 each their own", "[holders]") {
    using redirect::Address;
    CHECK(holder_of(Address::of("2001:db8:1:2::1")) == holder_of(Address::of("2001:db8:1:2:ffff::9")));
    CHECK(holder_of(Address::of("2001:db8:1:2::1")) != holder_of(Address::of("2001:db8:1:3::1")));
    CHECK(holder_of(Address::of("192.0.2.1")) != holder_of(Address::of("192.0.2.2")));
    CHECK(Address::of("2001:db8:1:2:3:4:5:6").network().text() == "2001:db8:1:2::");
    CHECK(Address::of("192.0.2.1").network().text() == "192.0.2.1");
}

} // namespace slashpost::http
