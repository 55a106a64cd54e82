#include "http/dashboard/built_files.h"

#include <array>
#include <map>
#include <utility>

namespace slashpost::dashboard {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> media_types{{
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".json", "application/json; charset=utf-8"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".webmanifest", "application/manifest+json"},
    {".txt", "text/plain; charset=utf-8"},
}};

std::string_view media_type_of(std::string_view name) {
    for (const auto& [ending, type] : media_types)
        if (name.ends_with(ending))
            return type;
    return "application/octet-stream";
}

std::map<std::string_view, BuiltFile> read_all() {
    std::map<std::string_view, BuiltFile> out;
    for (const auto* file = embedded_files; !file->name.empty(); ++file)
        out.emplace(file->name, BuiltFile{.content = api::Published(std::string(file->bytes)),
                                          .media_type = media_type_of(file->name)});
    return out;
}

} // namespace

const BuiltFile* built_file(std::string_view name) {
    static const auto files = read_all();
    const auto found = files.find(name);
    return found == files.end() ? nullptr : &found->second;
}

} // namespace slashpost::dashboard
