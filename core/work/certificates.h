#pragma once
// Certificates that the server gets by itself, as far as the store has to do with it. A row says of each host
// when the next order is due; a thread of the server takes what is due, one at a time, and books what became
// of it (app/acme/issuer.h).
//
// Taking one books the attempt and puts the next beyond the longest time that an order takes. So of two
// servers on a store one orders, and an order that was cut off is begun anew.
#include "core/access/context.h"
#include "core/model/certificate.h"

#include <set>

namespace slashpost {

inline constexpr std::int64_t order_seconds_max = 10LL * 60; // for a whole order

// Whether the operator has a certificate of their own for a host, good for some days.
using HasOwnCertificate = std::function<bool(std::string_view host)>;

// The hosts that visitors find links at: of verified domains that are active, those that an authority can
// know.
Result<std::set<std::string, std::less<>>> hosts_of_domains(data::View& view);

// Brings the rows in step with the domains: hosts of verified, active ones are wanted. A background step; one
// batch; true when there is more.
Result<bool> match_certificates(SystemContext& system, const HasOwnCertificate& has_own);

Result<bool> certificate_is_due(data::View& view, Timestamp now);
// The host whose order is due longest and within the budgets, as it is now that the order has begun. Nothing:
// none is.
Result<std::optional<HostCertificate>> take_due_certificate(SystemContext& system);

struct IssuedCertificate {
    std::string chain; // PEM
    std::string key;   // PEM
    Timestamp not_before;
    Timestamp not_after;
    std::string renewal_id; // empty: the authority is not asked when to renew
};
Result<void> book_certificate(SystemContext& system, std::string_view host, const IssuedCertificate& issued);

struct OrderTrouble {
    enum class Kind : std::uint8_t {
        not_reached, // the authority knows nothing of it
        refused,     // by the authority, or the host could not be proved
        stopped,     // this server ends; nothing went wrong
    };
    Kind kind = Kind::refused;
    std::string reason;
    std::optional<Timestamp> retry_at; // the authority wants to hear nothing before
};
Result<void> book_trouble(SystemContext& system, std::string_view host, const OrderTrouble& trouble);

// A certificate of which the authority is to be asked when to renew it; nothing: none now.
Result<std::optional<HostCertificate>> certificate_to_ask_about(data::View& view, Timestamp now);
struct RenewalWindow {
    Timestamp start, end;
};
// What the authority said; nothing: it said nothing that could be used, and what it said before holds.
Result<void> book_window(SystemContext& system, std::string_view host,
                         const std::optional<RenewalWindow>& window, std::optional<std::int64_t> ask_in);

Result<void> put_challenge(SystemContext& system, const AcmeChallenge& challenge);
Result<void> remove_challenge(SystemContext& system, ChallengeKind kind, std::string_view subject);
// What an authority is answered now; nothing: it is not waited for.
Result<std::optional<std::string>> find_challenge(data::View& view, ChallengeKind kind,
                                                  std::string_view subject, Timestamp now);
// A background step; one batch; true when there is more.
Result<bool> prune_challenges(SystemContext& system);

// The account at an authority; one with `new_key` is made when there is none.
Result<AcmeAccount> acme_account(SystemContext& system, std::string_view directory,
                                 const std::string& new_key);
Result<void> book_account(SystemContext& system, const AcmeAccount& account);

// All of them, by no order.
Result<std::vector<HostCertificate>> all_certificates(data::View& view);

} // namespace slashpost
