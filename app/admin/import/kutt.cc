// Kutt's table links as text, with the name of the domain (README, "Moving in"): address,description,banned,
// domain,password,expire_in,target,visit_count,created_at.
#include "app/admin/import/source.h"

namespace slashpost::admin {

namespace {

void understand(Cells& cells, Problems& problems) {
    const auto& banned = cells[Field::state];
    if (banned == "1" || banned == "t" || banned == "true")
        problems.add(invalid_format("row", "is banned at Kutt"));
    const auto& password = cells[Field::more];
    if (!password.empty() && password != "0" && password != "false" && password != "f")
        problems.add(invalid_format("row", "asks visitors for a password, which links here do not"));
}

} // namespace

Source kutt() {
    return {.name = "kutt",
            .known_by = {"address", "target"},
            .columns = {{"address", Field::slashtag},
                        {"banned", Field::state},
                        {"password", Field::more},
                        {"expirein", Field::expires_at}},
            .without_header = {},
            .understand = understand};
}

} // namespace slashpost::admin
