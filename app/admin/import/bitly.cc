// Bitly's list of links: Link,Custom Link,Date created,Title,Destination URL,Engagements,Status. The custom
// link is the one on a domain of the customer's own; links of bit.ly stay there.
#include "app/admin/import/source.h"

namespace slashpost::admin {

namespace {

void understand(Cells& cells, Problems&) {
    if (!cells[Field::more].empty())
        cells[Field::short_url] = cells[Field::more];
}

} // namespace

Source bitly() {
    return {.name = "bitly",
            .known_by = {"link", "customlink", "engagements"},
            .columns = {{"link", Field::short_url}, {"customlink", Field::more}},
            .without_header = {},
            .understand = understand};
}

} // namespace slashpost::admin
