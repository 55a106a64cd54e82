#include "app/examination.h"

#include "app/first_start.h"
#include "core/base/host.h"
#include "core/base/local_host.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <set>
#include <sys/resource.h>
#include <sys/timex.h>
#include <unistd.h>

namespace slashpost::app {

namespace {

using Findings = std::vector<admin::ServerFinding>;

constexpr std::size_t domains_max = 50;
constexpr int syncs = 50;
constexpr std::chrono::milliseconds slow_sync{5};
constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;
constexpr rlim_t few_files = 16'384;
constexpr std::int64_t day_seconds = 86'400;
constexpr std::int64_t certificate_days_min = 14, countries_days_max = 60;

void bad(Findings& out, std::string what, std::string remedy) {
    out.push_back({.is_bad = true, .what = std::move(what), .remedy = std::move(remedy)});
}
void hint(Findings& out, std::string what, std::string remedy) {
    out.push_back({.is_bad = false, .what = std::move(what), .remedy = std::move(remedy)});
}

void look_at_settings(const Examined& server, Findings& out) {
    for (const auto& warning : server.warnings)
        bad(out, warning, "change it where it stands, and start the server again");
    const auto& config = server.config;
    const bool behind_proxy = !config.tls_listen && (config.listen.address == "localhost" ||
                                                     config.listen.address.starts_with("127."));
    if (behind_proxy && config.trusted_proxies.empty())
        hint(out, "the server listens on this machine only, and believes no proxy who its visitors are",
             "if one stands in front of it: --trusted-proxies 127.0.0.1,::1");
}

void look_at_disk(const Examined& server, Findings& out) {
    const auto figures = server.installation.figures();
    if (const auto words = server.installation.store_health().trouble(); !words.empty())
        bad(out, "the store takes no writes", words);
    const auto& disk = figures.disk;
    if (disk.capacity > 0 && (disk.available < disk.capacity / 10 || disk.available < gibibyte))
        bad(out,
            fmt::format("the disk has {} MiB left of {} MiB", disk.available >> 20U, disk.capacity >> 20U),
            fmt::format("free some room: du -xsh {}/*", server.config.data.string()));
    if (const auto took = sync_time(server.config.data); took && *took > slow_sync)
        hint(out, fmt::format("a write takes {} ms to be on the disk", took->count() / 1000),
             "each answered write waits so long; a disk with a battery or of flash takes less than 1 ms");
}

void look_at_system(Findings& out) {
    rlimit files{};
    if (::getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < few_files)
        bad(out, fmt::format("the server may open {} files, and each connection is one", files.rlim_cur),
            "LimitNOFILE=65536 in the service's unit, or ulimit -Hn 65536 before the start");
    timex clock{};
    if (::adjtimex(&clock) == TIME_ERROR && (clock.status & STA_UNSYNC) != 0)
        hint(out, "nobody keeps this machine's clock right, which links that expire and statistics go by",
             "timedatectl set-ntp true");
}

// "192.0.2.1", as getaddrinfo and getifaddrs have it.
std::string text_of(const sockaddr* address) {
    std::array<char, NI_MAXHOST> text{};
    const auto size = address->sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    return ::getnameinfo(address, static_cast<socklen_t>(size), text.data(), text.size(), nullptr, 0,
                         NI_NUMERICHOST) == 0
               ? std::string(text.data())
               : std::string();
}

std::set<std::string> addresses_here() {
    std::set<std::string> out;
    ifaddrs* first = nullptr;
    if (::getifaddrs(&first) != 0)
        return out;
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> all(first, &::freeifaddrs);
    for (const auto* one = first; one != nullptr; one = one->ifa_next)
        if (one->ifa_addr != nullptr &&
            (one->ifa_addr->sa_family == AF_INET || one->ifa_addr->sa_family == AF_INET6))
            out.insert(text_of(one->ifa_addr));
    return out;
}

std::set<std::string> addresses_of(const std::string& host) {
    std::set<std::string> out;
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* first = nullptr;
    if (::getaddrinfo(host.c_str(), nullptr, &wanted, &first) != 0)
        return out;
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all(first, &::freeaddrinfo);
    for (const auto* one = first; one != nullptr; one = one->ai_next)
        out.insert(text_of(one->ai_addr));
    return out;
}

void look_at_domain(const Examined& server, const std::string& host, const std::set<std::string>& here,
                    Findings& out) {
    const auto addresses = addresses_of(host);
    if (addresses.empty())
        bad(out, fmt::format("the DNS knows no address of the domain {}", host),
            fmt::format("{}. IN A and AAAA records with the addresses of this machine", host));
    else if (std::ranges::none_of(addresses, [&](const auto& one) { return here.contains(one); }))
        hint(out,
             fmt::format("the domain {} leads to {}, which is no address of this machine", host,
                         *addresses.begin()),
             "that is right behind a proxy or a router; else change its A and AAAA records");
    if (server.config.tls_listen && server.certificates != nullptr &&
        !server.certificates->current()->covers(host))
        bad(out, fmt::format("no certificate names the domain {}", host),
            fmt::format("certbot certonly --webroot --webroot-path {} -d {}",
                        server.config.acme_webroot.empty() ? "DIR" : server.config.acme_webroot.string(),
                        host));
}

void look_at_domains(const Examined& server, Findings& out) {
    const auto& installation = server.installation;
    const auto on_dashboard =
        dashboard_warning(server.config, installation.settings(), installation.engine());
    if (on_dashboard.has_value() && *on_dashboard)
        bad(out, **on_dashboard, "do one of both");
    std::vector<std::string> hosts;
    const auto read = server.installation.engine().read([&](data::View& view) {
        return schema().domains.each(view, [&](const Domain& domain) -> Result<bool> {
            const auto authority = split_authority(domain.full_name);
            if (domain.verified && domain.active && !domain.revoked && authority &&
                !is_local_host(domain.full_name))
                hosts.emplace_back(authority->host);
            return hosts.size() < domains_max;
        });
    });
    if (!read.has_value())
        return bad(out, "the domains cannot be read", read.error().message);
    const auto here = addresses_here();
    for (const auto& host : hosts)
        look_at_domain(server, host, here, out);
}

void look_at_files(const Examined& server, Findings& out) {
    const auto now = server.installation.clock().now().ms / 1000;
    if (server.certificates != nullptr) {
        const auto first = server.certificates->current()->first_expiry();
        if (first != 0 && first - now < certificate_days_min * day_seconds)
            bad(out, fmt::format("a certificate expires in {} days", (first - now) / day_seconds),
                "certbot renew, and look at why that did not happen by itself: systemctl status "
                "certbot.timer");
    }
    const auto countries = server.installation.figures().countries;
    if (!server.config.geoip.empty() && !countries.loaded)
        bad(out, fmt::format("the countries in {} cannot be read", server.config.geoip.string()),
            fmt::format("tools/geoip-update {}", server.config.geoip.string()));
    else if (countries.loaded &&
             now - static_cast<std::int64_t>(countries.built_at) > countries_days_max * day_seconds)
        hint(out, "the file of countries is older than two months",
             fmt::format("tools/geoip-update {}", server.config.geoip.string()));
}

void look_at_backups(const Examined& server, Findings& out) {
    const auto& config = server.config;
    if (!config.store.empty())
        return; // which others keep
    const auto backups = server.installation.figures().backups;
    if (!backups)
        return bad(out, "the server makes no backups", "--backup-to /mnt/other-disk/slashpost");
    if (backups->last_failed)
        bad(out, "the last backup could not be made; the log says why",
            fmt::format("slashpost-admin backup {}", config.backup_to.string()));
    const auto age = server.installation.clock().now().ms / 1000 - backups->last.ms / 1000;
    if (backups->last.ms != 0 && age > 3 * std::int64_t{config.backup_every_seconds})
        bad(out, fmt::format("the newest backup is {} hours old", age / 3600),
            fmt::format("slashpost-admin backup {}", config.backup_to.string()));
}

} // namespace

std::optional<std::chrono::microseconds> sync_time(const std::filesystem::path& folder) {
    const auto path = folder / "doctor";
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0)
        return std::nullopt;
    static constexpr std::array<char, 4096> page{1};
    std::vector<std::chrono::microseconds> took;
    for (int i = 0; i < syncs; ++i) {
        const auto begun = std::chrono::steady_clock::now();
        if (::pwrite(file, page.data(), page.size(), 0) != static_cast<ssize_t>(page.size()) ||
            ::fdatasync(file) != 0)
            break;
        took.push_back(
            std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begun));
    }
    ::close(file);
    ::unlink(path.c_str());
    if (took.empty())
        return std::nullopt;
    std::ranges::sort(took);
    return took[took.size() / 2];
}

std::vector<admin::ServerFinding> examine(const Examined& server) {
    Findings out;
    look_at_settings(server, out);
    look_at_disk(server, out);
    look_at_system(out);
    look_at_domains(server, out);
    look_at_files(server, out);
    look_at_backups(server, out);
    return out;
}

} // namespace slashpost::app
