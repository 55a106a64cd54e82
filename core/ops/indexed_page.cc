// The part of LinkQuery that finds its rows by the search index (core/search). Which links pass is a set
// there, made of few postings. A page by creation is read off the set. For another order, few links are read
// and sorted; when most pass, the order's index is walked until the page is full, and given up when that
// takes long, as dates and updates go together. All others are read off what is held in memory: the
// documents in that order (core/search/ordinals.h), or the ranking by clicks. Until there are ordinals, all
// that pass are read and sorted, or a walk tests ids, whichever takes less.
#include "core/ops/click_order.h"
#include "core/ops/link_query.h"

#include <algorithm>
#include <ranges>

namespace slashpost {

using data::Bytes;
using search::TermKind;

namespace {

constexpr std::size_t sorted_always = 64;   // so few are read and sorted
constexpr std::size_t sorted_max = 1000;    // the first time that somebody asks, even so many
constexpr std::size_t ranked_always = 5000; // so few are sorted by what the ranking in memory says
constexpr std::size_t rows_walked = 150;    // a walk that is expected to be so short tests each row
constexpr std::size_t rows_apart = 500;     // that ordinals do not know the place of, and are read
constexpr std::size_t ids_per_row = 5;      // that a walk tests while a row is read
constexpr std::size_t ids_per_number = 16;  // that are copied while a number is found

data::Order walk_order(Direction direction) {
    return direction == Direction::ascending ? data::Order::forward : data::Order::backward;
}

// The first `wanted` of all rows that are offered.
class FirstRows {
    struct Before {
        bool forward;
        bool operator()(const auto& a, const auto& b) const {
            return forward ? a.first < b.first : b.first < a.first;
        }
    };

  public:
    FirstRows(bool forward, std::size_t wanted) : before_{forward}, wanted_(wanted) {}
    void offer(Bytes place, Link link) {
        rows_.emplace_back(std::move(place), std::move(link));
        std::ranges::push_heap(rows_, before_);
        if (rows_.size() > wanted_) {
            std::ranges::pop_heap(rows_, before_);
            rows_.pop_back();
        }
    }
    // In order, without the first `offset`.
    std::vector<Link> take(std::size_t offset) {
        std::ranges::sort_heap(rows_, before_);
        std::vector<Link> out;
        for (auto i = offset; i < rows_.size(); ++i)
            out.push_back(std::move(rows_[i].second));
        return out;
    }

