#pragma once
// Certificates made on the spot, and a TLS client over a real socket that shows what it got: which
// certificate, which version, whether the session was resumed, whether the end was announced.
#include "http/server/openssl.h"
#include "tests/http/server/client.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace slashpost::http {

class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "slashpost-tls-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

// A self-signed certificate and its key as PEM.
struct PemPair {
    std::string chain, key;
};

inline std::string pem_text(const std::function<bool(BIO*)>& write) {
    const BioOwner bio(BIO_new(BIO_s_mem()));
    if (!write(bio.get()))
        throw std::runtime_error("cannot write PEM");
    char* data = nullptr;
    const long size = BIO_get_mem_data(bio.get(), &data);
    return {data, static_cast<std::size_t>(size)};
}

struct PemOptions {
    int days = 90;
    unsigned rsa_bits = 0;  // 0: an elliptic curve
    std::string password{}; // of the key
};

// The first name is the subject's as well; "" as the only name leaves the alternative names out.
inline PemPair make_pem(const std::vector<std::string>& names, const PemOptions& options = {}) {
    const KeyOwner key(options.rsa_bits > 0 ? EVP_RSA_gen(options.rsa_bits) : EVP_EC_gen("P-256"));
    const CertificateOwner made(X509_new());
    X509* certificate = made.get();
    X509_set_version(certificate, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 86'400L * options.days);
    X509_set_pubkey(certificate, key.get());
    X509_NAME* subject = X509_get_subject_name(certificate);
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(names.front().c_str()), -1, -1, 0);
    X509_set_issuer_name(certificate, subject);
    std::string alternatives;
    for (std::size_t i = names.size() > 1 ? 1 : 0; i < names.size(); ++i) {
        if (!names[i].empty())
            alternatives.append(alternatives.empty() ? "" : ",").append("DNS:").append(names[i]);
    }
    if (!alternatives.empty()) {
        const std::unique_ptr<X509_EXTENSION, Releaser<X509_EXTENSION_free>> extension(
            X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, alternatives.c_str()));
        X509_add_ext(certificate, extension.get(), -1);
    }
    if (X509_sign(certificate, key.get(), EVP_sha256()) == 0)
        throw std::runtime_error("cannot sign");
    const EVP_CIPHER* cipher = options.password.empty() ? nullptr : EVP_aes_128_cbc();
    return {.chain = pem_text([&](BIO* bio) { return PEM_write_bio_X509(bio, certificate) == 1; }),
            .key = pem_text([&](BIO* bio) {
                return PEM_write_bio_PKCS8PrivateKey(bio, key.get(), cipher, options.password.data(),
                                                     static_cast<int>(options.password.size()), nullptr,
                                                     nullptr) == 1;
            })};
}

inline void write_file(const std::filesystem::path& file, const std::string& text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
}

inline void write_pair(const std::filesystem::path& folder, const PemPair& pair) {
    write_file(folder / "fullchain.pem", pair.chain);
    write_file(folder / "privkey.pem", pair.key);
}

