#include "app/acme/issuer.h"

#include "core/base/errors.h"
#include "core/base/guarded.h"
#include "core/base/pause.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <pthread.h>

namespace slashpost::acme {

namespace {

constexpr std::chrono::seconds match_every{60}; // other servers of the store change domains, too
constexpr std::chrono::seconds show_every{2};
constexpr std::int64_t own_days_left_min = 7;
constexpr std::size_t token_bytes_max = 128;

} // namespace

Issuer::Issuer(IssuerOptions options, Parts parts)
    : options_(std::move(options)),
      parts_(std::move(parts)),
      duty_(parts_.engine, "certificates"),
      thread_([this](const std::stop_token& stopping) { run(stopping); }) {}

Issuer::Figures Issuer::figures() const {
    const std::lock_guard lock(mutex_);
    return figures_;
}

void Issuer::run(const std::stop_token& stopping) {
    ::pthread_setname_np(::pthread_self(), "acme");
    bool in_trouble = false;
    while (!stopping.stop_requested()) {
        const auto done = guarded([&] { return round(stopping); });
        if (!done.has_value() && !in_trouble)
            parts_.log.warn("certificates have to wait", {{"reason", done.error().message}});
        in_trouble = !done.has_value();
        pause(stopping, options_.look_every);
    }
    static_cast<void>(guarded([&] { return book(); }));
}

Result<void> Issuer::round(const std::stop_token& stopping) {
    TRY(book());
    const bool orders = TRY(duty_.is_mine());
    if (orders)
        TRY(match());
    const auto now = std::chrono::steady_clock::now();
    if (now >= show_at_) {
        show_at_ = now + show_every;
        TRY(show());
        if (orders)
            TRY(ask_about_renewals(stopping));
    }
    return orders ? order_due(stopping) : Result<void>();
}

// Whether the operator sees to this one. Not for long when it is about to end: then it is ordered here.
bool Issuer::operator_has(std::string_view host) const {
    const auto set = parts_.certificates.current();
    const auto* own = set->of_operator(host);
    return own != nullptr && own->expires() > parts_.clock.now().ms / 1000 + own_days_left_min * 24 * 3600;
}

Result<void> Issuer::match() {
    const auto changes = parts_.domain_changes();
    const auto now = std::chrono::steady_clock::now();
    if (changes == changes_seen_ && now < match_at_)
        return {};
    const auto has_own = [this](std::string_view host) { return operator_has(host); };
    while (TRY(parts_.service.run_as_operator(
        [&](SystemContext& system) { return match_certificates(system, has_own); }))) {
    }
    while (TRY(parts_.service.run_as_operator(prune_challenges))) {
    }
    changes_seen_ = changes;
    match_at_ = now + match_every;
    return {};
}

Result<void> Issuer::show() {
    Figures figures;
    bool changed = false;
    std::map<std::string, Shown, std::less<>> shown;
    TRY(parts_.engine.read([&](data::View& view) -> Result<void> {
        for (const auto& row : TRY(all_certificates(view))) {
            if (row.wanted)
                ++(row.state == CertificateState::pending  ? figures.pending
                   : row.state == CertificateState::active ? figures.active
                                                           : figures.failed);
            if (!row.issued_at)
                continue;
            if (figures.first_end == Timestamp{} || row.not_after < figures.first_end)
                figures.first_end = row.not_after;
            const auto before = shown_.find(row.host);
            if (before != shown_.end() && before->second.issued_at == *row.issued_at) {
                shown.insert(*before);
                continue;
            }
            changed = true;
            const auto files = TRY(schema().certificate_files.find(view, HostCertificate::primary_of(row)));
            auto read = files ? http::Certificate::of_pem(files->chain, files->key)
                              : Result<std::shared_ptr<const http::Certificate>>();
            if (!read.has_value())
                parts_.log.error("a certificate of the store cannot be used",
                                 {{"host", row.host}, {"reason", read.error().message}});
            shown[row.host] = {.issued_at = *row.issued_at,
                               .certificate = read.has_value() ? std::move(*read) : nullptr};
        }
        return {};
    }));
    if (changed || shown.size() != shown_.size()) {
        http::Certificates::Own own;
        for (const auto& [host, one] : shown)
            if (one.certificate)
                own.emplace(host, one.certificate);
        parts_.certificates.set_own(std::move(own));
    }
    shown_ = std::move(shown);
    const std::lock_guard lock(mutex_);
    figures_ = figures;
    return {};
}

Authority Issuer::authority(const std::stop_token& stopping) {
    return {*parts_.web,
            parts_.clock,
            options_.directory,
            parts_.clock.now().plus_seconds(order_seconds_max),
            [&stopping](std::int64_t ms) { pause(stopping, std::chrono::milliseconds(ms)); },
            stopping};
}

Result<void> Issuer::order_due(const std::stop_token& stopping) {
    while (!stopping.stop_requested()) {
        if (!TRY(parts_.engine.read(
                [&](data::View& view) { return certificate_is_due(view, parts_.clock.now()); })))
            return {};
        const auto row = TRY(parts_.service.run_as_operator(take_due_certificate));
        if (!row)
            return {};
        parts_.log.info("a certificate is ordered", {{"host", row->host}});
        auto them = authority(stopping);
        auto got = guarded([&] { return order(*row, them); });
        unbooked_.emplace(Unbooked{.host = row->host, .outcome = {}});
        if (got.has_value()) {
            unbooked_->outcome = std::move(*got);
        } else {
            const auto kind = stopping.stop_requested()                    ? OrderTrouble::Kind::stopped
                              : got.error().kind == ErrorKind::unavailable ? OrderTrouble::Kind::not_reached
                                                                           : OrderTrouble::Kind::refused;
            unbooked_->outcome =
                OrderTrouble{.kind = kind, .reason = got.error().message, .retry_at = them.retry_at()};
        }
        TRY(book());
    }
    return {};
}

Result<IssuedCertificate> Issuer::order(const HostCertificate& row, Authority& authority) {
    const auto new_key = TRY(TRY(SigningKey::make()).pem());
    const auto stored = TRY(parts_.service.run_as_operator(
        [&](SystemContext& system) { return acme_account(system, options_.directory, new_key); }));
    auto account = stored;
    auto signed_in = authority.sign_in(account, options_.email);
    auto got =
        signed_in.has_value()
            ? authority.obtain(row.host, row.renewal_id, options_.method,
                               [&](const std::string& token) { return prove(row.host, token, authority); })
            : Result<IssuedCertificate>(std::unexpected(signed_in.error()));
    if (authority.forgot_account())
        account.url.clear(); // the next try makes a new one
    // A store that cannot be told this must not cost the certificate: an authority says again where the
    // account of a key is, and challenges end by themselves.
    static_cast<void>(parts_.service.run_as_operator([&](SystemContext& system) -> Result<void> {
        if (account.url != stored.url || account.email != stored.email)
            TRY(book_account(system, account));
        return remove_challenge(system, ChallengeKind::tls_alpn, row.host);
    }));
    return got;
}

Result<void> Issuer::prove(const std::string& host, const std::string& token, const Authority& authority) {
    if (token.empty() || token.size() > token_bytes_max)
        return refused("Invalid", "certificate", "the certificate authority's token is not one");
    const bool by_http = options_.method == Method::http_01;
    return parts_.service.run_as_operator([&](SystemContext& system) {
        return put_challenge(system, {.kind = by_http ? ChallengeKind::http : ChallengeKind::tls_alpn,
                                      .subject = by_http ? token : host,
                                      .answer = authority.authorization_of(token),
                                      .until = system.now.plus_seconds(order_seconds_max),
                                      .unknown = {}});
    });
}

Result<void> Issuer::book() {
    if (!unbooked_)
        return {};
    const auto& [host, outcome] = *unbooked_;
    const auto* const issued = std::get_if<IssuedCertificate>(&outcome);
    const auto* const trouble = std::get_if<OrderTrouble>(&outcome);
    TRY(parts_.service.run_as_operator([&](SystemContext& system) {
        return issued ? book_certificate(system, host, *issued) : book_trouble(system, host, *trouble);
    }));
    if (issued)
        parts_.log.info("a certificate was got", {{"host", host}, {"until", to_iso(issued->not_after)}});
    else if (trouble->kind != OrderTrouble::Kind::stopped)
        parts_.log.warn("no certificate could be got; it is tried again",
                        {{"host", host}, {"reason", trouble->reason}});
    unbooked_.reset();
    show_at_ = {};
    return show();
}

Result<void> Issuer::ask_about_renewals(const std::stop_token& stopping) {
    auto them = authority(stopping);
    while (!stopping.stop_requested()) {
        const auto row = TRY(parts_.engine.read(
            [&](data::View& view) { return certificate_to_ask_about(view, parts_.clock.now()); }));
        if (!row)
            return {};
        const auto said = guarded([&] { return them.ask_about(row->renewal_id); });
        if (stopping.stop_requested())
            return {};
        // Whoever cannot be asked is asked again later; two thirds of its life hold meanwhile.
        const auto renewal = said.has_value() ? *said : Renewal{};
        TRY(parts_.service.run_as_operator([&](SystemContext& system) {
            return book_window(system, row->host, renewal.window, renewal.ask_in);
        }));
    }
    return {};
}

} // namespace slashpost::acme
