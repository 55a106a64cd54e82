#pragma once
// Pages of small lists, such as those of tags: one index per order, everything else tested row by row
// (wire "Lists"). Links have a planner of their own (core/ops/link_query.h).
#include "core/base/errors.h"
#include "core/base/page.h"
#include "core/ops/cursors.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

namespace slashpost {

// The place of the name in `names`, 0 when there is no name; adds a problem on `orderBy` for an unknown one.
inline std::size_t read_order_name(std::span<const std::string_view> names, std::string_view name,
                                   Problems& problems) {
    if (name.empty())
        return 0;
    const auto it = std::ranges::find(names, name);
    if (it != names.end())
        return static_cast<std::size_t>(it - names.begin());
    problems.add(invalid_format("orderBy", fmt::format("must be one of {}", fmt::join(names, ", "))));
    return 0;
}

// A name for PageRequest::order_by and the index in that order.
template <class T>
struct ListOrder {
    std::string_view name;
    const data::Ordered<T>* index = nullptr;
};

// The order of that name, the first when there is none; adds a problem on `orderBy` for an unknown one.
template <class T>
const data::Ordered<T>& read_list_order(std::span<const ListOrder<T>> orders, std::string_view name,
                                        Problems& problems) {
    std::vector<std::string_view> names;
    names.reserve(orders.size());
    for (const auto& order : orders)
        names.push_back(order.name);
    return *orders[read_order_name(names, name, problems)].index;
}

// The row that `last` names, or its trace, as long as its primary key is that id and it has a workspace; adds
// a problem when that is none of the caller's workspace.
template <class T>
Result<std::optional<T>> read_last(const Context& ctx, const data::Table<T>& table, std::string_view last,
                                   Problems& problems) {
    if (last.empty())
        return std::optional<T>();
    std::optional<T> row;
    if (const auto id = RawId::parse(last))
        row = TRY(find_place(ctx.view(), table, id->view(), ctx.now));
    if (!row || row->workspace != ctx.workspace.id) {
        problems.add(
            invalid_format("last", fmt::format("is not the id of a {} of this workspace", table.resource())));
        row.reset();
    }
    return row;
}

inline data::Order walk_order(Direction direction) {
    return direction == Direction::ascending ? data::Order::forward : data::Order::backward;
}

// One page of the rows of a scope that pass, behind `last`.
template <class T, class Passes>
Result<std::vector<T>> list_rows(data::View& view, const data::Table<T>& table, const data::Ordered<T>& index,
                                 const data::Bytes& scope, const PageRequest& page,
                                 const std::optional<T>& last, Passes&& passes) {
    data::Walk walk{.scope = scope, .order = walk_order(page.direction)};
    if (last)
        walk.after = index.position(*last);
    std::vector<T> out;
    PageCount count(page);
    TRY(index.walk(view, walk, [&](data::BytesView primary) -> Result<bool> {
        auto row = TRY(table.find(view, primary));
        if (!row || !passes(*row))
            return true;
        if (count.takes())
            out.push_back(std::move(*row));
        return !count.is_full();
    }));
    return out;
}

// How many rows of a scope pass.
template <class T, class Passes>
Result<std::int64_t> count_rows(data::View& view, const data::Table<T>& table, const data::Ordered<T>& index,
                                const data::Bytes& scope, Passes&& passes) {
    std::int64_t count = 0;
    TRY(index.walk(view, {.scope = scope}, [&](data::BytesView primary) -> Result<bool> {
        const auto row = TRY(table.find(view, primary));
        count += row && passes(*row) ? 1 : 0;
        return true;
    }));
    return count;
}

// A page of rows that are at hand, sorted by their places, behind the place `after` (empty: from the start).
// Places are unique.
template <class T, class PlaceOf>
std::vector<T> page_of(std::vector<T> rows, const PlaceOf& place_of, const PageRequest& page,
                       const data::Bytes& after) {
    const bool forward = page.direction == Direction::ascending;
    std::vector<std::pair<data::Bytes, T>> placed;
    for (auto& row : rows) {
        auto place = place_of(row);
        if (after.empty() || (forward ? place > after : place < after))
            placed.emplace_back(std::move(place), std::move(row));
    }
    std::ranges::sort(placed, [&](const auto& a, const auto& b) {
        return forward ? a.first < b.first : b.first < a.first;
    });
    std::vector<T> out;
    const auto end = std::min<std::size_t>(placed.size(), std::size_t{page.offset} + page.limit);
    for (std::size_t i = page.offset; i < end; ++i)
        out.push_back(std::move(placed[i].second));
    return out;
}

} // namespace slashpost
