#pragma once
// Whether the links of a workspace on a domain run scripts. Scripts may set cookies there, which come with
// every visit of everybody's links on the domain; so where others have links, too, it takes a feature of the
// plan, and who makes no more links on a domain runs nothing there either.
//
// Asked when scripts come to links, and again at each visit of a link that has some: sharing and plans
// change.
#include "core/data/engine.h"
#include "core/model/domain.h"

namespace slashpost {

// For visits.
Result<bool> runs_scripts(data::View& view, WorkspaceId workspace, DomainId domain);

// Whether accounts other than `account` have anything on the domain: it is another account's, or shared with
// a workspace of another.
Result<bool> is_used_by_others(data::View& view, const Domain& domain, AccountId account);

} // namespace slashpost
