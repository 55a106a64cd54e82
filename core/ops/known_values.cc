#include "core/ops/known_values.h"

#include <algorithm>

namespace slashpost {

bool is_known(AppScope scope) {
    return std::ranges::find(app_scopes, scope, &std::pair<std::string_view, AppScope>::second) !=
           app_scopes.end();
}

bool is_known(DomainType type) {
    switch (type) {
    case DomainType::user:
    case DomainType::service:
        return true;
    }
    return false;
}

bool is_known(SlashtagCharset charset) {
    switch (charset) {
    case SlashtagCharset::ascii:
    case SlashtagCharset::unicode:
        return true;
    }
    return false;
}

bool is_known(LinkStatus status) {
    switch (status) {
    case LinkStatus::active:
    case LinkStatus::expired:
    case LinkStatus::deleted:
    case LinkStatus::paused:
        return true;
    }
    return false;
}

bool is_known(LinkType type) {
    switch (type) {
    case LinkType::standard:
    case LinkType::rotator:
        return true;
    }
    return false;
}

bool is_known(WorkspaceType type) {
    switch (type) {
    case WorkspaceType::classic:
    case WorkspaceType::extended:
    case WorkspaceType::gallery:
        return true;
    }
    return false;
}

bool is_known(Role role) {
    switch (role) {
    case Role::viewer:
    case Role::guest:
    case Role::user:
    case Role::admin:
    case Role::owner:
        return true;
    }
    return false;
}

bool is_known(JobKind kind) {
    switch (kind) {
    case JobKind::detach_tag:
    case JobKind::detach_script:
    case JobKind::purge_workspace:
    case JobKind::purge_domain:
    case JobKind::retire_links:
    case JobKind::purge_webhook:
    case JobKind::reset_statistics:
        return true;
    }
    return false;
}

bool is_known(MailKind kind) {
    switch (kind) {
    case MailKind::invite:
    case MailKind::sign_in:
    case MailKind::email:
    case MailKind::webhook_disabled:
        return true;
    }
    return false;
}

bool is_known(CertificateState state) {
    switch (state) {
    case CertificateState::pending:
    case CertificateState::active:
    case CertificateState::failed:
        return true;
    }
    return false;
}

bool is_known(ChallengeKind kind) {
    switch (kind) {
    case ChallengeKind::http:
    case ChallengeKind::tls_alpn:
        return true;
    }
    return false;
}

bool is_known(SignInWay way) {
    switch (way) {
    case SignInWay::password:
    case SignInWay::address:
    case SignInWay::invite:
    case SignInWay::provider:
        return true;
    }
    return false;
}

bool is_known(OnConflict on_conflict) {
    switch (on_conflict) {
    case OnConflict::as_domain:
    case OnConflict::destination:
    case OnConflict::visitor:
    case OnConflict::both:
        return true;
    }
    return false;
}

bool is_known(RuleProperty property) {
    switch (property) {
    case RuleProperty::country:
    case RuleProperty::language:
    case RuleProperty::device:
    case RuleProperty::os:
    case RuleProperty::browser:
    case RuleProperty::time:
    case RuleProperty::query:
        return true;
    }
    return false;
}

bool is_known(RuleOperator op) {
    switch (op) {
    case RuleOperator::in:
    case RuleOperator::not_in:
    case RuleOperator::before:
    case RuleOperator::after:
        return true;
    }
    return false;
}

bool is_known(EventType type) {
    return std::ranges::find(event_types, type, &std::pair<std::string_view, EventType>::second) !=
           event_types.end();
}

bool is_known(WebhookStatus status) {
    switch (status) {
    case WebhookStatus::enabled:
    case WebhookStatus::paused:
    case WebhookStatus::gone:
    case WebhookStatus::failing:
        return true;
    }
    return false;
}

bool is_known(DeliveryStatus status) {
    switch (status) {
    case DeliveryStatus::waiting:
    case DeliveryStatus::queued:
    case DeliveryStatus::delivered:
    case DeliveryStatus::failed:
        return true;
    }
    return false;
}

bool is_known(ValueKind kind) {
    switch (kind) {
    case ValueKind::text:
    case ValueKind::number:
    case ValueKind::boolean:
    case ValueKind::list:
    case ValueKind::time:
        return true;
    }
    return false;
}

} // namespace slashpost
