#pragma once
// A workspace with very many links, written straight into the table, and a model that answers by looking at
// all of them.
#include "core/base/text.h"
#include "core/ops/link_search.h"
#include "core/schema/click_orders.h"
#include "core/search/index_check.h"
#include "core/search/indexer.h"
#include "tests/support/labels.h"

#include <random>

namespace slashpost::test {

class BigWorld {
  public:
    explicit BigWorld(std::size_t links, std::unique_ptr<data::Engine> engine = nullptr)
        : world(std::move(engine)),
          domains_{world.installed.domain, world.domain("two.example"), world.domain("three.example")} {
        for (const auto* name : {"red", "green", "blue"})
            tags_.push_back(make_tag(world, name).id);
        other_ = world.stranger("other").account.id;
        while (links > 0) {
            const auto batch = std::min<std::size_t>(links, 500);
            must(world.operate([&](SystemContext& system) -> Result<void> {
                for (std::size_t i = 0; i < batch; ++i) {
                    const auto& link = model_.emplace_back(some_link());
                    TRY(schema().links.insert(system.txn, link));
                    TRY(enter_click_orders(system.txn, link.workspace, link.id));
                    TRY(add_settled_clicks(system.txn, link.workspace, link.id,
                                           {.clicks = clicks_of(link), .last_click_at = {}}));
                }
                return {};
            }));
            links -= batch;
        }
    }

    World world;
    std::mt19937 random{5};

    std::size_t below(std::size_t bound) { return random() % bound; }
    bool chance(std::size_t one_in) { return below(one_in) == 0; }

    void index_all() {
        search::Indexer indexer(*world.engine, 1);
        while (must(indexer.run_batch())) {
        }
        CHECK(index_findings().empty());
    }
    std::string index_findings() {
        const auto findings =
            must(world.engine->read([](data::View& view) { return search::check_indexes(view); }));
        return findings.sentences.empty() ? "" : findings.sentences.front();
    }

    // Changes one of the links in some way.
    void change_one() {
        auto& link = model_[below(model_.size())];
        const auto was = link;
        const auto fresh = some_link();
        switch (below(6)) {
        case 0:
            link.title = fresh.title;
            break;
        case 1:
            link.destination = fresh.destination;
            break;
        case 2:
            link.favourite = !link.favourite;
            break;
        case 3:
            link.tags = fresh.tags;
            break;
        case 4:
            link.status = link.active() ? LinkStatus::deleted : LinkStatus::active;
            break;
        default:
            link.updated_at = fresh.updated_at;
            link.creator = fresh.creator;
            break;
        }
        must(world.operate(
            [&](SystemContext& system) { return schema().links.update(system.txn, was, link); }));
    }

    LinkFilter some_filter() {
        LinkFilter filter{.active = !chance(6), .in_any_state = chance(6)};
        if (chance(2))
            filter.domains = {domains_[below(3)].id};
        if (chance(3))
            filter.tags = {tags_[below(3)]};
        if (chance(6))
            filter.tags.push_back(tags_[below(3)]);
        if (chance(4))
            filter.creators = {chance(3) ? other_ : world.installed.account.id};
        if (chance(4))
            filter.favourite = chance(2);
        if (chance(6))
            filter.created_from = model_[below(model_.size())].created_at;
        if (chance(6))
            filter.created_until = model_[below(model_.size())].created_at;
        return filter;
    }

    void compare_count(const LinkFilter& filter) {
        CHECK(must(world.count(filter)) == static_cast<std::int64_t>(passing(filter).size()));
    }
    void compare_page(const LinkFilter& filter) {
        static constexpr std::array<const char*, 5> orders{"createdAt", "updatedAt", "title", "slashtag",
                                                           "clicks"};
        const auto order = below(orders.size());
        const bool forward = chance(2);
        PageRequest page{.limit = static_cast<std::uint32_t>(1 + below(40)),
                         .offset = static_cast<std::uint32_t>(chance(3) ? below(30) : 0),
                         .order_by = orders.at(order),
                         .direction = forward ? Direction::ascending : Direction::descending};
        const auto place = [&](const Link& l) {
            return std::tuple(order == 1   ? l.updated_at.ms
                              : order == 4 ? clicks_of(l)
                                           : 0,
                              order == 2   ? l.title
                              : order == 3 ? l.slashtag
                                           : "",
                              l.id);
        };
        auto rows = passing(filter);
        if (chance(2)) {
            const auto& last = model_[below(model_.size())];
            page.last = last.id.hex();
            std::erase_if(rows, [&](const Link* l) {
                return forward ? place(*l) <= place(last) : place(*l) >= place(last);
            });
        }
        std::ranges::sort(rows, [&](const Link* a, const Link* b) {
            return forward ? place(*a) < place(*b) : place(*b) < place(*a);
        });
        const auto got = must(world.list(filter, page));
        compare(rows, page, got);
    }
    void compare_search(std::string_view term, const LinkFilter& filter) {
        const LinkSearch what{.term = std::string(term), .filter = filter};
        std::vector<std::pair<int, const Link*>> found;
        for (const auto* link : passing(filter))
            if (const auto fit = fit_of(*link, what.term); fit < 5)
                found.emplace_back(fit, link);
        const auto less = [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first < b.first : b.second->id < a.second->id;
        };
        CHECK(must(world.read([&](Context& ctx) { return count_found_links(ctx, what); })) ==
              static_cast<std::int64_t>(found.size()));
        PageRequest page{.limit = static_cast<std::uint32_t>(1 + below(40)),
                         .offset = static_cast<std::uint32_t>(chance(3) ? below(30) : 0)};
        std::ranges::sort(found, less);
        if (chance(2) && !found.empty()) {
            const auto last = found[below(found.size())];
            page.last = last.second->id.hex();
            std::erase_if(found, [&](const auto& one) { return !less(last, one); });
        }
        std::vector<const Link*> rows;
        rows.reserve(found.size());
        for (const auto& [fit, link] : found)
            rows.push_back(link);
        compare(rows, page, must(world.read([&](Context& ctx) { return search_links(ctx, what, page); })));
    }
    // A piece of a text of some link, or of nothing, without blanks around it.
    std::string some_term() {
        const auto& link = model_[below(model_.size())];
        const auto& text = chance(3) ? link.slashtag : chance(2) ? link.title : link.destination;
        const auto from = below(text.size());
        auto term = text.substr(from, 2 + below(9));
        if (chance(8))
            term.insert(below(term.size()), "q");
        term = without_blanks(term);
        return term.size() < 2 ? "ale" : term;
    }

