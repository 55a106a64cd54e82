#pragma once
// What the calls of operators (operator_calls.h) read and show.
#include "core/model/domain.h"
#include "core/ops/operators.h"
#include "core/ops/plans.h"
#include "http/dashboard/health.h"
#include "http/wire/decode.h"

#include <boost/json.hpp>

namespace slashpost::dashboard {

namespace json = boost::json;

struct AccountInput {
    std::optional<std::string> plan, email; // of the plan its name
    std::optional<bool> suspended, is_operator;
    static constexpr std::string_view wire_name = "OperatorsAccount";
    static wire::Fields fields();
    [[nodiscard]] AccountState state() const;
};

// Null means: no bound, every feature, the installation's rate.
struct PlanInput {
    Change<std::string> category;
    Change<std::vector<std::string>> features;
    Change<std::int64_t> links, workspaces, domains, teammates, tags, scripts;
    static constexpr std::string_view wire_name = "OperatorsPlan";
    static wire::Fields fields();
    [[nodiscard]] PlanChange change() const;
};

struct NewPlanInput {
    std::string name;
    PlanInput plan;
    static constexpr std::string_view wire_name = "OperatorsNewPlan";
    static wire::Fields fields();
};

struct WorkspaceStateInput {
    std::optional<bool> revoked, trashed;
    static constexpr std::string_view wire_name = "OperatorsWorkspace";
    static wire::Fields fields();
};

struct NewDomainInput {
    std::string full_name;
    static constexpr std::string_view wire_name = "OperatorsNewDomain";
    static wire::Fields fields();
};

struct DomainStateInput {
    std::optional<bool> active, revoked;
    static constexpr std::string_view wire_name = "OperatorsDomain";
    static wire::Fields fields();
};

json::object json_of(const Health& health);
json::object json_of(const Account& account);
json::object json_of(const Plan& plan);
Result<json::object> json_of(data::View& view, const Workspace& workspace);
Result<json::object> json_of(data::View& view, const Domain& domain);
json::array all_feature_names();

} // namespace slashpost::dashboard
