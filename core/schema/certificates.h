#pragma once
// Tables of the certificates that the server gets by itself.
#include "core/data/table.h"
#include "core/model/certificate.h"
#include "core/schema/people.h"

namespace slashpost {

struct AcmeAccountTable : Table<AcmeAccount> {
    AcmeAccountTable() : Table(space::acme_accounts, "certificate") {}
};

struct HostCertificateTable : Table<HostCertificate> {
    HostCertificateTable() : Table(space::host_certificates, "certificate") {}

    Ordered<HostCertificate> by_due{this, 1, "by_due",
                                    [](const HostCertificate& c) { return when(c.wanted); },
                                    [](const HostCertificate& c) { return key(c.due_at); }};
};

struct CertificateFilesTable : Table<CertificateFiles> {
    CertificateFilesTable() : Table(space::certificate_files, "certificate") {}
};

struct AcmeChallengeTable : Table<AcmeChallenge> {
    AcmeChallengeTable() : Table(space::acme_challenges, "certificate") {}

    Ordered<AcmeChallenge> by_end{this, 1, "by_end", [](const AcmeChallenge&) { return always(); },
                                  [](const AcmeChallenge& c) { return key(c.until); }};
};

} // namespace slashpost
