#pragma once
// The table of conversions that must not count twice. A workspace's rows lie together.
#include "core/data/table.h"
#include "core/model/conversion.h"
#include "core/schema/people.h"

namespace slashpost {

struct ConversionTable : Table<Conversion> {
    ConversionTable() : Table(space::conversions, "conversion") {}

    Ordered<Conversion> by_end{this, 1, "by_end", [](const Conversion&) { return always(); },
                               [](const Conversion& c) { return key(c.until); }};
};

} // namespace slashpost
