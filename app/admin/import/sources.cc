#include "app/admin/import/source.h"
#include "core/base/ascii.h"

#include <algorithm>

namespace slashpost::admin {

std::span<const Source> sources() {
    static const std::vector<Source> all{our_export(),   bitly(),       shortio(),    dub(),    tinyurl(),
                                         pretty_links(), redirection(), chhoto(),     polr(),   yourls(),
                                         kutt(),         shlink(),      cloudflare(), apache(), nginx(),
                                         netlify(),      plain_csv()};
    return all;
}

const Source* find_source(std::string_view name) {
    const auto found = std::ranges::find(sources(), name, &Source::name);
    return found == sources().end() ? nullptr : &*found;
}

std::string plain_name(std::string_view column) {
    std::string out;
    for (const char c : column)
        if (ascii::is_letter_or_digit(c))
            out += ascii::lower(c);
    return out;
}

const Source& source_of_header(const CsvRow& header) {
    std::vector<std::string> names;
    names.reserve(header.size());
    for (std::size_t i = 0; i < header.size(); ++i)
        names.push_back(plain_name(header[i]));
    const auto has = [&](std::string_view name) { return std::ranges::find(names, name) != names.end(); };
    const auto is_known = [&](const Source& source) {
        return !source.known_by.empty() && std::ranges::all_of(source.known_by, has);
    };
    const auto found = std::ranges::find_if(sources(), is_known);
    return found == sources().end() ? sources().back() : *found;
}

} // namespace slashpost::admin
