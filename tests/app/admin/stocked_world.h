#pragma once
// A world with rows of every kind and clicks, and a console that remembers, for tests of admin commands.
#include "app/admin/commands.h"
#include "core/access/sign_in_tokens.h"
#include "core/ops/sessions.h"
#include "core/ops/sign_in_tries.h"
#include "core/schema/click_orders.h"
#include "core/schema/recent_rollups.h"
#include "tests/support/conversions.h"
#include "tests/support/labels.h"
#include "tests/support/must.h"
#include "tests/support/parts.h"
#include "tests/support/people.h"
#include "tests/support/world.h"

#include <string>
#include <vector>

namespace slashpost::test {

struct RememberingConsole final : admin::Console {
    std::string output;
    std::vector<std::string> notes;
    std::vector<std::string> progressed;
    bool gone = false;

    Result<void> write(std::string_view bytes) override {
        output += bytes;
        return {};
    }
    void note(std::string_view line) override { notes.emplace_back(line); }
    void complain(std::string_view line) override { notes.emplace_back(line); }
    void progress(std::string_view line) override { progressed.emplace_back(line); }
    bool stopped() override { return gone; }
};

// An admin context on any engine, without a journal.
class PlainHouse {
  public:
    PlainHouse(data::Engine& engine, Service& service, const Clock& clock)
        : context{.engine = engine, .service = service, .clock = clock, .fold_clicks = [this] {
                      ++folds;
                      return Result<void>();
                  }} {}
    int folds = 0;
    admin::AdminContext context;
};

class StockedWorld : public World {
  public:
    explicit StockedWorld(std::unique_ptr<data::Engine> given = nullptr)
        : World(std::move(given)),
          plain(*engine, service, clock) {
        const auto second =
            domain("short.example.org", {.length_min = 2, .length_max = 60, .case_sensitive = true});
        first_link =
            must(create({.destination = "https://example.com/?q=ü&\"quoted\"", .slashtag = "one"})).link;
        clock.advance_seconds(1);
        must(create({.destination = "https://example.org/",
                     .domain = {.id = second.id, .full_name = {}},
                     .title = "Zwei \xf0\x9f\x98\x80 \\ \"",
                     .favourite = true,
                     .expires_at = clock.now().plus_seconds(1'000)}));
        const auto tag = make_tag(*this, "Läden"), erased_tag = make_tag(*this, "erased");
        tag_of_stock = Subject::of(tag.id);
        const auto script = make_script(*this, "Pixel \xf0\x9f\x98\x80", "<script>\"\\\n</script>");
        must(create({.destination = "https://example.org/",
                     .tags = {tag.id, erased_tag.id},
                     .scripts = {script.id}}));
        erase(*this, erased_tag);
        const auto gone = must(create({.destination = "https://example.net/", .slashtag = "gone"})).link;
        must(remove(gone.id));
        const auto colleague = stranger("Ünal");
        must(accept_as(*this, colleague, make_invite(*this, "ünal@example.com")));
        settings.sends_mail = true;
        must(try_invites(*this,
                         {.emails = {"ann@example.com"}, .role = Role::guest, .message = "Hi\n\"Ann\""}));
        settings.sends_mail = false;
        add_sign_ins();
        add_parts(first_link.id);
        first_link = read_link(*this, first_link.id).link;
        track_conversions(*this, 7);
        must(try_conversion(*this, {.click_id = click_id(*this, first_link),
                                    .link = {},
                                    .event = "purchase",
                                    .value = Amount{19'990},
                                    .currency = "EUR",
                                    .reference = "\"Ü\" 1"}));
        click(first_link, 3);
        click(gone, 2);
    }

    // A password, and all that a dump leaves out.
    void add_sign_ins() {
        must(operate([&](SystemContext& system) -> Result<void> {
            const auto& account = installed.account;
            TRY(create_key(system, account, "limited",
                           {.read_only = true,
                            .workspace = account.default_workspace,
                            .expires_at = clock.now().plus_seconds(1'000)}));
            TRY(schema().credentials.insert(system.txn, {.account = account.id,
                                                         .password_hash = "$argon2id$hash of the password",
                                                         .password_set_at = clock.now(),
                                                         .totp_secret = "\x80\xff secret",
                                                         .totp_since = clock.now(),
                                                         .recovery_hashes = {std::string(32, '\xfe')}}));
            TRY(schema().identities.insert(system.txn, {.account = account.id,
                                                        .issuer = "https://sso.example.com",
                                                        .subject = "248289761001",
                                                        .email = "ann@example.com",
                                                        .connected_at = clock.now(),
                                                        .used_at = clock.now()}));
            TRY(take_try(system, TryKind::by_account, account.id.hex()));
            TRY(issue_sign_in_token(system, account.id, true));
            TRY(open_session(system, account.id, SignInWay::password, ""));
            return {};
        }));
    }

    // Some of each kind.
    void add_parts(LinkId link) {
        make_rule(*this, link, -3);
        make_rotator_rule(*this, link);
        must(change_parts(*this, link, [](Context& ctx, const Link& row) -> Result<void> {
            TRY(change_open_graph(ctx, row, {.title = Change<std::string>::set("\"Ü\"\n")}));
            TRY(set_deep_link(ctx, TRY(find_link(ctx, row.id)), *find_known_app("x"),
                              {.path = "a", .active = false}));
            return {};
        }));
    }

    void click(const Link& link, std::int64_t times) {
        must(engine->transact([&](data::Txn& txn) -> Result<void> {
            TRY(add_settled_clicks(txn, link.workspace, link.id,
                                   {.clicks = times, .last_click_at = clock.now()}));
            TRY(txn.add(workspace_clicks_tally(link.workspace), times));
            TRY(txn.add(domain_clicks_tally(link.domain, link.workspace), times));
            TRY(txn.add(workspace_day_tally(link.workspace, day_of(clock.now())), times));
            TRY(txn.put_blind(space::last_clicks, last_click_key(link.workspace, LinkId()),
                              last_click_value(clock.now())));
            return roll_up(txn, link, times);
        }));
    }

    // Everything that a rollup can hold.
    Result<void> roll_up(data::Txn& txn, const Link& link, std::int64_t times) {
        data::Counts delta;
        for (const auto* name : {"c", "s", "Cde", "Dmobile", "Oios", "Bsafari", "Lde", "Rnews.example.com"})
            delta.add(name, times);
        delta.add("Lde", -1);
        delta.add(data::rest_of('L'), 1);
        delta.add("b", 7);
        delta.add("vpurchase", 1);
        delta.add("mEUR", 12'500);
        delta.add("r" + std::string(ids.next<RuleId>().view()), 1);
        delta.add("a" + std::string(ids.next<RotatorRuleId>().view()), 1);
        const auto domain = Subject::of(link.domain, link.workspace);
        const auto hours = TRY(settled_hours(txn));
        for (const auto& subject : {Subject::of(link.id), tag_of_stock, Subject::of(link.workspace), domain})
            TRY(add_hour(txn, hours, subject, bucket_of(Grain::hour, clock.now()), delta));
        for (const auto& subject : {tag_of_stock, domain})
            TRY(txn.put_blind(space::last_clicks, last_click_key(subject), last_click_value(clock.now())));
        return {};
    }

    std::string dump() {
        RememberingConsole console;
        REQUIRE(must(admin::dump(plain.context, console)) == admin::exit_good);
        return console.output;
    }

    PlainHouse plain;
    Link first_link;
    Subject tag_of_stock;
};

// An empty store, ready for a restore.
class EmptyHouse {
  public:
    explicit EmptyHouse(std::unique_ptr<data::Engine> given = nullptr)
        : engine(given ? std::move(given) : storage::make_memory_engine(space::all)),
          service(*engine, clock, Tools{ids, random, settings}, listener),
          plain(*engine, service, clock) {
        must(prepare_store(*engine));
    }

    FixedClock clock;
    RepeatableRandom random;
    Settings settings;
    RecordedChanges listener;
    IdSource ids{clock, random};
    std::unique_ptr<data::Engine> engine;
    Service service;
    PlainHouse plain;
};

} // namespace slashpost::test