  private:
    Before before_;
    std::size_t wanted_;
    std::vector<std::pair<Bytes, Link>> rows_; // a heap, the last on top
};

// All that pass, ascending.
Result<std::vector<LinkId>> ids_of(const PassingLinks& found) {
    auto ids = TRY(found.reader.ids(found.documents));
    if (found.loose.empty())
        return ids;
    std::vector<LinkId> all;
    all.reserve(found.size());
    std::ranges::merge(ids, std::views::transform(found.loose, &Link::id), std::back_inserter(all));
    return all;
}

// Which are ascending, and live longer.
auto one_of(const std::vector<LinkId>& ids) {
    return [&ids](LinkId id) -> Result<bool> { return std::ranges::binary_search(ids, id); };
}

Result<search::DocumentSet> having_any(const search::Reader& reader, TermKind kind, const auto& ids) {
    auto out = reader.none();
    for (const auto& id : ids)
        out |= TRY(reader.having(search::term(kind, id)));
    return out;
}

} // namespace

Result<void> each_found(const search::Reader& reader, const search::DocumentSet& documents,
                        const std::vector<LinkId>& loose, data::Order order,
                        const std::optional<RawId>& after, const VisitFound& visit) {
    const bool forward = order == data::Order::forward;
    const auto before = [forward](const RawId& a, const RawId& b) { return forward ? a < b : b < a; };
    auto others = loose; // the next one last
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
    auto opened = TRY(search::Reader::open(view_, ctx_.workspace.id, ctx_.now, ctx_.columns));
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
    PassingLinks found{.reader = std::move(*opened), .documents = std::move(documents), .loose = {}};
    for (const auto& id : found.reader.loose())
        if (auto link = TRY(schema().links.find(view_, id.view())); link && TRY(passes(*link)))
            found.loose.push_back(std::move(*link));
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

Result<bool> PassingLinks::contain(LinkId id) const {
    if (const auto number = TRY(reader.number(id)))
        return documents.contains(*number);
    return std::ranges::binary_search(loose, id, {}, &Link::id);
}

Result<std::vector<Link>> LinkQuery::indexed_page(const PassingLinks& found, LinkOrder order,
                                                  const PageRequest& request,
                                                  const std::optional<Bytes>& after) {
    if (order == LinkOrder::created)
        return page_by_creation(found, request, after);
    const bool by_clicks = index_of(order) == nullptr;
    const auto& tally = schema().links.per_workspace;
    const auto all = by_clicks ? TRY(tally.count(view_, ctx_.workspace.id)) // the ranking has the others, too
                               : TRY(tally.count(view_, ctx_.workspace.id, filter_.active));
    const auto passing = found.size();
    const auto wanted = std::size_t{request.limit} + request.offset;
    const auto walked = wanted * static_cast<std::size_t>(std::max<std::int64_t>(0, all)) / (passing + 1);
    if (passing <= sorted_always && !by_clicks)
        return page_of_sorted(found, order, request, after);
    const auto ranks_max = std::min(passing / 4, 2 * walked); // then all that pass are better sorted
    const bool by_number = by_clicks && ranks_max * ids_per_number < passing;
    if (by_number)
        TRY(found.reader.hold_ids()); // as so many ids would
    if (by_number || walked <= rows_walked) {
        const auto passes = by_number ? [&](LinkId id) { return found.contain(id); } : PassesId();
        if (auto page =
                TRY(page_of_walk(passes, order, request, after, by_number ? ranks_max : 4 * rows_walked)))
            return std::move(*page);
    }
    if (by_clicks) {
        const auto ids = TRY(ids_of(found));
        if (passing > ranked_always && !by_number)
            if (auto page = TRY(page_of_walk(one_of(ids), order, request, after, ranks_max)))
                return std::move(*page);
        return page_of_ranked(ids, order, request, after);
    }
    if (auto page = TRY(page_of_ordinals(found, order, request, after, passing > sorted_max)))
        return std::move(*page);
    if (passing <= sorted_max || passing <= walked / ids_per_row)
        return page_of_sorted(found, order, request, after);
    const auto ids = TRY(ids_of(found));
    if (auto page = TRY(page_of_walk(one_of(ids), order, request, after, passing * ids_per_row)))
        return std::move(*page);
    return page_of_sorted(found, order, request, after);
}

Result<std::vector<Link>> LinkQuery::page_by_creation(const PassingLinks& found, const PageRequest& request,
                                                      const std::optional<Bytes>& after) {
    std::vector<LinkId> loose;
    loose.reserve(found.loose.size());
    for (const auto& link : found.loose)
        loose.push_back(link.id);
    std::vector<Link> out;
    auto to_skip = request.offset;
    TRY(each_found(found.reader, found.documents, loose, walk_order(request.direction),
                   after ? RawId::from_bytes(*after) : std::nullopt,
                   [&](LinkId id, std::optional<std::uint32_t>) -> Result<bool> {
                       if (to_skip > 0) {
                           --to_skip;
                           return true;
                       }
                       if (auto link = TRY(schema().links.find(view_, id.view())))
                           out.push_back(std::move(*link));
                       return out.size() < request.limit;
                   }));
    return out;
}

Result<std::vector<Link>> LinkQuery::page_of_ranked(const std::vector<LinkId>& passing, LinkOrder order,
                                                    const PageRequest& request,
                                                    const std::optional<Bytes>& after) {
    ClickOrder clicks(ctx_, ranked_by(order));
    const auto wanted = std::size_t{request.limit} + request.offset;
    const auto ids = TRY(clicks.first(passing, filter_.active, walk_order(request.direction), after, wanted));
    std::vector<Link> out;
    for (std::size_t i = request.offset; i < ids.size(); ++i)
        if (auto link = TRY(schema().links.find(view_, ids[i].view())))
            out.push_back(std::move(*link));
    return out;
}

// What the ordinals know gives the first rows, to be mixed with those that they do not know. They begin where
// the first link behind `after` stands that they know.
Result<std::optional<std::vector<Link>>>
LinkQuery::page_of_ordinals(const PassingLinks& found, LinkOrder order, const PageRequest& request,
                            const std::optional<Bytes>& after, bool at_once) {
    const auto& reader = found.reader;
    const auto direction = walk_order(request.direction);
    const auto ordinals = TRY(reader.ordinals(*index_of(order), filter_.active, at_once));
    if (!ordinals)
        return std::optional<std::vector<Link>>();
    const auto known = ordinals->known(found.documents);
    auto apart = PassingLinks{.reader = reader, .documents = found.documents, .loose = found.loose};
    apart.documents -= known;
    if (apart.size() > rows_apart)
        return std::optional<std::vector<Link>>();

    std::optional<std::uint32_t> first;
    if (after)
        TRY(visit_in_order(order, direction, after, [&](LinkId id) -> Result<bool> {
            first = TRY(reader.number(id));
            if (first && !ordinals->knows(*first))
                first.reset();
            return !first;
        }));
    const bool mixed = apart.size() > 0;
    const auto wanted = std::size_t{request.limit} + (mixed ? request.offset : 0);
    auto to_skip = mixed ? 0 : request.offset;
    std::vector<std::uint32_t> numbers;
    if (first || !after)
        ordinals->walk(direction, first, known, [&](std::uint32_t number) {
            if (to_skip > 0)
                --to_skip;
            else
                numbers.push_back(number);
            return numbers.size() < wanted;
        });
    std::vector<Link> rows;
    for (const auto number : numbers)
        if (auto link = TRY(schema().links.find(view_, TRY(reader.id(number)).view())))
            rows.push_back(std::move(*link));
    if (!mixed)
        return std::optional(std::move(rows));
    std::ranges::move(rows, std::back_inserter(apart.loose));
    return std::optional(TRY(page_of_sorted(apart, order, request, after)));
}

Result<std::vector<Link>> LinkQuery::page_of_sorted(const PassingLinks& found, LinkOrder order,
                                                    const PageRequest& request,
                                                    const std::optional<Bytes>& after) {
    const bool forward = request.direction == Direction::ascending;
    FirstRows first(forward, std::size_t{request.limit} + request.offset);
    const auto offer = [&](Link link) -> Result<void> {
        auto here = TRY(position(order, link));
        if (!after || (forward ? here > *after : here < *after))
            first.offer(std::move(here), std::move(link));
        return {};
    };
    TRY(found.reader.each_by_id(found.documents, data::Order::forward, {},
                                [&](LinkId id, std::uint32_t) -> Result<bool> {
                                    if (auto link = TRY(schema().links.find(view_, id.view())))
                                        TRY(offer(std::move(*link)));
                                    return true;
                                }));
    for (const auto& link : found.loose)
        TRY(offer(link));
    return first.take(request.offset);
}

Result<std::optional<std::vector<Link>>> LinkQuery::page_of_walk(const PassesId& passes_id, LinkOrder order,
                                                                 const PageRequest& request,
                                                                 const std::optional<Bytes>& after,
                                                                 std::size_t links_max) {
    std::vector<Link> out;
    std::uint32_t to_skip = request.offset;
    bool given_up = false;
    TRY(visit_in_order(order, walk_order(request.direction), after, [&](LinkId id) -> Result<bool> {
        given_up = links_max-- == 0;
        if (given_up || (passes_id && !TRY(passes_id(id))))
            return !given_up;
        if (passes_id && to_skip > 0) {
            --to_skip;
            return true;
        }
        auto link = TRY(schema().links.find(view_, id.view()));
        if (!link || (!passes_id && !TRY(passes(*link))))
            return true;
        if (to_skip > 0) {
            --to_skip;
            return true;
        }
        out.push_back(std::move(*link));
        return out.size() < request.limit;
    }));
    return given_up ? std::nullopt : std::optional(std::move(out));
}

} // namespace slashpost
