// Short.io's file: idString,shortURL,originalPath,originalURL,title,clicks,createdAt,updatedAt,expiresAt,
// createdBy,tags; in its newer form with names of several words in the plural.
#include "app/admin/import/source.h"

namespace slashpost::admin {

Source shortio() {
    return {.name = "shortio",
            .known_by = {"originalpath", "originalurl"},
            .columns = {{"shorturls", Field::short_url},
                        {"originalurls", Field::destination},
                        {"createdatdate", Field::created_at},
                        {"expiresatdate", Field::expires_at}},
            .without_header = {}};
}

} // namespace slashpost::admin
