#pragma once
// Whether a value of an enumeration, as it was read from the disk or out of a dump, is one that this version
// knows. A kind that has a number on disk is added here; the compiler says so, and says so again for a new
// value of it.
#include "core/model/application.h"
#include "core/model/certificate.h"
#include "core/model/domain.h"
#include "core/model/event.h"
#include "core/model/forwarding.h"
#include "core/model/link.h"
#include "core/model/link_parts.h"
#include "core/model/sign_in.h"
#include "core/model/webhook.h"
#include "core/model/work.h"
#include "core/model/workspace.h"

namespace slashpost {

[[nodiscard]] bool is_known(AppScope scope);
[[nodiscard]] bool is_known(DomainType type);
[[nodiscard]] bool is_known(SlashtagCharset charset);
[[nodiscard]] bool is_known(LinkStatus status);
[[nodiscard]] bool is_known(LinkType type);
[[nodiscard]] bool is_known(WorkspaceType type);
[[nodiscard]] bool is_known(Role role);
[[nodiscard]] bool is_known(JobKind kind);
[[nodiscard]] bool is_known(MailKind kind);
[[nodiscard]] bool is_known(SignInWay way);
[[nodiscard]] bool is_known(OnConflict on_conflict);
[[nodiscard]] bool is_known(RuleProperty property);
[[nodiscard]] bool is_known(RuleOperator op);
[[nodiscard]] bool is_known(EventType type);
[[nodiscard]] bool is_known(ValueKind kind);
[[nodiscard]] bool is_known(WebhookStatus status);
[[nodiscard]] bool is_known(DeliveryStatus status);
[[nodiscard]] bool is_known(CertificateState state);
[[nodiscard]] bool is_known(ChallengeKind kind);

} // namespace slashpost