  private:
    // Many have as many as others.
    static std::int64_t clicks_of(const Link& link) {
        const auto last = link.id.bytes.back();
        return last % 3 == 0 ? last % 16 : 0;
    }
    static int fit_of(const Link& link, const std::string& given) {
        const auto term = without_accents(given);
        if (link.slashtag == term)
            return 0;
        if (link.slashtag.starts_with(term))
            return 1;
        if (link.slashtag.find(term) != std::string::npos)
            return 2;
        if (without_accents(link.title).find(term) != std::string::npos)
            return 3;
        return link.destination.find(term) != std::string::npos ? 4 : 5;
    }
    // Of the only letter that some_word() gives one.
    static std::string without_accents(std::string text) {
        for (std::size_t at = 0; (at = text.find("é")) != text.npos;)
            text.replace(at, 2, "e");
        return text;
    }

    std::string some_word() {
        static constexpr std::array<const char*, 12> words{
            "sale", "wholesale", "summer", "win", "winter", "a", "shoes", "shop", "ale", "www", "com", "us"};
        return words.at(below(words.size()));
    }
    // All in lower case, so that the model need not fold.
    Link some_link() {
        const auto id = LinkId(world.ids.next<LinkId>());
        if (chance(3))
            world.clock.advance_seconds(1);
        Link link{.id = id,
                  .workspace = world.installed.account.default_workspace,
                  .domain = domains_[std::min<std::size_t>(below(20), 2)].id,
                  .creator = chance(10) ? other_ : world.installed.account.id};
        link.slashtag = some_word() + (chance(2) ? "-" : "") + std::to_string(++made_);
        link.slashtag_key = link.slashtag;
        link.title = some_word() + " " + some_word() + (chance(2) ? " " + std::to_string(below(9999)) : "") +
                     (chance(9) ? " café" : "");
        link.destination = (chance(3) ? "http://" : "https://www.") + some_word() + some_word() + ".com/" +
                           some_word() + std::to_string(below(100'000)) + (chance(5) ? ".html" : "");
        link.favourite = chance(15);
        link.status = chance(12) ? LinkStatus::deleted : LinkStatus::active;
        if (chance(4))
            link.tags.push_back(tags_[std::min<std::size_t>(below(40), 2)]);
        if (chance(50))
            link.tags = {tags_[0], tags_[1]};
        link.created_at = id.made_at();
        link.updated_at = link.created_at.plus_seconds(static_cast<std::int64_t>(below(100'000)));
        return link;
    }

    std::vector<const Link*> passing(const LinkFilter& f) {
        const auto among = [](const auto& ids, const auto& id) {
            return ids.empty() || std::ranges::find(ids, id) != ids.end();
        };
        std::vector<const Link*> rows;
        for (const auto& l : model_)
            if ((f.in_any_state || l.active() == f.active) && among(f.domains, l.domain) &&
                among(f.creators, l.creator) &&
                (f.tags.empty() ||
                 std::ranges::any_of(l.tags, [&](const TagId& t) { return among(f.tags, t); })) &&
                (!f.favourite || l.favourite == *f.favourite) &&
                (!f.created_from || l.created_at >= *f.created_from) &&
                (!f.created_until || l.created_at < *f.created_until))
                rows.push_back(&l);
        return rows;
    }
    static void compare(const std::vector<const Link*>& rows, const PageRequest& page,
                        const std::vector<LinkDetails>& got) {
        std::vector<LinkId> expected, found;
        for (std::size_t i = page.offset; i < std::min<std::size_t>(rows.size(), page.offset + page.limit);
             ++i)
            expected.push_back(rows[i]->id);
        for (const auto& details : got)
            found.push_back(details.link.id);
        CHECK(found == expected);
    }

    std::vector<Domain> domains_;
    std::vector<TagId> tags_;
    AccountId other_;
    std::vector<Link> model_;
    std::size_t made_ = 0;
};

} // namespace slashpost::test
