#pragma once
// The table of what links have besides their own rows. Found by the link only, and erased with it.
#include "core/data/table.h"
#include "core/model/link_parts.h"
#include "core/schema/spaces.h"

namespace slashpost {

struct LinkPartsTable : data::Table<LinkParts> {
    LinkPartsTable() : Table(space::link_parts, "link") {}
};

} // namespace slashpost
