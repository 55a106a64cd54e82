#pragma once
// A certificate authority, spoken to by ACME (RFC 8555): account, order, proof, certificate, and when to
// renew it (RFC 9773).
//
// What it answers is bounded in bytes and time (web.h) and never believed further than needed: a certificate
// has to be of our key and for the host. A refused nonce is tried again with the one that came with the
// refusal.
#include "app/acme/keys.h"
#include "app/acme/order_steps.h"
#include "app/web.h"
#include "core/base/time.h"

#include <boost/json.hpp>
#include <functional>
#include <stop_token>

namespace slashpost::acme {

using app::Web;
using app::WebAnswer;
using app::WebRequest;

// Puts the answer to a challenge where the authority looks.
using Prove = std::function<Result<void>(const std::string& token)>;
// Waits so many milliseconds, or until the process stops.
using Wait = std::function<void(std::int64_t ms)>;

struct Renewal {
    std::optional<RenewalWindow> window;
    std::optional<std::int64_t> ask_in; // seconds
};

// Errors: unavailable when the authority could not be reached or is in trouble itself, so that it has booked
// nothing; anything else when it refuses. For one thread; lives as long as one piece of work.
class Authority {
  public:
    // All outlive it. Everything has to be done by `deadline`.
    Authority(Web& web, const Clock& clock, std::string directory, Timestamp deadline, Wait wait,
              const std::stop_token& stopping);

    // Makes sure of an account with this key and e-mail address (or none), accepting the authority's terms;
    // `account.url` and `account.email` are what it has then.
    Result<void> sign_in(AcmeAccount& account, const std::string& email);
    // The whole way to a certificate with a new key. `replaces` is the renewal id of the one before, or
    // empty. Only after `sign_in`.
    Result<IssuedCertificate> obtain(std::string_view host, const std::string& replaces, Method method,
                                     const Prove& prove);
    // What it says about renewing; needs no account. An authority that says nothing of renewals is no
    // failure.
    Result<Renewal> ask_about(const std::string& renewal_id);

    // What the account's key answers to a challenge; after `sign_in`.
    [[nodiscard]] std::string authorization_of(std::string_view token) const;
    // When it wants to be asked again, if it refused for the number of requests.
    [[nodiscard]] std::optional<Timestamp> retry_at() const { return retry_at_; }
    // Whether the refusal was that there is no such account any more.
    [[nodiscard]] bool forgot_account() const { return forgot_account_; }

  private:
    struct Order {
        std::string url, authorization_url, finalize_url, certificate_url;
        std::string challenge_url, token;
        OrderView seen;
        std::string trouble; // what the authority says is wrong
        std::optional<std::int64_t> retry_after;
    };

    Result<boost::json::object> directory();
    Result<std::string> address(std::string_view name);
    Result<std::string> nonce();
    // `payload` is JSON, or empty to read what is there.
    Result<WebAnswer> post(const std::string& url, std::string_view payload, bool by_key = false);
    Result<boost::json::object> post_for_object(const std::string& url, std::string_view payload);
    Result<WebAnswer> send(const WebRequest& request);
    std::unexpected<Error> refusal(const WebAnswer& answer);

    Result<Order> begin_order(std::string_view host, const std::string& replaces);
    Result<void> take_step(Step step, Order& order, Method method, const Prove& prove, std::string_view csr);
    Result<void> read_order(Order& order);
    Result<void> read_authorization(Order& order, Method method);
    Result<void> take_order(const boost::json::object& object, Order& order);

    Web& web_;
    const Clock& clock_;
    const std::string directory_url_;
    const Timestamp deadline_;
    const Wait wait_;
    const std::stop_token& stopping_;
    std::optional<boost::json::object> directory_;
    std::optional<SigningKey> key_;
    std::string account_url_;
    std::string nonce_; // empty: one has to be asked for
    std::optional<Timestamp> retry_at_;
    bool forgot_account_ = false;
};

} // namespace slashpost::acme
