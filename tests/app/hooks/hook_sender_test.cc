// The thread that sends: what its requests look like, and that what the store cannot be told is not sent
// twice.
#include "app/hooks/hook_sender.h"

#include "core/base/base64.h"
#include "core/base/secret.h"
#include "tests/support/hooks.h"
#include "tests/support/labels.h"
#include "tests/support/wrapped_engine.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <atomic>
#include <mutex>

using namespace slashpost;
using namespace slashpost::app;
using namespace slashpost::test;

namespace {

// Answers each post at once with the status that the test says.
struct Record {
    std::mutex mutex;
    std::vector<Post> posts; // guarded by mutex
    std::atomic<std::uint16_t> status = 200;
    std::function<void()> on_post; // set before the sender starts

    std::vector<Post> seen() {
        const std::lock_guard lock(mutex);
        return posts;
    }
};

class RecordedPoster final : public Poster {
  public:
    explicit RecordedPoster(Record& record) : record_(record) {}
    void begin(const Post& post) override {
        const std::lock_guard lock(record_.mutex);
        record_.posts.push_back(post);
        if (record_.on_post)
            record_.on_post();
        done_.push_back({.id = post.id, .answered = record_.status, .text = {}, .retry_after_seconds = {}});
    }
    std::vector<PostOutcome> wait(std::chrono::milliseconds longest) override {
        if (done_.empty())
            std::this_thread::sleep_for(longest);
        return std::exchange(done_, {});
    }
    [[nodiscard]] std::size_t under_way() const override { return done_.size(); }

  private:
    Record& record_;
    std::vector<PostOutcome> done_;
};

struct Office {
    std::unique_ptr<data::Engine> memory = storage::make_memory_engine(space::all);
    WrappedEngine* engine = new WrappedEngine(*memory); // the world's
    HookWorld world{std::unique_ptr<data::Engine>(engine)};
    Log log{LogLevel::error, LogFormat::text};
    Record record;

    std::unique_ptr<HookSender> start() {
        return std::make_unique<HookSender>(world.service, *engine, world.clock, log,
                                            std::make_unique<RecordedPoster>(record));
    }
    template <class Condition>
    static bool comes_true(Condition condition) {
        for (int i = 0; i < 1000 && !condition(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return condition();
    }
};

} // namespace

TEST_CASE("a request has the headers of the standard, signed with both secrets of the webhook",
          "[hook_sender]") {
    Office office;
    auto made = make_webhook(office.world, {EventType::link_created});
    const auto renewed = office.world.change(made.row.id, renew_webhook_secret);
    const auto link = make_link(office.world, "spring");
    const auto secrets = must(office.engine->read(
        [&](data::View& view) { return webhook_secrets(view, renewed.row, office.world.clock.now()); }));
    const auto sender = office.start();
    REQUIRE(Office::comes_true([&] { return office.record.seen().size() == 1; }));
    const auto post = office.record.seen().front();
    const auto event = office.world.deliveries(made.row).at(0).event.hex();
    CHECK(post.url == "https://example.com/slashpost");
    CHECK(post.body.starts_with(R"({"type":"link.created","timestamp":"2027-01-15T08:00:01.000Z","data":{)"));
    CHECK(post.body.find(fmt::format(R"("id":"{}")", link.id.hex())) != post.body.npos);
    const auto text = fmt::format("{}.1800000001.{}", event, post.body);
    CHECK(post.headers == std::vector<std::string>{"Content-Type: application/json", "webhook-id: " + event,
                                                   "webhook-timestamp: 1800000001",
                                                   fmt::format("webhook-signature: v1,{} v1,{}",
                                                               base64(hmac_sha256(text, secrets[0])),
                                                               base64(hmac_sha256(text, secrets[1])))});
    CHECK(Office::comes_true([&] { return sender->figures().delivered == 1; }));
    CHECK(office.world.deliveries(made.row).at(0).status == DeliveryStatus::delivered);
}

TEST_CASE("what the store cannot be told is not sent again, and told when it can be", "[hook_sender]") {
    Office office;
    const auto webhook = make_webhook(office.world).row;
    make_link(office.world, "spring");
    office.record.on_post = [&] { office.engine->fails = WrappedEngine::Fails::before_commit; };
    const auto sender = office.start();
    REQUIRE(Office::comes_true([&] { return office.record.seen().size() == 1; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(1'500)); // it tried meanwhile
    CHECK(office.world.deliveries(webhook).at(0).status == DeliveryStatus::waiting);
    office.engine->fails = WrappedEngine::Fails::never;
    CHECK(Office::comes_true(
        [&] { return office.world.deliveries(webhook).at(0).status == DeliveryStatus::delivered; }));
    CHECK(office.record.seen().size() == 1);
}

TEST_CASE("a thousand events arrive, those of a link in their order", "[hook_sender]") {
    Office office;
    make_webhook(office.world, {EventType::link_updated});
    std::vector<LinkId> links;
    for (int i = 0; i < 50; ++i)
        links.push_back(must(office.world.create({.destination = "https://example.com/"})).link.id);
    for (int round = 0; round < 20; ++round)
        for (const auto& link : links)
            must(
                office.world.update(link, {.title = Change<std::string>::set(fmt::format("r{:02}", round))}));
    const auto sender = office.start();
    REQUIRE(Office::comes_true([&] { return office.record.seen().size() == 1'000; }));
    std::map<std::string, int> rounds; // by link
    for (const auto& post : office.record.seen()) {
        const auto subject = post.body.find(R"("subject":{"type":"link","id":")");
        const auto title = post.body.find(R"("after":"r)");
        REQUIRE(subject != post.body.npos);
        REQUIRE(title != post.body.npos);
        auto& round = rounds[post.body.substr(subject, 70)];
        CHECK(post.body.substr(title + 10, 2) == fmt::format("{:02}", round));
        ++round;
    }
    CHECK(rounds.size() == 50);
}
