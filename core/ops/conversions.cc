#include "core/ops/conversions.h"

#include "core/access/doors.h"
#include "core/base/codes.h"
#include "core/base/secret.h"
#include "core/base/text.h"
#include "core/ops/workspaces.h"
#include "core/redirect/click_ids.h"
#include "core/schema/rollups.h"
#include "core/schema/schema.h"
#include "core/schema/store.h"

#include <fmt/format.h>

#include <algorithm>

namespace slashpost {

namespace {

constexpr std::size_t batch_max = 500;
constexpr std::int64_t day_seconds = 24LL * 3600;
// A day longer than any window, for clocks that jump.
constexpr std::int64_t kept_days = attribution_window_days_max + 1;

// What a conversion is put down to.
struct Subject_ {
    Link link;
    std::optional<Timestamp> clicked_at;
};

bool has_problem(const Problems& problems, std::string_view property) {
    return std::ranges::any_of(problems.fields(), [&](const auto& f) { return f.property == property; });
}

} // namespace

} // namespace slashpost
