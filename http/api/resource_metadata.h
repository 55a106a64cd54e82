#pragma once
// Where programs of others learn whom to ask for access to the API (RFC 9728): told to whoever shows no key
// that counts, and at /.well-known/oauth-protected-resource. The authorization server is the dashboard's.
#include "core/access/context.h"
#include "http/server/message.h"

#include <optional>
#include <string>
#include <string_view>

namespace slashpost::api {

inline constexpr std::string_view resource_metadata_path = "/.well-known/oauth-protected-resource";

// The parameter of a challenge that names the metadata of what was asked for:
// `resource_metadata="https://go.example.com/.well-known/oauth-protected-resource/v1"`; empty where there is
// no dashboard, or the request names no host. `settings` may be null.
std::string metadata_parameter(const Settings* settings, const http::Request& request);

// The header WWW-Authenticate of a 401: "Bearer", with the address of the metadata where there is a
// dashboard. `settings` may be null. `token_was_wrong`: one was shown.
http::Header bearer_challenge(const Settings* settings, const http::Request& request, bool token_was_wrong);

// Answers GET, HEAD and OPTIONS at the metadata's path and below, which names what is asked about: "/v1",
// "/mcp". Nothing for other paths.
std::optional<http::Reply> resource_metadata(const Settings& settings, const http::Request& request);

} // namespace slashpost::api
