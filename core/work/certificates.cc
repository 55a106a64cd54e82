#include "core/work/certificates.h"

#include "core/access/ended_rows.h"
#include "core/access/event_log.h"
#include "core/base/host.h"
#include "core/base/local_host.h"
#include "core/schema/schema.h"
#include "core/work/certificate_plan.h"

#include <algorithm>

namespace slashpost {

namespace {

constexpr std::size_t rows_at_once_max = 500;
constexpr std::size_t postponed_at_once_max = 100;
constexpr std::size_t trouble_bytes_max = 300;
constexpr std::uint32_t shares = 1000;

using Hosts = std::set<std::string, std::less<>>;

const HostCertificateTable& certificates() { return schema().host_certificates; }

Result<std::optional<HostCertificate>> row_of(data::View& view, std::string_view host) {
    return certificates().find(view, HostCertificate::primary_for(host));
}

// No authority knows names of one label, those of this machine, or addresses.
bool may_have_one(std::string_view host) {
    return host.find('.') != host.npos && host.find(':') == host.npos && !is_local_host(host) &&
           !(host.back() >= '0' && host.back() <= '9');
}

void add_host(Hosts& out, std::string_view name) {
    const auto authority = split_authority(name);
    if (authority && may_have_one(authority->host))
        out.emplace(authority->host);
}

// That of a host that nobody wants one for any more: it goes when it serves nobody and holds nobody back.
bool is_over(const HostCertificate& row, Timestamp now) {
    return !row.wanted && row.due_at <= now && (!row.issued_at || row.not_after <= now);
}

Result<void> remove_all_of(data::Txn& txn, const HostCertificate& row) {
    if (const auto files = TRY(schema().certificate_files.find(txn, HostCertificate::primary_of(row))))
        TRY(schema().certificate_files.remove(txn, *files));
    return certificates().remove(txn, row);
}

Result<void> change_row(SystemContext& system, std::string_view host,
                        const std::function<void(HostCertificate&)>& change) {
    const auto row = TRY(row_of(system.txn, host));
    if (!row)
        return {};
    auto changed = *row;
    change(changed);
    return certificates().update(system.txn, *row, changed);
}

} // namespace

Result<Hosts> hosts_of_domains(data::View& view) {
    Hosts out;
    TRY(schema().domains.each(view, [&](const Domain& domain) -> Result<bool> {
        if (!domain.verified || !domain.active || domain.revoked)
            return true;
        add_host(out, domain.full_name);
        for (const auto& alias : domain.aliases)
            if (alias.verified)
                add_host(out, alias.full_name);
        return true;
    }));
    return out;
}

Result<std::vector<HostCertificate>> all_certificates(data::View& view) {
    std::vector<HostCertificate> all;
    TRY(certificates().each(view, [&](const HostCertificate& row) -> Result<bool> {
        all.push_back(row);
        return true;
    }));
    return all;
}

Result<bool> match_certificates(SystemContext& system, const HasOwnCertificate& has_own) {
    auto hosts = TRY(hosts_of_domains(system.txn));
    std::erase_if(hosts, has_own);
    std::size_t written = 0;
    for (const auto& row : TRY(all_certificates(system.txn))) {
        const bool wanted = hosts.erase(row.host) > 0;
        if (written == rows_at_once_max)
            return true;
        if (wanted != row.wanted) {
            auto changed = row;
            changed.wanted = wanted;
            TRY(certificates().update(system.txn, row, changed));
            ++written;
        } else if (is_over(row, system.now)) {
            TRY(remove_all_of(system.txn, row));
            ++written;
        }
    }
    for (const auto& host : hosts) {
        if (written++ == rows_at_once_max)
            return true;
        TRY(certificates().insert(system.txn, {.host = host,
                                               .wanted = true,
                                               .due_at = system.now,
                                               .orders = {},
                                               .error = {},
                                               .failed_at = {},
                                               .issued_at = {},
                                               .renewal_id = {},
                                               .window_start = {},
                                               .window_end = {},
                                               .unknown = {}}));
    }
    return false;
}

Result<bool> certificate_is_due(data::View& view, Timestamp now) {
    bool due = false;
    const data::Walk walk{.until = data::key(Timestamp{now.ms + 1})};
    TRY(certificates().by_due.walk(view, walk, [&](data::BytesView) -> Result<bool> {
        due = true;
        return false;
    }));
    return due;
}

Result<std::optional<HostCertificate>> take_due_certificate(SystemContext& system) {
    std::vector<data::Bytes> due;
    const data::Walk walk{.until = data::key(Timestamp{system.now.ms + 1})};
    TRY(certificates().by_due.walk(system.txn, walk, [&](data::BytesView primary) -> Result<bool> {
        due.emplace_back(primary);
        return due.size() < postponed_at_once_max;
    }));
    if (due.empty())
        return std::optional<HostCertificate>();
    const auto all = TRY(all_certificates(system.txn));
    for (const auto& primary : due) {
        const auto row = TRY(certificates().find(system.txn, primary));
        if (!row)
            continue;
        auto taken = *row;
        taken.due_at = may_order_from(*row, all, system.now);
        const bool may_begin = taken.due_at <= system.now;
        if (may_begin) {
            note_order(taken, system.now);
            taken.due_at = system.now.plus_seconds(order_seconds_max + 60);
        }
        TRY(certificates().update(system.txn, *row, taken));
        if (may_begin)
            return std::optional(std::move(taken));
    }
    return std::optional<HostCertificate>();
}

Result<void> book_certificate(SystemContext& system, std::string_view host, const IssuedCertificate& issued) {
    const CertificateFiles files{
        .host = std::string(host), .chain = issued.chain, .key = issued.key, .unknown = {}};
    const auto& table = schema().certificate_files;
    if (const auto before = TRY(table.find(system.txn, CertificateFiles::primary_of(files))))
        TRY(table.update(system.txn, *before, files));
    else
        TRY(table.insert(system.txn, files));
    const auto share = system.tools.random.below(shares);
    return change_row(system, host, [&](HostCertificate& row) {
        row.state = CertificateState::active;
        row.failures = 0;
        row.error.clear();
        row.issued_at = system.now;
        row.not_before = issued.not_before;
        row.not_after = issued.not_after;
        row.renewal_id = issued.renewal_id;
        row.window_start = row.window_end = std::nullopt;
        row.ask_at = system.now; // the window is known from the beginning
        row.due_at = renewal_time(row, share);
    });
}

namespace {

// Whose domain the host is hears why it has no certificate.
Result<void> tell_of_failure(SystemContext& system, std::string_view host, std::string_view reason) {
    const auto& domains = schema().domains;
    const auto domain = TRY(domains.find_by(domains.by_name, system.txn, std::string(host)));
    if (!domain)
        return {};
    const FieldChange error{.name = "error",
                            .before = {},
                            .after = {std::string(reason.substr(0, trouble_bytes_max))},
                            .unknown = {}};
    note_event(system.txn, {.type = EventType::certificate_failed,
                            .workspace = domain->registered_in,
                            .subject = domain->id,
                            .name = std::string(host),
                            .changes = {error}});
    return {};
}

} // namespace

Result<void> book_trouble(SystemContext& system, std::string_view host, const OrderTrouble& trouble) {
    TRY(change_row(system, host, [&](HostCertificate& row) {
        if (trouble.kind == OrderTrouble::Kind::stopped) {
            row.due_at = system.now;
            return;
        }
        if (!row.issued_at || row.not_after <= system.now)
            row.state = CertificateState::failed;
        ++row.failures;
        row.error = trouble.reason.substr(0, trouble_bytes_max);
        if (trouble.kind == OrderTrouble::Kind::not_reached && !row.orders.empty())
            row.orders.pop_back(); // nobody counts it
        row.failed_at = system.now;
        const auto wait = trouble.kind == OrderTrouble::Kind::not_reached
                              ? seconds_before_next_call(row.failures)
                              : seconds_before_next_order(row.failures);
        row.due_at = std::max(system.now.plus_seconds(wait), trouble.retry_at.value_or(Timestamp{}));
    }));
    // That the authority is not there is the operator's business.
    return trouble.kind == OrderTrouble::Kind::refused ? tell_of_failure(system, host, trouble.reason)
                                                       : Result<void>();
}

Result<std::optional<HostCertificate>> certificate_to_ask_about(data::View& view, Timestamp now) {
    std::optional<HostCertificate> found;
    TRY(certificates().each(view, [&](const HostCertificate& row) -> Result<bool> {
        if (row.wanted && !row.renewal_id.empty() && row.ask_at <= now)
            found = row;
        return !found;
    }));
    return found;
}

Result<void> book_window(SystemContext& system, std::string_view host,
                         const std::optional<RenewalWindow>& window, std::optional<std::int64_t> ask_in) {
    const auto share = system.tools.random.below(shares);
    return change_row(system, host, [&](HostCertificate& row) {
        row.ask_at = system.now.plus_seconds(seconds_before_next_question(ask_in));
        if (!window || (row.window_start == window->start && row.window_end == window->end))
            return;
        row.window_start = window->start;
        row.window_end = window->end;
        // After a failure the back-off counts, whatever the window is.
        if (row.failures == 0)
            row.due_at = renewal_time(row, share);
    });
}

Result<void> put_challenge(SystemContext& system, const AcmeChallenge& challenge) {
    const auto& table = schema().acme_challenges;
    if (const auto before = TRY(table.find(system.txn, AcmeChallenge::primary_of(challenge))))
        return table.update(system.txn, *before, challenge);
    return table.insert(system.txn, challenge);
}

Result<void> remove_challenge(SystemContext& system, ChallengeKind kind, std::string_view subject) {
    const auto& table = schema().acme_challenges;
    if (const auto row = TRY(table.find(system.txn, AcmeChallenge::primary_for(kind, subject))))
        return table.remove(system.txn, *row);
    return {};
}

Result<std::optional<std::string>> find_challenge(data::View& view, ChallengeKind kind,
                                                  std::string_view subject, Timestamp now) {
    const auto row = TRY(schema().acme_challenges.find(view, AcmeChallenge::primary_for(kind, subject)));
    if (!row || row->until <= now)
        return std::optional<std::string>();
    return std::optional(row->answer);
}

Result<bool> prune_challenges(SystemContext& system) { return erase_ended(system, schema().acme_challenges); }

Result<AcmeAccount> acme_account(SystemContext& system, std::string_view directory,
                                 const std::string& new_key) {
    const auto& table = schema().acme_accounts;
    if (auto row = TRY(table.find(system.txn, AcmeAccount::primary_for(directory))))
        return *std::move(row);
    AcmeAccount made{.directory = std::string(directory),
                     .key = new_key,
                     .url = {},
                     .email = {},
                     .created_at = system.now,
                     .unknown = {}};
    TRY(table.insert(system.txn, made));
    return made;
}

Result<void> book_account(SystemContext& system, const AcmeAccount& account) {
    const auto& table = schema().acme_accounts;
    const auto before = TRY(table.find(system.txn, AcmeAccount::primary_of(account)));
    return before ? table.update(system.txn, *before, account) : table.insert(system.txn, account);
}

} // namespace slashpost
