#pragma once
// Tags and scripts on links (interface 4.2). A link's row lists the ids of both; those whose row was erased
// meanwhile are not there for anybody, and are taken off the links in batches (core/work/detach.h).
//
// Links come from their door under the guard of a route, so their state was looked at. A guest may change
// only links it made.
#include "core/access/context.h"
#include "core/base/errors.h"
#include "core/model/domain.h"
#include "core/model/link.h"
#include "core/model/script.h"
#include "core/model/tag.h"

namespace slashpost {

// So that all tags of a link fit into one page, and a visitor's page can hold all scripts.
inline constexpr std::size_t tags_per_link_max = 50;
inline constexpr std::size_t scripts_per_link_max = 50;

// Succeed when it is so already. Attaching is refused with LimitReached when the link has as many as it can.
Result<void> attach_tag(Context& ctx, const Link& link, const Tag& tag);
Result<void> detach_tag(Context& ctx, const Link& link, const Tag& tag);
Result<void> attach_script(Context& ctx, const Link& link, const Script& script);
Result<void> detach_script(Context& ctx, const Link& link, const Script& script);

// In the order of attaching.
Result<std::vector<Tag>> tags_of_link(Context& ctx, const Link& link, std::size_t limit = tags_per_link_max);
Result<std::vector<Script>> scripts_of_link(Context& ctx, const Link& link);

// Fail as not found when the link does not carry it.
Result<void> check_carries(const Link& link, const Tag& tag);
Result<void> check_carries(const Link& link, const Script& script);

// What an input says about the tags or scripts of a link: makes `ids` exactly the wanted ones, each once, and
// answers whether any is new. Adds a problem on tags[i] or scripts[i] for each that
// the workspace does not have. New ones need the feature, a workspace of the right type and one in force, as
// attaching does (interface 3.2, 4.2).
Result<bool> set_tags(const Context& ctx, std::vector<TagId>& ids, const std::vector<TagId>& wanted,
                      Problems& problems);
// Refused as a tag that is new on a link of the workspace would be, whichever.
Result<void> admit_new_tags(const Context& ctx);
// Refused with FeatureNotIncluded where links of the workspace's owner may run no scripts, because others use
// the domain, too (core/access/domain_scripts.h). To be asked whenever a link with scripts comes to a domain,
// or scripts come to a link.
Result<void> admit_scripts_on(const Context& ctx, const Domain& domain);
Result<bool> set_scripts(const Context& ctx, std::vector<ScriptId>& ids, const std::vector<ScriptId>& wanted,
                         Problems& problems);

} // namespace slashpost
