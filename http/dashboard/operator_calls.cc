#include "http/dashboard/operator_calls.h"

#include "core/access/sign_in_tokens.h"
#include "core/ops/accounts.h"
#include "core/ops/domains.h"
#include "core/ops/operators.h"
#include "core/ops/plans.h"
#include "core/ops/workspaces.h"
#include "http/dashboard/operator_shapes.h"
#include "http/dashboard/session_calls.h"
#include "http/dashboard/session_replies.h"
#include "http/wire/error_body.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace slashpost::dashboard {

namespace {

// "/operator/accounts/ID/sign-in-address" fits "/operator/accounts/*/sign-in-address": what stands for the
// star, or empty for a pattern without one; nothing when it does not fit.
std::optional<std::string_view> match(std::string_view pattern, std::string_view path) {
    const auto star = pattern.find('*');
    if (star == pattern.npos)
        return pattern == path ? std::optional(std::string_view()) : std::nullopt;
    const auto behind = pattern.substr(star + 1);
    if (!path.starts_with(pattern.substr(0, star)) || !path.ends_with(behind) ||
        path.size() <= star + behind.size())
        return std::nullopt;
    const auto found = path.substr(star, path.size() - star - behind.size());
    return found.find('/') == found.npos ? std::optional(found) : std::nullopt;
}

struct SearchInput {
    std::string term, after;
    static constexpr std::string_view wire_name = "OperatorsSearch";
    static wire::Fields fields() {
        return {wire::field("term", &SearchInput::term), wire::field("after", &SearchInput::after)};
    }
};

Result<Search> search_of(const http::Request& request) {
    const auto question = request.target.find('?');
    const auto query = TRY(wire::parse_form(
        question == std::string::npos ? "" : std::string_view(request.target).substr(question + 1)));
    Problems problems;
    auto input = TRY(wire::decode<SearchInput>(query, problems));
    TRY(problems.result("search"));
    return Search{.term = std::move(input.term), .after = std::move(input.after)};
}

// A page of what was found, each row as `show(view, row)` has it.
template <class Find, class Show>
Result<http::Reply> page_of(Service& service, const http::Request& request, Find find, Show show) {
    const auto search = TRY(search_of(request));
    return service.run_as_operator([&](SystemContext& system) -> Result<http::Reply> {
        const auto found = TRY(find(system.txn, search));
        json::array items;
        for (const auto& row : found.rows)
            items.push_back(TRY(show(system.txn, row)));
        return json_reply(200, json::serialize(json::object{{"items", items}, {"next", found.next}}));
    });
}

http::Reply shown(const json::object& object) { return json_reply(200, json::serialize(object)); }

} // namespace

Result<void> OperatorCalls::admit(const http::Request& request, std::string_view path) {
    const auto absent = not_found("endpoint", path);
    const auto caller = service_.authenticate_session(origin_.token_of(request));
    if (!caller.has_value())
        return caller.error().kind == ErrorKind::unauthenticated ? absent : std::unexpected(caller.error());
    const auto is_operator = TRY(service_.run(
        *caller, {}, own_account, [](Context& ctx) -> Result<bool> { return ctx.account.is_operator; }));
    return is_operator ? Result<void>() : absent;
}

Result<http::Reply> OperatorCalls::answer(const http::Request& request, std::string_view path) {
    using enum http::Method;
    struct Row {
        std::string_view pattern;
        http::Method method;
        Result<http::Reply> (OperatorCalls::*handler)(const Call&);
    };
    static constexpr std::array<Row, 12> rows{{
        {"/operator/health", get, &OperatorCalls::health},
        {"/operator/accounts", get, &OperatorCalls::list_accounts},
        {"/operator/accounts/*", put, &OperatorCalls::change_account},
        {"/operator/accounts/*/sign-in-address", post, &OperatorCalls::give_address},
        {"/operator/plans", get, &OperatorCalls::list_plans},
        {"/operator/plans", post, &OperatorCalls::create_plan},
        {"/operator/plans/*", put, &OperatorCalls::change_plan},
        {"/operator/workspaces", get, &OperatorCalls::list_workspaces},
        {"/operator/workspaces/*", put, &OperatorCalls::change_workspace},
        {"/operator/domains", get, &OperatorCalls::list_domains},
        {"/operator/domains", post, &OperatorCalls::add_domain},
        {"/operator/domains/*", put, &OperatorCalls::change_domain},
    }};
    TRY(admit_page(origin_, request));
    TRY(admit(request, path));
    bool known = false;
    for (const auto& row : rows) {
        const auto id = match(row.pattern, path);
        known = known || id;
        if (id && row.method == request.method)
            return (this->*row.handler)({.request = request, .path = path, .id = *id});
    }
    if (!known)
        return not_found("endpoint", path);
    return wire::method_refused();
}

