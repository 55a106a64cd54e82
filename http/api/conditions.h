#pragma once
// What a write says of what was before it: that it may be a repetition (Idempotency-Key), and what the
// resource has to be like (If-Match; RFC 9110, 13.1.1). Both are looked at in the transaction that writes.
#include "core/access/context.h"
#include "http/api/route.h"

#include <optional>
#include <string>
#include <string_view>

namespace slashpost::api {

// The answer of the route is the resource that a GET of its path answers, whose route is `shown`, or null:
// one thing with an id of its own, or what there is one of (the account, the preview and the rotator of a
// link). Such answers carry a tag.
[[nodiscard]] bool shows_resource(const Route& route, const Route* shown);

class Conditions {
  public:
    // None for a route that only reads. Fails as malformed when a header cannot be understood. All must
    // outlive it.
    static Result<Conditions> of(const http::Request& request, const Route& route, const Route* shown,
                                 std::string_view workspace);

    // What the same call was answered before. Refused with IdempotencyKeyUsed when the key came with another
    // one.
    Result<std::optional<std::string>> earlier_answer(Context& ctx) const;
    // Refused with PreconditionFailed when the resource is not as the client knows it.
    Result<void> check_state(Context& ctx, const Input& input) const;
    // For a repetition of the call.
    Result<void> keep(Context& ctx, std::string_view answer) const;

  private:
    const http::Request* request_ = nullptr; // null without a condition on the resource
    const Route* shown_ = nullptr;
    std::string key_;         // empty: no repetition is expected
    std::string fingerprint_; // of the call
};

} // namespace slashpost::api
