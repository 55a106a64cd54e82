#include "core/work/close_hours.h"

#include "core/schema/recent_rollups.h"

namespace slashpost {

Result<bool> close_hours(SystemContext& system) {
    return close_hours_batch(system.txn, bucket_of(Grain::hour, system.now.plus_seconds(-60)));
}

} // namespace slashpost
