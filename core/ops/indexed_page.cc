// The part of LinkQuery that finds its rows by the search index (core/search). Which links pass is a set
// there, made of few postings. There are two ways from it to a page:
//
//   walk     through the index of the order, and test each link, until the page is full
//   sort     look up where each link stands that passes, and sort them
//
// If those that pass stand anywhere in the order, a walk goes over wanted * links / passing links, of which
// it tests no more than the ids. Looking up one link costs as much as walking past thirty, or past a half if
// links lie close together and are read in a row, as those of a month do. So a page is walked when
//
//   wanted * links / passing  <=  reach,   reach = min(15 * passing, close / 4)
//
// where `close` is how many links lie close to one that passes, itself included: a block of ids of the search
// index has 256. A walk within the reach costs at most half of what sorting costs. Where it does not find a
// full page, as creation and update go together, for instance, it is given up; so no page costs more than one
// and a half times what sorting does.
#include "core/ops/click_order.h"
#include "core/ops/link_query.h"
#include "core/ops/row_lists.h"

#include <algorithm>
#include <ranges>

namespace slashpost {

using data::Bytes;
using search::TermKind;

namespace {

// So many links of a walk are tested by their rows, before it is worth it to read the ids of all that pass.
constexpr std::size_t rows_tested = 200;

Result<search::DocumentSet> having_any(const search::Reader& reader, TermKind kind, const auto& ids) {
    auto out = reader.none();
    for (const auto& id : ids)
        out |= TRY(reader.having(search::term(kind, id)));
    return out;
}

} // namespace

// Ascending.
Result<std::vector<LinkId>> PassingLinks::ids() const {
    const auto of_documents = TRY(reader.ids(documents));
    std::vector<LinkId> all;
    all.reserve(size());
    std::ranges::merge(of_documents, std::views::transform(unindexed, &Link::id), std::back_inserter(all));
    return all;
}

Result<void> each_found(const search::Reader& reader, const search::DocumentSet& documents,
                        const std::vector<LinkId>& unindexed, data::Order order,
                        const std::optional<RawId>& after, const VisitFound& visit) {
    const bool forward = order == data::Order::forward;
    const auto before = [forward](const RawId& a, const RawId& b) { return forward ? a < b : b < a; };
    auto others = unindexed; // the next one last
    std::erase_if(others, [&](const LinkId& id) { return after && !before(*after, id); });
    if (forward)
        std::ranges::reverse(others);
    bool more = true;
    const auto visit_others = [&](const RawId* until) -> Result<void> {
        while (more && !others.empty() && (!until || before(others.back(), *until))) {
            more = TRY(visit(others.back(), std::nullopt));
            others.pop_back();
        }
        return {};
    };
    TRY(reader.each_by_id(documents, order, after, [&](LinkId id, std::uint32_t number) -> Result<bool> {
        TRY(visit_others(&id));
        return more = more && TRY(visit(id, number));
    }));
    return visit_others(nullptr);
}

bool LinkQuery::unfiltered() const {
    const auto& f = filter_;
    return f.slashtag.empty() && !by_domain_ && f.creators.empty() && f.tags.empty() && !f.favourite &&
           !f.created_from && !f.created_until;
}

Result<std::optional<PassingLinks>> LinkQuery::passing() {
    const auto& f = filter_;
    // A write must not be disturbed by the indexer; and few links share a slashtag.
    if (ctx_.guard.access != Access::read || !f.slashtag.empty())
        return std::optional<PassingLinks>();
    auto opened = TRY(search::Reader::open(view_, ctx_.workspace.id, ctx_.now));
    if (!opened)
        return std::optional<PassingLinks>();
    const auto& reader = *opened;
    auto documents = TRY(reader.having(search::term(TermKind::active)));
    if (!f.active) {
        auto others = TRY(reader.having(search::term(TermKind::any)));
        others -= documents;
        documents = std::move(others);
    }
    if (by_domain_)
        documents &= TRY(having_any(reader, TermKind::domain, domains_));
    if (!f.creators.empty())
        documents &= TRY(having_any(reader, TermKind::creator, f.creators));
    if (!f.tags.empty())
        documents &= TRY(having_any(reader, TermKind::tag, tags_));
    if (f.favourite) {
        const auto favourites = TRY(reader.having(search::term(TermKind::favourite)));
        *f.favourite ? documents &= favourites : documents -= favourites;
    }
    if (f.created_from || f.created_until)
        documents &= TRY(reader.created_within(
            f.created_from ? RawId::first_at(*f.created_from) : RawId(),
            f.created_until ? std::optional(RawId::first_at(*f.created_until)) : std::nullopt));
    PassingLinks found{.reader = std::move(*opened), .documents = std::move(documents), .unindexed = {}};
    for (const auto& id : found.reader.unindexed())
        if (auto link = TRY(schema().links.find(view_, id.view())); link && TRY(passes(*link)))
            found.unindexed.push_back(std::move(*link));
    return std::optional(std::move(found));
}

Result<void> LinkQuery::each_called(std::string_view folded_slashtag, const std::optional<LinkId>& after,
                                    const VisitLink& visit) {
    auto walk = walk_of_slashtag(folded_slashtag);
    walk.order = data::Order::backward;
    if (after)
        walk.after = walk.from + Bytes(after->view());
    return visit_walk(schema().links.by_slashtag, walk, visit);
}

Result<std::vector<Link>> LinkQuery::indexed_page(const PassingLinks& found, LinkOrder order,
                                                  const PageRequest& request,
                                                  const std::optional<Bytes>& after) {
    if (order == LinkOrder::created) // the set is in this order
        return page_by_creation(found, request, after);
    const auto passing = found.size();
    const auto wanted = std::size_t{request.limit} + request.offset;
    const auto links = static_cast<std::size_t>(std::max<std::int64_t>(0, TRY(links_in(order))));
    const auto reach = std::min(15 * passing, found.close() / 4);
    if (passing != 0 && wanted * links / passing <= reach)
        if (auto page = TRY(page_of_walk(found, order, request, after, reach)))
            return std::move(*page);
    return page_of_sorted(TRY(found.ids()), order, request, after);
}

Result<std::vector<Link>> LinkQuery::page_by_creation(const PassingLinks& found, const PageRequest& request,
                                                      const std::optional<Bytes>& after) {
    std::vector<LinkId> unindexed;
    unindexed.reserve(found.unindexed.size());
    for (const auto& link : found.unindexed)
        unindexed.push_back(link.id);
    std::vector<Link> out;
    PageCount count(request);
    TRY(each_found(found.reader, found.documents, unindexed, walk_order(request.direction),
                   after ? RawId::from_bytes(*after) : std::nullopt,
                   [&](LinkId id, std::optional<std::uint32_t>) -> Result<bool> {
                       if (count.takes())
                           if (auto link = TRY(schema().links.find(view_, id.view())))
                               out.push_back(std::move(*link));
                       return !count.is_full();
                   }));
    return out;
}

Result<std::vector<Link>> LinkQuery::page_of_sorted(const std::vector<LinkId>& links, LinkOrder order,
                                                    const PageRequest& request,
                                                    const std::optional<Bytes>& after) {
    const bool forward = request.direction == Direction::ascending;
    const auto before = [forward](const Bytes& a, const Bytes& b) { return forward ? a < b : b < a; };
    auto places = TRY(positions(order, links)); // which end in the ids
    if (after)
        std::erase_if(places, [&](const Bytes& place) { return !before(*after, place); });
    const auto wanted = std::min<std::size_t>(places.size(), std::size_t{request.limit} + request.offset);
    std::ranges::partial_sort(places, places.begin() + static_cast<std::ptrdiff_t>(wanted), before);
    std::vector<Link> out;
    for (std::size_t i = request.offset; i < wanted; ++i)
        if (auto link = TRY(schema().links.find(
                view_, data::BytesView(places[i]).substr(places[i].size() - sizeof(LinkId)))))
            out.push_back(std::move(*link));
    return out;
}

// Nothing when it was given up.
Result<std::optional<std::vector<Link>>> LinkQuery::page_of_walk(const PassingLinks& found, LinkOrder order,
                                                                 const PageRequest& request,
                                                                 const std::optional<Bytes>& after,
                                                                 std::size_t links_max) {
    std::vector<Link> out;
    std::optional<std::vector<LinkId>> ids; // of all that pass, ascending
    PageCount count(request);
    std::size_t walked = 0;
    TRY(visit_in_order(order, walk_order(request.direction), after, [&](LinkId id) -> Result<bool> {
        if (++walked > links_max)
            return false;
        if (walked == rows_tested)
            ids = TRY(found.ids());
        // Once it is known which pass, rows that are skipped are not read.
        if (ids && !(std::ranges::binary_search(*ids, id) && count.takes()))
            return !count.is_full();
        auto link = TRY(schema().links.find(view_, id.view()));
        if (!ids && !(link && TRY(passes(*link)) && count.takes()))
            return true;
        if (link)
            out.push_back(std::move(*link));
        return !count.is_full();
    }));
    return walked > links_max ? std::nullopt : std::optional(std::move(out));
}

} // namespace slashpost