Result<http::Reply> OperatorCalls::health(const Call&) { return shown(json_of(look_ ? look_() : Health())); }

Result<http::Reply> OperatorCalls::list_accounts(const Call& call) {
    return page_of(service_, call.request, search_accounts,
                   [](data::View&, const Account& row) -> Result<json::object> { return json_of(row); });
}

Result<http::Reply> OperatorCalls::change_account(const Call& call) {
    const auto input = TRY(read_body<AccountInput>(call.request));
    return service_.run_as_operator([&](SystemContext& system) -> Result<http::Reply> {
        auto account = TRY(find_account(system.txn, call.id));
        account = TRY(set_account_state(system, account, input.state()));
        if (input.plan)
            account = TRY(change_account_plan(system, account,
                                              {.plan = Change<std::string>::set(*input.plan),
                                               .granted_features = {},
                                               .revoked_features = {}}));
        return shown(json_of(account));
    });
}

Result<http::Reply> OperatorCalls::give_address(const Call& call) {
    return service_.run_as_operator([&](SystemContext& system) -> Result<http::Reply> {
        const auto account = TRY(find_account(system.txn, call.id));
        const auto token = TRY(issue_sign_in_token(system, account.id, false));
        return shown({{"address", sign_in_address(settings_.dashboard_url, token)}});
    });
}

Result<http::Reply> OperatorCalls::list_plans(const Call&) {
    return service_.run_as_operator([&](SystemContext& system) -> Result<http::Reply> {
        json::array items;
        for (const auto& plan : TRY(slashpost::list_plans(system.txn)))
            items.push_back(json_of(plan));
        return shown({{"items", items}, {"features", all_feature_names()}});
    });
}

Result<http::Reply> OperatorCalls::create_plan(const Call& call) {
    const auto input = TRY(read_body<NewPlanInput>(call.request));
    return service_.run_as_operator([&](SystemContext& system) -> Result<http::Reply> {
        return shown(json_of(TRY(slashpost::create_plan(system, input.name, input.plan.change()))));
    });
}

Result<http::Reply> OperatorCalls::change_plan(const Call& call) {
    const auto input = TRY(read_body<PlanInput>(call.request));
    return service_.run_as_operator([&](SystemContext& system) -> Result<http::Reply> {
        const auto plan = TRY(find_plan(system.txn, call.id));
        return shown(json_of(TRY(slashpost::change_plan(system, plan, input.change()))));
    });
}

Result<http::Reply> OperatorCalls::list_workspaces(const Call& call) {
    return page_of(service_, call.request, search_workspaces,
                   [](data::View& view, const Workspace& row) { return json_of(view, row); });
}

Result<http::Reply> OperatorCalls::change_workspace(const Call& call) {
    const auto input = TRY(read_body<WorkspaceStateInput>(call.request));
    return service_.run_as_operator([&](SystemContext& system) -> Result<http::Reply> {
        const auto workspace = TRY(find_any_workspace(system.txn, call.id));
        const auto changed = TRY(set_workspace_state(
            system, workspace,
            {.revoked = Change<bool>::of(input.revoked), .trashed = Change<bool>::of(input.trashed)}));
        return shown(TRY(json_of(system.txn, changed)));
    });
}

Result<http::Reply> OperatorCalls::list_domains(const Call& call) {
    return page_of(service_, call.request, search_service_domains,
                   [](data::View& view, const Domain& row) { return json_of(view, row); });
}

Result<http::Reply> OperatorCalls::add_domain(const Call& call) {
    const auto input = TRY(read_body<NewDomainInput>(call.request));
    return service_.run_as_operator([&](SystemContext& system) -> Result<http::Reply> {
        // Whoever runs the server says that it is theirs.
        const auto domain =
            TRY(slashpost::add_domain(system, {.full_name = input.full_name, .verified = true}));
        return shown(TRY(json_of(system.txn, domain)));
    });
}

Result<http::Reply> OperatorCalls::change_domain(const Call& call) {
    const auto input = TRY(read_body<DomainStateInput>(call.request));
    return service_.run_as_operator([&](SystemContext& system) -> Result<http::Reply> {
        auto domain = TRY(find_any_domain(system.txn, call.id));
        if (domain.type != DomainType::service)
            return not_found("domain", call.id);
        domain = TRY(slashpost::change_domain(
            system, domain,
            {.active = Change<bool>::of(input.active), .revoked = Change<bool>::of(input.revoked)}));
        return shown(TRY(json_of(system.txn, domain)));
    });
}

} // namespace slashpost::dashboard
