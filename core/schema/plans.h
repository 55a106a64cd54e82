#pragma once
// The table of plans: few rows, read by their names.
#include "core/data/table.h"
#include "core/model/plan.h"
#include "core/schema/spaces.h"

namespace slashpost {

struct PlanTable : data::Table<Plan> {
    PlanTable() : Table(space::plans, "plan") {}
};

} // namespace slashpost
