#pragma once
// The only ways for an operation to obtain a row that a caller named. Each applies the state part of the
// context's guard, so a route's row is honoured wherever its operation looks.
#include "core/access/context.h"
#include "core/model/domain.h"
#include "core/model/link.h"
#include "core/model/script.h"
#include "core/model/tag.h"

namespace slashpost {

// The link, if it is in the caller's workspace. Not found otherwise, so that a caller learns nothing about
// other workspaces; refused when the guard asks for a live link or a domain in force and this is neither.
Result<Link> find_link(Context& ctx, LinkId id);
// The same for an id as sent in a path.
Result<Link> find_link(Context& ctx, std::string_view id);

// A guest changes only links it made (wire "Workspaces, people"): refused with Forbidden for any other.
Result<void> check_may_edit(const Context& ctx, const Link& link);

// A tag or a script of the caller's workspace, by its id as sent in a path.
Result<Tag> find_tag(Context& ctx, std::string_view id);
Result<Script> find_script(Context& ctx, std::string_view id);

// A domain that is shared with the caller's workspace.
Result<Domain> find_domain(Context& ctx, DomainId id);
Result<Domain> find_domain_by_name(Context& ctx, std::string_view full_name);

// A domain by its id, whoever it belongs to: for showing what a link refers to.
Result<Domain> domain_of(data::View& view, const Link& link);

} // namespace slashpost
