#include "app/mail/mailer.h"

#include "tests/support/people.h"
#include "tests/support/wrapped_engine.h"

#include <atomic>
#include <condition_variable>

using namespace slashpost;
using namespace slashpost::app;
using namespace slashpost::test;

namespace {

struct MovedClock final : Clock {
    std::atomic<std::int64_t> ms{1'800'000'000'000};
    [[nodiscard]] Timestamp now() const override { return {ms}; }
};

// What a carrier did, seen from the test's thread while the mailer works.
struct Record {
    std::atomic<int> carried = 0;
    std::function<MailOutcome(const std::stop_token&)> on_carry; // set before the mailer starts
};

class RecordedCarrier final : public MailCarrier {
  public:
    explicit RecordedCarrier(Record& record) : record_(record) {}
    MailOutcome carry(const Letter& letter, const std::stop_token& stopping) override {
        ++record_.carried;
        return letter.to == "ann@example.com" ? record_.on_carry(stopping) : MailOutcome{.reason = {}};
    }

  private:
    Record& record_;
};

// An installation whose engine can be made to fail, with one mail to ann@example.com waiting.
struct Office {
    std::unique_ptr<data::Engine> memory = storage::make_memory_engine(space::all);
    WrappedEngine* engine = new WrappedEngine(*memory); // the world's
    World world{std::unique_ptr<data::Engine>(engine)};
    MovedClock clock;
    Service service{*engine, clock, Tools{world.ids, world.random, world.settings}, world.listener};
    Log log{LogLevel::error, LogFormat::text};
    Record record;
    InviteId invite;
    Office() {
        world.settings.sends_mail = true;
        invite = make_invite(world, "ann@example.com").details.invite.id;
    }

    std::unique_ptr<Mailer> start() {
        return std::make_unique<Mailer>(service, *engine, clock, log,
                                        std::make_unique<RecordedCarrier>(record));
    }
    [[nodiscard]] Invite stored() const {
        return must(engine->read([&](data::View& view) { return find_any_invite(view, invite.hex()); }));
    }
    template <class Condition>
    static bool comes_true(Condition condition) {
        for (int i = 0; i < 1000 && !condition(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return condition();
    }
};

} // namespace

TEST_CASE("a mail goes out once, also when the store cannot be told so for a while", "[mailer]") {
    Office office;
    office.record.on_carry = [&](const std::stop_token&) {
        office.engine->fails = WrappedEngine::Fails::before_commit;
        office.clock.ms += 3'600'000; // long due again, going by its row
        return MailOutcome{.reason = {}};
    };
    const auto mailer = office.start();
    REQUIRE(Office::comes_true([&] { return office.record.carried == 1; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(1200)); // it looked again meanwhile
    CHECK_FALSE(office.stored().mailed_at);
    office.engine->fails = WrappedEngine::Fails::never;
    CHECK(Office::comes_true([&] { return office.stored().mailed_at.has_value(); }));
    CHECK(office.record.carried == 1);
}

TEST_CASE("a mail that comes to nothing is tried again when its time has come", "[mailer]") {
    Office office;
    office.record.on_carry = [&](const std::stop_token&) {
        return MailOutcome{.kind =
                               office.record.carried < 3 ? MailOutcome::Kind::later : MailOutcome::Kind::sent,
                           .reason = "no route"};
    };
    const auto mailer = office.start();
    REQUIRE(Office::comes_true([&] { return office.record.carried == 1; }));
    office.clock.ms += 5'000;
    REQUIRE(Office::comes_true([&] { return office.record.carried == 2; }));
    office.clock.ms += 10'000;
    CHECK(Office::comes_true([&] { return office.stored().mailed_at.has_value(); }));
    CHECK(office.record.carried == 3);
}

TEST_CASE("a mailer ends while a mail is on its way, and the mail stays to be sent", "[mailer]") {
    Office office;
    office.record.on_carry = [](const std::stop_token& stopping) {
        while (!stopping.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return MailOutcome{.kind = MailOutcome::Kind::later, .reason = "stopped"};
    };
    auto mailer = office.start();
    REQUIRE(Office::comes_true([&] { return office.record.carried == 1; }));
    mailer.reset();
    CHECK(must(office.engine->read(
        [](data::View& view) { return mail_is_due(view, Timestamp{1'800'000'005'000}); })));
}
