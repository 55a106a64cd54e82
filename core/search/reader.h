#pragma once
// Reads the search index of a workspace. The index may be behind the rows: links that are marked as not
// indexed are left out of every answer here and named by `unindexed`, so that the caller judges them by their
// rows. Both together are exact, however far the indexer has come.
#include "core/search/document.h"

#include <functional>

namespace slashpost::search {

class Reader {
  public:
    // Nothing when the workspace has no index, or so much is not in it that reading rows is better. Links
    // that are due to expire at `now` are unindexed as well, as their rows do not say so yet.
    static Result<std::optional<Reader>> open(data::View& view, WorkspaceId workspace, Timestamp now);

    [[nodiscard]] const std::vector<LinkId>& unindexed() const { return unindexed_; }
    [[nodiscard]] std::size_t chunks() const { return loose_numbers_.chunks(); }
    [[nodiscard]] DocumentSet none() const { return DocumentSet(chunks()); }

    // The documents that have the attribute.
    Result<DocumentSet> having(data::BytesView term) const;
    // Those whose links have ids with from <= id < until.
    Result<DocumentSet> created_within(const RawId& from, const std::optional<RawId>& until) const;

    // Where a term of at least three bytes, folded, may occur; surely does where `sure` says so.
    struct Candidates {
        std::array<DocumentSet, fields> by_field;
        DocumentSet anywhere; // all of them
        DocumentSet sure;     // part of `anywhere`
    };
    Result<Candidates> candidates(std::string_view folded_term) const;

    // Calls `visit(number, Texts)` for each of the documents, in no order that could be relied on.
    using VisitTexts = std::function<void(std::uint32_t number, const Texts& texts)>;
    Result<void> each_text(const DocumentSet& documents, const VisitTexts& visit) const;
    Result<data::Bytes> packed_text(std::uint32_t number) const;

    // Calls `visit` for each of the documents, in the order of their links' ids; false ends. Of what lies
    // before `after`, which is left out, little is read.
    using VisitLink = std::function<Result<bool>(LinkId link, std::uint32_t number)>;
    Result<void> each_by_id(const DocumentSet& documents, data::Order order,
                            const std::optional<RawId>& after, const VisitLink& visit) const;

    // The ids of the documents' links, ascending.
    Result<std::vector<LinkId>> ids(const DocumentSet& documents) const;
    // How many links there are in the blocks of ids that have some of the documents; rounded up.
    [[nodiscard]] static std::size_t close(const DocumentSet& documents);

  private:
    // The least and the greatest id of a block of ids.
    struct Span {
        std::uint32_t block = 0;
        RawId least, greatest;
    };

    Reader(data::View& view, WorkspaceId workspace, const IndexHead& head)
        : view_(&view),
          workspace_(workspace),
          documents_(head.documents),
          loose_numbers_((head.documents + chunk_documents - 1) / chunk_documents) {}
    Result<bool> find_loose(Timestamp now);
    Result<Posting> posting(std::size_t chunk, data::BytesView term) const;
    Result<void> read_spans() const;
    // Three bytes of the term that is looked for.
    struct Part {
        data::Bytes term;
        bool begins = false;  // it begins with them
        std::size_t size = 0; // of the posting in the chunk before, in bytes
    };
    Result<void> candidates_of_chunk(std::vector<Part>& parts, std::size_t chunk, Candidates& out) const;
    Result<void> texts_of_chunk(const DocumentSet& documents, std::size_t chunk,
                                const VisitTexts& visit) const;
    // The ids of a block by number, 16 bytes each.
    Result<data::Bytes> ids_of_block(std::uint32_t block) const;

    data::View* view_;
    WorkspaceId workspace_;
    std::uint32_t documents_;
    std::vector<LinkId> unindexed_; // ascending
    DocumentSet loose_numbers_;     // of those that the index knows in an earlier state
    // What was read before.
    mutable std::optional<std::vector<Span>> spans_;
    mutable std::optional<std::uint32_t> texts_block_; // whose texts texts_ has
    mutable data::Bytes texts_;
};

} // namespace slashpost::search
