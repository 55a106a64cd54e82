#pragma once
// How a page of links is found. In a workspace that has a search index (core/search), that says which links
// pass; see core/ops/indexed_page.cc. Otherwise, since it has few links or the index is far behind, by
// walking the order's index and testing each row. Of one slashtag there are few links: they are read and
// sorted.
#include "core/ops/click_order.h"
#include "core/ops/link_lists.h"
#include "core/schema/schema.h"
#include "core/search/reader.h"

namespace slashpost {

enum class LinkOrder { created, updated, title, slashtag, clicks, last_click };

// The order of that name, `created` when it is empty; adds a problem on `orderBy` for an unknown one.
LinkOrder read_order(std::string_view name, Problems& problems);

// The links that pass a filter, by the search index.
struct PassingLinks {
    search::Reader reader;
    search::DocumentSet documents;
    std::vector<Link> unindexed; // those that pass of the reader's unindexed ones, ascending

    [[nodiscard]] std::size_t size() const { return documents.size() + unindexed.size(); }
    // How many links there are about where those are that pass; roughly.
    [[nodiscard]] std::size_t close() const { return reader.close(documents) + unindexed.size(); }
    // Of all of them, ascending.
    [[nodiscard]] Result<std::vector<LinkId>> ids() const;
};

// Calls `visit` for each of the documents and each of the links `unindexed` (ascending; their number is
// nothing), in the order of their ids, behind `after`; false ends.
using VisitFound = std::function<Result<bool>(LinkId, std::optional<std::uint32_t> number)>;
Result<void> each_found(const search::Reader& reader, const search::DocumentSet& documents,
                        const std::vector<LinkId>& unindexed, data::Order order,
                        const std::optional<RawId>& after, const VisitFound& visit);

class LinkQuery {
  public:
    LinkQuery(Context& ctx, const LinkFilter& filter) : ctx_(ctx), view_(ctx.view()), filter_(filter) {}

    // Looks up what the filter names. Call once, first.
    Result<void> resolve();
    // The bytes by which rows are compared in an order; unique, as they end in the id.
    Result<data::Bytes> position(LinkOrder order, const Link& link);
    // The rows of one page, in order, behind `last`.
    Result<std::vector<Link>> page(LinkOrder order, const PageRequest& request,
                                   const std::optional<Link>& last);
    // How many rows pass the filter.
    Result<std::int64_t> count();

    using VisitLink = std::function<Result<bool>(Link)>; // false ends
    // Visits every row that passes the filter, in no order that could be relied on.
    Result<void> each(const VisitLink& visit);
    // Nothing where there is no index to say it, or rows say it sooner.
    Result<std::optional<PassingLinks>> passing();
    // Visits every row that passes and whose slashtag is this but for its case, the newest first, those that
    // are not older than `after` left out.
    Result<void> each_called(std::string_view folded_slashtag, const std::optional<LinkId>& after,
                             const VisitLink& visit);

    // Whether a row passes the filter.
    Result<bool> passes(const Link& link);

  private:
    using VisitId = std::function<Result<bool>(LinkId)>;

    Result<std::vector<DomainId>> domains_named();
    Result<std::int64_t> favourite_count();
    // By the tallies alone, when they know.
    Result<std::optional<std::int64_t>> tallied_count();
    // Visits the passing rows of a walk through an index.
    Result<void> visit_walk(const data::Ordered<Link>& index, const data::Walk& walk, const VisitLink& visit);
    // Through by_slashtag, over those whose slashtag is this but for its case.
    [[nodiscard]] data::Walk walk_of_slashtag(std::string_view folded) const;

    // None for the orders by clicks.
    [[nodiscard]] static const data::Ordered<Link>* index_of(LinkOrder order);
    // Those of the links that are there, which ascend.
    Result<std::vector<data::Bytes>> positions(LinkOrder order, const std::vector<LinkId>& links);
    // The order by clicks that a query asks for; made once.
    ClickOrder& clicks(LinkOrder order);
    // How many links visit_in_order has: those by clicks have all of the workspace.
    Result<std::int64_t> links_in(LinkOrder order);
    // Visits ids of the workspace in order, behind `after`.
    Result<void> visit_in_order(LinkOrder order, data::Order direction,
                                const std::optional<data::Bytes>& after, const VisitId& visit);
    Result<std::vector<Link>> walked_page(LinkOrder order, const PageRequest& request,
                                          const std::optional<data::Bytes>& after);
    // The same by the index.
    Result<std::vector<Link>> indexed_page(const PassingLinks& found, LinkOrder order,
                                           const PageRequest& request,
                                           const std::optional<data::Bytes>& after);
    Result<std::vector<Link>> page_by_creation(const PassingLinks& found, const PageRequest& request,
                                               const std::optional<data::Bytes>& after);
    // Of links that ascend by their ids.
    Result<std::vector<Link>> page_of_sorted(const std::vector<LinkId>& links, LinkOrder order,
                                             const PageRequest& request,
                                             const std::optional<data::Bytes>& after);
    // Nothing when the walk was given up after so many links.
    Result<std::optional<std::vector<Link>>> page_of_walk(const PassingLinks& found, LinkOrder order,
                                                          const PageRequest& request,
                                                          const std::optional<data::Bytes>& after,
                                                          std::size_t links_max);
    [[nodiscard]] bool unfiltered() const;
    [[nodiscard]] data::Bytes scope() const { return data::key(ctx_.workspace.id, filter_.active); }
    // Bounds on ids by the filter's dates.
    void bound_by_dates(data::Bytes& from, std::optional<data::Bytes>& until) const;

    Context& ctx_;
    data::View& view_;
    const LinkFilter& filter_;
    std::optional<ClickOrder> clicks_;
    std::vector<DomainId> domains_; // that pass; meaningful when by_domain_
    std::vector<TagId> tags_;       // that are there; meaningful when there are some in the filter
    bool by_domain_ = false;
};

} // namespace slashpost
