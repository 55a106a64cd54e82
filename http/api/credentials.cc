#include "http/api/credentials.h"

#include "core/base/text.h"

namespace slashpost::api {

namespace {

// Every value of a header that is not empty.
std::vector<std::string_view> header_values(const http::Request& request, std::string_view lower_name) {
    std::vector<std::string_view> out;
    for (const auto& header : request.headers)
        if (!header.value.empty() && lower_ascii(header.name) == lower_name)
            out.push_back(header.value);
    return out;
}

} // namespace

Credentials credentials_of(const http::Request& request, const wire::Tree& query) {
    Credentials out;
    const auto keys = header_values(request, "apikey");
    if (keys.size() == 1)
        out.api_key = keys.front();
    else if (keys.empty())
        out.api_key = wire::text_at(query, {"apikey"}).value_or("");

    auto workspaces = header_values(request, "workspace");
    for (const auto& text : {wire::text_at(query, {"workspace"}), wire::text_at(query, {"workspace", "id"})})
        if (text)
            workspaces.push_back(*text);
    for (const auto workspace : workspaces) {
        out.workspaces_disagree = out.workspaces_disagree || workspace != workspaces.front();
        out.workspace = workspace;
    }
    return out;
}

} // namespace slashpost::api
