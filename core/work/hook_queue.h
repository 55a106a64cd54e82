#pragma once
// Which deliveries are to be made next (core/work/deliveries.h): new events become deliveries, and those
// whose time has come attempts, for as many as there is room and as each workspace may have. What it knows
// besides the store is where the last look ended and which attempts are under way; a restart begins anew
// with all webhooks.
//
// Fair: webhooks have their turn one after the other; a workspace has so many attempts under way and no more,
// a webhook whose last attempt failed one.
#include "core/access/service.h"
#include "core/work/deliveries.h"

#include <atomic>
#include <deque>
#include <map>
#include <set>

namespace slashpost {

class HookQueue {
  public:
    // All outlive the queue. One thread at a time; `figures` from any.
    HookQueue(Service& service, data::Engine& engine, const Clock& clock)
        : service_(service),
          engine_(engine),
          clock_(clock) {}

    static constexpr int attempts_per_workspace_max = 8;

    // One bounded look at new events; true when the next can begin at once.
    Result<bool> look_at_events();
    // At most `room` attempts, to be made now and booked after. None is handed out while it is under way.
    Result<std::vector<DeliveryAttempt>> take(std::size_t room);
    // Of attempts that were handed out, what came of each.
    Result<void> book(const std::vector<DeliveryOutcome>& outcomes);

    struct Figures {
        std::uint64_t delivered = 0; // attempts that went well, since the start
        std::uint64_t failed = 0;    // and those that did not
        std::uint64_t under_way = 0;
        std::uint64_t clicks_missed = 0; // by webhooks that were too far behind
    };
    [[nodiscard]] Figures figures() const {
        return {.delivered = delivered_,
                .failed = failed_,
                .under_way = under_way_count_,
                .clicks_missed = clicks_missed_};
    }

  private:
    struct UnderWay {
        WebhookId webhook;
        WorkspaceId workspace;
    };
    struct Candidates; // of one call of take

    Result<void> find_all();
    Result<void> find_news(std::uint64_t horizon);
    Result<void> find_behind();
    Result<void> add_webhooks_of(data::View& view, WorkspaceId workspace);
    Result<void> add_tests(data::View& view, Candidates& found) const;
    // Those of the first webhook behind `turn` that has any waiting, and is not behind `last`, if that is not
    // empty; false: there is none.
    Result<bool> add_next_webhook(data::View& view, Candidates& found, data::Bytes& turn,
                                  data::BytesView last) const;
    [[nodiscard]] int count_under_way(WorkspaceId workspace) const;
    [[nodiscard]] int count_under_way(WebhookId webhook) const;

    Service& service_;
    data::Engine& engine_;
    const Clock& clock_;
    bool begun_ = false;
    std::uint64_t horizon_ = 0; // up to which events were looked at
    data::Bytes news_;          // the last event that was
    std::deque<WebhookId> to_look_at_;
    std::set<WebhookId> noted_;                              // those in it
    data::Bytes behind_turn_;                                // webhook that was found to be behind last
    data::Bytes due_turn_;                                   // webhook that had its turn last
    std::map<data::Bytes, UnderWay, std::less<>> under_way_; // by primary key
    std::atomic<std::uint64_t> delivered_ = 0, failed_ = 0, under_way_count_ = 0, clicks_missed_ = 0;
};

} // namespace slashpost
