#include "http/server/certificate.h"

#include "core/base/ascii.h"
#include "core/base/errors.h"
#include "core/base/host.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <tuple>

namespace slashpost::http {

namespace {

constexpr std::size_t pem_bytes_max = 256 * 1024;
constexpr std::size_t chain_length_max = 16;

struct NamesReleaser {
    void operator()(GENERAL_NAMES* names) const { GENERAL_NAMES_free(names); }
};

std::unexpected<Error> unusable(std::string_view file, std::string_view reason) {
    return malformed(fmt::format("{}: {}", file, reason));
}

// OpenSSL would ask at the terminal.
int no_password(char*, int, int, void*) { return -1; }

Result<std::string> read_text(const std::filesystem::path& file) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) // a pipe would never end
        return unusable(file.filename().string(), "there is no such file");
    std::ifstream stream(file, std::ios::binary);
    std::string text(pem_bytes_max + 1, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (stream.bad() || !(stream.eof() || stream.good()) || !stream.is_open())
        return unusable(file.filename().string(), "it cannot be read");
    text.resize(static_cast<std::size_t>(stream.gcount()));
    if (text.size() > pem_bytes_max)
        return unusable(file.filename().string(), "it is larger than a certificate is");
    return text;
}

BioOwner memory_bio(const std::string& text) {
    return BioOwner(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// The form in which names are kept and looked up; empty when it is none that a visitor can ask for.
std::string certificate_name(std::string_view given) {
    const bool wildcard = given.starts_with("*.");
    const auto host = normal_host(wildcard ? given.substr(2) : given);
    if (!host || host->find(':') != std::string::npos)
        return {};
    return wildcard ? "*." + *host : *host;
}

std::string_view text_of(const ASN1_STRING* string) {
    return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(string)),
            static_cast<std::size_t>(ASN1_STRING_length(string))};
}

std::time_t time_of(const ASN1_TIME* time) {
    std::tm parts{};
    return ASN1_TIME_to_tm(time, &parts) == 1 ? ::timegm(&parts) : 0;
}

} // namespace

std::string take_openssl_reason() {
    const unsigned long code = ERR_get_error();
    ERR_clear_error();
    const char* reason = code == 0 ? nullptr : ERR_reason_error_string(code);
    return reason == nullptr ? "unknown reason" : reason;
}

void Certificate::ChainReleaser::operator()(STACK_OF(X509) * chain) const {
    sk_X509_pop_free(chain, X509_free);
}

Result<std::shared_ptr<const Certificate>> Certificate::read(const std::filesystem::path& chain_file,
                                                             const std::filesystem::path& key_file) {
    const Source chain{.name = chain_file.filename().string(), .text = TRY(read_text(chain_file))};
    Source key{.name = key_file.filename().string(), .text = TRY(read_text(key_file))};
    auto made = make(chain, key);
    OPENSSL_cleanse(key.text.data(), key.text.size());
    return made;
}

Result<std::shared_ptr<const Certificate>> Certificate::of_pem(const std::string& chain,
                                                               const std::string& key) {
    return make({.name = "the chain", .text = chain}, {.name = "the key", .text = key});
}

Result<std::shared_ptr<const Certificate>> Certificate::make(const Source& chain, const Source& key) {
    ERR_clear_error();
    std::shared_ptr<Certificate> made(new Certificate);
    TRY(made->read_chain(chain));
    TRY(made->read_key(key));
    TRY(made->read_names());
    // What a handshake would refuse is found here: a foreign key, one that is too short.
    const SslContextOwner context(SSL_CTX_new(TLS_server_method()));
    if (context)
        SSL_CTX_set_security_level(context.get(), security_level);
    const SslOwner trial(context ? SSL_new(context.get()) : nullptr);
    if (!trial || !made->install(trial.get()))
        return unusable(key.name,
                        fmt::format("it does not go with {} ({})", chain.name, take_openssl_reason()));
    return made;
}

