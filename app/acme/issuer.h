#pragma once
// The thread that gets certificates: for each host of a verified domain that has none, and again before one
// ends (core/work/certificates.h says which is due). One order at a time. What an authority gave is written
// down before the next order begins, even when the store cannot be told for a while.
//
// It also gives the server those of the store, whichever server of it got them: one of several orders for
// all.
#include "app/acme/authority.h"
#include "app/log.h"
#include "core/access/service.h"
#include "core/work/duty.h"
#include "http/server/certificates.h"

#include <map>
#include <memory>
#include <thread>
#include <variant>

namespace slashpost::acme {

struct IssuerOptions {
    std::string directory; // of the authority, https://...
    std::string email;     // empty: the authority is told none
    Method method = Method::http_01;
    std::chrono::milliseconds look_every{500};
};

class Issuer {
  public:
    struct Parts {
        Service& service;
        data::Engine& engine;
        const Clock& clock;
        app::Log& log;
        http::Certificates& certificates;
        std::unique_ptr<Web> web;
        std::function<std::uint64_t()> domain_changes; // another number after each change of a domain
    };
    // Starts at once. All of the parts outlive the issuer, which ends within seconds of its destruction.
    Issuer(IssuerOptions options, Parts parts);

    struct Figures {
        std::int64_t pending = 0, active = 0, failed = 0; // hosts
        Timestamp first_end;                              // of the certificates that there are; 0: none
    };
    [[nodiscard]] Figures figures() const;

  private:
    struct Unbooked {
        std::string host;
        std::variant<IssuedCertificate, OrderTrouble> outcome;
    };
    void run(const std::stop_token& stopping);
    Result<void> round(const std::stop_token& stopping);
    Result<void> match();
    Result<void> show(); // to the server
    Result<void> order_due(const std::stop_token& stopping);
    Result<IssuedCertificate> order(const HostCertificate& row, Authority& authority);
    Result<void> prove(const std::string& host, const std::string& token, const Authority& authority);
    Result<void> book();
    Result<void> ask_about_renewals(const std::stop_token& stopping);
    [[nodiscard]] Authority authority(const std::stop_token& stopping);
    [[nodiscard]] bool operator_has(std::string_view host) const;

    const IssuerOptions options_;
    Parts parts_;
    // Of the thread, as is all that changes but the figures.
    Duty duty_;
    std::optional<Unbooked> unbooked_;
    std::uint64_t changes_seen_ = 0;
    std::chrono::steady_clock::time_point match_at_, show_at_;
    struct Shown {
        Timestamp issued_at;
        std::shared_ptr<const http::Certificate> certificate; // null: it cannot be used
    };
    std::map<std::string, Shown, std::less<>> shown_; // by host
    mutable std::mutex mutex_;
    Figures figures_; // guarded by mutex_
    std::jthread thread_;
};

} // namespace slashpost::acme
