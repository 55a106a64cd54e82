// The file of WordPress' plugin Redirection: source,target,regex,code,type,hits,title,status.
#include "app/admin/import/source.h"

namespace slashpost::admin {

namespace {

void understand(Cells& cells, Problems& problems) {
    if (cells[Field::kind] == "1")
        problems.add(invalid_format("row", "has a pattern as its source; only whole addresses can be taken"));
    else if (cells[Field::short_url].contains('?'))
        problems.add(invalid_format("row", "has a query in its source, which addresses here do not have"));
    if (cells[Field::state] == "disabled")
        problems.add(invalid_format("row", "is disabled"));
}

} // namespace

Source redirection() {
    return {.name = "redirection",
            .known_by = {"source", "target", "regex"},
            .columns = {{"source", Field::short_url}, {"regex", Field::kind}, {"status", Field::state}},
            .without_header = {},
            .understand = understand};
}

} // namespace slashpost::admin