inline bool until(const std::function<bool()>& true_now) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!true_now()) {
        if (std::chrono::steady_clock::now() > end)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

using SessionOwner = std::unique_ptr<SSL_SESSION, Releaser<SSL_SESSION_free>>;

class TlsClient {
  public:
    struct Options {
        std::string host{}; // asked for; empty: none
        int version_min = TLS1_2_VERSION;
        int version_max = 0;              // 0: any
        std::string protocols{};          // as on the wire: "\x08http/1.1"
        SSL_SESSION* session = nullptr;   // to resume
        std::size_t bytes_at_once = 4096; // sent to the socket in pieces of this size
    };

    TlsClient(std::uint16_t port, const Options& options)
        : socket_(port),
          bytes_at_once_(options.bytes_at_once),
          context_(SSL_CTX_new(TLS_client_method())),
          ssl_(SSL_new(context_.get())),
          in_(BIO_new(BIO_s_mem())),
          out_(BIO_new(BIO_s_mem())) {
        // So that old versions can be offered at all.
        SSL_set_security_level(ssl_.get(), 0);
        SSL_set_cipher_list(ssl_.get(), "ALL:@SECLEVEL=0");
        SSL_set_min_proto_version(ssl_.get(), options.version_min);
        SSL_set_max_proto_version(ssl_.get(), options.version_max);
        if (!options.host.empty())
            SSL_set_tlsext_host_name(ssl_.get(), options.host.c_str());
        if (!options.protocols.empty())
            SSL_set_alpn_protos(ssl_.get(), reinterpret_cast<const unsigned char*>(options.protocols.data()),
                                static_cast<unsigned>(options.protocols.size()));
        if (options.session != nullptr)
            SSL_set_session(ssl_.get(), options.session);
        BIO_up_ref(in_.get());
        BIO_up_ref(out_.get());
        SSL_set_bio(ssl_.get(), in_.get(), out_.get());
        SSL_set_connect_state(ssl_.get());
    }

    bool shake_hands() {
        return run([this] { return SSL_do_handshake(ssl_.get()); }) == 1;
    }

    void send(std::string_view bytes) {
        run([&] { return SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size())); });
    }

    std::optional<Response> receive(std::string_view method = "GET") {
        return take_response(buffer_, method, [this] { return fill(); });
    }

    std::optional<Response> ask(std::string_view request) {
        send(request);
        return receive(request.starts_with("HEAD ") ? "HEAD" : "GET");
    }

    // Whether the server says that it is done, rather than just closing the socket.
    bool hears_goodbye() {
        return buffer_.empty() && !fill() && (SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN) != 0;
    }

    void say_goodbye() {
        SSL_shutdown(ssl_.get());
        push();
    }

    // The subject of the certificate that the server showed.
    std::string shown() const {
        const CertificateOwner certificate(SSL_get1_peer_certificate(ssl_.get()));
        char name[256] = {};
        if (certificate)
            X509_NAME_get_text_by_NID(X509_get_subject_name(certificate.get()), NID_commonName, name,
                                      sizeof name);
        return name;
    }

    SSL* ssl() { return ssl_.get(); }
    Client& socket() { return socket_; }
    std::string version() const { return SSL_get_version(ssl_.get()); }
    bool resumed() const { return SSL_session_reused(ssl_.get()) == 1; }
    SessionOwner session() const { return SessionOwner(SSL_get1_session(ssl_.get())); }
    std::string protocol() const {
        const unsigned char* name = nullptr;
        unsigned size = 0;
        SSL_get0_alpn_selected(ssl_.get(), &name, &size);
        return size == 0 ? "" : std::string(reinterpret_cast<const char*>(name), size);
    }

    // Sends what TLS has written so far.
    void push() {
        char bytes[16 * 1024];
        for (int count = 0; (count = BIO_read(out_.get(), bytes, static_cast<int>(sizeof bytes))) > 0;) {
            std::string_view rest(bytes, static_cast<std::size_t>(count));
            for (; !rest.empty(); rest.remove_prefix(std::min(bytes_at_once_, rest.size())))
                socket_.send(rest.substr(0, bytes_at_once_));
        }
    }

  private:
    // Runs one operation to its end, with as much sending and receiving as it takes.
    int run(const std::function<int()>& operation) {
        for (;;) {
            const int done = operation();
            const int error = SSL_get_error(ssl_.get(), done);
            push();
            if (done > 0 || error != SSL_ERROR_WANT_READ)
                return done;
            const std::string received = socket_.receive_some();
            if (received.empty())
                return -1;
            BIO_write(in_.get(), received.data(), static_cast<int>(received.size()));
        }
    }

    bool fill() {
        char bytes[16 * 1024];
        const int count = run([&] { return SSL_read(ssl_.get(), bytes, static_cast<int>(sizeof bytes)); });
        if (count <= 0)
            return false;
        buffer_.append(bytes, static_cast<std::size_t>(count));
        return true;
    }

    Client socket_;
    const std::size_t bytes_at_once_;
    SslContextOwner context_;
    SslOwner ssl_;
    BioOwner in_, out_;
    std::string buffer_;
};

} // namespace slashpost::http
