#include "core/search/indexer.h"

#include "core/schema/schema.h"
#include "core/search/index_batch.h"

#include <algorithm>

namespace slashpost::search {

namespace {

constexpr std::size_t erased_per_batch = 2000;
constexpr std::uint64_t erased_marks_max = 500;         // that scans step over when nothing is to be done
constexpr std::uint64_t erased_marks_much = 1ULL << 16; // while there is

Result<std::vector<LinkId>> marked_links(data::View& view, WorkspaceId workspace, std::size_t max) {
    std::vector<LinkId> found;
    TRY(view.scan(space::unindexed, data::Range::of_prefix(workspace.view()), data::Order::forward,
                  [&](data::BytesView key, data::BytesView) {
                      if (const auto id = LinkId::from_bytes(key.substr(id_bytes)))
                          found.push_back(*id);
                      return found.size() < max;
                  }));
    return found;
}

// Erases entries of the space in the range while there is `room`.
Result<void> erase_some(data::Txn& txn, const data::Space& space, const data::Range& range,
                        std::size_t& room) {
    std::vector<data::Bytes> found;
    if (room > 0)
        TRY(txn.scan(space, range, data::Order::forward, [&](data::BytesView key, data::BytesView) {
            found.emplace_back(key);
            return found.size() < room;
        }));
    for (const auto& key : found)
        TRY(txn.erase(space, key));
    room -= found.size();
    return {};
}

// The head goes last.
Result<void> erase_discarded(data::Txn& txn, WorkspaceId workspace) {
    auto room = erased_per_batch;
    const auto range = data::Range::of_prefix(workspace.view());
    TRY(erase_some(txn, space::postings, range, room));
    TRY(erase_some(txn, space::documents, range.behind(head_key(workspace)), room));
    if (room > 0)
        TRY(txn.erase(space::documents, head_key(workspace)));
    return {};
}

// Whether the workspace has an index or is to get one.
Result<bool> is_indexed(data::View& view, WorkspaceId id, std::int64_t links_min) {
    const auto workspace = TRY(schema().workspaces.find(view, id.view()));
    if (!workspace || workspace->deleted_at) // core/work/purge.h
        return false;
    return TRY(view.get(space::documents, head_key(id))) ||
           TRY(schema().links.per_workspace.count(view, id)) >= links_min;
}

} // namespace

// Leaps over workspaces that stay without an index. Nothing when the end is reached; then the next look
// begins at the start.
Result<std::optional<WorkspaceId>> Indexer::next_workspace() {
    return engine_.read([&](data::View& view) -> Result<std::optional<WorkspaceId>> {
        for (;;) {
            std::optional<WorkspaceId> found;
            TRY(view.scan(space::unindexed, {.from = next_, .until = {}}, data::Order::forward,
                          [&](data::BytesView key, data::BytesView) {
                              found = WorkspaceId::from_bytes(key.substr(0, id_bytes));
                              return false;
                          }));
            next_ = found ? data::Range::of_prefix(found->view()).until : data::Bytes();
            if (!found || TRY(is_indexed(view, *found, links_min_)))
                return found;
            if (next_.empty())
                return std::optional<WorkspaceId>();
        }
    });
}

Result<std::optional<std::uint64_t>> Indexer::run_batch(const std::stop_token& stopping) {
    const bool from_start = next_.empty();
    auto workspace = TRY(next_workspace());
    if (!workspace && !from_start)
        workspace = TRY(next_workspace());
    if (!workspace)
        return std::nullopt;
    auto done = engine_.transact([&](data::Txn& txn) { return take_marked(txn, *workspace); });
    if (!done.has_value()) {
        if (done.error().kind == ErrorKind::conflict)
            batch_ = std::max<std::size_t>(1, batch_ / 8);
        return std::unexpected(std::move(done).error());
    }
    TRY(tidy(*workspace, *done, *done < batch_, stopping));
    batch_ = std::min(batch_max_, 2 * batch_);
    return std::optional(*done);
}

Result<std::uint64_t> Indexer::take_marked(data::Txn& txn, WorkspaceId workspace) const {
    IndexBatch batch(txn, workspace);
    if (!TRY(batch.begin())) {
        TRY(erase_discarded(txn, workspace));
        return 0;
    }
    const auto links = TRY(marked_links(txn, workspace, batch_));
    if (links.empty())
        return 0;
    for (const auto& id : links) {
        const auto row = TRY(schema().links.find(txn, id.view()));
        TRY(batch.take(id, row ? &*row : nullptr));
    }
    for (const auto& id : links)
        TRY(txn.erase(space::unindexed, data::key(workspace, id)));
    TRY(batch.write());
    return links.size();
}

// Every reader of the index scans the marks.
Result<void> Indexer::tidy(WorkspaceId workspace, std::uint64_t erased, bool all_done,
                           const std::stop_token& stopping) {
    if (workspace != erased_in_)
        erased_ = 0;
    erased_in_ = workspace;
    erased_ += erased;
    if (erased_ < (all_done ? erased_marks_max : erased_marks_much))
        return {};
    erased_ = 0;
    return engine_.forget_erased(space::unindexed, data::Range::of_prefix(workspace.view()), stopping);
}

Result<std::uint64_t> index_all(data::Engine& engine,
                                const std::function<Result<void>(std::uint64_t)>& progress) {
    Indexer indexer(engine);
    std::uint64_t links = 0;
    for (;;) {
        const auto batch = TRY(indexer.run_batch());
        if (!batch)
            return links;
        links += *batch;
        if (progress)
            TRY(progress(links));
    }
}

Result<bool> erase_index(data::Txn& txn, WorkspaceId workspace, std::size_t max) {
    auto room = max;
    for (const auto* space : {&space::unindexed, &space::documents, &space::postings})
        TRY(erase_some(txn, *space, data::Range::of_prefix(workspace.view()), room));
    return room > 0;
}

Result<std::uint64_t> discard_indexes(data::Engine& engine) {
    std::uint64_t discarded = 0;
    for (data::Range range;;) {
        data::Bytes head;
        TRY(engine.read([&](data::View& view) { // a head is the first entry of its workspace
            return view.scan(space::documents, range, data::Order::forward,
                             [&](data::BytesView key, data::BytesView) {
                                 head = key;
                                 return false;
                             });
        }));
        const auto workspace = WorkspaceId::from_bytes(data::BytesView(head).substr(0, id_bytes));
        if (!workspace)
            return discarded;
        TRY(engine.transact([&](data::Txn& txn) {
            return txn.put(space::documents, head_key(*workspace),
                           data::encode(IndexHead{.discarded = true}));
        }));
        ++discarded;
        range.from = data::Range::of_prefix(workspace->view()).until;
        if (range.from.empty())
            return discarded;
    }
}

} // namespace slashpost::search
