#pragma once
// What the operations keep true of every row by itself, whatever else is stored. Rows that come from
// elsewhere, out of a dump or from a damaged disk, are judged by the same (app/admin). Bounds on how much
// there may be of something are left out: they change, and what was within them once stays good.
#include "core/base/errors.h"
#include "core/model/account.h"
#include "core/model/application.h"
#include "core/model/certificate.h"
#include "core/model/conversion.h"
#include "core/model/domain.h"
#include "core/model/event.h"
#include "core/model/invite.h"
#include "core/model/kept_answer.h"
#include "core/model/link.h"
#include "core/model/link_parts.h"
#include "core/model/plan.h"
#include "core/model/script.h"
#include "core/model/sign_in.h"
#include "core/model/tag.h"
#include "core/model/webhook.h"
#include "core/model/work.h"
#include "core/model/workspace.h"

namespace slashpost {

// Every field that breaks a rule, by its name in dumps.
Problems problems_of(const Account& row);
Problems problems_of(const AcmeAccount& row);
Problems problems_of(const AcmeChallenge& row);
Problems problems_of(const ApiKey& row);
Problems problems_of(const Application& row);
Problems problems_of(const CertificateFiles& row);
Problems problems_of(const Conversion& row);
Problems problems_of(const Credentials& row);
Problems problems_of(const Delivery& row);
Problems problems_of(const Domain& row);
Problems problems_of(const DomainShare& row);
Problems problems_of(const Event& row);
Problems problems_of(const Grant& row);
Problems problems_of(const HostCertificate& row);
Problems problems_of(const Identity& row);
Problems problems_of(const Invite& row);
Problems problems_of(const Job& row);
Problems problems_of(const KeptAnswer& row);
Problems problems_of(const Link& row);
Problems problems_of(const LinkParts& row);
Problems problems_of(const Mail& row);
Problems problems_of(const Member& row);
Problems problems_of(const Plan& row);
Problems problems_of(const ReleasedSlashtag& row);
Problems problems_of(const Script& row);
Problems problems_of(const Session& row);
Problems problems_of(const SignInToken& row);
Problems problems_of(const SignInTries& row);
Problems problems_of(const Tag& row);
Problems problems_of(const Tombstone& row);
Problems problems_of(const Webhook& row);
Problems problems_of(const Workspace& row);

} // namespace slashpost
