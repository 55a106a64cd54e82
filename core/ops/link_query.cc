#include "core/ops/link_query.h"

#include "core/base/text.h"
#include "core/data/gather.h"
#include "core/ops/click_order.h"
#include "core/ops/row_lists.h"
#include "core/ops/slashtags.h"

#include <algorithm>
#include <set>

namespace slashpost {

using data::Bytes;
using data::key;

namespace {

constexpr std::array<std::string_view, 6> link_order_names{"createdAt", "updatedAt", "title",
                                                           "slashtag",  "clicks",    "lastClickAt"};

bool has_one_of(const Link& link, const std::vector<TagId>& tags) {
    return std::ranges::find_first_of(link.tags, tags) != link.tags.end();
}

} // namespace

std::span<const std::string_view> link_orders() { return link_order_names; }

LinkOrder read_order(std::string_view name, Problems& problems) {
    return static_cast<LinkOrder>(read_order_name(link_order_names, name, problems));
}

Result<void> LinkQuery::resolve() {
    domains_ = filter_.domains;
    by_domain_ = !domains_.empty() || !filter_.domain_names.empty();
    if (!filter_.domain_names.empty()) {
        const auto named = TRY(domains_named());
        if (domains_.empty())
            domains_ = named;
        else
            std::erase_if(domains_,
                          [&](const DomainId& id) { return std::ranges::find(named, id) == named.end(); });
    }
    std::ranges::sort(domains_);
    domains_.erase(std::ranges::unique(domains_).begin(), domains_.end());
    for (const auto& id : filter_.tags) {
        const auto tag = TRY(schema().tags.find(view_, id.view()));
        if (tag && tag->workspace == ctx_.workspace.id && std::ranges::find(tags_, id) == tags_.end())
            tags_.push_back(id);
    }
    return {};
}

Result<std::vector<DomainId>> LinkQuery::domains_named() {
    const auto& table = schema().domains;
    std::vector<DomainId> out;
    for (const auto& name : filter_.domain_names) {
        if (const auto id = DomainId::parse(name))
            out.push_back(*id);
        else if (const auto named = TRY(table.find_by(table.by_name, view_, lower_ascii(name))))
            out.push_back(named->id);
    }
    return out;
}

Result<bool> LinkQuery::passes(const Link& link) {
    const auto& f = filter_;
    const bool expired = link.expires_at && *link.expires_at <= ctx_.now;
    if (link.workspace != ctx_.workspace.id || link.active() != f.active || (f.active && expired))
        return false;
    if (by_domain_ && !std::ranges::binary_search(domains_, link.domain))
        return false;
    if (!f.creators.empty() && std::ranges::find(f.creators, link.creator) == f.creators.end())
        return false;
    if (!f.tags.empty() && !has_one_of(link, tags_))
        return false;
    if (f.favourite && link.favourite != *f.favourite)
        return false;
    if ((f.created_from && link.created_at < *f.created_from) ||
        (f.created_until && link.created_at >= *f.created_until))
        return false;
    if (f.slashtag.empty())
        return true;
    const auto domain = TRY(schema().domains.find(view_, link.domain.view()));
    return domain && slashtag_key(*domain, f.slashtag) == link.slashtag_key;
}

void LinkQuery::bound_by_dates(Bytes& from, std::optional<Bytes>& until) const {
    if (filter_.created_from)
        from = Bytes(RawId::first_at(*filter_.created_from).view());
    if (filter_.created_until)
        until = Bytes(RawId::first_at(*filter_.created_until).view());
}

Result<std::int64_t> LinkQuery::favourite_count() {
    std::int64_t favourites = 0;
    const auto prefix = schema().links.per_workspace.prefix() + scope();
    TRY(view_.scan_tallies(data::Range::of_prefix(prefix), data::Order::forward,
                           [&](data::BytesView tally, std::int64_t links) {
                               if (tally.ends_with('\x01')) // the last component: favourite
                                   favourites += links;
                               return true;
                           }));
    return favourites;
}

data::Walk LinkQuery::walk_of_slashtag(std::string_view folded) const {
    const auto place = key(folded);
    return {.scope = scope(), .after = {}, .from = place, .until = data::Range::of_prefix(place).until};
}

Result<void> LinkQuery::visit_walk(const data::Ordered<Link>& index, const data::Walk& walk,
                                   const VisitLink& visit) {
    return index.walk(view_, walk, [&](data::BytesView primary) -> Result<bool> {
        auto link = TRY(schema().links.find(view_, primary));
        return !link || !TRY(passes(*link)) || TRY(visit(std::move(*link)));
    });
}

Result<std::optional<std::int64_t>> LinkQuery::tallied_count() {
    const auto& f = filter_;
    const auto& links = schema().links;
    const auto workspace = ctx_.workspace.id;
    const int filters = (f.creators.empty() ? 0 : 1) + (by_domain_ ? 1 : 0) + (f.tags.empty() ? 0 : 1);
    if (!f.slashtag.empty() || f.created_from || f.created_until || filters > 1)
        return std::optional<std::int64_t>();
    if (!f.creators.empty() || !f.tags.empty()) {
        if (f.favourite || tags_.size() > 1) // a link may have several of the tags
            return std::optional<std::int64_t>();
        std::int64_t total = 0;
        for (const auto& creator : std::set(f.creators.begin(), f.creators.end()))
            total += TRY(links.per_creator.count(view_, workspace, f.active, creator));
        for (const auto& tag : tags_)
            total += TRY(links.per_tag.count(view_, workspace, f.active, tag));
        return std::optional(total);
    }
    if (!by_domain_) {
        if (!f.favourite)
            return std::optional(TRY(links.per_workspace.count(view_, workspace, f.active)));
        const auto favourites = TRY(favourite_count());
        if (*f.favourite)
            return std::optional(favourites);
        return std::optional(TRY(links.per_workspace.count(view_, workspace, f.active)) - favourites);
    }
    std::int64_t total = 0;
    for (const auto& domain : domains_)
        total += f.favourite
                     ? TRY(links.per_workspace.count(view_, workspace, f.active, domain, *f.favourite))
                     : TRY(links.per_workspace.count(view_, workspace, f.active, domain));
    return std::optional(total);
}

Result<void> LinkQuery::each(const VisitLink& visit) {
    if (!filter_.slashtag.empty())
        return visit_walk(schema().links.by_slashtag,
                          walk_of_slashtag(fold_case(shown_slashtag(filter_.slashtag))), visit);
    data::Walk walk{.scope = scope(), .after = {}, .from = {}, .until = {}};
    bound_by_dates(walk.from, walk.until);
    return visit_walk(schema().links.by_created, walk, visit);
}

Result<std::int64_t> LinkQuery::count() {
    if (const auto count = TRY(tallied_count()))
        return *count;
    if (const auto found = TRY(passing()))
        return static_cast<std::int64_t>(found->size());
    std::int64_t total = 0;
    TRY(each([&](const Link&) -> Result<bool> {
        ++total;
        return true;
    }));
    return total;
}

const data::Ordered<Link>* LinkQuery::index_of(LinkOrder order) {
    const auto& links = schema().links;
    switch (order) {
    case LinkOrder::created:
        return &links.by_created;
    case LinkOrder::updated:
        return &links.by_updated;
    case LinkOrder::title:
        return &links.by_title;
    case LinkOrder::slashtag:
        return &links.by_slashtag;
    case LinkOrder::clicks:
    case LinkOrder::last_click:
        break;
    }
    return nullptr;
}

Result<Bytes> LinkQuery::position(LinkOrder order, const Link& link) {
    if (const auto* const index = index_of(order))
        return index->position(link);
    return click_order_place(TRY(clicks(order).rank({link.id})).front());
}

Result<std::vector<Bytes>> LinkQuery::positions(LinkOrder order, const std::vector<LinkId>& links) {
    std::vector<Bytes> out;
    out.reserve(links.size());
    const auto& table = schema().links;
    if (const auto* const index = index_of(order))
        TRY(data::gather(view_, table.rows(), table.row_key({}), links,
                         [&](std::size_t, data::BytesView row) -> Result<void> {
                             out.push_back(index->position(TRY(data::decode<Link>(row))));
                             return {};
                         }));
    else
        for (const auto& ranked : TRY(clicks(order).rank(links)))
            out.push_back(click_order_place(ranked));
    return out;
}

ClickOrder& LinkQuery::clicks(LinkOrder order) {
    if (!clicks_)
        clicks_.emplace(ctx_, order == LinkOrder::clicks ? RankedBy::clicks : RankedBy::last_click);
    return *clicks_;
}

Result<std::int64_t> LinkQuery::links_in(LinkOrder order) {
    const auto& tally = schema().links.per_workspace;
    return index_of(order) == nullptr ? tally.count(view_, ctx_.workspace.id)
                                      : tally.count(view_, ctx_.workspace.id, filter_.active);
}

Result<void> LinkQuery::visit_in_order(LinkOrder order, data::Order direction,
                                       const std::optional<Bytes>& after, const VisitId& visit) {
    const auto* const index = index_of(order);
    if (!index)
        return clicks(order).visit(direction, after, visit);
    data::Walk walk{.scope = scope(), .order = direction, .after = after};
    if (order == LinkOrder::created)
        bound_by_dates(walk.from, walk.until);
    return index->walk(view_, walk,
                       [&](data::BytesView primary) { return visit(*LinkId::from_bytes(primary)); });
}

Result<std::vector<Link>> LinkQuery::walked_page(LinkOrder order, const PageRequest& request,
                                                 const std::optional<Bytes>& after) {
    std::vector<Link> out;
    PageCount count(request);
    TRY(visit_in_order(order, walk_order(request.direction), after, [&](LinkId id) -> Result<bool> {
        auto link = TRY(schema().links.find(view_, id.view()));
        if (!link || !TRY(passes(*link)))
            return true;
        if (count.takes())
            out.push_back(std::move(*link));
        return !count.is_full();
    }));
    return out;
}

Result<std::vector<Link>> LinkQuery::page(LinkOrder order, const PageRequest& request,
                                          const std::optional<Link>& last) {
    std::optional<Bytes> after;
    if (last)
        after = TRY(position(order, *last));
    if (!filter_.slashtag.empty()) {
        std::vector<LinkId> links;
        TRY(each([&](const Link& link) -> Result<bool> {
            links.push_back(link.id);
            return true;
        }));
        std::ranges::sort(links);
        return page_of_sorted(links, order, request, after);
    }
    const auto active = TRY(schema().links.per_workspace.count(view_, ctx_.workspace.id, filter_.active));
    if (unfiltered() && active == TRY(links_in(order))) // all that are walked past pass
        return walked_page(order, request, after);
    if (const auto found = TRY(passing()))
        return indexed_page(*found, order, request, after);
    return walked_page(order, request, after);
}

} // namespace slashpost
