#include "app/acme/keys.h"

#include "core/base/base64.h"
#include "core/base/errors.h"
#include "core/base/host.h"
#include "core/base/secret.h"
#include "http/server/certificate.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

namespace slashpost::acme {

namespace {

using http::BioOwner;
using http::KeyOwner;
using http::Releaser;

constexpr int coordinate_bytes = 32;

using NumberOwner = std::unique_ptr<BIGNUM, Releaser<BN_free>>;
using DigestOwner = std::unique_ptr<EVP_MD_CTX, Releaser<EVP_MD_CTX_free>>;
using SignatureOwner = std::unique_ptr<ECDSA_SIG, Releaser<ECDSA_SIG_free>>;
using RequestOwner = std::unique_ptr<X509_REQ, Releaser<X509_REQ_free>>;
using IdentifierOwner = std::unique_ptr<AUTHORITY_KEYID, Releaser<AUTHORITY_KEYID_free>>;
struct ExtensionsReleaser {
    void operator()(STACK_OF(X509_EXTENSION) * all) const {
        sk_X509_EXTENSION_pop_free(all, X509_EXTENSION_free);
    }
};
using ExtensionsOwner = std::unique_ptr<STACK_OF(X509_EXTENSION), ExtensionsReleaser>;

std::unexpected<Error> cannot(std::string_view what) {
    return fault(fmt::format("cannot {}: {}", what, http::take_openssl_reason()));
}

std::string_view bytes_of(const ASN1_STRING* string) {
    return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(string)),
            static_cast<std::size_t>(ASN1_STRING_length(string))};
}

// As wide as a coordinate of the curve.
std::string padded(const BIGNUM* number) {
    std::string out(coordinate_bytes, '\0');
    return BN_bn2binpad(number, reinterpret_cast<unsigned char*>(out.data()), coordinate_bytes) ==
                   coordinate_bytes
               ? out
               : std::string();
}

// OpenSSL signs in DER; JWS wants r and s one behind the other (RFC 7518, 3.4).
std::string raw_signature(const std::string& der) {
    const auto* at = reinterpret_cast<const unsigned char*>(der.data());
    const SignatureOwner signature(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
    if (!signature)
        return {};
    return padded(ECDSA_SIG_get0_r(signature.get())) + padded(ECDSA_SIG_get0_s(signature.get()));
}

bool add_name(X509_REQ* request, const std::string& host) {
    const ExtensionsOwner extensions(sk_X509_EXTENSION_new_null());
    X509_EXTENSION* names =
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, ("DNS:" + host).c_str());
    if (!extensions || names == nullptr)
        return false;
    if (sk_X509_EXTENSION_push(extensions.get(), names) == 0) {
        X509_EXTENSION_free(names);
        return false;
    }
    return X509_REQ_add_extensions(request, extensions.get()) == 1;
}

Timestamp time_of(const ASN1_TIME* time) {
    std::tm parts{};
    return {ASN1_TIME_to_tm(time, &parts) == 1 ? std::int64_t{::timegm(&parts)} * 1000 : 0};
}

// By which the authority knows a certificate (RFC 9773, 4.1); empty when it does not say who signed it.
std::string renewal_id(const X509* certificate) {
    const IdentifierOwner authority(static_cast<AUTHORITY_KEYID*>(
        X509_get_ext_d2i(certificate, NID_authority_key_identifier, nullptr, nullptr)));
    const ASN1_INTEGER* serial = X509_get0_serialNumber(certificate);
    if (!authority || authority->keyid == nullptr || serial == nullptr)
        return {};
    std::string number(bytes_of(serial));
    if (!number.empty() && (static_cast<unsigned char>(number.front()) & 0x80U) != 0)
        number.insert(0, 1, '\0'); // as DER has it
    return base64url(bytes_of(authority->keyid)) + "." + base64url(number);
}

} // namespace

Result<SigningKey> SigningKey::make() {
    SigningKey made{KeyOwner(EVP_EC_gen("P-256"))};
    if (!made.key_)
        return cannot("make a key");
    TRY(made.read_public());
    return made;
}

Result<SigningKey> SigningKey::of_pem(const std::string& pem) {
    const BioOwner bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
    SigningKey read{KeyOwner(
        PEM_read_bio_PrivateKey(bio.get(), nullptr, [](char*, int, int, void*) { return -1; }, nullptr))};
    if (!read.key_)
        return cannot("read a key");
    TRY(read.read_public());
    return read;
}

