#pragma once
// Deliveries of clicks, of which one may tell many events: a webhook has one request of them a second.
#include "core/work/deliveries.h"

namespace slashpost {

// Tells of clicks: with the last ones that wait to be told for the first time, as long as that is one
// request, else with a delivery of their own. Adds to `missed` how many clicks the webhook misses, as it is
// too far behind.
Result<void> open_clicks(const SystemContext& system, const Webhook& webhook, const Event& event,
                         std::uint64_t& missed);

} // namespace slashpost
