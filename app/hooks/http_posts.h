#pragma once
// Posts to addresses that tenants name, many at once, with libcurl.
//
// Nothing that a receiver does costs more than a bounded time and a bounded number of bytes, and nothing that
// its name means leads anywhere but where `Reachable` allows (guarded_handle.h). No redirect is followed.
#include "app/hooks/reachable.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace slashpost::app {

struct Post {
    std::string id; // for whoever posts
    std::string url;
    std::vector<std::string> headers; // "name: value"
    std::string body;
};

struct PostOutcome {
    std::string id;
    std::uint16_t answered = 0; // the HTTP status; 0: there was none
    std::string text;           // how the answer's body began, as UTF-8, or why there was none
    std::chrono::milliseconds took{0};
    std::optional<std::int64_t> retry_after_seconds;
};

// Who posts; a test's own instead of HTTP.
class Poster {
  public:
    virtual ~Poster() = default;
    virtual void begin(const Post& post) = 0;
    // Waits until there are outcomes, at most so long.
    virtual std::vector<PostOutcome> wait(std::chrono::milliseconds longest) = 0;
    [[nodiscard]] virtual std::size_t under_way() const = 0;
};

struct PostOptions {
    bool plain = false;       // http, too
    std::string ca_file = {}; // of certificates to trust; empty: the system's
    std::chrono::milliseconds connect_max{5'000};
    std::chrono::milliseconds whole_max{15'000};
    std::size_t answer_bytes_max = 65'536; // of the body, and as many of the headers
    std::size_t text_bytes_max = 1'000;
    // In place of the system's resolver, for tests: the addresses of a name, with commas between them.
    std::function<std::string(std::string_view host)> look_up = {};
};

// Safe to use from one thread at a time. `reachable` outlives it.
std::unique_ptr<Poster> make_http_poster(const Reachable& reachable, PostOptions options);

} // namespace slashpost::app
