#include "core/work/settling.h"

#include "core/schema/recent_rollups.h"

namespace slashpost {

Result<bool> settle_hours(Desk& desk) {
    return settle_batch(desk.txn, bucket_of(Grain::hour, desk.now.plus_seconds(-60)));
}

} // namespace slashpost
