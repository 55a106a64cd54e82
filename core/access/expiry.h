#pragma once
// Links whose time is over. A link's status follows its expires_at without a sweep: an index over what will
// expire next makes "is anything due?" one seek, and only what is due is touched.
#include "core/access/context.h"

#include <mutex>

namespace slashpost {

// When the first of them will be due; nothing when none ever will.
Result<std::optional<Timestamp>> next_expiry(data::View& view);

// Sets the status of at most some hundred links that are due. Call again until none is.
Result<void> expire_due_links(SystemContext& system, Timestamp now);

// Remembers that none is due for a while, so that not every call has to look. Safe to use from any thread.
class NextExpiry {
  public:
    using Version = std::uint64_t;

    [[nodiscard]] bool may_be_due(Timestamp now) const;
    // To be asked before the view is taken in which `next` is found.
    [[nodiscard]] Version version() const;
    void found(std::optional<Timestamp> next, Version seen);
    // A link was written that will expire. To be told after the commit, and before anybody is told of that.
    void changed();

  private:
    mutable std::mutex mutex_;
    // Guarded by mutex_.
    Version version_ = 0;
    bool known_ = false;
    std::optional<Timestamp> next_;
};

} // namespace slashpost
