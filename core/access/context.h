#pragma once
// What an operation may know and use while it runs: who calls, where, under which guard, on which
// transaction, at what time. Made by enter(); lives as long as one attempt of a transaction.
#include "core/access/features.h"
#include "core/access/guard.h"
#include "core/access/rate_limit.h"
#include "core/base/id.h"
#include "core/data/engine.h"
#include "core/model/account.h"
#include "core/model/application.h"
#include "core/model/plan.h"
#include "core/model/workspace.h"

#include <cassert>
#include <functional>
#include <string>
#include <vector>

namespace slashpost {

// Of the provider of OpenID Connect, if there is one.
struct ProviderRules {
    // Only people with a proved address at one of these hosts, in normal form, come in; empty: everybody.
    std::vector<std::string> email_domains;
    bool connects_by_email = false; // somebody's first time to the account that has their proved address
    bool admits_newcomers = false;  // people without an account, whom nobody has invited
};

// What the operator set for the whole installation (app/config.cc).
struct Settings {
    std::vector<std::string> destination_schemes;       // besides http and https, lower case
    std::int64_t quarantine_seconds = 30LL * 24 * 3600; // of a slashtag given up, for other workspaces
    std::int64_t events_kept_seconds = 30LL * 24 * 3600;
    std::uint32_t hours_kept_days = 90;        // hours of statistics
    std::uint32_t days_kept_days = 0;          // days of statistics; 0: for ever
    std::uint32_t deleted_links_kept_days = 0; // 0: for ever
    std::string api_url = "/v1";               // what addresses of the API that people are sent begin with
    bool sends_mail = false;                   // a mail server is set
    // Whether an account without an e-mail address may accept an invite by its token.
    bool invites_by_token = true;
    // Whether an admin adds whoever it names, instead of inviting those it works nowhere with.
    bool adds_strangers = false;
    std::size_t bulk_links_max = 10; // of one POST /links/bulk (interface 8)
    std::size_t webhooks_max = 10;   // of one workspace
    bool webhooks_plain = false;     // their addresses may be http, too
    // Whether webhooks may be sent to a host that is a numeric address, in the form of browser_host; from any
    // thread, at once. Empty: to any.
    std::function<bool(std::string_view host)> may_be_sent_to;
    // What addresses of the dashboard begin with, for example "https://links.example.com"; empty: there is
    // none.
    std::string dashboard_url;
    ProviderRules provider;
    // Whether this server has a certificate for a host; from any thread, at once. Empty: TLS is somebody
    // else's, in front of this server.
    std::function<bool(std::string_view host)> has_certificate;
    bool orders_certificates = false; // of domains for which it has none
};

// Short addresses and domains that a transaction changed, so that the redirect path forgets what it knew.
struct Changes {
    struct ShortAddress {
        DomainId domain;
        std::string slashtag_key;
    };
    std::vector<ShortAddress> addresses;
    std::vector<DomainId> domains;
    std::vector<WorkspaceId> workspaces;
    bool expiries = false; // a link was written that will expire
};

// Told after every commit, and also when a commit failed in a way that leaves its outcome unknown.
// Must be quick and safe to call from any thread.
class ChangeListener {
  public:
    virtual ~ChangeListener() = default;
    virtual void changed(const Changes& changes) = 0;
};

// Where ids, randomness and the operator's settings come from; the same for every call.
struct Tools {
    IdSource& ids;
    Random& random;
    const Settings& settings;
};

// What an operation of the service itself (not a caller's) works with: the admin tool, background steps.
struct SystemContext {
    data::Txn& txn;
    Changes& changes;
    Timestamp now;
    const Tools& tools;
};

// Who calls, by a key, by a session, or by the token of an application.
struct Caller {
    AccountId account;
    ApiKeyId key; // empty: by one of the others
    OwnRate rate; // of the account's plan
    KeyLimits limits;
    SessionId session; // empty: by one of the others
    // What is called, by its name in the API ("createLink"), for the events that it leads to; outlives the
    // call. Empty: nothing that has one.
    std::string_view call = {};
    GrantId grant = {}; // of the application's token; empty: by one of the others
    ApplicationId application = {};
    std::vector<AppScope> scopes = {}; // of the token, which may be fewer than the grant's

    // Whose calls are counted together: those of a key, of a grant, of all sessions of an account.
    [[nodiscard]] std::string_view counted_by() const {
        return !grant.empty() ? grant.view() : session.empty() ? key.view() : account.view();
    }
};

class Context {
  public:
    // `writes` is the transaction that `reads` is, or null under a guard that only reads.
    Context(data::View& reads, data::Txn* writes, const Guard& row_guard, Changes& noted, Timestamp time,
            const Tools& tools)
        : now(time),
          guard(row_guard),
          ids(tools.ids),
          random(tools.random),
          settings(tools.settings),
          changes(noted),
          tools_(tools),
          view_(reads),
          txn_(writes) {}

    Caller caller;
    Account account;     // the caller's
    Workspace workspace; // where; without an id under a guard with Scope::account
    Role role = Role::viewer;
    Account payer; // whose plan counts: the workspace's owner, or the caller when there is no workspace
    Plan plan;     // the payer's
    // Of events with numbers below it none will come later (core/access/event_sequence.h). Where one writes
    // it is that of a moment later than what is seen of the store.
    std::uint64_t event_horizon = 0;
    const Timestamp now;
    const Guard& guard;
    IdSource& ids;
    Random& random;
    const Settings& settings;
    Changes& changes;

    [[nodiscard]] data::View& view() const { return view_; }
    // Only under a guard with Access::write.
    [[nodiscard]] data::Txn& txn() const {
        assert(txn_);
        return *txn_;
    }
    // For what the service itself does too. Only under a guard with Access::write.
    [[nodiscard]] SystemContext system_context() const { return {txn(), changes, now, tools_}; }
    // Whether the payer has it.
    [[nodiscard]] bool has(Feature feature) const { return has_feature(payer, plan, feature); }

  private:
    const Tools& tools_;
    data::View& view_;
    data::Txn* txn_;
};

} // namespace slashpost
