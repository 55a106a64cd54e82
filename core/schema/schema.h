#pragma once
// THE list of tables. A row is read and written through them and in no other way.
#include "core/schema/applications.h"
#include "core/schema/certificates.h"
#include "core/schema/conversions.h"
#include "core/schema/domains.h"
#include "core/schema/events.h"
#include "core/schema/kept_answers.h"
#include "core/schema/link_parts.h"
#include "core/schema/links.h"
#include "core/schema/people.h"
#include "core/schema/plans.h"
#include "core/schema/sign_in.h"
#include "core/schema/tags.h"
#include "core/schema/webhooks.h"
#include "core/schema/work.h"

namespace slashpost {

struct Schema {
    PlanTable plans;
    AccountTable accounts;
    ApiKeyTable api_keys;
    WorkspaceTable workspaces;
    MemberTable members;
    InviteTable invites;
    CredentialsTable credentials;
    IdentityTable identities;
    SessionTable sessions;
    SignInTokenTable sign_in_tokens;
    SignInTriesTable sign_in_tries;
    DomainTable domains;
    DomainShareTable domain_shares;
    TagTable tags;
    ScriptTable scripts;
    LinkTable links;
    LinkPartsTable link_parts;
    ReleasedSlashtagTable released_slashtags;
    ConversionTable conversions;
    JobTable jobs;
    MailTable mails;
    TombstoneTable tombstones;
    KeptAnswerTable kept_answers;
    EventTable events;
    WebhookTable webhooks;
    DeliveryTable deliveries;
    AcmeAccountTable acme_accounts;
    HostCertificateTable host_certificates;
    CertificateFilesTable certificate_files;
    AcmeChallengeTable acme_challenges;
    ApplicationTable applications;
    GrantTable grants;

    // Of rows of these it is told what happens to them (core/access/event_log.h).
    Schema() {
        links.follow();
        link_parts.follow();
        domains.follow();
        domain_shares.follow();
        tags.follow();
        scripts.follow();
        workspaces.follow();
        members.follow();
        invites.follow();
    }

    // Calls `f(table)` for each, in the order in which a dump lists them: what is referred to comes first.
    template <class F>
    void each_table(F&& f) const {
        f(plans), f(accounts), f(api_keys), f(workspaces), f(members), f(invites), f(credentials),
            f(sessions), f(sign_in_tokens), f(sign_in_tries), f(domains), f(domain_shares), f(tags),
            f(scripts), f(links), f(link_parts), f(released_slashtags), f(conversions), f(jobs), f(mails),
            f(tombstones), f(kept_answers), f(events), f(webhooks), f(deliveries), f(acme_accounts),
            f(host_certificates), f(certificate_files), f(acme_challenges), f(applications), f(grants),
            f(identities);
    }
};

// Immutable; safe to use from any thread.
const Schema& schema();

} // namespace slashpost
