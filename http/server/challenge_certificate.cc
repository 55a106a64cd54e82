#include "http/server/challenge_certificate.h"

#include "core/base/errors.h"
#include "core/base/host.h"
#include "core/base/secret.h"

#include <fmt/format.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

namespace slashpost::http {

namespace {

constexpr const char* acme_identifier = "1.3.6.1.5.5.7.1.31"; // RFC 8737, section 6.1
constexpr const char* octet_string_of_32_bytes = "\x04\x20";  // its DER
constexpr long lifetime_seconds = 3600;

using ExtensionOwner = std::unique_ptr<X509_EXTENSION, Releaser<X509_EXTENSION_free>>;
using ObjectOwner = std::unique_ptr<ASN1_OBJECT, Releaser<ASN1_OBJECT_free>>;
using OctetsOwner = std::unique_ptr<ASN1_OCTET_STRING, Releaser<ASN1_OCTET_STRING_free>>;

ExtensionOwner identifier(std::string_view key_authorization) {
    const std::string value = octet_string_of_32_bytes + sha256(key_authorization);
    const ObjectOwner object(OBJ_txt2obj(acme_identifier, 1));
    const OctetsOwner octets(ASN1_OCTET_STRING_new());
    if (!object || !octets ||
        ASN1_OCTET_STRING_set(octets.get(), reinterpret_cast<const unsigned char*>(value.data()),
                              static_cast<int>(value.size())) != 1)
        return nullptr;
    return ExtensionOwner(X509_EXTENSION_create_by_OBJ(nullptr, object.get(), 1, octets.get()));
}

bool fill(X509* certificate, EVP_PKEY* key, const std::string& host, std::string_view key_authorization) {
    const ExtensionOwner names(
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, ("DNS:" + host).c_str()));
    const ExtensionOwner proof = identifier(key_authorization);
    X509_NAME* subject = X509_get_subject_name(certificate);
    return names && proof && X509_set_version(certificate, X509_VERSION_3) == 1 &&
           ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) == 1 &&
           X509_gmtime_adj(X509_getm_notBefore(certificate), -lifetime_seconds) != nullptr &&
           X509_gmtime_adj(X509_getm_notAfter(certificate), lifetime_seconds) != nullptr &&
           X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                                      reinterpret_cast<const unsigned char*>("ACME challenge"), -1, -1,
                                      0) == 1 &&
           X509_set_issuer_name(certificate, subject) == 1 && X509_set_pubkey(certificate, key) == 1 &&
           X509_add_ext(certificate, names.get(), -1) == 1 &&
           X509_add_ext(certificate, proof.get(), -1) == 1 && X509_sign(certificate, key, EVP_sha256()) > 0;
}

std::string text_of(BIO* bio) {
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(bio, &bytes);
    return {bytes, static_cast<std::size_t>(size)};
}

} // namespace

Result<std::shared_ptr<const Certificate>> make_challenge_certificate(std::string_view host,
                                                                      std::string_view key_authorization) {
    if (normal_host(host) != host || host.find(':') != host.npos)
        return malformed("this is not the name of a host");
    const KeyOwner key(EVP_EC_gen("P-256"));
    const CertificateOwner certificate(X509_new());
    const BioOwner chain(BIO_new(BIO_s_mem())), key_text(BIO_new(BIO_s_mem()));
    if (!key || !certificate || !chain || !key_text ||
        !fill(certificate.get(), key.get(), std::string(host), key_authorization) ||
        PEM_write_bio_X509(chain.get(), certificate.get()) != 1 ||
        PEM_write_bio_PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1)
        return fault(fmt::format("cannot make a certificate: {}", take_openssl_reason()));
    return Certificate::of_pem(text_of(chain.get()), text_of(key_text.get()));
}

} // namespace slashpost::http
