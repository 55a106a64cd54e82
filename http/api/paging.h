#pragma once
// The query parameters that every list shares (wire "Lists"). `orderBy` is each list's own: its names differ.
#include "core/base/page.h"
#include "http/api/names.h"
#include "http/wire/fields.h"

namespace slashpost::api {

struct PageQuery {
    std::uint32_t limit = page_limit_default;
    std::uint32_t offset = 0;
    Direction direction = Direction::descending;
    std::string last;

    static constexpr std::string_view wire_name = "Page";
    static wire::Fields fields() {
        using wire::clamped, wire::field, wire::note, wire::range;
        return {field("limit", &PageQuery::limit, clamped(1, page_limit_max),
                      note("How many to answer at most: 25 when absent; above 100 means 100.")),
                field("offset", &PageQuery::offset, range(0, page_offset_max),
                      note("How many to skip; prefer last.")),
                field("orderDir", &PageQuery::direction,
                      note("asc for rising, desc for falling; desc when absent.")),
                field("last", &PageQuery::last,
                      note("Id of the last item of the page before; the answer goes on behind it."))};
    }

    [[nodiscard]] PageRequest request(const std::string& order_by) const {
        return {.limit = limit, .offset = offset, .order_by = order_by, .direction = direction, .last = last};
    }
};

// For lists that are one page and have one order.
struct LimitQuery {
    std::uint32_t limit = page_limit_default;
    static constexpr std::string_view wire_name = "Limit";
    static wire::Fields fields() {
        return {wire::field("limit", &LimitQuery::limit, wire::clamped(1, page_limit_max),
                            wire::note("How many to answer at most: 25 when absent; above 100 means 100."))};
    }
};

} // namespace slashpost::api
