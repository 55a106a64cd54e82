#pragma once
// A certificate with its key and the chain that vouches for it, read from PEM; and the immutable set of all
// that a server has, from which one is chosen by the host name that a visitor asks for.
//
// The names inside a certificate decide what it is for, not the folder it lies in.
#include "core/base/result.h"
#include "http/server/openssl.h"

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace slashpost::http {

class Certificate {
  public:
    // Fails with a sentence on files that cannot be read, hold something else, do not belong together, or
    // are too weak for today's clients.
    static Result<std::shared_ptr<const Certificate>> read(const std::filesystem::path& chain_file,
                                                           const std::filesystem::path& key_file);
    // The same from texts that are in no file.
    static Result<std::shared_ptr<const Certificate>> of_pem(const std::string& chain,
                                                             const std::string& key);

    // Lower case, without a trailing dot; "*.example.com" stands for one label.
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
    [[nodiscard]] std::time_t expires() const { return expires_; }
    // Makes a handshake present it.
    [[nodiscard]] bool install(SSL* ssl) const;

  private:
    struct ChainReleaser {
        void operator()(STACK_OF(X509) * chain) const;
    };
    using Chain = std::unique_ptr<STACK_OF(X509), ChainReleaser>;

    // A text of PEM and what it is called in complaints.
    struct Source {
        std::string name;
        std::string text;
    };
    Certificate() = default;
    static Result<std::shared_ptr<const Certificate>> make(const Source& chain, const Source& key);
    Result<void> read_chain(const Source& source);
    Result<void> read_key(const Source& source);
    Result<void> read_names();

    CertificateOwner leaf_;
    Chain chain_; // above the leaf
    KeyOwner key_;
    std::vector<std::string> names_;
    std::time_t expires_ = 0;
};

class CertificateSet {
  public:
    struct Item {
        std::string folder; // its name
        std::shared_ptr<const Certificate> certificate;
        // The server got it by itself: those that the operator has win, as long as they have not expired.
        bool is_own = false;
    };

    // Of two for the same name the one that expires later counts. The default, for visitors that name no
    // host or an unknown one, is that of the folder "default", else the one for `default_host`, else that of
    // the first folder by name.
    CertificateSet() = default;
    explicit CertificateSet(const std::vector<Item>& items, std::string_view default_host = {});

    // The certificate for a host name, else the default; null when there is none at all.
    [[nodiscard]] const Certificate* choose(std::string_view host) const;
    // Whether a certificate names this host, itself or with a wildcard.
    [[nodiscard]] bool covers(std::string_view host) const { return named(host) != nullptr; }
    [[nodiscard]] std::size_t size() const { return size_; }
    // When the first of them expires; 0 when there is none.
    [[nodiscard]] std::time_t first_expiry() const { return first_expiry_; }
    // The one of the operator's that names this host, expired or not; null: none does.
    [[nodiscard]] const Certificate* of_operator(std::string_view host) const;

  private:
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    using ByName = std::unordered_map<std::string, std::shared_ptr<const Certificate>, Hash, std::equal_to<>>;
    static const Certificate* find(const ByName& by_name, std::string_view host);
    [[nodiscard]] const Certificate* named(std::string_view host) const;

    ByName by_name_;     // of the operator
    ByName own_by_name_; // that the server got by itself
    std::shared_ptr<const Certificate> fallback_;
    std::size_t size_ = 0;
    std::time_t first_expiry_ = 0;
};

} // namespace slashpost::http
