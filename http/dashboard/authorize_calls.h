#pragma once
// Where people are asked whether an application of others may act for them (OAuth 2.0, RFC 6749, 4.1):
//
//   GET  /connect/authorize        the page that asks; 400 for an application or an address that is not
//   known, else
//                                  what is wrong goes back to the address
//   POST /connect/authorize/shown  {"query"}: what the page shows; 404 and 403 as the 400 above. With
//   "answer" where
//                                  there is nothing to ask
//   POST /connect/authorize        {"query","allow","workspace"}: {"answer"}
//
// "query" is that of the page's address, "answer" where the browser goes on: {"address"}, or
// {"address","fields"} of a form to post. The last two are for our own pages only (origin.h), and need a
// session.
#include "core/access/service.h"
#include "core/ops/grants.h"
#include "http/dashboard/origin.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slashpost::dashboard {

class AuthorizeCalls {
  public:
    // All must outlive it.
    AuthorizeCalls(Service& service, const Settings& settings, const Origin& origin)
        : service_(service),
          settings_(settings),
          origin_(origin) {}

    // What a GET of /connect/authorize leads to.
    struct Opened {
        std::optional<http::Reply> reply; // nothing: the page
        std::string posts_to; // whom the page may post a form to, as a policy has it; empty: nobody
    };
    Result<Opened> open(const http::Request& request);
    // Answers the two others.
    Result<http::Reply> answer(const http::Request& request, std::string_view path);

  private:
    // As it stands in the query.
    struct Asked {
        std::string client_id, redirect, state;
        AppRequest request;
        bool repeated = false; // one of them comes more than once
    };
    // The same, of an application and an address that are known.
    struct Known {
        Asked asked;
        Application application;
        OrRefusal<AppWish> wish;
    };
    using Words = std::vector<std::pair<std::string_view, std::string>>;

    static Result<Asked> read_asked(std::string_view query);
    Result<Known> look_up(std::string_view query);
    // What the application is told.
    [[nodiscard]] Words with_state(const Asked& asked, Words words) const;
    [[nodiscard]] Words refusal(const Asked& asked, const AppRefusal& why) const;
    static std::string address_with(const Asked& asked, AnswerMode mode, const Words& words);
    static http::Reply shown_answer(const Asked& asked, const Words& words);

    Result<http::Reply> show(const http::Request& request);
    Result<http::Reply> decide(const http::Request& request);

    Service& service_;
    const Settings& settings_;
    const Origin& origin_;
};

} // namespace slashpost::dashboard
