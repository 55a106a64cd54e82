#include "core/ops/operators.h"

#include "core/access/sign_in_tokens.h"
#include "core/base/email.h"
#include "core/base/text.h"
#include "core/ops/field_rules.h"
#include "core/ops/sessions.h"
#include "core/schema/click_totals.h"
#include "core/schema/schema.h"
#include "core/schema/store.h"

#include <algorithm>

namespace slashpost {

namespace {

Result<bool> there_is_another_operator(data::View& view, AccountId but) {
    bool found = false;
    TRY(schema().accounts.each(view, [&](const Account& account) -> Result<bool> {
        found = account.is_operator && !account.suspended_at && account.id != but;
        return !found;
    }));
    return found;
}

bool has_term(std::string_view folded_term, std::initializer_list<std::string_view> texts) {
    return std::ranges::any_of(
        texts, [&](std::string_view text) { return fold_case(text).find(folded_term) != std::string::npos; });
}

// Rows of the table from behind `after` on for which `fits`, so many and no more.
template <class Row, class Fits>
Result<Found<Row>> search_rows(const Table<Row>& table, data::View& view, const Search& search, Fits fits) {
    Found<Row> out;
    const auto limit = std::clamp<std::size_t>(search.limit, 1, search_limit_max);
    const auto after = decltype(Row::id)::parse(search.after);
    std::size_t looked_at = 0;
    std::string last;
    TRY(table.each(
        view,
        [&](const Row& row) -> Result<bool> {
            if (out.rows.size() == limit || looked_at == searched_at_once_max) {
                out.next = last;
                return false;
            }
            ++looked_at;
            last = row.id.hex();
            if (fits(row))
                out.rows.push_back(row);
            return true;
        },
        after ? data::BytesView(after->view()) : data::BytesView()));
    return out;
}

} // namespace

Result<Account> set_account_state(SystemContext& system, const Account& account, const AccountState& state) {
    auto changed = account;
    state.is_operator.apply_to(changed.is_operator);
    if (state.suspended.is_set() && state.suspended.value() != account.suspended_at.has_value())
        changed.suspended_at = state.suspended.value() ? std::optional(system.now) : std::nullopt;
    state.email.apply_to(changed.email);
    Problems problems;
    check_account(changed, problems);
    if (state.email.is_set() && !changed.email.empty() && !is_email(changed.email))
        problems.add(invalid_format("email", "must be an e-mail address"));
    TRY(problems.result("account"));
    const bool was_one = account.is_operator && !account.suspended_at;
    const bool is_one = changed.is_operator && !changed.suspended_at;
    if (was_one && !is_one && !TRY(there_is_another_operator(system.txn, account.id)))
        return refused("LastOperator", "account", "It is the last operator; make somebody else one first.");
    if (changed.suspended_at && !account.suspended_at) {
        TRY(end_sessions(system.txn, account.id, {}));
        TRY(withdraw_sign_in_tokens(system.txn, account.id));
    }
    TRY(schema().accounts.update(system.txn, account, changed));
    return changed;
}

Result<Found<Account>> search_accounts(data::View& view, const Search& search) {
    const auto term = fold_case(search.term);
    return search_rows(schema().accounts, view, search, [&](const Account& account) {
        return has_term(term, {account.username, account.full_name, account.email});
    });
}

Result<Found<Workspace>> search_workspaces(data::View& view, const Search& search) {
    const auto term = fold_case(search.term);
    return search_rows(schema().workspaces, view, search, [&](const Workspace& workspace) {
        return !workspace.deleted_at && has_term(term, {workspace.name});
    });
}

Result<Found<Domain>> search_service_domains(data::View& view, const Search& search) {
    const auto term = fold_case(search.term);
    return search_rows(schema().domains, view, search, [&](const Domain& domain) {
        return domain.type == DomainType::service && has_term(term, {domain.full_name});
    });
}

Result<WorkspaceFigures> figures_of(data::View& view, const Workspace& workspace) {
    const auto owner = TRY(schema().accounts.find(view, workspace.owner.view()));
    return WorkspaceFigures{.owner = owner ? owner->username : std::string(),
                            .links = TRY(schema().links.kept.count(view, workspace.id)),
                            .clicks = TRY(clicks_of_workspace(view, workspace.id)).clicks};
}

Result<DomainFigures> figures_of(data::View& view, const Domain& domain) {
    return DomainFigures{.links = TRY(schema().links.per_domain.count(view, domain.id)),
                         .is_default = TRY(default_domain(view)) == domain.id};
}

} // namespace slashpost
