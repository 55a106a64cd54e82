#pragma once
// Operations on scripts (wire "Parts of a link"). Which links carry them: core/ops/link_labels.h.
//
// A script's text is taken as it is: running it is what it is for. Where it may run: core/model/script.h.
#include "core/access/context.h"
#include "core/base/change.h"
#include "core/base/errors.h"
#include "core/base/page.h"
#include "core/model/link.h"
#include "core/model/script.h"

#include <span>

namespace slashpost {

// A script has a text, the address of one, or both.
struct NewScript {
    std::string name;
    std::string value;
    std::string uri; // an http or https address
};

struct ScriptChange {
    Change<std::string> name;
    Change<std::string> value;
    Change<std::string> uri;
};

struct ScriptFilter {
    std::string term; // in the name; empty: all
};

// Both fail as invalid with RequiredField on `value` when neither text nor address is left.
Result<Script> create_script(Context& ctx, NewScript in, Problems problems = {});
Result<Script> update_script(Context& ctx, const Script& script, const ScriptChange& change,
                             Problems problems = {});
// Every reader of links sees it gone at once; the links' own rows follow in batches (core/work/detach.h).
Result<Script> delete_script(Context& ctx, const Script& script);

// Names for PageRequest::order_by, the default first.
std::span<const std::string_view> script_orders();

// Fails as invalid on `orderBy` or `last` when those name nothing.
Result<std::vector<Script>> list_scripts(Context& ctx, const ScriptFilter& filter, const PageRequest& page,
                                         Problems problems = {});
Result<std::int64_t> count_scripts(Context& ctx, const ScriptFilter& filter, const Problems& problems = {});

// The scripts of one link. A cursor may name any script of the workspace.
Result<std::vector<Script>> list_link_scripts(Context& ctx, const Link& link, const PageRequest& page,
                                              Problems problems = {});

} // namespace slashpost
