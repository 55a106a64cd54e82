#pragma once
// The part of the random-operations model that searches: it sorts everything, by the words of the wire.
#include "core/ops/link_search.h"
#include "tests/core/ops/random_model.h"

#include <array>

namespace slashpost::test {

inline constexpr int no_fit = 5;

// How well a link fits a term in lower case, 0 best.
inline int model_fit(const std::string& term, const Link& link) {
    const auto slashtag = lower(link.slashtag);
    if (slashtag == term)
        return 0;
    if (slashtag.starts_with(term))
        return 1;
    if (slashtag.find(term) != slashtag.npos)
        return 2;
    if (lower(link.title).find(term) != std::string::npos)
        return 3;
    return link.destination.find(term) != std::string::npos ? 4 : no_fit;
}

// A page of a random search compared with the model, whose `rows` are those that pass the filter. `last` may
// be any link, or nothing.
inline void random_search(World& world, Dice& dice, const LinkFilter& filter,
                          std::vector<const ModelLink*> rows, const ModelLink* last) {
    static constexpr std::array<const char*, 8> terms{"sale", "al", "itle 3", "le", "/1", "a", "zz", "23"};
    const LinkSearch what{.term = terms[dice.below(terms.size())], .filter = filter};
    std::erase_if(rows, [&](const ModelLink* m) { return model_fit(what.term, m->link) == no_fit; });
    REQUIRE(must(world.read([&](Context& ctx) { return count_found_links(ctx, what); })) == std::ssize(rows));

    const auto before = [&](const ModelLink* a, const ModelLink* b) {
        const auto x = model_fit(what.term, a->link), y = model_fit(what.term, b->link);
        return x != y ? x < y : b->link.id < a->link.id;
    };
    std::ranges::sort(rows, before);
    PageRequest page{.limit = static_cast<std::uint32_t>(1 + dice.below(10)),
                     .offset = static_cast<std::uint32_t>(dice.below(3))};
    if (last) {
        page.last = last->link.id.hex();
        if (model_fit(what.term, last->link) != no_fit)
            std::erase_if(rows, [&](const ModelLink* m) { return !before(last, m); });
    }
    rows.erase(rows.begin(), rows.begin() + std::min<std::ptrdiff_t>(page.offset, std::ssize(rows)));
    if (rows.size() > page.limit)
        rows.resize(page.limit);

    const auto found = must(world.read([&](Context& ctx) { return search_links(ctx, what, page); }));
    REQUIRE(found.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        REQUIRE(data::encode(as_shown(found[i])) == data::encode(rows[i]->link));
}

} // namespace slashpost::test
