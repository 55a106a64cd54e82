// The table yourls_url as text: keyword,url,title,timestamp,ip,clicks. The address of who made a link is not
// read.
#include "app/admin/import/source.h"

namespace slashpost::admin {

Source yourls() {
    return {.name = "yourls", .known_by = {"keyword", "url"}, .columns = {}, .without_header = {}};
}

} // namespace slashpost::admin
