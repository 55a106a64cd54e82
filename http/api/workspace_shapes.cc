#include "http/api/workspace_shapes.h"

#include "http/wire/formats.h"

namespace slashpost::api {

namespace {

using wire::field;
using wire::Fields;
using wire::length;
using wire::note;
using wire::range;
using wire::required;

// Interface 8. A time to live is one that a link may have.
constexpr std::size_t name_length_min = 3;
constexpr std::size_t name_length_max = 255;
constexpr std::size_t notes_length_min = 3;
constexpr std::size_t notes_length_max = 2000;
constexpr std::int64_t ttl_seconds_min = 60;
constexpr std::int64_t ttl_seconds_max = 100LL * 366 * 24 * 3600;
constexpr std::int64_t attribution_days_min = 1;
constexpr std::int64_t attribution_days_max = 90;

constexpr std::string_view ttl_note = "Seconds until a link expires that is made without an end of its own.";

} // namespace

Fields NewExpirationInput::fields() {
    return {field("ttl", &NewExpirationInput::ttl, range(ttl_seconds_min, ttl_seconds_max), note(ttl_note))};
}

Fields WorkspaceInput::fields() {
    return {field("name", &WorkspaceInput::name, required, length(name_length_min, name_length_max)),
            field("type", &WorkspaceInput::type,
                  note("Fixed for ever; classic when absent. extended needs the feature links.extended.")),
            field("notes", &WorkspaceInput::notes, length(notes_length_min, notes_length_max)),
            field("avatarUrl", &WorkspaceInput::avatar_url, wire::formats::uri),
            field("expiration", &WorkspaceInput::expiration)};
}

NewWorkspace WorkspaceInput::to_new_workspace() const {
    return {.name = name,
            .type = type,
            .notes = notes,
            .avatar_url = avatar_url,
            .default_ttl_seconds = expiration.ttl};
}

Fields ExpirationChangeInput::fields() {
    return {
        field("ttl", &ExpirationChangeInput::ttl, range(ttl_seconds_min, ttl_seconds_max), note(ttl_note))};
}

Fields WorkspaceChangeInput::fields() {
    return {field("name", &WorkspaceChangeInput::name, length(name_length_min, name_length_max)),
            field("notes", &WorkspaceChangeInput::notes, length(notes_length_min, notes_length_max)),
            field("avatarUrl", &WorkspaceChangeInput::avatar_url, wire::formats::uri),
            field("expiration", &WorkspaceChangeInput::expiration)};
}

WorkspaceChange WorkspaceChangeInput::to_change() const {
    return {.name = Change<std::string>::of(name),
            .notes = notes,
            .avatar_url = avatar_url,
            .default_ttl_seconds = expiration.ttl};
}

Fields RemovalQuery::fields() {
    return {field("trash", &RemovalQuery::trash,
                  note("true: out of sight, until the operator brings it back. Only counts for the owner."))};
}

Fields WorkspaceFilterQuery::fields() {
    return {field("term", &WorkspaceFilterQuery::term, note("In the name, ignoring case.")),
            field("type", &WorkspaceFilterQuery::type), field("revoked", &WorkspaceFilterQuery::revoked)};
}

WorkspaceFilter WorkspaceFilterQuery::filter() const {
    return {.term = term, .type = type, .revoked = revoked};
}

Fields WorkspaceListQuery::fields() {
    return wire::joined({wire::part(&WorkspaceListQuery::filter),
                         wire::part(&WorkspaceListQuery::page),
                         {field("orderBy", &WorkspaceListQuery::order_by, wire::one_of(workspace_orders()),
                                note("createdAt when absent."))}});
}

Fields ConversionInput::fields() {
    return {field("enabled", &ConversionInput::enabled, required),
            field("attributionWindow", &ConversionInput::attribution_window,
                  range(attribution_days_min, attribution_days_max),
                  note("Days; 30 when absent and enabled, else as it was.")),
            field("parameter", &ConversionInput::parameter, wire::formats::parameter_name,
                  note("The parameter of a destination's query that carries the click id; null: the "
                       "installation's, which is sp_click unless the operator says otherwise."))};
}

Fields ConversionReply::fields() {
    return {field("enabled", &ConversionReply::enabled),
            field("attributionWindow", &ConversionReply::attribution_window, note("Days.")),
            field("parameter", &ConversionReply::parameter,
                  note("The parameter that carries click ids; absent when it is the installation's."))};
}

ConversionReply ConversionReply::of(const ConversionTracking& tracking) {
    return {.enabled = tracking.enabled,
            .attribution_window = {tracking.attribution_window_days},
            .parameter = tracking.click_id_parameter.empty() ? std::nullopt
                                                             : std::optional(tracking.click_id_parameter)};
}

ShownRole shown_role(Role role) {
    switch (role) {
    case Role::owner:
        return ShownRole::owner;
    case Role::admin:
        return ShownRole::manager;
    case Role::user:
    case Role::guest:
    case Role::viewer:
        break;
    }
    return ShownRole::guest;
}

Fields OwnerReply::fields() {
    return {field("id", &OwnerReply::id), field("username", &OwnerReply::username)};
}

Fields DomainUseReply::fields() {
    return {field("used", &DomainUseReply::used), field("included", &DomainUseReply::included)};
}

Fields WorkspaceLimitsReply::fields() { return {field("domains", &WorkspaceLimitsReply::domains)}; }

Fields BillingReply::fields() { return {field("extra", &BillingReply::extra)}; }

Fields WorkspaceSubscriptionReply::fields() {
    return {field("category", &WorkspaceSubscriptionReply::category, note("Of the owner's plan.")),
            field("limits", &WorkspaceSubscriptionReply::limits),
            field("billing", &WorkspaceSubscriptionReply::billing)};
}

Fields ExpirationReply::fields() { return {field("ttl", &ExpirationReply::ttl, note(ttl_note))}; }

Fields WorkspaceReply::fields() {
    return {field("id", &WorkspaceReply::id),
            field("name", &WorkspaceReply::name),
            field("default", &WorkspaceReply::is_default, note("Whether it is its owner's main workspace.")),
            field("type", &WorkspaceReply::type),
            field("createdAt", &WorkspaceReply::created_at),
            field("updatedAt", &WorkspaceReply::updated_at),
            field("owner", &WorkspaceReply::owner),
            field("role", &WorkspaceReply::role, note("The caller's.")),
            field("subscription", &WorkspaceReply::subscription),
            field("avatarUrl", &WorkspaceReply::avatar_url),
            field("notes", &WorkspaceReply::notes),
            field("revoked", &WorkspaceReply::revoked),
            field("links", &WorkspaceReply::links),
            field("teammates", &WorkspaceReply::teammates),
            field("domains", &WorkspaceReply::domains),
            field("clicks", &WorkspaceReply::clicks),
            field("sessions", &WorkspaceReply::sessions),
            field("lastClickAt", &WorkspaceReply::last_click_at),
            field("expiration", &WorkspaceReply::expiration)};
}

WorkspaceReply WorkspaceReply::of(const WorkspaceDetails& details) {
    const auto& workspace = details.workspace;
    WorkspaceReply out{
        .id = workspace.id,
        .name = workspace.name,
        .is_default = workspace.is_default,
        .type = workspace.type,
        .created_at = workspace.created_at,
        .updated_at = workspace.updated_at,
        .owner = {.id = workspace.owner, .username = details.owner.username},
        .role = shown_role(details.role),
        .subscription = {.category = details.category,
                         .limits = {.domains = {.used = details.domains_used,
                                                .included = details.domains_included.value_or(unbounded)}},
                         .billing = {}},
        .avatar_url = workspace.avatar_url,
        .notes = workspace.notes,
        .revoked = workspace.revoked,
        .links = details.links,
        .teammates = details.teammates,
        .domains = details.domains,
        .clicks = details.clicks,
        .sessions = details.sessions,
        .last_click_at = details.last_click_at};
    if (workspace.default_ttl_seconds)
        out.expiration = {.ttl = *workspace.default_ttl_seconds};
    return out;
}

Fields PeriodReply::fields() {
    return {field("clicks", &PeriodReply::clicks), field("sessions", &PeriodReply::sessions)};
}

Fields StatisticsReply::fields() {
    return {field("clicks", &StatisticsReply::clicks), field("sessions", &StatisticsReply::sessions),
            field("links", &StatisticsReply::links),
            field("today", &StatisticsReply::today, note("Since midnight UTC.")),
            field("last30days", &StatisticsReply::last_30_days, note("Today is one of them."))};
}

Fields SingleWorkspaceReply::fields() {
    return wire::joined({wire::part(&SingleWorkspaceReply::workspace),
                         {field("statistics", &SingleWorkspaceReply::statistics)}});
}

} // namespace slashpost::api
