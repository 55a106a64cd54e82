#include "http/server/certificates.h"

#include "core/base/errors.h"
#include "core/base/guarded.h"
#include "core/base/pause.h"
#include "http/server/challenge_certificate.h"

#include <algorithm>
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

namespace slashpost::http {

namespace {

// Beyond this the looking would take longer than the time between two looks.
constexpr std::size_t certificates_max = 10'000;

constexpr const char* chain_name = "fullchain.pem";
constexpr const char* key_name = "privkey.pem";

std::string how_to_permit() {
    return fmt::format(
        "; let the user of this server (id {}) read it and what its links lead to: chgrp -R its group, then "
        "chmod -R g+rX, for example /etc/letsencrypt/live and /etc/letsencrypt/archive",
        ::geteuid());
}

} // namespace

Certificates::Certificates(Options options)
    : options_(std::move(options)),
      current_(std::make_shared<const CertificateSet>()) {}

Certificates::~Certificates() = default;

Result<void> Certificates::start() {
    TRY(look(WatchedFiles::Patience::none));
    watcher_ = std::jthread([this](const std::stop_token& stopping) { watch(stopping); });
    return {};
}

void Certificates::reload() {
    static_cast<void>(guarded([&] { return look(WatchedFiles::Patience::none); }));
}

std::shared_ptr<const CertificateSet> Certificates::current() const {
    const std::lock_guard lock(mutex_);
    return current_;
}

void Certificates::watch(const std::stop_token& stopping) {
    ::pthread_setname_np(::pthread_self(), "certificates");
    while (!stopping.stop_requested()) {
        pause(stopping, options_.look_every);
        if (!stopping.stop_requested())
            static_cast<void>(guarded([&] { return look(WatchedFiles::Patience::one_look); }));
    }
}

Result<void> Certificates::look(WatchedFiles::Patience patience) {
    const std::lock_guard lock(looking_);
    auto names = folders();
    if (!names.has_value()) {
        if (!folder_is_gone_ || patience == WatchedFiles::Patience::none)
            report(CertificateNews::Kind::broken, options_.folder.string(), names.error().message);
        folder_is_gone_ = true;
        return std::unexpected(std::move(names.error()));
    }
    folder_is_gone_ = false;
    bool changed = forget_missing(*names);
    for (const std::string& name : *names)
        changed |= look_at(name, patience);
    if (changed)
        publish();
    return {};
}

// The names of the folders that may hold a certificate: certbot leaves a README beside them.
Result<std::vector<std::string>> Certificates::folders() const {
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator at(options_.folder, error), end; !error && at != end;
         at.increment(error)) {
        std::error_code ignored;
        std::string name = at->path().filename().string();
        if (!name.starts_with('.') && at->is_directory(ignored))
            names.push_back(std::move(name));
        if (names.size() > certificates_max)
            return refused("TooMany", "certificate", "there are more certificates than this server takes");
    }
    // Whoever issues the first certificate makes the folder, too.
    if (error == std::errc::no_such_file_or_directory && pairs_.empty())
        return names;
    if (error)
        return unavailable(fmt::format("cannot read the folder {}: {}{}", options_.folder.string(),
                                       error.message(),
                                       error == std::errc::permission_denied ? how_to_permit() : ""));
    std::ranges::sort(names);
    return names;
}

// Answers whether there is another certificate in the folder now.
bool Certificates::look_at(const std::string& name, WatchedFiles::Patience patience) {
    const auto chain = options_.folder / name / chain_name, key = options_.folder / name / key_name;
    auto& [files, certificate] =
        pairs_.try_emplace(name, Pair{.files = WatchedFiles({chain, key}), .certificate = {}}).first->second;
    if (!files.is_due(patience))
        return false;
    auto read = Certificate::read(chain, key);
    if (!read.has_value()) {
        if (files.refuse())
            report(CertificateNews::Kind::broken, name, read.error().message);
        return false;
    }
    if (!files.take())
        return false;
    certificate = std::move(*read);
    report(CertificateNews::Kind::loaded, name);
    return true;
}

// A folder that is gone was taken away on purpose; a file that is gone was not.
bool Certificates::forget_missing(const std::vector<std::string>& names) {
    bool changed = false;
    std::erase_if(pairs_, [&](const auto& item) {
        if (std::ranges::binary_search(names, item.first))
            return false;
        if (item.second.certificate) {
            changed = true;
            report(CertificateNews::Kind::removed, item.first);
        }
        return true;
    });
    return changed;
}

void Certificates::publish() {
    std::vector<CertificateSet::Item> items;
    for (const auto& [name, pair] : pairs_)
        if (pair.certificate)
            items.push_back({.folder = name, .certificate = pair.certificate});
    for (const auto& [host, certificate] : own_)
        items.push_back({.folder = host, .certificate = certificate, .is_own = true});
    auto made = std::make_shared<const CertificateSet>(items, options_.default_host);
    const std::lock_guard lock(mutex_);
    current_.swap(made); // the old set, if nobody else has it, goes after the lock
}

void Certificates::set_own(Own own) {
    const std::lock_guard lock(looking_);
    own_ = std::move(own);
    publish();
}

std::vector<CertificateSet::Item> Certificates::of_operator() const {
    const std::lock_guard lock(looking_);
    std::vector<CertificateSet::Item> items;
    for (const auto& [name, pair] : pairs_)
        if (pair.certificate)
            items.push_back({.folder = name, .certificate = pair.certificate});
    return items;
}

std::shared_ptr<const Certificate> Certificates::for_challenge(std::string_view host) const {
    const auto answer = options_.find_challenge ? options_.find_challenge(host) : std::nullopt;
    if (!answer)
        return nullptr;
    auto made = make_challenge_certificate(host, *answer);
    return made.has_value() ? std::move(*made) : nullptr;
}

void Certificates::report(CertificateNews::Kind kind, std::string folder, std::string reason) const {
    if (options_.report)
        options_.report({.kind = kind, .folder = std::move(folder), .reason = std::move(reason)});
}

} // namespace slashpost::http
