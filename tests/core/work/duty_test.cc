// That one server does what is to be done once, and another one when it is gone.
#include "core/work/duty.h"

#include "core/schema/spaces.h"
#include "storage/memory/engine.h"
#include "tests/support/fake_peers.h"
#include "tests/support/must.h"
#include "tests/support/wrapped_engine.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

struct TwoServers {
    std::unique_ptr<data::Engine> store = storage::make_memory_engine(space::all);
    FakePeers first_peers, second_peers;
    WrappedEngine first{*store}, second{*store};
    TwoServers() {
        first.others = &first_peers;
        second.others = &second_peers;
        second_peers.own_name = "2:1";
    }
};

} // namespace

TEST_CASE("the only server of a store has every duty, and writes nothing about it", "[duty]") {
    const auto store = storage::make_memory_engine(space::all);
    CHECK(must(Duty(*store, "mails").is_mine()));
    CHECK(must(store->get_now(space::meta, "duty.mails")) == std::nullopt);
}

TEST_CASE_METHOD(TwoServers, "a duty is that server's which comes first, until it is gone", "[duty]") {
    Duty of_first(first, "mails"), of_second(second, "mails");
    CHECK(must(of_first.is_mine()));
    CHECK_FALSE(must(of_second.is_mine()));
    CHECK(must(of_first.is_mine()));
    CHECK(must(Duty(second, "index").is_mine())); // another one
    second_peers.gone = {"1:1"};
    CHECK(must(of_second.is_mine()));
    CHECK(must(store->get_now(space::meta, "duty.mails")) == "2:1");
    first_peers.own_name = "1:2"; // started again
    CHECK_FALSE(must(Duty(first, "mails").is_mine()));
}

TEST_CASE_METHOD(TwoServers, "of two servers that take a duty at the same moment one has it", "[duty]") {
    Duty of_first(first, "mails"), of_second(second, "mails");
    bool second_has_it = false;
    first.after_get = [&] { second_has_it = must(of_second.is_mine()); };
    CHECK_FALSE(must(of_first.is_mine()));
    CHECK(second_has_it);
    first.after_get = {};
    CHECK_FALSE(must(of_first.is_mine()));
}