Result<void> Certificate::read_chain(const Source& source) {
    const BioOwner bio = memory_bio(source.text);
    leaf_.reset(PEM_read_bio_X509_AUX(bio.get(), nullptr, no_password, nullptr));
    if (!leaf_)
        return unusable(source.name, fmt::format("it holds no certificate ({})", take_openssl_reason()));
    chain_.reset(sk_X509_new_null());
    while (X509* next = PEM_read_bio_X509(bio.get(), nullptr, no_password, nullptr)) {
        if (static_cast<std::size_t>(sk_X509_num(chain_.get())) == chain_length_max) {
            X509_free(next);
            return unusable(source.name, "its chain is too long");
        }
        sk_X509_push(chain_.get(), next);
    }
    // The end of the file is the one error that is none.
    if (const unsigned long code = ERR_peek_last_error(); ERR_GET_REASON(code) != PEM_R_NO_START_LINE)
        return unusable(source.name, fmt::format("its chain is broken ({})", take_openssl_reason()));
    ERR_clear_error();
    return {};
}

Result<void> Certificate::read_key(const Source& source) {
    key_.reset(PEM_read_bio_PrivateKey(memory_bio(source.text).get(), nullptr, no_password, nullptr));
    if (!key_)
        return unusable(source.name,
                        fmt::format("it holds no key without a password ({})", take_openssl_reason()));
    return {};
}

Result<void> Certificate::read_names() {
    const std::unique_ptr<GENERAL_NAMES, NamesReleaser> names(
        static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(leaf_.get(), NID_subject_alt_name, nullptr, nullptr)));
    const int count = names ? sk_GENERAL_NAME_num(names.get()) : 0;
    for (int i = 0; i < count; ++i) {
        const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
        if (name->type == GEN_DNS)
            names_.push_back(certificate_name(text_of(name->d.dNSName)));
    }
    // Browsers read the subject no more; other clients and certificates made by hand still have it.
    if (names_.empty()) {
        const X509_NAME* subject = X509_get_subject_name(leaf_.get());
        const int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
        if (at >= 0)
            names_.push_back(
                certificate_name(text_of(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at)))));
    }
    std::erase(names_, std::string());
    expires_ = time_of(X509_get0_notAfter(leaf_.get()));
    ERR_clear_error();
    return {};
}

bool Certificate::install(SSL* ssl) const {
    return SSL_use_cert_and_key(ssl, leaf_.get(), key_.get(), chain_.get(), 1) == 1;
}

CertificateSet::CertificateSet(const std::vector<Item>& items, std::string_view default_host)
    : size_(items.size()) {
    const Item* by_folder = nullptr;
    for (const Item& item : items) {
        for (const std::string& name : item.certificate->names()) {
            auto& place = (item.is_own ? own_by_name_ : by_name_)[name];
            if (!place || place->expires() < item.certificate->expires())
                place = item.certificate;
        }
        if (by_folder == nullptr || item.folder == "default" ||
            (by_folder->folder != "default" &&
             std::tie(item.is_own, item.folder) < std::tie(by_folder->is_own, by_folder->folder)))
            by_folder = &item;
        if (first_expiry_ == 0 || item.certificate->expires() < first_expiry_)
            first_expiry_ = item.certificate->expires();
    }
    if (by_folder == nullptr)
        return;
    fallback_ = by_folder->certificate;
    const std::string name = certificate_name(default_host.substr(0, default_host.find(':')));
    for (const Item& item : items) {
        if (by_folder->folder != "default" && item.certificate.get() == named(name))
            fallback_ = item.certificate;
    }
}

const Certificate* CertificateSet::choose(std::string_view host) const {
    const Certificate* found = named(host);
    return found != nullptr ? found : fallback_.get();
}

const Certificate* CertificateSet::of_operator(std::string_view host) const { return find(by_name_, host); }

const Certificate* CertificateSet::named(std::string_view host) const {
    const Certificate* given = find(by_name_, host);
    if (own_by_name_.empty() || (given != nullptr && given->expires() > std::time(nullptr)))
        return given;
    const Certificate* own = find(own_by_name_, host);
    return own != nullptr ? own : given;
}

const Certificate* CertificateSet::find(const ByName& by_name, std::string_view host) {
    if (host.ends_with('.'))
        host.remove_suffix(1);
    std::string name(host);
    std::ranges::transform(name, name.begin(), ascii::lower);
    auto found = by_name.find(name);
    const std::size_t dot = name.find('.');
    if (found == by_name.end() && dot != 0 && dot != std::string::npos)
        found = by_name.find("*" + name.substr(dot));
    return found == by_name.end() ? nullptr : found->second.get();
}

} // namespace slashpost::http
