#include "core/work/hook_queue.h"

#include "core/schema/schema.h"

#include <algorithm>

namespace slashpost {

namespace {

constexpr std::size_t news_max = 1'000;  // events of a look
constexpr std::size_t behind_max = 32;   // webhooks that are behind, of a look
constexpr std::size_t webhooks_max = 16; // whose events are looked at in one
constexpr std::size_t turns_max = 2'000; // webhooks of one call of take
constexpr std::size_t id_bytes = sizeof(RawId);

} // namespace

struct HookQueue::Candidates {
    std::size_t room;
    Timestamp now;
    std::vector<data::Bytes> primaries;
    std::map<WorkspaceId, int> of_workspace; // among them
    [[nodiscard]] bool full() const { return primaries.size() >= room; }
};

Result<void> HookQueue::find_all() {
    return engine_.read([&](data::View& view) {
        return schema().webhooks.each(view, [&](const Webhook& webhook) -> Result<bool> {
            if (noted_.insert(webhook.id).second)
                to_look_at_.push_back(webhook.id);
            return true;
        });
    });
}

Result<void> HookQueue::add_webhooks_of(data::View& view, WorkspaceId workspace) {
    return schema().webhooks.by_created.walk(view, {.scope = data::key(workspace)},
                                             [&](data::BytesView primary) -> Result<bool> {
                                                 const auto id = *WebhookId::from_bytes(primary);
                                                 if (noted_.insert(id).second)
                                                     to_look_at_.push_back(id);
                                                 return true;
                                             });
}

// Whose workspaces have events that were not there at the look before.
Result<void> HookQueue::find_news(std::uint64_t horizon) {
    if (horizon == horizon_)
        return {};
    return engine_.read([&](data::View& view) -> Result<void> {
        std::set<WorkspaceId> workspaces;
        const auto end = data::key(horizon);
        std::size_t looked_at = 0;
        bool all = true;
        TRY(schema().events.each(
            view,
            [&](const Event& event) -> Result<bool> {
                if (event.id.view() >= end)
                    return false;
                workspaces.insert(event.workspace);
                news_ = event.id.view();
                all = ++looked_at < news_max;
                return all;
            },
            news_));
        for (const auto& workspace : workspaces)
            TRY(add_webhooks_of(view, workspace));
        if (all)
            horizon_ = horizon;
        return {};
    });
}

// Those that had no room before, or are to begin again.
Result<void> HookQueue::find_behind() {
    return engine_.read([&](data::View& view) -> Result<void> {
        std::size_t found = 0;
        data::Walk walk;
        if (!behind_turn_.empty())
            walk.after = behind_turn_;
        behind_turn_.clear();
        return schema().webhooks.behind.walk(view, walk, [&](data::BytesView primary) -> Result<bool> {
            const auto id = *WebhookId::from_bytes(primary);
            if (noted_.insert(id).second)
                to_look_at_.push_back(id);
            if (++found < behind_max)
                return true;
            behind_turn_ = primary;
            return false;
        });
    });
}

Result<bool> HookQueue::look_at_events() {
    const auto horizon = service_.event_horizon();
    if (!begun_ && horizon != 0) {
        news_ = event_id_below(horizon).view();
        TRY(find_all());
        horizon_ = horizon;
        begun_ = true;
    }
    if (!begun_)
        return false;
    TRY(find_news(horizon));
    if (to_look_at_.empty())
        TRY(find_behind());
    bool goes_on = horizon_ != horizon;
    for (auto turns = std::min(webhooks_max, to_look_at_.size()); turns > 0; --turns) {
        const auto id = to_look_at_.front();
        std::uint64_t missed = 0;
        const bool more = TRY(service_.run_as_operator([&](SystemContext& system) {
            missed = 0;
            return take_events(system, id, horizon, missed);
        }));
        clicks_missed_ += missed;
        to_look_at_.pop_front();
        noted_.erase(id);
        goes_on |= more; // which is in its row
    }
    return goes_on || !to_look_at_.empty();
}

int HookQueue::count_under_way(WorkspaceId workspace) const {
    return static_cast<int>(std::ranges::count_if(
        under_way_, [&](const auto& entry) { return entry.second.workspace == workspace; }));
}

int HookQueue::count_under_way(WebhookId webhook) const {
    return static_cast<int>(std::ranges::count_if(
        under_way_, [&](const auto& entry) { return entry.second.webhook == webhook; }));
}

Result<void> HookQueue::add_tests(data::View& view, Candidates& found) const {
    return schema().deliveries.tests_by_due.walk(view, {.until = data::key(Timestamp{found.now.ms + 1})},
                                                 [&](data::BytesView primary) -> Result<bool> {
                                                     if (!under_way_.contains(primary))
                                                         found.primaries.emplace_back(primary);
                                                     return !found.full();
                                                 });
}

Result<bool> HookQueue::add_next_webhook(data::View& view, Candidates& found, data::Bytes& turn,
                                         data::BytesView last) const {
    const auto& index = schema().deliveries.by_due;
    auto range = data::Range::of_prefix(index.prefix());
    if (!turn.empty())
        range.from = data::Range::of_prefix(index.prefix() + turn).until;
    data::Bytes next;
    TRY(view.scan(index.space(), range, data::Order::forward, [&](data::BytesView key, data::BytesView) {
        next = key.substr(index.prefix().size(), id_bytes);
        return false;
    }));
    if (next.empty() || (!last.empty() && next > last))
        return false;
    turn = next;
    const auto webhook = TRY(schema().webhooks.find(view, next));
    if (!webhook || webhook->status != WebhookStatus::enabled ||
        (webhook->rests_until && *webhook->rests_until > found.now))
        return true;
    auto& of_workspace = found.of_workspace[webhook->workspace];
    int room = attempts_per_workspace_max - count_under_way(webhook->workspace) - of_workspace;
    if (webhook->failing_since)
        room = std::min(room, 1 - count_under_way(webhook->id));
    if (room <= 0)
        return true;
    const data::Walk walk{.scope = next, .until = data::key(Timestamp{found.now.ms + 1})};
    TRY(index.walk(view, walk, [&](data::BytesView primary) -> Result<bool> {
        if (under_way_.contains(primary))
            return true;
        found.primaries.emplace_back(primary);
        ++of_workspace;
        return --room > 0 && !found.full();
    }));
    return true;
}

Result<std::vector<DeliveryAttempt>> HookQueue::take(std::size_t room) {
    Candidates found{.room = room, .now = clock_.now(), .primaries = {}, .of_workspace = {}};
    if (room == 0)
        return std::vector<DeliveryAttempt>();
    TRY(engine_.read([&](data::View& view) -> Result<void> {
        TRY(add_tests(view, found));
        // From behind the one that the call before came to, and once around.
        const auto begin = due_turn_;
        data::BytesView last;
        for (std::size_t turns = 0; turns < turns_max && !found.full(); ++turns) {
            if (TRY(add_next_webhook(view, found, due_turn_, last)))
                continue;
            due_turn_.clear();
            if (begin.empty() || !last.empty())
                break;
            last = begin;
        }
        return {};
    }));
    if (found.primaries.empty())
        return std::vector<DeliveryAttempt>();
    auto attempts = TRY(service_.run_as_operator(
        [&](SystemContext& system) { return begin_attempts(system, found.primaries); }));
    for (const auto& attempt : attempts)
        under_way_[Delivery::primary_of(attempt.delivery)] = {.webhook = attempt.delivery.webhook,
                                                              .workspace = attempt.delivery.workspace};
    under_way_count_ = under_way_.size();
    return attempts;
}

Result<void> HookQueue::book(const std::vector<DeliveryOutcome>& outcomes) {
    if (outcomes.empty())
        return {};
    const auto is_booked = [&](data::BytesView primary) {
        return std::ranges::any_of(outcomes, [&](const auto& one) { return one.delivery == primary; });
    };
    TRY(service_.run_as_operator([&](SystemContext& system) {
        return book_outcomes(system, outcomes, [&](data::BytesView primary) {
            return under_way_.contains(primary) && !is_booked(primary);
        });
    }));
    for (const auto& outcome : outcomes) {
        under_way_.erase(outcome.delivery);
        ++(outcome.verdict == Verdict::delivered ? delivered_ : failed_);
    }
    under_way_count_ = under_way_.size();
    return {};
}

} // namespace slashpost
