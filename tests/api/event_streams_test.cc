// The events of a workspace as server-sent events: where they begin, go on and end, and how many read them.
#include "core/schema/schema.h"
#include "tests/api/api_world.h"
#include "tests/support/must.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// A reader that the test lets look when it says so.
struct Stream {
    http::Reply reply;

    // What the next look brings; nothing: the stream is over.
    std::optional<std::string> look() {
        const auto part = reply.next_part();
        REQUIRE(part.has_value());
        const bool is_end = part->bytes.empty() && part->pause.count() == 0;
        return is_end ? std::nullopt : std::optional(part->bytes);
    }
};

Stream open_stream(ApiWorld& world, const Call& call) {
    return {.reply = world.api.serve(world.request_of(call))};
}

std::string ids_in(const std::string& text) {
    std::string out;
    for (std::size_t at = 0; (at = text.find("\ndata: ", at)) != text.npos; ++at)
        out += text.substr(text.rfind("id: ", at) + 4, 32) + " ";
    return out;
}

std::string ids_of(ApiWorld& world, const std::string& query) {
    const auto feed = world.send(get("/events?" + query));
    std::string out;
    for (const auto& event : feed.json.at("events").as_array())
        out += std::string(event.at("id").as_string()) + " ";
    return out;
}

} // namespace

TEST_CASE("a stream tells what happens from its beginning on, each event once", "[events][streams]") {
    ApiWorld world;
    world.link_id("before");
    const auto begin = world.send(get("/events")).at("last");
    auto stream = open_stream(world, get("/events/stream"));
    CHECK(stream.reply.status == 200);
    CHECK(stream.reply.body == fmt::format("retry: 2000\nid: {}\n\n", begin));
    CHECK(stream.reply.pause.count() == 500);
    CHECK(stream.look() == "");
    world.link_id("spring");
    const auto feed = world.send(get("/events?last=" + begin));
    CHECK(stream.look() == fmt::format("id: {}\nevent: link.created\ndata: {}\n\n", feed.at("events.0.id"),
                                       feed.at("events.0")));
    CHECK(stream.look() == "");
}

TEST_CASE("a stream goes on behind Last-Event-ID, which comes before last, and by types",
          "[events][streams]") {
    ApiWorld world;
    const auto begin = world.send(get("/events")).at("last");
    for (const auto* slashtag : {"one", "two", "three"})
        world.link_id(slashtag);
    world.send(post("/tags", R"({"name":"Sale"})"));
    const auto all = world.send(get("/events?last=" + begin));
    CHECK(ids_in(open_stream(world, get("/events/stream?last=" + begin)).reply.body) ==
          ids_of(world, "last=" + begin));
    const auto second = all.at("events.1.id");
    CHECK(ids_in(open_stream(world, get("/events/stream?last=" + begin).with("Last-Event-ID", second))
                     .reply.body) == ids_of(world, "last=" + second));
    const auto tags = open_stream(world, get("/events/stream?types=tag.created&last=" + begin));
    CHECK(ids_in(tags.reply.body) == all.at("events.3.id") + " ");
    CHECK(world.send(get("/events/stream?types=x&last=y")).summary() ==
          "403 InvalidFormat event: InvalidFormat types, InvalidFormat last");
    CHECK(world.send(get("/events/stream").with("Last-Event-ID", "y")).summary() ==
          "403 InvalidFormat event: InvalidFormat last");
}

TEST_CASE("much that waits comes in bounded parts without a pause between them", "[events][streams]") {
    ApiWorld world;
    const auto begin = world.send(get("/events")).at("last");
    for (int i = 0; i < 30; ++i)
        world.send(post("/tags", fmt::format(R"({{"name":"Tag {}"}})", i)));
    auto stream = open_stream(world, get("/events/stream?last=" + begin));
    CHECK(stream.reply.pause.count() == 0);
    const auto rest = stream.reply.next_part();
    REQUIRE(rest.has_value());
    CHECK(rest->pause.count() == 500);
    CHECK(ids_in(stream.reply.body + rest->bytes) == ids_of(world, "limit=100&last=" + begin));
}

TEST_CASE("a stream that has nothing to tell says every 15 seconds where it stands", "[events][streams]") {
    ApiWorld world;
    auto stream = open_stream(world, get("/events/stream?types=tag.created"));
    world.clock.advance_seconds(14);
    CHECK(stream.look() == "");
    world.link_id("spring"); // is of another type
    world.clock.advance_seconds(1);
    const auto last = world.send(get("/events")).at("last");
    CHECK(stream.look() == fmt::format(":\nid: {}\n\n", last));
    CHECK(stream.look() == "");
}

TEST_CASE("a stream ends when its key does, or its reader's membership", "[events][streams][threat-18]") {
    ApiWorld world;
    const auto admin = world.colleague(Role::admin);
    auto stream =
        open_stream(world, get("/events/stream").as(admin.key).with("Workspace", world.workspace_id()));
    REQUIRE(stream.reply.status == 200);
    CHECK(stream.look() == "");
    must(world.operate([&](SystemContext& system) -> Result<void> {
        const auto caller = TRY(world.service.authenticate(admin.key));
        return schema().api_keys.remove(system.txn,
                                        TRY(schema().api_keys.find(system.txn, caller.key.view())).value());
    }));
    world.clock.advance_seconds(15);
    CHECK(stream.look() == std::nullopt);
    const auto other = world.colleague(Role::admin);
    auto second =
        open_stream(world, get("/events/stream").as(other.key).with("Workspace", world.workspace_id()));
    REQUIRE(second.reply.status == 200);
    const auto place = "/workspaces/" + world.workspace_id() + "/teammates/" + other.account.id.hex();
    REQUIRE(world.send(del(place)).summary() == "200");
    CHECK(second.look() == std::nullopt);
    const auto user = world.colleague(Role::user);
    CHECK(world.send(get("/events/stream").as(user.key).with("Workspace", world.workspace_id())).summary() ==
          "403 Forbidden workspace");
}

TEST_CASE("an account has twenty streams and no more, and one that is closed makes room",
          "[events][streams][threat-32]") {
    ApiWorld world;
    std::vector<Stream> streams;
    for (int i = 0; i < 20; ++i)
        streams.push_back(open_stream(world, get("/events/stream")));
    CHECK(world.send(get("/events/stream")).summary() == "403 LimitReached stream");
    CHECK(world.api.figures().streams == 20);
    const auto outsider = world.outsider();
    CHECK(open_stream(world, get("/events/stream").as(outsider.key)).reply.status == 200);
    streams.pop_back();
    CHECK(open_stream(world, get("/events/stream")).reply.status == 200);
    streams.clear();
    CHECK(world.api.figures().streams == 0);
}
