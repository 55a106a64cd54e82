#include "http/api/conditions.h"

#include "core/base/secret.h"
#include "core/base/text.h"
#include "core/ops/kept_answers.h"
#include "http/api/entity_tags.h"
#include "http/wire/error_body.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace slashpost::api {

namespace {

constexpr std::size_t key_bytes_max = 255;

// What there is one of: its path ends in no id.
constexpr std::array<std::string_view, 3> paths_of_one{"/account", "/links/{link_id}/opengraph",
                                                       "/links/{link_id}/rotator"};

bool is_of_one(std::string_view path) {
    return path.ends_with('}') || std::ranges::find(paths_of_one, path) != paths_of_one.end();
}

// The key, bare or as a string of RFC 9651, which quotation marks surround. Empty when there is none.
Result<std::string> key_of(const http::Request& request) {
    std::optional<std::string_view> found;
    for (const auto& header : request.headers) {
        if (lower_ascii(header.name) != "idempotency-key")
            continue;
        if (found)
            return malformed("Send one Idempotency-Key.");
        found = trim(header.value);
    }
    if (!found)
        return "";
    auto key = *found;
    if (key.size() >= 2 && key.starts_with('"') && key.ends_with('"'))
        key = key.substr(1, key.size() - 2);
    if (key.empty() || key.size() > key_bytes_max || !is_visible_ascii(key))
        return malformed(
            fmt::format("An Idempotency-Key has 1 to {} visible characters, such as a UUID.", key_bytes_max));
    return std::string(key);
}

// Each part with its length, so that none runs into the next.
std::string fingerprint_of(const http::Request& request, std::string_view workspace) {
    std::string all;
    for (const auto part : {std::string_view(to_string(request.method)), std::string_view(request.target),
                            workspace, std::string_view(request.body)})
        all.append(fmt::format("{}:", part.size())).append(part);
    return sha256(all);
}

} // namespace

bool shows_resource(const Route& route, const Route* shown) {
    return shown != nullptr && is_of_one(shown->path) && route.operation.reply != nullptr &&
           route.operation.reply == shown->operation.reply;
}

Result<Conditions> Conditions::of(const http::Request& request, const Route& route, const Route* shown,
                                  std::string_view workspace) {
    Conditions out;
    if (route.guard.access != Access::write)
        return out;
    out.key_ = TRY(key_of(request));
    if (!out.key_.empty())
        out.fingerprint_ = fingerprint_of(request, workspace);
    if (!has_precondition(request))
        return out;
    if (shown == nullptr || !shows_resource(*shown, shown))
        return malformed("If-Match is for what has an address of its own that GET answers.");
    out.request_ = &request;
    out.shown_ = shown;
    return out;
}

Result<std::optional<std::string>> Conditions::earlier_answer(Context& ctx) const {
    if (key_.empty())
        return std::optional<std::string>();
    auto earlier = TRY(find_repeated(ctx, key_, fingerprint_));
    if (!earlier)
        return std::optional<std::string>();
    if (!earlier->is_same)
        return wire::idempotency_key_used();
    return std::move(earlier->answer);
}

Result<void> Conditions::check_state(Context& ctx, const Input& input) const {
    if (request_ == nullptr)
        return {};
    const Input plain{.resource = input.resource,
                      .path = input.path,
                      .query = *wire::parse_form({}),
                      .body = *wire::parse_form({})};
    const auto now = shown_->operation.run(ctx, plain);
    // What a PUT would make is not as anybody knows it.
    const bool is_absent = !now.has_value() && now.error().kind == ErrorKind::not_found;
    if (is_absent && request_->method == http::Method::put)
        return wire::precondition_failed();
    return is_as_known(*request_, resource_tag(TRY(now))) ? Result<void>() : wire::precondition_failed();
}

Result<void> Conditions::keep(Context& ctx, std::string_view answer) const {
    return key_.empty() ? Result<void>() : keep_answer(ctx, key_, fingerprint_, answer);
}

} // namespace slashpost::api
