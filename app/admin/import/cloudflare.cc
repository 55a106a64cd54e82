// Cloudflare's Bulk Redirects: SOURCE,TARGET[,STATUS,PRESERVE_QUERY,INCLUDE_SUBDOMAINS,SUBPATH_MATCHING,
// PRESERVE_PATH_SUFFIX], without a header. A source may lack its scheme.
#include "app/admin/import/source.h"

#include "core/base/text.h"

namespace slashpost::admin {

namespace {

// The first row of such a file, and of hardly any other.
bool recognises(std::string_view beginning) {
    const auto line = beginning.substr(0, beginning.find('\n'));
    const auto comma = line.find(',');
    return comma != line.npos && line.substr(0, comma).contains('/') &&
           (line.substr(comma + 1).starts_with("http://") || line.substr(comma + 1).starts_with("https://"));
}

void understand(Cells& cells, Problems& problems) {
    if (lower_ascii(cells[Field::state]) == "true")
        problems.add(invalid_format("row", "includes all subdomains; each needs a line of its own here"));
    if (lower_ascii(cells[Field::kind]) == "true")
        problems.add(
            invalid_format("row", "matches everything below its path; only whole addresses can be taken"));
}

} // namespace

Source cloudflare() {
    return {.name = "cloudflare",
            .known_by = {},
            .columns = {{"source", Field::short_url},
                        {"includesubdomains", Field::state},
                        {"subpathmatching", Field::kind}},
            .without_header = {"source", "target", "status", "preservequery", "includesubdomains",
                               "subpathmatching", "preservepathsuffix"},
            .understand = understand,
            .recognises = recognises};
}

} // namespace slashpost::admin
