#pragma once
// Owners of OpenSSL's objects, and its errors as a sentence. Everything else of OpenSSL stays in the files
// that use it.
#include <memory>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <string>

namespace slashpost::http {

template <auto release>
struct Releaser {
    template <class T>
    void operator()(T* object) const {
        release(object);
    }
};

using BioOwner = std::unique_ptr<BIO, Releaser<BIO_free>>;
using CertificateOwner = std::unique_ptr<X509, Releaser<X509_free>>;
using KeyOwner = std::unique_ptr<EVP_PKEY, Releaser<EVP_PKEY_free>>;
using SslOwner = std::unique_ptr<SSL, Releaser<SSL_free>>;
using SslContextOwner = std::unique_ptr<SSL_CTX, Releaser<SSL_CTX_free>>;

// What today's browsers ask for: 112 bits, so RSA from 2048 on.
inline constexpr int security_level = 2;

// What OpenSSL says about the last failure in this thread, in words; its list of errors is empty afterwards.
std::string take_openssl_reason();

} // namespace slashpost::http
