// Shlink: the file of its web client (createdAt,title,shortUrl,domain,shortCode,longUrl,tags,visits), its
// plain one ("Long URL","Short code" and so on), and its database as text (README, "Moving in"). Links of the
// default domain name none in the database; the client writes DEFAULT or the address says it.
#include "app/admin/import/source.h"

namespace slashpost::admin {

namespace {

void understand(Cells& cells, Problems& problems) {
    if (cells[Field::domain] == "DEFAULT")
        cells[Field::domain].clear();
    if (!cells[Field::more].empty())
        problems.add(invalid_format("row", "may be visited a number of times only, which links here cannot"));
}

} // namespace

Source shlink() {
    return {.name = "shlink",
            .known_by = {"shortcode"},
            .columns = {{"authority", Field::domain}, {"maxvisits", Field::more}},
            .without_header = {},
            .understand = understand};
}

} // namespace slashpost::admin
