#pragma once
// What an application asks a person for (OAuth 2.0): read, and refused in the words of RFC 6749.
#include "core/model/application.h"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost {

// What the application is told: "invalid_grant", and a sentence for its makers.
struct AppRefusal {
    std::string code;
    std::string description;
    bool operator==(const AppRefusal&) const = default;
};
template <class T>
using OrRefusal = std::expected<T, AppRefusal>;

// As sent; empty: not at all.
struct AppRequest {
    std::string response_type;
    std::string response_mode;
    std::string scope;
    std::string code_challenge;
    std::string code_challenge_method;
};

enum class AnswerMode : std::uint8_t { query, fragment, form_post }; // where the answer stands

// The same, good.
struct AppWish {
    std::vector<AppScope> scopes; // each once, in the order of app_scopes
    bool implicit = false;        // a token at once, instead of a code
    AnswerMode mode = AnswerMode::query;
    std::string challenge; // empty: implicit
};

// The application is one that is in force. Codes always come with a challenge by S256 (RFC 7636).
OrRefusal<AppWish> read_wish(const Application& application, const AppRequest& request);

// How the answer to the request is to be brought, as far as it can be told; for refusals too.
AnswerMode answer_mode(const AppRequest& request);

// "links:read tags:read"; nothing: one of them is not known, or there is none. An empty text is "rbapi".
OrRefusal<std::vector<AppScope>> read_scopes(std::string_view text);
std::string scope_text(const std::vector<AppScope>& scopes);
bool has_scope(const std::vector<AppScope>& scopes, AppScope scope);
// Whether `many` has each of `few`.
bool covers(const std::vector<AppScope>& many, const std::vector<AppScope>& few);

// Whether the challenge is the verifier's, by S256.
bool is_verifier_of(std::string_view challenge, std::string_view verifier);

} // namespace slashpost
