#pragma once
// What operators of the installation do in the dashboard; for anybody else there is nothing here (404).
//
//   GET  /operator/health
//   GET  /operator/accounts?term=&after=      {"items","next"}; PUT /operator/accounts/{id}
//   {"plan","suspended",
//                                             "operator","email"}; POST ..../sign-in-address: {"address"}
//   GET  /operator/plans                      POST {"name",...}; PUT /operator/plans/{name}
//   GET  /operator/workspaces?term=&after=    PUT /operator/workspaces/{id} {"revoked","trashed"}
//   GET  /operator/domains?term=&after=       of the installation; POST {"fullName"};
//                                             PUT /operator/domains/{id} {"active","revoked"}
//
// Errors have the form of those of the API. A key does not let in here, only a session does.
#include "core/access/service.h"
#include "http/dashboard/health.h"
#include "http/dashboard/origin.h"

#include <functional>
#include <string_view>

namespace slashpost::dashboard {

class OperatorCalls {
  public:
    using Look = std::function<Health()>;

    // All must outlive it; `look` may be empty: nothing is known then.
    OperatorCalls(Service& service, const Settings& settings, const Origin& origin, Look look)
        : service_(service),
          settings_(settings),
          origin_(origin),
          look_(std::move(look)) {}

    // Answers a request whose path is /operator or below.
    Result<http::Reply> answer(const http::Request& request, std::string_view path);

    // What a call is about, besides its body.
    struct Call {
        const http::Request& request;
        std::string_view path;
        std::string_view id; // what its path names; empty: nothing
    };

  private:
    Result<void> admit(const http::Request& request, std::string_view path);

    Result<http::Reply> health(const Call& call);
    Result<http::Reply> list_accounts(const Call& call);
    Result<http::Reply> change_account(const Call& call);
    Result<http::Reply> give_address(const Call& call);
    Result<http::Reply> list_plans(const Call& call);
    Result<http::Reply> create_plan(const Call& call);
    Result<http::Reply> change_plan(const Call& call);
    Result<http::Reply> list_workspaces(const Call& call);
    Result<http::Reply> change_workspace(const Call& call);
    Result<http::Reply> list_domains(const Call& call);
    Result<http::Reply> add_domain(const Call& call);
    Result<http::Reply> change_domain(const Call& call);

    Service& service_;
    const Settings& settings_;
    const Origin& origin_;
    const Look look_;
};

} // namespace slashpost::dashboard
