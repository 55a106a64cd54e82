#pragma once
// Signing in and out, as the pages of the dashboard ask for it:
//
//   GET    /session            who is signed in: 200, or 401 SignedOut
//   POST   /session            {"user","password"} or {"token"}, perhaps with "code": 200 and a cookie with a
//   new token; 401 SignInFailed,
//                              429 TooManyTries
//   DELETE /session            204, and the cookie is gone
//   PUT    /session/password   {"current","new"}: 204, and all other sessions are over; 403 with what is
//                              wrong. "current" wherever `asksForPassword`, here and below
//   PUT    /session/profile    {"username","fullName","avatarUrl"}: as GET /session; an avatar that is not
//                              named stays, null takes it away
//   PUT    /session/email      {"email","current"}: 204, and a mail with a code is on its way; 403 NoMail
//   POST   /session/email      {"code"}: as GET /session, with the new address
//   POST   /session/mail       {"user"}: 204, whoever that is; a one-time address goes out by mail
//   POST   /session/invite/shown  {"token"}: what the invite offers, and whether it is for who is signed in;
//                              404, or 403 InviteExpired
//   POST   /session/invite     {"token","username","password","fullName"}: as POST /session; an account for
//                              who is invited and has none, in the workspace that they are invited to
//   POST   /session/provider   {"address"} at the provider, and a cookie for the time there; 403 NoProvider
//   PUT    /session/provider   {"current"}: the same, to connect who is signed in with who they are there
//   DELETE /session/provider   {"current"}: as GET /session, and they are connected no more; 403 NoPassword
//   POST   /session/provider/answer  {"state","code","iss"} or {"state","error"}, what the provider has sent
//                              the browser back with: as POST /session, or, when they connect, as GET
//                              /session; 401 CodeRequired with a "token" that is good with a code; 403 with
//                              what is wrong, 503 when the provider does not answer
//   POST   /session/second-factor   {"current"}: {"secret","address"} for an authenticator app
//   PUT    /session/second-factor   {"code"}: {"recoveryCodes"}; from then on signing in asks for "code" (401
//                                   CodeRequired)
//   DELETE /session/second-factor   {"code"} or {"current"}: 204
//   POST   /session/second-factor/codes  {"code"}: {"recoveryCodes"}, in place of all before
//
// Errors have the form of those of the API. All of it is for our own pages only (origin.h).
#include "core/access/service.h"
#include "core/base/hash_gate.h"
#include "core/ops/sign_in.h"
#include "http/dashboard/origin.h"
#include "http/dashboard/provider.h"

#include <functional>
#include <string_view>

namespace slashpost::dashboard {

class SessionCalls {
  public:
    // Told of every fault, whose message nobody sees.
    using OnFault = std::function<void(const Error&)>;

    // All must outlive it; `provider` may be null.
    SessionCalls(Service& service, const Settings& settings, const Origin& origin, Provider* provider,
                 bool shows_outside_images, OnFault on_fault)
        : service_(service),
          settings_(settings),
          origin_(origin),
          provider_(provider),
          shows_outside_images_(shows_outside_images),
          on_fault_(std::move(on_fault)) {}

    // Answers a request whose path is /session or below. May take as long as comparing a password does, or as
    // a provider; from any thread.
    http::Reply serve(const http::Request& request, std::string_view path);
    // The answer to a request that fails so.
    [[nodiscard]] http::Reply refuse(const Error& error) const;

  private:
    Result<http::Reply> answer(const http::Request& request, std::string_view path);
    http::Reply show(const http::Request& request);
    Result<http::Reply> sign_in(const http::Request& request);
    Result<http::Reply> with_password(const http::Request& request, const WhoSignsIn& who,
                                      const std::string& user, const std::string& password);
    Result<http::Reply> with_token(const http::Request& request, const WhoSignsIn& who,
                                   const std::string& token);
    Result<http::Reply> sign_out(const http::Request& request);
    Result<http::Reply> change_password(const http::Request& request);
    Result<http::Reply> change_profile(const http::Request& request);
    Result<http::Reply> change_email(const http::Request& request);
    Result<http::Reply> confirm_email(const http::Request& request);
    Result<http::Reply> send_address(const http::Request& request);
    Result<http::Reply> show_invite(const http::Request& request);
    Result<http::Reply> join(const http::Request& request);
    Result<http::Reply> go_to_provider(const http::Request& request);
    Result<http::Reply> connect_provider(const http::Request& request);
    Result<http::Reply> disconnect_provider(const http::Request& request);
    Result<http::Reply> return_from_provider(const http::Request& request);
    Result<http::Reply> offer_code(const http::Request& request);
    Result<http::Reply> confirm_code(const http::Request& request);
    Result<http::Reply> end_code(const http::Request& request);
    Result<http::Reply> renew_codes(const http::Request& request);

    [[nodiscard]] Result<Provider*> provider() const;
    Result<http::Reply> begin_visit(AccountId connects);
    Result<http::Reply> end_visit(const http::Request& request);
    Result<http::Reply> enter_as(const http::Request& request, const WhoSignsIn& who,
                                 const ProvenIdentity& identity);
    Result<http::Reply> connect_as(const http::Request& request, const WhoSignsIn& who, AccountId account,
                                   const ProvenIdentity& identity);

    // Fails unless the password is right, where it has to be said; the seconds to wait, when there were too
    // many.
    Result<std::int64_t> check_current(const Caller& caller, const std::string& password);
    Result<std::int64_t> compare_current(const Caller& caller, const std::string& hash,
                                         const std::string& password);
    Result<std::int64_t> count_try(const Caller& caller);
    Result<std::int64_t> count_try_of(const WhoSignsIn& who);

    Result<void> end_session_of(const http::Request& request);
    Result<std::string> describe(const Caller& caller);
    Result<std::string> describe_provider(Context& ctx);
    Result<http::Reply> signed_in(const http::Request& request, AccountId account, SessionId session,
                                  std::string_view token);

    Service& service_;
    const Settings& settings_;
    const Origin& origin_;
    Provider* const provider_;
    const bool shows_outside_images_;
    const OnFault on_fault_;
    HashGate hashes_;
    HashGate visits_; // so that a provider that is slow takes up no more of the workers
};

// What a call that did not come from our own pages, or sends something else than JSON, is told.
Result<void> admit_page(const Origin& origin, const http::Request& request);

} // namespace slashpost::dashboard
