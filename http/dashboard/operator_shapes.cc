#include "http/dashboard/operator_shapes.h"

#include "core/access/features.h"

namespace slashpost::dashboard {

using wire::field;

namespace {

template <class Number>
json::value number_or_null(const std::optional<Number>& number) {
    return number ? json::value(*number) : json::value(nullptr);
}

} // namespace

wire::Fields AccountInput::fields() {
    return {field("plan", &AccountInput::plan), field("email", &AccountInput::email),
            field("suspended", &AccountInput::suspended), field("operator", &AccountInput::is_operator)};
}

AccountState AccountInput::state() const {
    return {.is_operator = Change<bool>::of(is_operator),
            .suspended = Change<bool>::of(suspended),
            .email = Change<std::string>::of(email)};
}

wire::Fields PlanInput::fields() {
    return {field("category", &PlanInput::category), field("features", &PlanInput::features),
            field("links", &PlanInput::links),       field("workspaces", &PlanInput::workspaces),
            field("domains", &PlanInput::domains),   field("teammates", &PlanInput::teammates),
            field("tags", &PlanInput::tags),         field("scripts", &PlanInput::scripts)};
}

PlanChange PlanInput::change() const {
    PlanChange out;
    out.category = category;
    out.features = features;
    out.links = links;
    out.workspaces = workspaces;
    out.domains = domains;
    out.teammates = teammates;
    out.tags = tags;
    out.scripts = scripts;
    return out;
}

wire::Fields NewPlanInput::fields() {
    return wire::joined(
        {{field("name", &NewPlanInput::name, wire::required)}, wire::part(&NewPlanInput::plan)});
}

wire::Fields WorkspaceStateInput::fields() {
    return {field("revoked", &WorkspaceStateInput::revoked), field("trashed", &WorkspaceStateInput::trashed)};
}

wire::Fields NewDomainInput::fields() {
    return {field("fullName", &NewDomainInput::full_name, wire::required)};
}

wire::Fields DomainStateInput::fields() {
    return {field("active", &DomainStateInput::active), field("revoked", &DomainStateInput::revoked)};
}

json::object json_of(const Health& health) {
    return {{"version", health.version},
            {"trouble", health.trouble},
            {"startedAt", to_iso(Timestamp{health.started_at_seconds * 1000})},
            {"memoryBytes", health.memory_bytes},
            {"storeBytes", health.store_bytes},
            {"diskFreeBytes", health.disk_free_bytes},
            {"clicksWaiting", health.clicks_waiting},
            {"clicksLost", health.clicks_lost},
            {"mailsWaiting", health.mails_waiting},
            {"jobsWaiting", health.jobs_waiting},
            {"indexBehindSeconds", health.index_behind_seconds},
            {"certificatesEndAt",
             health.certificates_end_at_seconds == 0
                 ? json::value(nullptr)
                 : json::value(to_iso(Timestamp{health.certificates_end_at_seconds * 1000}))}};
}

json::object json_of(const Account& account) {
    return {{"id", account.id.hex()},
            {"username", account.username},
            {"fullName", account.full_name},
            {"email", account.email},
            {"createdAt", to_iso(account.created_at)},
            {"plan", account.plan.empty() ? std::string(Plan::default_name) : account.plan},
            {"operator", account.is_operator},
            {"suspendedAt",
             account.suspended_at ? json::value(to_iso(*account.suspended_at)) : json::value(nullptr)}};
}

json::object json_of(const Plan& plan) {
    const auto& limits = plan.limits;
    return {{"name", plan.name},
            {"category", plan.shown_category()},
            {"features", plan.everything
                             ? json::value(nullptr)
                             : json::value(json::array(plan.features.begin(), plan.features.end()))},
            {"links", number_or_null(limits.links)},
            {"workspaces", number_or_null(limits.workspaces)},
            {"domains", number_or_null(limits.domains)},
            {"teammates", number_or_null(limits.teammates)},
            {"tags", number_or_null(limits.tags)},
            {"scripts", number_or_null(limits.scripts)}};
}

Result<json::object> json_of(data::View& view, const Workspace& workspace) {
    const auto figures = TRY(figures_of(view, workspace));
    return json::object{{"id", workspace.id.hex()},
                        {"name", workspace.name},
                        {"type", to_string(workspace.type)},
                        {"owner", figures.owner},
                        {"createdAt", to_iso(workspace.created_at)},
                        {"links", figures.links},
                        {"clicks", figures.clicks},
                        {"revoked", workspace.revoked},
                        {"trashed", workspace.trashed}};
}

Result<json::object> json_of(data::View& view, const Domain& domain) {
    const auto figures = TRY(figures_of(view, domain));
    return json::object{{"id", domain.id.hex()},
                        {"fullName", domain.full_name},
                        {"createdAt", to_iso(domain.created_at)},
                        {"links", figures.links},
                        {"active", domain.active},
                        {"revoked", domain.revoked},
                        {"default", figures.is_default}};
}

json::array all_feature_names() {
    json::array out;
    for (const auto feature : all_features)
        out.push_back(json::value(to_string(feature)));
    return out;
}

} // namespace slashpost::dashboard
