#pragma once
// The documents of one workspace in an order of its links, in memory: 4 bytes for each. A page under a filter
// is read off them, where the order's index on disk would have to be walked, or the rows of all that pass to
// be sorted.
//
// They are made of one view and stay good for later ones. A link that was written since is left to its row:
// by the reader, which calls it loose, until it is indexed again, and by `changed` from then on. So a page is
// exact for every view whose index is of a version (IndexHead) from that of the first view to that of the
// latest batch that was taken in.
#include "core/data/entries.h"
#include "core/model/link.h"
#include "core/search/document_set.h"

#include <algorithm>
#include <memory>
#include <span>

namespace slashpost::search {

// What one batch of the indexer brought: the documents that it wrote, and the version of the index.
struct IndexedBatch {
    WorkspaceId workspace;
    std::uint64_t before = 0, after = 0;
    std::vector<std::uint32_t> documents;
};

class Ordinals {
  public:
    // What they are of: the order, and the workspace with whether the links are active, as a scope of it.
    struct Key {
        const data::Ordered<Link>* index = nullptr;
        WorkspaceId workspace;
        bool active = true;
        auto operator<=>(const Key&) const = default;
        [[nodiscard]] data::Bytes scope() const { return data::key(workspace, active); }
    };
    // `ids` are those of all documents, 16 bytes each; `loose` those that the index knows in an earlier
    // state.
    static Result<Ordinals> read(data::View& view, const Key& key, std::uint64_t version, data::BytesView ids,
                                 DocumentSet loose);
    // After a batch that begins with their latest version.
    [[nodiscard]] Ordinals with(const IndexedBatch& batch) const;

    [[nodiscard]] bool exact_for(std::uint64_t version) const {
        return first_ <= version && version <= last_;
    }
    [[nodiscard]] std::uint64_t version() const { return last_; }
    // So many are changed that they had better be made anew.
    [[nodiscard]] bool worn() const;
    [[nodiscard]] std::size_t bytes() const;

    // Those of the documents whose place is known.
    [[nodiscard]] DocumentSet known(DocumentSet documents) const;
    [[nodiscard]] bool knows(std::uint32_t number) const;
    // Calls `visit(number)` for each of the documents, which are known, in the direction; from `first` on
    // when it is given. False ends.
    template <class Visit>
    void walk(data::Order direction, std::optional<std::uint32_t> first, const DocumentSet& documents,
              Visit&& visit) const {
        const auto step = [&](std::uint32_t number) { return !documents.contains(number) || visit(number); };
        const auto part = part_from(direction, first);
        if (direction == data::Order::forward)
            (void)std::all_of(part.begin(), part.end(), step);
        else
            (void)std::all_of(part.rbegin(), part.rend(), step);
    }

  private:
    Ordinals(std::uint64_t version, std::vector<std::uint32_t> numbers, DocumentSet changed);
    [[nodiscard]] std::span<const std::uint32_t> part_from(data::Order direction,
                                                           std::optional<std::uint32_t> first) const;

    std::uint64_t first_, last_; // versions
    std::shared_ptr<const std::vector<std::uint32_t>> numbers_;
    DocumentSet changed_;     // to the end of its last chunk
    std::size_t changes_ = 0; // since they were made, of later documents too
};

} // namespace slashpost::search
