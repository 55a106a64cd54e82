#include "core/search/index_fill.h"

#include "core/base/errors.h"

namespace slashpost::search {

Result<bool> takes_more(data::View& view, WorkspaceId workspace) {
    const auto head = TRY(view.get(space::documents, head_key(workspace)));
    return !head || !TRY(data::decode<IndexHead>(*head)).discarded;
}

Result<void> IndexFill::take(const Link& link) {
    if (!batch_) {
        batch_.emplace(txn_, workspace_);
        if (!TRY(batch_->begin()))
            return fault("the search index is discarded");
    }
    TRY(batch_->take(link.id, &link));
    return ++links_ < batch_links_ ? Result<void>() : finish();
}

Result<void> IndexFill::finish() {
    if (batch_)
        TRY(batch_->write());
    batch_.reset();
    links_ = 0;
    return {};
}

} // namespace slashpost::search
