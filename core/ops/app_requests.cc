#include "core/ops/app_requests.h"

#include "core/base/ascii.h"
#include "core/base/base64.h"
#include "core/base/secret.h"
#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace slashpost {

namespace {

constexpr std::size_t challenge_characters = 43; // 32 bytes in base64url
constexpr std::size_t verifier_min = 43, verifier_max = 128;

std::unexpected<AppRefusal> refuse(std::string_view code, std::string_view description) {
    return std::unexpected(AppRefusal{.code = std::string(code), .description = std::string(description)});
}

bool is_challenge(std::string_view text) {
    return text.size() == challenge_characters && std::ranges::all_of(text, [](char c) {
               return ascii::is_letter_or_digit(c) || c == '-' || c == '_';
           });
}

bool is_verifier(std::string_view text) {
    return text.size() >= verifier_min && text.size() <= verifier_max &&
           std::ranges::all_of(text, [](char c) {
               return ascii::is_letter_or_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
           });
}

OrRefusal<void> check_challenge(const AppRequest& request) {
    if (request.code_challenge.empty())
        return refuse("invalid_request", "code_challenge is missing: PKCE (RFC 7636) is always asked for.");
    if (request.code_challenge_method != "S256")
        return refuse("invalid_request", "code_challenge_method must be S256.");
    if (!is_challenge(request.code_challenge))
        return refuse("invalid_request", "code_challenge must be 43 characters of base64url.");
    return {};
}

} // namespace

bool has_scope(const std::vector<AppScope>& scopes, AppScope scope) {
    return std::ranges::find(scopes, scope) != scopes.end();
}

bool covers(const std::vector<AppScope>& many, const std::vector<AppScope>& few) {
    return std::ranges::all_of(few, [&](AppScope scope) { return has_scope(many, scope); });
}

OrRefusal<std::vector<AppScope>> read_scopes(std::string_view text) {
    std::vector<AppScope> found;
    auto rest = text.find_first_not_of(' ') == text.npos ? std::string_view("rbapi") : text;
    while (!rest.empty()) {
        const auto name = take_until(rest, ' ');
        if (name.empty())
            continue;
        const auto* known =
            std::ranges::find(app_scopes, name, &std::pair<std::string_view, AppScope>::first);
        if (known == app_scopes.end())
            return refuse("invalid_scope", "There is a scope that is not known here.");
        found.push_back(known->second);
    }
    std::vector<AppScope> out;
    for (const auto& [name, scope] : app_scopes)
        if (has_scope(found, scope))
            out.push_back(scope);
    if (out == std::vector{AppScope::offline_access})
        return refuse("invalid_scope", "offline_access goes with another scope.");
    return out;
}

std::string scope_text(const std::vector<AppScope>& scopes) {
    std::string out;
    for (const auto& [name, scope] : app_scopes)
        if (has_scope(scopes, scope))
            out.append(out.empty() ? "" : " ").append(name);
    return out;
}

bool is_verifier_of(std::string_view challenge, std::string_view verifier) {
    return is_verifier(verifier) && equal_in_constant_time(base64url(sha256(verifier)), challenge);
}

AnswerMode answer_mode(const AppRequest& request) {
    if (request.response_mode == "form_post")
        return AnswerMode::form_post;
    return request.response_type == "token" ? AnswerMode::fragment : AnswerMode::query;
}

OrRefusal<AppWish> read_wish(const Application& application, const AppRequest& request) {
    AppWish out{.scopes = {}, .implicit = request.response_type == "token", .mode = answer_mode(request)};
    if (request.response_type.empty())
        return refuse("invalid_request", "response_type is missing.");
    if (!out.implicit && request.response_type != "code")
        return refuse("unsupported_response_type", "response_type must be code.");
    if (out.implicit && !application.implicit)
        return refuse("unauthorized_client", "This application may not ask for response_type=token.");
    const std::string_view usual = out.implicit ? "fragment" : "query";
    if (!request.response_mode.empty() && request.response_mode != usual &&
        request.response_mode != "form_post")
        return refuse("invalid_request", fmt::format("response_mode must be {} or form_post.", usual));
    if (!out.implicit) {
        if (auto checked = check_challenge(request); !checked.has_value())
            return std::unexpected(std::move(checked).error());
        out.challenge = request.code_challenge;
    }
    auto scopes = read_scopes(request.scope);
    if (!scopes.has_value())
        return std::unexpected(std::move(scopes).error());
    out.scopes = *std::move(scopes);
    return out;
}

} // namespace slashpost
