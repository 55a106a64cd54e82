#include "core/work/click_deliveries.h"

#include "core/schema/schema.h"

#include <algorithm>

namespace slashpost {

Result<void> open_clicks(const SystemContext& system, const Webhook& webhook, const Event& event,
                         std::uint64_t& missed) {
    const auto count = static_cast<std::uint32_t>(event.clicks.size());
    std::size_t open = 0;
    data::Bytes newest;
    TRY(schema().deliveries.by_subject.walk(system.txn, {.scope = data::key(webhook.id, webhook.id)},
                                            [&](data::BytesView primary) -> Result<bool> {
                                                ++open;
                                                newest = primary;
                                                return true;
                                            }));
    if (open > 0) {
        const auto last = TRY(schema().deliveries.find(system.txn, newest)).value();
        if (last.event == event.id || std::ranges::find(last.more, event.id) != last.more.end())
            return {}; // of a replay
        if (last.attempts == 0 && last.event < event.id && last.clicks + count <= told_clicks_max &&
            last.more.size() < click_events_max) {
            auto longer = last;
            longer.more.push_back(event.id);
            longer.clicks += count;
            return schema().deliveries.update(system.txn, last, longer);
        }
    }
    if (open >= click_deliveries_max) {
        missed += count;
        return {};
    }
    return open_delivery(system, webhook, event);
}

} // namespace slashpost
