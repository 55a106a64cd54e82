#pragma once
// The one place where a caller's transaction begins and ends.
//
//   authenticate   key -> who; no transaction, so that rate limits can come first
//   run            workspace, guard, work in one transaction; then, once, what followed from the commit
#include "core/access/context.h"
#include "core/access/event_log.h"
#include "core/access/expiry.h"
#include "core/access/last_uses.h"
#include "core/access/rate_limit.h"
#include "core/data/engine.h"

namespace slashpost {

class Service {
  public:
    Service(data::Engine& engine, const Clock& clock, Tools tools, ChangeListener& listener)
        : engine_(engine),
          clock_(clock),
          tools_(tools),
          listener_(listener),
          events_(engine.peers()) {}

    // Fails as unauthenticated for anything but the exact text of a key that is in force, or of an
    // application's access token.
    Result<Caller> authenticate(std::string_view api_key);
    // The same for the token of a session that goes on.
    Result<Caller> authenticate_session(std::string_view token);
    // Whether what the caller was known by is in force still, for calls that go on for long; else fails as
    // authenticate does.
    Result<void> check_in_force(const Caller& caller);
    // Writes down when keys, sessions and grants were used last. A background step; one batch; true when
    // there is more.
    Result<bool> book_uses();

    // Runs `work(Context&)`, which returns a Result<...>, perhaps more than once: inside it only the
    // transaction may change. `workspace` is the id as sent, or empty for the caller's default workspace.
    // A guard with Scope::account enters none, whatever is named.
    // Fails as the wire's order of checks says: workspace not found, role, feature, revoked, type; then
    // whatever the work fails with.
    template <class Work>
    auto run(const Caller& caller, std::string_view workspace, const Guard& guard, Work&& work)
        -> std::invoke_result_t<Work&, Context&> {
        const auto now = clock_.now();
        TRY(expire_links(now));
        if (guard.access == Access::read) {
            Changes none;
            const auto event_horizon = events_.horizon(); // before the look at the store begins
            return engine_.read([&](data::View& view) -> std::invoke_result_t<Work&, Context&> {
                Context ctx(view, nullptr, guard, none, now, tools_);
                ctx.event_horizon = event_horizon;
                TRY(enter(ctx, caller, workspace));
                return work(ctx);
            });
        }
        const EventCause cause{.account = caller.account, .key = caller.key, .call = caller.call};
        return commit(cause, now,
                      [&](data::Txn& txn, Changes& changes) -> std::invoke_result_t<Work&, Context&> {
                          Context ctx(txn, &txn, guard, changes, now, tools_);
                          ctx.event_horizon = events_.horizon();
                          TRY(enter(ctx, caller, workspace));
                          return work(ctx);
                      });
    }

    // Runs `work(SystemContext&)` for the installation itself: the admin tool, the first start, background
    // steps.
    template <class Work>
    auto run_as_operator(Work&& work) -> std::invoke_result_t<Work&, SystemContext&> {
        const auto now = clock_.now();
        return commit({}, now, [&](data::Txn& txn, Changes& changes) {
            SystemContext system{txn, changes, now, tools_};
            return work(system);
        });
    }

    // Of events with numbers below it none will come later; 0 before the first transaction that writes.
    [[nodiscard]] std::uint64_t event_horizon() const { return events_.horizon(); }

    // Gives links whose time is over the status they have since then (core/access/expiry.h), so that lists
    // and counts are true at the second. Called before each run and by a background step. A store that takes
    // no writes is no reason to refuse reading, so only faults fail.
    Result<void> expire_links(Timestamp now);

    // What other servers on the store have to know and tell, when nothing is committed here; every second.
    Result<void> keep_up() { return events_.begin(engine_, clock_.now()); }
    // Another server wrote links, perhaps one that will expire.
    void expiries_changed() { expiry_.changed(); }

  private:
    // With the events of what the work does (core/access/event_log.h).
    template <class Work>
    auto commit(const EventCause& cause, Timestamp now, Work&& work)
        -> std::invoke_result_t<Work&, data::Txn&, Changes&> {
        TRY(events_.begin(engine_, now));
        Changes changes;
        EventSequence::Turn turn(events_);
        auto result =
            engine_.transact([&](data::Txn& txn) -> std::invoke_result_t<Work&, data::Txn&, Changes&> {
                changes = {};
                data::Trail trail;
                txn.follow(&trail);
                auto answer = work(txn, changes);
                txn.follow(nullptr);
                if (answer.has_value())
                    TRY(write_events(txn, trail, cause, now, turn));
                return answer;
            });
        using enum EventSequence::Ended;
        turn.end(result.has_value()                              ? committed
                 : result.error().kind == ErrorKind::unavailable ? unknown
                                                                 : without_commit);
        if (changes.expiries)
            expiry_.changed();
        listener_.changed(changes);
        return result;
    }
    Result<Caller> authenticate_application(GrantId id, std::string_view access_token);
    // Fills caller, workspace and role of `ctx` and applies the caller's part of its guard.
    static Result<void> enter(Context& ctx, const Caller& caller, std::string_view workspace);
    // What the caller's key must be for the guard, before anything is looked up.
    static Result<void> admit_key(const Caller& caller, const Guard& guard);
    // What the guard asks of the plan and of the workspace entered, in the order of the wire.
    static Result<void> admit(const Context& ctx);

    data::Engine& engine_;
    const Clock& clock_;
    Tools tools_;
    ChangeListener& listener_;
    EventSequence events_;
    NextExpiry expiry_;
    LastUses uses_;
};

} // namespace slashpost
