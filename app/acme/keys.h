#pragma once
// Keys of ACME (RFC 8555) on the curve P-256, and what is signed with them: the account's requests as JWS
// (RFC 7515, ES256) and the requests for certificates (PKCS #10).
#include "core/base/result.h"
#include "core/work/certificates.h"
#include "http/server/openssl.h"

#include <string>
#include <string_view>

namespace slashpost::acme {

class SigningKey {
  public:
    static Result<SigningKey> make();
    // Fails on what is no such key.
    static Result<SigningKey> of_pem(const std::string& pem);

    [[nodiscard]] Result<std::string> pem() const;
    // The public key as JSON, its members in the order of RFC 7638 and without spaces.
    [[nodiscard]] const std::string& jwk() const { return jwk_; }
    // SHA-256 of that as base64url.
    [[nodiscard]] std::string thumbprint() const;
    // What is answered to a challenge with this token (RFC 8555, 8.1).
    [[nodiscard]] std::string authorization_of(std::string_view token) const;
    // A JWS in its flattened form: JSON with protected, payload and signature. `header` is JSON, the payload
    // any text.
    [[nodiscard]] Result<std::string> sign(std::string_view header, std::string_view payload) const;
    // DER of a request for a certificate of this key for one host, in normal form.
    [[nodiscard]] Result<std::string> certificate_request(std::string_view host) const;

  private:
    explicit SigningKey(http::KeyOwner key) : key_(std::move(key)) {}
    Result<void> read_public();

    http::KeyOwner key_;
    std::string jwk_;
};

// What a chain says of itself, whose first certificate has to be that of `key` and name the host.
Result<IssuedCertificate> read_issued(const std::string& chain, const std::string& key,
                                      std::string_view host);

} // namespace slashpost::acme
