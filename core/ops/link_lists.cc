#include "core/ops/link_lists.h"

#include "core/ops/link_query.h"

#include <algorithm>

namespace slashpost {

namespace {

// What a page of links shows of the things around them, each read once.
class Neighbours {
  public:
    explicit Neighbours(Context& ctx) : ctx_(ctx) {}

    Result<LinkDetails> details(Link link) {
        auto* domain = find(domains_, link.domain);
        if (!domain) {
            auto row = TRY(schema().domains.find(ctx_.view(), link.domain.view()));
            domain = &domains_.emplace_back(link.domain, row ? std::move(*row) : Domain{}).second;
        }
        auto* creator = find(creators_, link.creator);
        if (!creator) {
            auto row = TRY(schema().accounts.find(ctx_.view(), link.creator.view()));
            creator = &creators_.emplace_back(link.creator, row ? std::move(*row) : Account{}).second;
        }
        const auto totals = TRY(clicks_of_link(ctx_.view(), link.workspace, link.id));
        return LinkDetails{.link = std::move(link),
                           .domain = *domain,
                           .creator = *creator,
                           .clicks = totals.clicks,
                           .last_click_at = totals.last_click_at};
    }

  private:
    template <class I, class T>
    static T* find(std::vector<std::pair<I, T>>& known, const I& id) {
        const auto it = std::ranges::find(known, id, &std::pair<I, T>::first);
        return it == known.end() ? nullptr : &it->second;
    }

    Context& ctx_;
    std::vector<std::pair<DomainId, Domain>> domains_;
    std::vector<std::pair<AccountId, Account>> creators_;
};

} // namespace

Result<std::vector<LinkDetails>> list_links(Context& ctx, const LinkFilter& filter, const PageRequest& page,
                                            Problems problems) {
    const auto order = read_order(page.order_by, problems);
    std::optional<Link> last;
    if (!page.last.empty()) {
        if (const auto id = LinkId::parse(page.last))
            last = TRY(schema().links.find(ctx.view(), id->view()));
        if (!last || last->workspace != ctx.workspace.id)
            problems.add(invalid_format("last", "is not the id of a link of this workspace"));
    }
    TRY(problems.result("link"));

    LinkQuery query(ctx, filter);
    TRY(query.resolve());
    Neighbours neighbours(ctx);
    std::vector<LinkDetails> out;
    for (auto& link : TRY(query.page(order, page, last)))
        out.push_back(TRY(neighbours.details(std::move(link))));
    return out;
}

Result<std::int64_t> count_links(Context& ctx, const LinkFilter& filter, const Problems& problems) {
    TRY(problems.result("link"));
    LinkQuery query(ctx, filter);
    TRY(query.resolve());
    return query.count();
}

} // namespace slashpost
