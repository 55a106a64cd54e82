// What `slashpost-admin export csv` and GET /v1/links/export write:
// id,domain,slashtag,destination,title,description,tags,
// status,favourite,createdAt,expiresAt,expiredUrl,passPath,clicks,sessions,lastClickAt,externalId. A field
// that a spreadsheet would run has an apostrophe in front.
#include "app/admin/import/source.h"
#include "core/base/csv_text.h"

namespace slashpost::admin {

namespace {

void understand(Cells& cells, Problems& problems) {
    for (auto& text : cells.texts)
        text = std::string(without_csv_apostrophe(text));
    if (cells[Field::state] == "paused" || cells[Field::state] == "deleted")
        problems.add(invalid_format("row", "is " + cells[Field::state] + " there, and would be active here"));
}

} // namespace

Source our_export() {
    return {.name = "slashpost",
            .known_by = {"slashtag", "status", "sessions", "lastclickat"},
            .columns = {{"status", Field::state}},
            .without_header = {},
            .understand = understand};
}

} // namespace slashpost::admin
