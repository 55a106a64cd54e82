#pragma once
// Whether rows keep the rules of core/ops/row_rules.h, for `verify` and `restore`.
#include "core/base/errors.h"
#include "core/data/findings.h"

#include <string>

namespace slashpost::admin {

// "'slashtag' cannot be empty, 'destination' is not a valid URL".
std::string words_for(const Problems& problems);

// Every row of every table. Rows that cannot be read are left to Table::check.
Result<data::Findings> check_rows(data::View& view);

} // namespace slashpost::admin
