#include "http/api/workspace_shapes.h"

#include "core/ops/links.h"
#include "http/api/term.h"
#include "http/wire/formats.h"

namespace slashpost::api {

namespace {

using wire::example;
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
constexpr std::int64_t attribution_days_min = 1;
constexpr std::int64_t attribution_days_max = 90;

constexpr std::string_view ttl_note = "Seconds until a link expires that is made without an end of its own.";
constexpr std::string_view time_zone_note = "Whose days statistics are of when nothing else is asked for: a "
                                            "name of the IANA database; UTC when absent.";
constexpr std::string_view time_zone_change_note =
    "Whose days statistics are of when nothing else is asked for: a name of the IANA database; null: UTC.";

} // namespace

Fields NewExpirationInput::fields() {
    return {field("ttl", &NewExpirationInput::ttl, range(link_ttl_seconds_min, link_ttl_seconds_max),
                  note(ttl_note))};
}

Fields WorkspaceInput::fields() {
    return {field("name", &WorkspaceInput::name, required, length(name_length_min, name_length_max),
                  note("What the workspace is called.")),
            field("type", &WorkspaceInput::type,
                  note("Fixed for ever; classic when absent. extended needs the feature links.extended.")),
            field("notes", &WorkspaceInput::notes, length(notes_length_min, notes_length_max),
                  note("Notes on the workspace.")),
            field("avatarUrl", &WorkspaceInput::avatar_url, wire::formats::uri,
                  note("Address of a picture for the workspace, http or https.")),
            field("expiration", &WorkspaceInput::expiration,
                  note("When new links expire. Needs the feature links.expiration.")),
            field("timezone", &WorkspaceInput::time_zone, note(time_zone_note), example("Europe/Berlin"))};
}

NewWorkspace WorkspaceInput::to_new_workspace() const {
    return {.name = name,
            .type = type,
            .notes = notes,
            .avatar_url = avatar_url,
            .default_ttl_seconds = expiration.ttl,
            .time_zone = time_zone};
}

Fields ExpirationChangeInput::fields() {
    return {field("ttl", &ExpirationChangeInput::ttl, range(link_ttl_seconds_min, link_ttl_seconds_max),
                  note(ttl_note))};
}

Fields WorkspaceChangeInput::fields() {
    return {field("name", &WorkspaceChangeInput::name, length(name_length_min, name_length_max),
                  note("What the workspace is called then.")),
            field("notes", &WorkspaceChangeInput::notes, length(notes_length_min, notes_length_max),
                  note("Notes on the workspace; null takes them away.")),
            field("avatarUrl", &WorkspaceChangeInput::avatar_url, wire::formats::uri,
                  note("Address of a picture for the workspace, http or https; null takes it away.")),
            field("expiration", &WorkspaceChangeInput::expiration,
                  note("When new links expire. Needs the feature links.expiration.")),
            field("timezone", &WorkspaceChangeInput::time_zone, note(time_zone_change_note),
                  example("Europe/Berlin"))};
}

WorkspaceChange WorkspaceChangeInput::to_change() const {
    return {.name = Change<std::string>::of(name),
            .notes = notes,
            .avatar_url = avatar_url,
            .default_ttl_seconds = expiration.ttl,
            .time_zone = time_zone};
}

Fields RemovalQuery::fields() {
    return {field("trash", &RemovalQuery::trash,
                  note("true: out of sight, until the operator brings it back. Only counts for the owner."))};
}

Fields WorkspaceFilterQuery::fields() {
    return {field("term", &WorkspaceFilterQuery::term, wire::length(0, term_length_max),
                  note("Only workspaces with this in their name, ignoring case.")),
            field("type", &WorkspaceFilterQuery::type, note("Only workspaces of this type.")),
            field("revoked", &WorkspaceFilterQuery::revoked, note("Only revoked ones, or only the others."))};
}

WorkspaceFilter WorkspaceFilterQuery::filter() const {
    return {.term = term, .type = type, .revoked = revoked};
}

Fields WorkspaceListQuery::fields() {
    return wire::joined({wire::part(&WorkspaceListQuery::filter),
                         wire::part(&WorkspaceListQuery::page),
                         {field("orderBy", &WorkspaceListQuery::order_by, wire::one_of(workspace_orders()),
                                note("What the workspaces are sorted by; createdAt when absent."))}});
}

Fields ConversionInput::fields() {
    return {field("enabled", &ConversionInput::enabled, required,
                  note("Whether conversions are tracked: destinations get a click id then.")),
            field("attributionWindow", &ConversionInput::attribution_window,
                  range(attribution_days_min, attribution_days_max),
                  note("For how many days after a click a conversion counts; 30 when absent and enabled, "
                       "else as it was.")),
            field("parameter", &ConversionInput::parameter, wire::formats::parameter_name,
                  note("The parameter of a destination's query that carries the click id; null: the "
                       "installation's, which is sp_click unless the operator says otherwise."))};
}

Fields ConversionReply::fields() {
    return {field("enabled", &ConversionReply::enabled,
                  note("Whether conversions are tracked: destinations get a click id then.")),
            field("attributionWindow", &ConversionReply::attribution_window,
                  note("For how many days after a click a conversion counts; null when never set.")),
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
    return {field("id", &OwnerReply::id, note("Id of the owner's account.")),
            field("username", &OwnerReply::username, note("The owner's username."))};
}

Fields DomainUseReply::fields() {
    return {field("used", &DomainUseReply::used, note("Domains that the owner has registered.")),
            field("included", &DomainUseReply::included,
                  note("Domains that the owner's plan includes; 2147483647 means without a bound."))};
}

Fields WorkspaceLimitsReply::fields() {
    return {
        field("domains", &WorkspaceLimitsReply::domains, note("The domains of the owner and of the plan."))};
}

Fields BillingReply::fields() {
    return {field("extra", &BillingReply::extra, note("Always empty; kept for older clients."))};
}

Fields WorkspaceSubscriptionReply::fields() {
    return {
        field("category", &WorkspaceSubscriptionReply::category, note("What the owner's plan is called.")),
        field("limits", &WorkspaceSubscriptionReply::limits, note("What the owner's plan includes.")),
        field("billing", &WorkspaceSubscriptionReply::billing,
              note("Nothing is charged here; kept for older clients."))};
}

Fields ExpirationReply::fields() { return {field("ttl", &ExpirationReply::ttl, note(ttl_note))}; }

Fields WorkspaceReply::fields() {
    return {field("id", &WorkspaceReply::id, note("Id of the workspace, for the header Workspace.")),
            field("name", &WorkspaceReply::name, note("What the workspace is called.")),
            field("default", &WorkspaceReply::is_default,
                  note("Whether it is the caller's own main workspace, where calls work that name none.")),
            field("type", &WorkspaceReply::type, note("classic, extended or gallery; fixed for ever.")),
            field("createdAt", &WorkspaceReply::created_at, note("When the workspace was made.")),
            field("updatedAt", &WorkspaceReply::updated_at, note("When its settings were last changed.")),
            field("owner", &WorkspaceReply::owner, note("Whom the workspace belongs to.")),
            field("role", &WorkspaceReply::role,
                  note("The caller's role: owner, manager (stored as admin), or guest for all others.")),
            field("subscription", &WorkspaceReply::subscription, note("What the owner's plan says.")),
            field("avatarUrl", &WorkspaceReply::avatar_url,
                  note("Address of a picture for the workspace; empty: none.")),
            field("notes", &WorkspaceReply::notes, note("Notes on the workspace; empty: none.")),
            field("timezone", &WorkspaceReply::time_zone,
                  note("Whose days statistics are of when nothing else is asked for.")),
            field("revoked", &WorkspaceReply::revoked,
                  note("Whether the operator has revoked it: links go on, changes are refused.")),
            field("links", &WorkspaceReply::links, note("How many active links there are.")),
            field("teammates", &WorkspaceReply::teammates,
                  note("How many people work in it, the owner included.")),
            field("domains", &WorkspaceReply::domains, note("How many domains are shared with it.")),
            field("clicks", &WorkspaceReply::clicks, note("Clicks on all its links.")),
            field("sessions", &WorkspaceReply::sessions, note("Sessions on all its links.")),
            field("lastClickAt", &WorkspaceReply::last_click_at,
                  note("Time of the last click; absent before the first.")),
            field("expiration", &WorkspaceReply::expiration,
                  note("When new links expire; absent when they do not."))};
}

WorkspaceReply WorkspaceReply::of(const WorkspaceDetails& details, const Account& account) {
    const auto& workspace = details.workspace;
    WorkspaceReply out{
        .id = workspace.id,
        .name = workspace.name,
        .is_default = workspace.id == account.default_workspace,
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
        .time_zone = workspace.time_zone.empty() ? "UTC" : workspace.time_zone,
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
    return {
        field("clicks", &PeriodReply::clicks, note("Clicks on the workspace's links in this time.")),
        field("sessions", &PeriodReply::sessions, note("Sessions on the workspace's links in this time."))};
}

Fields StatisticsReply::fields() {
    return {field("clicks", &StatisticsReply::clicks, note("Clicks on all its links, ever.")),
            field("sessions", &StatisticsReply::sessions, note("Sessions on all its links, ever.")),
            field("links", &StatisticsReply::links, note("How many active links there are.")),
            field("today", &StatisticsReply::today, note("Since midnight UTC.")),
            field("last30days", &StatisticsReply::last_30_days, note("Today is one of them."))};
}

Fields SingleWorkspaceReply::fields() {
    return wire::joined(
        {wire::part(&SingleWorkspaceReply::workspace),
         {field("statistics", &SingleWorkspaceReply::statistics, note("What happened in the workspace."))}});
}

} // namespace slashpost::api
