#include "app/admin/drain.h"

#include "app/admin/commands.h"
#include "core/base/pause.h"

#include <fmt/format.h>

namespace slashpost::admin {

namespace {

constexpr std::chrono::milliseconds look_every{500};
constexpr int looks_max = 120;
constexpr int quiet_looks = 6; // in a row, in which no click came

// Whether visitors stay away.
Result<bool> wait_until_quiet(AdminContext& context, Console& console) {
    auto before = TRY(context.drain(true));
    int quiet = 0;
    for (int looks = 0; looks < looks_max && quiet < quiet_looks && !console.stopped(); ++looks) {
        pause({}, look_every);
        const auto now = TRY(context.drain(true));
        quiet = now.waiting == 0 && now.counted == before.counted ? quiet + 1 : 0;
        before = now;
    }
    return quiet == quiet_looks;
}

} // namespace

Result<int> drain(AdminContext& context, bool leaves, Console& console) {
    const bool has_server =
        static_cast<bool>(context.drain); // else they were counted when the folder was opened
    if (has_server && leaves && !TRY(wait_until_quiet(context, console))) {
        TRY(console.write("Visitors still come here, and their clicks with them.\n"));
        return exit_findings;
    }
    const auto waiting = has_server && !leaves ? TRY(context.drain(false)).waiting : 0;
    if (waiting != 0) {
        TRY(console.write(
            fmt::format("{} clicks came meanwhile and are not counted yet; with --leave visitors are "
                        "sent to other servers first.\n",
                        waiting)));
        return exit_findings;
    }
    TRY(console.write("Nothing is left: every click that was taken here is counted.\n"));
    return exit_good;
}

} // namespace slashpost::admin
