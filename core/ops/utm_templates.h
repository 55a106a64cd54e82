#pragma once
// Templates of campaigns: values of the UTM parameters that whoever makes links in a workspace chooses by
// name.
#include "core/access/context.h"
#include "core/base/errors.h"

namespace slashpost {

// The workspace's, by their names.
std::vector<UtmTemplate> list_utm_templates(const Context& ctx);
// Puts it in place of the one called `replaced`, if that is not empty, else beside the others. Fails as
// invalid for a name that is taken, and for no value at all; refused with
// LimitReached for one too many.
Result<UtmTemplate> put_utm_template(Context& ctx, const UtmTemplate& in, std::string_view replaced,
                                     Problems problems = {});
// By its name, ignoring case. Fails as not found.
Result<UtmTemplate> find_utm_template(const Context& ctx, std::string_view name);
Result<UtmTemplate> remove_utm_template(Context& ctx, const UtmTemplate& found);

} // namespace slashpost
