#pragma once
// For whoever wants to hear of clicks while they are counted (core/work/click_events.h).
#include "core/clicks/clicks.h"

#include <functional>

namespace slashpost::redirect {

class ClickListener {
  public:
    virtual ~ClickListener() = default;
    // Begins a batch, and forgets the one before; false: nobody wants to hear of any click now.
    virtual Result<bool> begin() = 0;
    virtual void hear(const Click& click) = 0;
    // Does `work` in one transaction, and tells in the same one of what was heard since `begin`.
    virtual Result<void> commit(const std::function<Result<void>(data::Txn&)>& work) = 0;
};

} // namespace slashpost::redirect
