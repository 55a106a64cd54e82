#pragma once
// Which requests the dashboard's listener serves, and which of them come from its own pages. Everybody's
// browser can be made to send a request here; only our own pages may have it done with somebody's session.
#include "http/server/message.h"

#include <optional>
#include <string>
#include <string_view>

namespace slashpost::dashboard {

class Origin {
  public:
    // `host` is that of --dashboard-host, in its normal form; empty: the names of this machine.
    explicit Origin(const std::string& host);

    // Whether the request names a host that is the dashboard's, with any port. Others are those of somebody
    // whose name was made to lead here (DNS rebinding).
    [[nodiscard]] bool covers(const http::Request& request) const;
    // Why it is not served, for who sent it.
    [[nodiscard]] std::string refusal(const http::Request& request) const;

    // Whether browsers are to reach it by HTTPS only: it has a name that is no name of this machine.
    [[nodiscard]] bool is_public() const { return public_; }
    // Whether the request was made by one of our own pages: as Sec-Fetch-Site says, or, of browsers that send
    // none, Origin. One that only reads and has neither was made by no page.
    [[nodiscard]] bool is_own_page(const http::Request& request) const;

    // The session's token in the request's cookie; empty when there is none, or more than one: a page of
    // another port or a sub-domain can add some, but not take ours away.
    [[nodiscard]] std::string token_of(const http::Request& request) const;
    // The header Set-Cookie that keeps the token for as long as the session may last, and the one that takes
    // it away.
    [[nodiscard]] http::Header cookie_with(std::string_view token) const;
    [[nodiscard]] http::Header cookie_without() const;

    // The same for what a browser keeps while its person is at the provider (core/ops/provider_visits.h).
    [[nodiscard]] std::string visit_of(const http::Request& request) const;
    [[nodiscard]] http::Header visit_cookie_with(std::string_view sealed) const;
    [[nodiscard]] http::Header visit_cookie_without() const;

  private:
    [[nodiscard]] std::string cookie_name(std::string_view kind) const;
    [[nodiscard]] std::string value_of(const http::Request& request, std::string_view kind) const;
    [[nodiscard]] http::Header cookie(std::string_view kind, std::string_view value,
                                      std::int64_t seconds) const;

    std::string host_;
    bool public_ = false;
};

// Whether the request has a body of JSON, or none: forms, which other sites may send, are neither.
bool sends_json_or_nothing(const http::Request& request);

} // namespace slashpost::dashboard
