#pragma once
// A request and a reply as plain values: what the server hands to the API and takes back. No Beast here, so
// that the API can be tested without a socket.
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slashpost::http {

enum class Method { get, head, post, put, patch, del, options, other };
std::string_view to_string(Method method);

// The key in a header `Authorization: Bearer <key>`. Empty for other schemes: those are the business of a
// proxy in front of this server.
[[nodiscard]] std::string_view bearer_key(std::string_view authorization);

struct Header {
    std::string name;
    std::string value;
};

struct Request {
    Method method = Method::get;
    std::string method_text;     // as sent, for a 405 on something unusual
    std::string target;          // origin form as sent: "/v1/links?limit=5"
    std::string host;            // lower case, port kept unless 80 or 443, trailing dot removed
    std::vector<Header> headers; // as sent, in order
    std::string body;
    std::string remote_address; // of the client, for rate limits only; never logged or stored

    // The value of the first header of that name (any case); nothing when absent.
    [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const;
};

// Of an answer that comes in parts.
struct ReplyPart {
    std::string bytes;
    // Before the next part is asked for; no thread waits for it, and it ends with a tick. Without one, no
    // bytes are the end of the answer.
    std::chrono::milliseconds pause{0};
};

struct Reply {
    unsigned status = 200;
    std::vector<Header> headers; // without Content-Length, Connection, Date: the server writes those
    std::string body;
    // What follows `body`, for an answer that may be long: asked for on a worker thread whenever what was
    // there before is sent, and the pause is over. Nothing: it cannot be had, and the connection ends. Empty:
    // all is in `body`. One with pauses ends with one of them when the server stops, or its client is gone.
    std::function<std::optional<ReplyPart>()> next_part = {};
    std::chrono::milliseconds pause{0}; // before the first of them
};

// Takes the one reply to a request, from any thread.
using Respond = std::function<void(Reply)>;
// What the server calls for every API request, on a worker thread; may block on the disk. It responds before
// it returns or later, and not at all when it throws.
using ApiHandler = std::function<void(const Request&, const Respond&)>;

} // namespace slashpost::http