Result<void> SigningKey::read_public() {
    BIGNUM *x = nullptr, *y = nullptr;
    std::array<char, 32> group{};
    std::size_t size = 0;
    const bool has_group = EVP_PKEY_get_group_name(key_.get(), group.data(), group.size(), &size) == 1 &&
                           std::string_view(group.data(), size) == SN_X9_62_prime256v1;
    const bool has_point = EVP_PKEY_get_bn_param(key_.get(), OSSL_PKEY_PARAM_EC_PUB_X, &x) == 1 &&
                           EVP_PKEY_get_bn_param(key_.get(), OSSL_PKEY_PARAM_EC_PUB_Y, &y) == 1;
    const NumberOwner own_x(x), own_y(y);
    if (!has_group || !has_point)
        return cannot("use a key that is not on the curve P-256");
    jwk_ = fmt::format(R"({{"crv":"P-256","kty":"EC","x":"{}","y":"{}"}})", base64url(padded(x)),
                       base64url(padded(y)));
    return {};
}

Result<std::string> SigningKey::pem() const {
    const BioOwner bio(BIO_new(BIO_s_mem()));
    if (!bio || PEM_write_bio_PrivateKey(bio.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1)
        return cannot("write a key");
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(bio.get(), &bytes);
    return std::string(bytes, static_cast<std::size_t>(size));
}

std::string SigningKey::thumbprint() const { return base64url(sha256(jwk_)); }

std::string SigningKey::authorization_of(std::string_view token) const {
    return fmt::format("{}.{}", token, thumbprint());
}

Result<std::string> SigningKey::sign(std::string_view header, std::string_view payload) const {
    const auto shown_header = base64url(header), shown_payload = base64url(payload);
    const auto text = shown_header + "." + shown_payload;
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    const DigestOwner digest(EVP_MD_CTX_new());
    std::size_t size = 0;
    if (!digest || EVP_DigestSignInit(digest.get(), nullptr, EVP_sha256(), nullptr, key_.get()) != 1 ||
        EVP_DigestSign(digest.get(), nullptr, &size, bytes, text.size()) != 1)
        return cannot("sign");
    std::string der(size, '\0');
    if (EVP_DigestSign(digest.get(), reinterpret_cast<unsigned char*>(der.data()), &size, bytes,
                       text.size()) != 1)
        return cannot("sign");
    der.resize(size);
    return fmt::format(R"({{"protected":"{}","payload":"{}","signature":"{}"}})", shown_header, shown_payload,
                       base64url(raw_signature(der)));
}

Result<std::string> SigningKey::certificate_request(std::string_view host) const {
    if (normal_host(host) != host || host.find(':') != host.npos)
        return malformed("this is not the name of a host"); // it would be part of an extension's text
    const RequestOwner request(X509_REQ_new());
    if (!request || X509_REQ_set_version(request.get(), X509_REQ_VERSION_1) != 1 ||
        X509_REQ_set_pubkey(request.get(), key_.get()) != 1 || !add_name(request.get(), std::string(host)) ||
        X509_REQ_sign(request.get(), key_.get(), EVP_sha256()) <= 0)
        return cannot("make a request for a certificate");
    const int size = i2d_X509_REQ(request.get(), nullptr);
    std::string der(static_cast<std::size_t>(std::max(size, 0)), '\0');
    auto* at = reinterpret_cast<unsigned char*>(der.data());
    if (size <= 0 || i2d_X509_REQ(request.get(), &at) != size)
        return cannot("write a request for a certificate");
    return der;
}

Result<IssuedCertificate> read_issued(const std::string& chain, const std::string& key,
                                      std::string_view host) {
    const auto certificate = TRY(http::Certificate::of_pem(chain, key)); // they go together
    const auto& names = certificate->names();
    if (std::ranges::find(names, host) == names.end())
        return malformed(fmt::format("the authority's certificate does not name {}", host));
    const BioOwner bio(BIO_new_mem_buf(chain.data(), static_cast<int>(chain.size())));
    const http::CertificateOwner leaf(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
    if (!leaf)
        return cannot("read the authority's certificate");
    IssuedCertificate out{.chain = chain,
                          .key = key,
                          .not_before = time_of(X509_get0_notBefore(leaf.get())),
                          .not_after = time_of(X509_get0_notAfter(leaf.get())),
                          .renewal_id = renewal_id(leaf.get())};
    if (out.not_after <= out.not_before)
        return malformed("the authority's certificate ends before it begins");
    return out;
}

} // namespace slashpost::acme
