// chhoto's table urls as text: id,short_url,long_url,hits,expiry_time,notes. It keeps no times but that of
// the end, in seconds; older ones write 0 for none.
#include "app/admin/import/source.h"

namespace slashpost::admin {

namespace {

void understand(Cells& cells, Problems&) {
    if (cells[Field::expires_at] == "0")
        cells[Field::expires_at].clear();
}

} // namespace

Source chhoto() {
    return {.name = "chhoto",
            .known_by = {"shorturl", "longurl", "expirytime"},
            .columns = {{"shorturl", Field::slashtag}},
            .without_header = {},
            .understand = understand};
}

} // namespace slashpost::admin
