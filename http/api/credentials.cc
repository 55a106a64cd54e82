#include "http/api/credentials.h"

#include "core/access/app_tokens.h"
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

Credentials::Credentials(const http::Request& request, const wire::Tree& query) {
    const auto keys = header_values(request, "apikey");
    std::vector<std::string_view> bearers;
    for (const auto authorization : header_values(request, "authorization"))
        if (const auto key = http::bearer_key(authorization); !key.empty())
            bearers.push_back(key);
    has_key = !keys.empty() || !bearers.empty();
    const bool one_each = keys.size() <= 1 && bearers.size() <= 1;
    const bool agree = keys.empty() || bearers.empty() || keys.front() == bearers.front();
    if (has_key && one_each && agree)
        api_key = keys.empty() ? bearers.front() : keys.front();
    for (const auto named : header_values(request, "workspace"))
        name_workspace(named);
    add(query);
}

void Credentials::add(const wire::Tree& input) {
    if (const auto keys = wire::texts_at(input, {"apikey"}); !has_key && !keys.empty()) {
        has_key = true;
        // A token stands in no address and in no body: addresses are kept in logs (RFC 9700, 4.3.2).
        if (!grant_of_token(AppTokenKind::access, keys.back()))
            api_key = keys.back();
    }
    for (const auto named : wire::texts_at(input, {"workspace"}))
        name_workspace(named);
    for (const auto named : wire::texts_at(input, {"workspace", "id"}))
        name_workspace(named);
}

void Credentials::name_workspace(std::string_view id) {
    workspaces_disagree = workspaces_disagree || !(workspace.empty() || workspace == id);
    workspace = id;
}

} // namespace slashpost::api
