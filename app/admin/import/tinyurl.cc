// What TinyURL's API says of links, as a file with columns: alias,domain,tiny_url,url,created_at,expires_at,
// tags,hits.
#include "app/admin/import/source.h"

namespace slashpost::admin {

Source tinyurl() {
    return {.name = "tinyurl",
            .known_by = {"tinyurl"},
            .columns = {{"tinyurl", Field::short_url}},
            .without_header = {}};
}

} // namespace slashpost::admin
