// Dub's file: Short link,Destination URL,Clicks,Leads,Conversions,Revenue,Created at,Link ID,Updated at,Tags,
// Archived, of which people choose some. The key "_root" is the page of the domain itself.
#include "app/admin/import/source.h"

namespace slashpost::admin {

namespace {

constexpr std::string_view root = "/_root";

void understand(Cells& cells, Problems&) {
    auto& address = cells[Field::short_url];
    if (address.ends_with(root))
        address.resize(address.size() - root.size());
}

} // namespace

Source dub() {
    return {.name = "dub",
            .known_by = {"shortlink", "destinationurl"},
            .columns = {},
            .without_header = {},
            .understand = understand};
}

} // namespace slashpost::admin
