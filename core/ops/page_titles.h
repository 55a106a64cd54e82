#pragma once
// What the page is called that a link is to lead to, for whoever makes the link and asks. Two steps, as no
// transaction waits for the web: what to read, and what was found there.
#include "core/access/context.h"
#include "core/access/page_lookup.h"
#include "core/base/errors.h"
#include "core/base/html_title.h"

#include <string>
#include <string_view>

namespace slashpost {

// The page at `given`, as a link would have it for its destination, but by http or https alone. Fails as
// invalid, with `problems` when there are some: what was found wrong with it before.
Result<std::string> page_to_read(std::string_view given, const Problems& problems = {});

// As long as a link's own title and description may be. Fails as unavailable when there was no answer, or no
// time for one; as invalid on `destination` when the page may not be read, or is none.
Result<HtmlTitle> title_of(const WebPageAnswer& answer);

} // namespace slashpost
