// Polr's table links as text: short_url,long_url,ip,creator,clicks,secret_key,is_disabled,is_custom,is_api,
// created_at,updated_at. A link with a secret key has an address of two parts.
#include "app/admin/import/source.h"

namespace slashpost::admin {

namespace {

void understand(Cells& cells, Problems& problems) {
    if (!cells[Field::more].empty())
        problems.add(
            invalid_format("row", "has a secret key: its address has two parts, which is one too many here"));
    if (cells[Field::state] == "1")
        problems.add(invalid_format("row", "is disabled at Polr"));
}

} // namespace

Source polr() {
    return {
        .name = "polr",
        .known_by = {"shorturl", "longurl", "secretkey"},
        .columns = {{"shorturl", Field::slashtag}, {"secretkey", Field::more}, {"isdisabled", Field::state}},
        .without_header = {},
        .understand = understand};
}

} // namespace slashpost::admin
