#pragma once
// One HTTPS request to a server that the operator named, and its answer; a test's own instead of libcurl.
#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace slashpost::app {

struct WebRequest {
    enum class Method : std::uint8_t { head, get, post };
    Method method = Method::get;
    std::string url;
    std::string body;               // of a post
    std::string content_type = {};  // of the body
    std::string authorization = {}; // the header; empty: none
};

struct WebAnswer {
    long status = 0;
    std::string body; // at most answer_bytes_max
    std::string nonce;
    std::string location;
    std::optional<std::int64_t> retry_after; // seconds
};

inline constexpr std::size_t answer_bytes_max = std::size_t{256} * 1024;

class Web {
  public:
    virtual ~Web() = default;
    // Fails as unavailable when there is no answer within its time, or soon after `stopping`.
    virtual Result<WebAnswer> send(const WebRequest& request, const std::stop_token& stopping) = 0;
};

struct WebOptions {
    std::string whom;         // who is asked, in words: "the certificate authority"
    std::string ca_file = {}; // of certificates to trust, as PEM; empty: the system's
    bool plain = false;       // http, too
    long whole_max = 30;      // seconds, of which connecting takes ten at most
};
// By libcurl: no redirect is followed, and nothing is taken from the environment. Safe to use from one thread
// at a time.
std::unique_ptr<Web> make_web(WebOptions options);

} // namespace slashpost::app
