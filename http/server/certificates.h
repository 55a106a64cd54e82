#pragma once
// The certificates of a server, kept in step with their folder: one folder each, as certbot leaves them
// (`<host>/fullchain.pem`, `<host>/privkey.pem`; symbolic links are followed).
//
// Files are looked at every few seconds. What changed is read anew for the handshakes to come; connections
// that are open stay as they are. A pair that is broken leaves the one before in force, and says so once.
#include "core/base/result.h"
#include "core/base/watched_files.h"
#include "http/server/certificate.h"

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace slashpost::http {

// Something about a certificate that whoever runs the server should know.
struct CertificateNews {
    enum class Kind : std::uint8_t { loaded, removed, broken };
    Kind kind = Kind::loaded;
    std::string folder; // the name of the certificate's folder; that of all for what concerns all
    std::string reason; // why it is broken
};

class Certificates {
  public:
    // The key authorization (RFC 8555, 8.1) of a host that an authority is looking at, by TLS-ALPN-01;
    // nothing: of this one none is. Called by any thread, for any name that a stranger sends.
    using FindChallenge = std::function<std::optional<std::string>(std::string_view host)>;

    struct Options {
        std::filesystem::path folder;
        std::string default_host; // whose certificate is shown to visitors that name no host
        std::chrono::milliseconds look_every{2'000};
        std::function<void(const CertificateNews&)> report; // called by one thread at a time
        FindChallenge find_challenge = {};                  // empty: the server gets none by itself
    };

    explicit Certificates(Options options);
    ~Certificates();

    // Reads all and watches from then on. Fails when the folder cannot be read; that it is empty or not there
    // yet is fine, since the first certificate may need this server to be issued. Once only.
    Result<void> start();
    // Looks at once, and speaks again about what is still broken. From any thread.
    void reload();
    // Never null. From any thread.
    [[nodiscard]] std::shared_ptr<const CertificateSet> current() const;

    // Takes those that the server got by itself, by host, in place of those that it was given before. From
    // any thread.
    using Own = std::map<std::string, std::shared_ptr<const Certificate>>;
    void set_own(Own own);
    // Those of the folder, by the name of theirs.
    [[nodiscard]] std::vector<CertificateSet::Item> of_operator() const;
    // Whether handshakes of TLS-ALPN-01 are answered.
    [[nodiscard]] bool answers_challenges() const { return static_cast<bool>(options_.find_challenge); }
    // What an authority is shown that looks at the host in this moment (RFC 8737); null: none does.
    [[nodiscard]] std::shared_ptr<const Certificate> for_challenge(std::string_view host) const;

  private:
    struct Pair {
        WatchedFiles files;
        std::shared_ptr<const Certificate> certificate; // null: none has been good yet
    };

    Result<void> look(WatchedFiles::Patience patience);
    Result<std::vector<std::string>> folders() const;
    bool look_at(const std::string& name, WatchedFiles::Patience patience);
    bool forget_missing(const std::vector<std::string>& names);
    void publish();
    void report(CertificateNews::Kind kind, std::string folder, std::string reason = {}) const;
    void watch(const std::stop_token& stopping);

    const Options options_;

    mutable std::mutex looking_;
    // Guarded by looking_.
    std::map<std::string, Pair> pairs_; // by the name of the folder
    bool folder_is_gone_ = false;
    Own own_;

    mutable std::mutex mutex_;
    std::shared_ptr<const CertificateSet> current_; // guarded by mutex_
    std::jthread watcher_;
};

} // namespace slashpost::http
