#pragma once
// The query of an address, read once from end to end.
#include <algorithm>
#include <string_view>

namespace slashpost {

// Calls `visit(parameter, name)` for each parameter of a query, "a=1&b" without its '?', that is not empty;
// both as they were sent. Byte by byte: most parameters are short, and searches would cost more to begin.
template <class Visit>
void each_parameter(std::string_view query, Visit&& visit) {
    for (std::size_t at = 0; at < query.size(); ++at) {
        const auto begin = at;
        while (at < query.size() && query[at] != '&' && query[at] != '=')
            ++at;
        const auto name_end = at;
        if (at < query.size() && query[at] == '=')
            at = std::min(query.find('&', at), query.size());
        if (at > begin)
            visit(query.substr(begin, at - begin), query.substr(begin, name_end - begin));
    }
}

} // namespace slashpost
