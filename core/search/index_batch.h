#pragma once
// What one batch of the indexer changes, collected first and then written posting by posting, since many
// documents of a batch share their terms.
#include "core/search/document.h"

#include <map>

namespace slashpost::search {

class IndexBatch {
  public:
    IndexBatch(data::Txn& txn, WorkspaceId workspace) : txn_(txn), workspace_(workspace) {}

    // False when the index is discarded, and nothing can be added to it.
    Result<bool> begin();
    // Takes in what the row says now; null when there is none (any more).
    Result<void> take(LinkId id, const Link* row);
    Result<void> write();

  private:
    // A term of a text with the document: chunk (16 bits), term, place in the chunk (16 bits).
    using Occurrence = std::uint64_t;

    Result<void> add(LinkId id, const Link& row);
    Result<void> change(const IndexedLink& was, const Link& row);
    Result<void> remove(LinkId id, const IndexedLink& was);
    void note_attributes(const IndexedLink& attributes,
                         std::map<data::Bytes, std::vector<std::uint16_t>>& in);
    static void note_texts(std::uint32_t number, const std::vector<TextTerm>& terms,
                           std::vector<Occurrence>& in);
    void change_attributes(const IndexedLink& was, const IndexedLink& now);
    Result<const data::Bytes*> stored_texts(std::uint32_t block);
    Result<data::Bytes> packed_before(std::uint32_t number);
    // What must be read or replaced comes first, what is only added last.
    Result<void> write_spans();
    Result<void> rewrite_texts();
    Result<void> rewrite_attributes();
    Result<void> rewrite_terms();
    Result<void> append_columns();
    Result<void> append_terms();
    [[nodiscard]] data::Bytes key_of(Occurrence occurrence) const;
    // Takes places out of a stored posting and puts others in.
    Result<void> rewrite(const data::Bytes& key, std::span<const Occurrence> removed,
                         std::span<const Occurrence> added);

    data::Txn& txn_;
    WorkspaceId workspace_;
    IndexHead head_;
    std::uint32_t first_new_ = 0;
    std::vector<LinkId> new_ids_;                         // in the order of their numbers
    std::vector<std::pair<LinkId, IndexedLink>> numbers_; // to be written
    std::map<std::uint32_t, data::Bytes> new_texts_;      // by block: records to append
    std::map<std::uint32_t, data::Bytes> stored_texts_;   // by block: as they were, of changed documents
    std::vector<Occurrence> added_, removed_;
    std::map<data::Bytes, std::vector<std::uint16_t>> attributes_added_,
        attributes_removed_; // by posting key
};

} // namespace slashpost::search
