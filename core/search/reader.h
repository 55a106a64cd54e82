#pragma once
// Reads the search index of a workspace. The index may be behind the rows: links that are marked as not
// indexed are left out of every answer here and named by `loose`, so that the caller judges them by their
// rows. Both together are exact, however far the indexer has come.
#include "core/search/columns.h"
#include "core/search/document.h"

#include <functional>

namespace slashpost::search {

class Reader {
  public:
    // Nothing when the workspace has no index, or so much is not in it that reading rows is better. Links
    // that are due to expire at `now` are loose as well, as their rows do not say so yet.
    // `columns` may be none.
    static Result<std::optional<Reader>> open(data::View& view, WorkspaceId workspace, Timestamp now,
                                              ColumnCache* columns = nullptr);

    [[nodiscard]] const std::vector<LinkId>& loose() const { return loose_; }
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
    Result<LinkId> id(std::uint32_t number) const;
    // Holds what `number` and `ids` need in memory, if it is not there: worth it for very many of them.
    Result<void> hold_ids() const { return load_ids(true); }
    // The number of a link that is not loose.
    Result<std::optional<std::uint32_t>> number(LinkId link) const;
    // The documents in an order of the workspace's links, exact for this view; often there are none
    // (core/search/columns.h).
    Result<ColumnCache::Order> ordinals(const data::Ordered<Link>& index, bool active, bool at_once) const;

  private:
    // The least and the greatest id of a block of ids.
    struct Span {
        std::uint32_t block = 0;
        RawId least, greatest;
    };

    Reader(data::View& view, WorkspaceId workspace, const IndexHead& head, ColumnCache* columns)
        : view_(&view),
          columns_(columns),
          workspace_(workspace),
          documents_(head.documents),
          version_(head.version),
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
    // Of nearly all documents, unless only those are wanted that are in memory anyhow.
    Result<void> load_ids(bool wanted) const;
    [[nodiscard]] std::optional<std::uint32_t> known_number(LinkId link) const;
    // `room` for those that have to be read.
    Result<data::BytesView> ids_of_block(std::uint32_t block, data::Bytes& room) const;

    data::View* view_;
    ColumnCache* columns_; // may be none
    WorkspaceId workspace_;
    std::uint32_t documents_;
    std::uint64_t version_;
    std::vector<LinkId> loose_; // ascending
    DocumentSet loose_numbers_; // of those that the index knows in an earlier state
    // What was read before.
    mutable std::optional<std::vector<Span>> spans_;
    mutable ColumnCache::Ids ids_;
    mutable std::optional<std::uint32_t> texts_block_; // whose texts texts_ has
    mutable data::Bytes texts_;
};

} // namespace slashpost::search
