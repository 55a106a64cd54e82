#include "core/ops/link_query.h"

#include "core/base/text.h"
#include "core/ops/click_order.h"
#include "core/ops/row_lists.h"
#include "core/ops/slashtags.h"

#include <algorithm>

namespace slashpost {

using data::Bytes;
using data::key;

namespace {

constexpr std::array<std::string_view, 6> order_names{"createdAt", "updatedAt", "title",
                                                      "slashtag",  "clicks",    "lastClickAt"};

data::Order walk_order(Direction direction) {
    return direction == Direction::ascending ? data::Order::forward : data::Order::backward;
}

// A small source is always sorted; above this the square-root rule decides.
constexpr std::int64_t sorted_rows_always = 200;

bool sorting_is_cheaper(std::int64_t source_rows, std::int64_t all_rows, const PageRequest& request) {
    if (source_rows <= sorted_rows_always)
        return true;
    const auto wanted = std::int64_t{request.limit} + request.offset;
    return source_rows <= wanted * all_rows / source_rows;
}

// Whether the link has one of the first `count` tags.
bool has_one_of(const Link& link, const std::vector<TagId>& tags, std::size_t count) {
    return std::ranges::any_of(link.tags, [&](const TagId& tag) {
        const auto end = tags.begin() + static_cast<std::ptrdiff_t>(count);
        return std::find(tags.begin(), end, tag) != end;
    });
}

} // namespace

std::span<const std::string_view> link_orders() { return order_names; }

LinkOrder read_order(std::string_view name, Problems& problems) {
    return static_cast<LinkOrder>(read_order_name(order_names, name, problems));
}

Result<void> LinkQuery::resolve() {
    domains_ = filter_.domains;
    by_domain_ = !domains_.empty() || !filter_.domain_name.empty();
    if (!filter_.domain_name.empty()) {
        const auto& table = schema().domains;
        const auto named = TRY(table.find_by(table.by_name, view_, lower_ascii(filter_.domain_name)));
        const bool wanted =
            named && (domains_.empty() || std::ranges::find(domains_, named->id) != domains_.end());
        domains_ = wanted ? std::vector{named->id} : std::vector<DomainId>();
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

Result<bool> LinkQuery::passes(const Link& link) {
    const auto& f = filter_;
    const bool expired = link.expires_at && *link.expires_at <= ctx_.now;
    if (link.workspace != ctx_.workspace.id || link.active() != f.active || (f.active && expired))
        return false;
    if (by_domain_ && !std::ranges::binary_search(domains_, link.domain))
        return false;
    if (!f.creators.empty() && std::ranges::find(f.creators, link.creator) == f.creators.end())
        return false;
    if (!f.tags.empty() && !has_one_of(link, tags_, tags_.size()))
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

Result<LinkQuery::Source> LinkQuery::source_by_tag() {
    Source source{.index = &schema().links.by_tag};
    for (const auto& tag : tags_) {
        source.scopes.push_back(key(data::Raw{scope()}, tag));
        source.rows += TRY(schema().links.per_tag.count(view_, ctx_.workspace.id, filter_.active, tag));
    }
    bound_by_dates(source.from, source.until);
    return source;
}

Result<std::optional<LinkQuery::Source>> LinkQuery::smallest_source() {
    const auto& links = schema().links;
    std::vector<Source> sources;
    if (!filter_.slashtag.empty()) {
        const auto place = key(fold_case(filter_.slashtag));
        sources.push_back({.index = &links.by_slashtag,
                           .scopes = {scope()},
                           .from = place,
                           .until = data::Range::of_prefix(place).until});
    }
    if (by_domain_) {
        Source source{.index = &links.by_domain};
        for (const auto& domain : domains_) {
            source.scopes.push_back(key(data::Raw{scope()}, domain));
            source.rows += TRY(links.per_workspace.count(view_, ctx_.workspace.id, filter_.active, domain));
        }
        bound_by_dates(source.from, source.until);
        sources.push_back(std::move(source));
    }
    if (!filter_.creators.empty()) {
        Source source{.index = &links.by_creator};
        auto creators = filter_.creators;
        std::ranges::sort(creators);
        creators.erase(std::ranges::unique(creators).begin(), creators.end());
        for (const auto& creator : creators) {
            source.scopes.push_back(key(data::Raw{scope()}, creator));
            source.rows += TRY(links.per_creator.count(view_, ctx_.workspace.id, filter_.active, creator));
        }
        bound_by_dates(source.from, source.until);
        sources.push_back(std::move(source));
    }
    if (!filter_.tags.empty())
        sources.push_back(TRY(source_by_tag()));
    if (filter_.favourite == true) {
        const auto favourites = TRY(favourite_count());
        Source source{.index = &links.favourites, .scopes = {scope()}, .rows = favourites};
        bound_by_dates(source.from, source.until);
        sources.push_back(std::move(source));
    }
    const auto smallest = std::ranges::min_element(sources, {}, &Source::rows);
    return smallest == sources.end() ? std::optional<Source>() : std::optional(std::move(*smallest));
}

Result<void> LinkQuery::visit_source(const Source& source, const VisitLink& visit) {
    const bool by_tag = source.index == &schema().links.by_tag;
    bool more = true;
    for (std::size_t i = 0; more && i < source.scopes.size(); ++i) {
        const data::Walk walk{.scope = source.scopes[i], .from = source.from, .until = source.until};
        TRY(source.index->walk(view_, walk, [&](data::BytesView primary) -> Result<bool> {
            auto link = TRY(schema().links.find(view_, primary));
            const bool seen = by_tag && link && has_one_of(*link, tags_, i);
            if (link && !seen && TRY(passes(*link)))
                more = TRY(visit(std::move(*link)));
            return more;
        }));
    }
    return {};
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
        return std::optional(TRY(smallest_source())->rows);
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
    auto source = TRY(smallest_source());
    if (!source) {
        source = Source{.index = &schema().links.by_created, .scopes = {scope()}};
        bound_by_dates(source->from, source->until);
    }
    return visit_source(*source, visit);
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

Result<Bytes> LinkQuery::position(LinkOrder order, const Link& link) {
    const auto& links = schema().links;
    switch (order) {
    case LinkOrder::created:
        return links.by_created.position(link);
    case LinkOrder::updated:
        return links.by_updated.position(link);
    case LinkOrder::title:
        return links.by_title.position(link);
    case LinkOrder::slashtag:
        return links.by_slashtag.position(link);
    case LinkOrder::clicks:
        return ClickOrder(ctx_, RankedBy::clicks).position(link.id);
    case LinkOrder::last_click:
        return ClickOrder(ctx_, RankedBy::last_click).position(link.id);
    }
    return fault("no such order");
}

Result<void> LinkQuery::visit_in_order(LinkOrder order, data::Order direction,
                                       const std::optional<Bytes>& after, const VisitId& visit) {
    const auto& links = schema().links;
    data::Walk walk{.scope = scope(), .order = direction, .after = after};
    const data::Ordered<Link>* index = nullptr;
    switch (order) {
    case LinkOrder::created:
        index = &links.by_created;
        bound_by_dates(walk.from, walk.until);
        break;
    case LinkOrder::updated:
        index = &links.by_updated;
        break;
    case LinkOrder::title:
        index = &links.by_title;
        break;
    case LinkOrder::slashtag:
        index = &links.by_slashtag;
        break;
    case LinkOrder::clicks:
        return ClickOrder(ctx_, RankedBy::clicks).visit(filter_.active, direction, after, visit);
    case LinkOrder::last_click:
        return ClickOrder(ctx_, RankedBy::last_click).visit(filter_.active, direction, after, visit);
    }
    return index->walk(view_, walk,
                       [&](data::BytesView primary) { return visit(*LinkId::from_bytes(primary)); });
}

Result<std::vector<Link>> LinkQuery::sorted_page(const Source& source, LinkOrder order,
                                                 const PageRequest& request,
                                                 const std::optional<Bytes>& after) {
    const bool forward = request.direction == Direction::ascending;
    std::vector<std::pair<Bytes, Link>> rows;
    TRY(visit_source(source, [&](Link link) -> Result<bool> {
        auto here = TRY(position(order, link));
        if (!after || (forward ? here > *after : here < *after))
            rows.emplace_back(std::move(here), std::move(link));
        return true;
    }));
    const auto wanted = std::min<std::size_t>(rows.size(), std::size_t{request.limit} + request.offset);
    std::ranges::partial_sort(
        rows, rows.begin() + static_cast<std::ptrdiff_t>(wanted),
        [&](const auto& a, const auto& b) { return forward ? a.first < b.first : b.first < a.first; });
    std::vector<Link> out;
    for (std::size_t i = request.offset; i < wanted; ++i)
        out.push_back(std::move(rows[i].second));
    return out;
}

Result<std::vector<Link>> LinkQuery::walked_page(LinkOrder order, const PageRequest& request,
                                                 const std::optional<Bytes>& after) {
    std::vector<Link> out;
    std::uint32_t to_skip = request.offset;
    TRY(visit_in_order(order, walk_order(request.direction), after, [&](LinkId id) -> Result<bool> {
        auto link = TRY(schema().links.find(view_, id.view()));
        if (!link || !TRY(passes(*link)))
            return true;
        if (to_skip > 0) {
            --to_skip;
            return true;
        }
        out.push_back(std::move(*link));
        return out.size() < request.limit;
    }));
    return out;
}

Result<std::vector<Link>> LinkQuery::page(LinkOrder order, const PageRequest& request,
                                          const std::optional<Link>& last) {
    std::optional<Bytes> after;
    if (last)
        after = TRY(position(order, *last));
    if (unfiltered())
        return walked_page(order, request, after);
    const auto source = TRY(smallest_source());
    if (!source || source->rows > sorted_rows_always)
        if (const auto found = TRY(passing()))
            return indexed_page(*found, order, request, after);
    const auto all_rows = TRY(schema().links.per_workspace.count(view_, ctx_.workspace.id, filter_.active));
    if (source && sorting_is_cheaper(source->rows, all_rows, request))
        return sorted_page(*source, order, request, after);
    return walked_page(order, request, after);
}

} // namespace slashpost
