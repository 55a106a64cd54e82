#pragma once
// What applications of others ask for by themselves (OAuth 2.0), from anywhere, also from pages in browsers:
// no cookie counts here.
//
//   POST /connect/token        a code or a refresh token for tokens (RFC 6749; RFC 7636 always)
//   POST /connect/revocation   RFC 7009: 200 to every application that says rightly who it is
//   POST /connect/introspect   RFC 7662: of an application's own tokens, for one that keeps a secret
//   GET  /.well-known/oauth-authorization-server    RFC 8414
#include "core/access/service.h"
#include "core/model/application.h"
#include "core/ops/app_requests.h"
#include "http/server/message.h"

#include <string_view>

namespace slashpost::dashboard {

class TokenCalls {
  public:
    // Both must outlive it.
    TokenCalls(Service& service, const Settings& settings) : service_(service), settings_(settings) {}

    [[nodiscard]] static bool takes(std::string_view path);
    // Answers a request whose path it takes. From any thread.
    Result<http::Reply> answer(const http::Request& request, std::string_view path);

  private:
    Result<OrRefusal<http::Reply>> post(const http::Request& request, std::string_view path);
    [[nodiscard]] http::Reply metadata() const;

    Service& service_;
    const Settings& settings_;
};

} // namespace slashpost::dashboard
