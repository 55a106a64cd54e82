#pragma once
// Certificates that the server gets by itself, from an authority that speaks ACME (RFC 8555).
#include "core/base/secret.h"
#include "core/data/codec.h"
#include "core/data/key.h"

namespace slashpost {

// Who the installation is at an authority.
struct AcmeAccount {
    static constexpr bool is_key = true; // in a dump only when keys are asked for

    std::string directory; // address of the authority's directory
    std::string key;       // ECDSA on P-256, PEM; never in a log
    std::string url;       // of the account at the authority; empty: it has none yet
    std::string email;     // that the authority was told
    Timestamp created_at;
    data::Unknown unknown;

    static constexpr std::size_t primary_bytes = 32;
    static data::Bytes primary_for(std::string_view directory) { return sha256(directory); }
    static data::Bytes primary_of(const AcmeAccount& a) { return primary_for(a.directory); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "directory", &AcmeAccount::directory),
                          stored(2, "key", &AcmeAccount::key), stored(3, "url", &AcmeAccount::url),
                          stored(4, "email", &AcmeAccount::email),
                          stored(5, "created_at", &AcmeAccount::created_at)};
    }
};

// On disk: never renumber.
enum class CertificateState : std::uint8_t {
    pending = 1, // none yet, and nothing has gone wrong
    active = 2,
    failed = 3, // none, because of `error`
};

// What is known of the certificate of one host. Its bytes are in a row of their own, so that no list and no
// answer reads a key.
struct HostCertificate {
    static constexpr bool is_key = true;

    std::string host; // normal form, without a port
    // A verified, active domain has the name, and the operator's folder has no certificate for it.
    bool wanted = false;
    CertificateState state = CertificateState::pending;
    Timestamp due_at;              // of the next order
    std::vector<Timestamp> orders; // begun lately, for the budgets (core/work/certificate_plan.h)
    std::uint32_t failures = 0;    // since the last one that went well
    std::string error;             // of the last failure, in words; empty: the last one went well
    std::optional<Timestamp> failed_at;
    std::optional<Timestamp> issued_at; // here; nothing: there is no certificate
    Timestamp not_before;
    Timestamp not_after;
    std::string renewal_id; // by which the authority is asked when to renew (RFC 9773, 4.1)
    std::optional<Timestamp> window_start, window_end; // in which it wants that
    Timestamp ask_at;                                  // when it is asked next
    data::Unknown unknown;

    static constexpr std::size_t primary_bytes = 32;
    static data::Bytes primary_for(std::string_view host) { return sha256(host); }
    static data::Bytes primary_of(const HostCertificate& c) { return primary_for(c.host); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "host", &HostCertificate::host),
                          stored(2, "wanted", &HostCertificate::wanted),
                          stored(3, "state", &HostCertificate::state),
                          stored(4, "due_at", &HostCertificate::due_at),
                          stored(5, "orders", &HostCertificate::orders),
                          stored(6, "failures", &HostCertificate::failures),
                          stored(7, "last_error", &HostCertificate::error),
                          stored(8, "failed_at", &HostCertificate::failed_at),
                          stored(9, "issued_at", &HostCertificate::issued_at),
                          stored(10, "not_before", &HostCertificate::not_before),
                          stored(11, "not_after", &HostCertificate::not_after),
                          stored(12, "renewal_id", &HostCertificate::renewal_id),
                          stored(13, "window_start", &HostCertificate::window_start),
                          stored(14, "window_end", &HostCertificate::window_end),
                          stored(15, "ask_at", &HostCertificate::ask_at)};
    }
};

// The bytes of a certificate that there is.
struct CertificateFiles {
    static constexpr bool is_key = true;

    std::string host;
    std::string chain; // PEM, the host's certificate first
    std::string key;   // PEM; never in a log
    data::Unknown unknown;

    static constexpr std::size_t primary_bytes = 32;
    static data::Bytes primary_of(const CertificateFiles& f) { return HostCertificate::primary_for(f.host); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "host", &CertificateFiles::host),
                          stored(2, "chain", &CertificateFiles::chain),
                          stored(3, "key", &CertificateFiles::key)};
    }
};

// On disk: never renumber.
enum class ChallengeKind : std::uint8_t {
    http = 1,     // HTTP-01; subject: the token
    tls_alpn = 2, // TLS-ALPN-01; subject: the host
};

// What an authority is answered that looks whether a host is ours, by any server of the store.
struct AcmeChallenge {
    static constexpr bool kept_in_dumps = false;

    ChallengeKind kind = ChallengeKind::http;
    std::string subject;
    std::string answer; // the key authorization (RFC 8555, 8.1)
    Timestamp until;
    data::Unknown unknown;

    [[nodiscard]] Timestamp ends_at() const { return until; }

    static constexpr std::size_t primary_bytes = 32;
    static data::Bytes primary_for(ChallengeKind kind, std::string_view subject) {
        return sha256(data::key(kind) + data::Bytes(subject));
    }
    static data::Bytes primary_of(const AcmeChallenge& c) { return primary_for(c.kind, c.subject); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{
            stored(1, "kind", &AcmeChallenge::kind), stored(2, "subject", &AcmeChallenge::subject),
            stored(3, "answer", &AcmeChallenge::answer), stored(4, "until", &AcmeChallenge::until)};
    }
};

} // namespace slashpost
