// Pretty Links' file:
// id,slug,url,name,description,redirect_type,param_forwarding,track_me,nofollow,sponsored,
// new_window,source,created_at,updated_at,clicks,uniques. Whatever way of leading visitors on a link has
// there, here it redirects.
#include "app/admin/import/source.h"

namespace slashpost::admin {

namespace {

void understand(Cells& cells, Problems& problems) {
    if (cells[Field::kind] == "pixel")
        problems.add(invalid_format("row", "is a pixel, which leads nowhere"));
}

} // namespace

Source pretty_links() {
    return {.name = "pretty-links",
            .known_by = {"slug", "url", "redirecttype"},
            .columns = {{"redirecttype", Field::kind}},
            .without_header = {},
            .understand = understand};
}

} // namespace slashpost::admin
