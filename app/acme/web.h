#pragma once
// The network, as far as ACME needs it: one HTTPS request and its answer; a test's own instead of libcurl.
#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace slashpost::acme {

struct WebRequest {
    enum class Method : std::uint8_t { head, get, post };
    Method method = Method::get;
    std::string url;
    std::string body; // of a post: a JWS
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
    // Fails as unavailable when there is no answer within half a minute, or soon after `stopping`.
    virtual Result<WebAnswer> send(const WebRequest& request, const std::stop_token& stopping) = 0;
};

// By libcurl: https:// only, no redirect is followed, and nothing is taken from the environment. `ca_file` is
// of certificates to trust, as PEM; empty: the system's. Safe to use from one thread at a time.
std::unique_ptr<Web> make_web(const std::string& ca_file);

} // namespace slashpost::acme
