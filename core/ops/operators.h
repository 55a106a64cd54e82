#pragma once
// What operators of the installation do in the dashboard that nobody else may, and the admin tool does
// likewise.
#include "core/access/context.h"
#include "core/base/change.h"
#include "core/base/errors.h"
#include "core/model/domain.h"

namespace slashpost {

struct AccountState {
    Change<bool> is_operator;
    Change<bool> suspended;    // signed out everywhere; neither it nor its keys are let in, its links go on
    Change<std::string> email; // as the operator says, without a proof
};
// Fails as invalid. Refused with LastOperator when nobody would be left who is one and is not suspended.
Result<Account> set_account_state(SystemContext& system, const Account& account, const AccountState& state);

// A part of a long list, in the order of creation.
struct Search {
    std::string term;       // in any of the names, ignoring case; empty: everything fits
    std::string after;      // the id of the row behind which to go on; empty: from the beginning
    std::size_t limit = 50; // 1 to 100
};
inline constexpr std::size_t search_limit_max = 100;
inline constexpr std::size_t searched_at_once_max = 10'000; // rows
template <class Row>
struct Found {
    std::vector<Row> rows;
    std::string next; // what to go on after; empty: there is no more
};
// Accounts by user name, full name and e-mail address, those that are not deleted of workspaces by name,
// domains of the installation by their full name.
Result<Found<Account>> search_accounts(data::View& view, const Search& search);
Result<Found<Workspace>> search_workspaces(data::View& view, const Search& search);
Result<Found<Domain>> search_service_domains(data::View& view, const Search& search);

// What an operator is shown of a row besides.
struct WorkspaceFigures {
    std::string owner; // user name; empty: nobody's
    std::int64_t links = 0, clicks = 0;
};
Result<WorkspaceFigures> figures_of(data::View& view, const Workspace& workspace);
struct DomainFigures {
    std::int64_t links = 0;
    bool is_default = false;
};
Result<DomainFigures> figures_of(data::View& view, const Domain& domain);

} // namespace slashpost
