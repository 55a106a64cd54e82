#include "app/admin/certificate_commands.h"

#include "app/admin/commands.h"
#include "core/work/certificates.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace slashpost::admin {

namespace {

constexpr std::int64_t day_ms = 24LL * 3600 * 1000;

std::int64_t days_left(Timestamp not_after, Timestamp now) { return (not_after.ms - now.ms) / day_ms; }

bool names_host(const OperatorCertificate& certificate, std::string_view host) {
    const auto dot = host.find('.');
    const auto wildcard = dot == host.npos ? std::string() : fmt::format("*{}", host.substr(dot));
    return std::ranges::any_of(certificate.names,
                               [&](const std::string& name) { return name == host || name == wildcard; });
}

std::string life_of(Timestamp not_after, Timestamp now) {
    return not_after <= now
               ? fmt::format("expired {}", to_iso(not_after))
               : fmt::format("{} days left, until {}", days_left(not_after, now), to_iso(not_after));
}

Result<void> print_operator(Console& console, const std::vector<OperatorCertificate>& certificates,
                            Timestamp now) {
    for (const auto& one : certificates)
        TRY(console.write(fmt::format("{:<32} folder  {} (in {})\n", fmt::join(one.names, ","),
                                      life_of(one.not_after, now), one.folder)));
    return {};
}

Result<void> print_own(Console& console, const HostCertificate& row, Timestamp now) {
    auto line = fmt::format("{:<32} acme    {}", row.host,
                            row.issued_at ? life_of(row.not_after, now) : std::string("none yet"));
    if (row.failed_at && !row.error.empty())
        line +=
            fmt::format("; {} failures, the last at {}: {}", row.failures, to_iso(*row.failed_at), row.error);
    line += row.wanted ? fmt::format("; next try {}", to_iso(row.due_at)) : "; not renewed";
    return console.write(line + "\n");
}

Result<int> list(AdminContext& context, Console& console) {
    const auto now = context.clock.now();
    const auto in_folder =
        context.operator_certificates ? context.operator_certificates() : std::vector<OperatorCertificate>();
    return context.engine.read([&](data::View& view) -> Result<int> {
        auto uncovered = TRY(hosts_of_domains(view));
        auto rows = TRY(all_certificates(view));
        std::ranges::sort(rows, {}, &HostCertificate::host);
        TRY(print_operator(console, in_folder, now));
        for (const auto& row : rows) {
            TRY(print_own(console, row, now));
            if (row.issued_at && row.not_after > now)
                uncovered.erase(row.host);
        }
        for (const auto& one : in_folder)
            if (one.not_after > now)
                std::erase_if(uncovered, [&](const std::string& host) { return names_host(one, host); });
        TRY(console.write(uncovered.empty() ? std::string("every active domain is covered\n")
                                            : fmt::format("not covered: {}\n", fmt::join(uncovered, ", "))));
        if (!context.operator_certificates)
            console.note("a running server with --tls-listen tells of the certificates in its folder, too");
        return exit_good;
    });
}

} // namespace

void add_certificate_commands(CLI::App& program, const OnCommand& on) {
    auto& command = *program.add_subcommand(
        "certificates", "Which names have a certificate, for how long, and what went wrong.");
    command.footer("Certificates of the server's folder come first; they win until they expire.");
    on(command, list);
}

} // namespace slashpost::admin
