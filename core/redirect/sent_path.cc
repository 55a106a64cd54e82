#include "core/redirect/sent_path.h"

#include "core/base/percent.h"

#include <vector>

namespace slashpost::redirect {

std::string sent_path(std::string_view path) {
    std::vector<std::string_view> parts;
    while (path.starts_with('/')) {
        path.remove_prefix(1);
        const auto part = path.substr(0, path.find('/'));
        path.remove_prefix(part.size());
        const auto plain = percent_decoded(part);
        if (plain == ".." && !parts.empty())
            parts.pop_back();
        if (plain != "." && plain != "..")
            parts.push_back(part);
        else if (path.empty()) // what is left ends in a slash
            parts.emplace_back();
    }
    std::string out;
    for (const auto part : parts)
        out.append("/").append(part);
    return out.empty() ? "/" : out;
}

} // namespace slashpost::redirect
