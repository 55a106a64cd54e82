#include "core/schema/schema.h"

#include "core/data/table_code.h"

namespace slashpost {

SLASHPOST_TABLE_CODE(Account);
SLASHPOST_TABLE_CODE(AcmeAccount);
SLASHPOST_TABLE_CODE(AcmeChallenge);
SLASHPOST_TABLE_CODE(ApiKey);
SLASHPOST_TABLE_CODE(CertificateFiles);
SLASHPOST_TABLE_CODE(Conversion);
SLASHPOST_TABLE_CODE(Credentials);
SLASHPOST_TABLE_CODE(Delivery);
SLASHPOST_TABLE_CODE(Domain);
SLASHPOST_TABLE_CODE(DomainShare);
SLASHPOST_TABLE_CODE(Event);
SLASHPOST_TABLE_CODE(HostCertificate);
SLASHPOST_TABLE_CODE(Invite);
SLASHPOST_TABLE_CODE(Job);
SLASHPOST_TABLE_CODE(KeptAnswer);
SLASHPOST_TABLE_CODE(Link);
SLASHPOST_TABLE_CODE(LinkParts);
SLASHPOST_TABLE_CODE(Mail);
SLASHPOST_TABLE_CODE(Member);
SLASHPOST_TABLE_CODE(Plan);
SLASHPOST_TABLE_CODE(ReleasedSlashtag);
SLASHPOST_TABLE_CODE(Script);
SLASHPOST_TABLE_CODE(Session);
SLASHPOST_TABLE_CODE(SignInToken);
SLASHPOST_TABLE_CODE(SignInTries);
SLASHPOST_TABLE_CODE(Tag);
SLASHPOST_TABLE_CODE(Tombstone);
SLASHPOST_TABLE_CODE(Webhook);
SLASHPOST_TABLE_CODE(Workspace);

const Schema& schema() {
    static const Schema instance;
    return instance;
}

} // namespace slashpost
