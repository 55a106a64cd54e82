#pragma once
// Rules of single rows that need nothing but the row: the operations ask them of what they are to store, and
// core/ops/row_rules.h of what was stored elsewhere. Each adds a problem for every field that breaks one.
#include "core/base/errors.h"
#include "core/model/account.h"
#include "core/model/domain.h"
#include "core/model/plan.h"
#include "core/model/script.h"

namespace slashpost {

void check_account(const Account& account, Problems& problems);
void check_key_name(std::string_view name, Problems& problems);
// Of redirects.
void check_redirect_type(std::uint32_t type, Problems& problems);
void check_slashtag_lengths(const SlashtagRules& rules, Problems& problems);
// Each field in the form in which it is stored.
void check_branding(const Branding& branding, Problems& problems);
void check_plan_name(std::string_view name, Problems& problems);
// But for the names of its features: those that are known change.
void check_plan(const Plan& plan, Problems& problems);
// What the fields together must be; brings the address into its stored form.
void normalise_script(Script& script, Problems& problems);
// A name stands on one line, in lists and in the operator's terminal.
void check_workspace_name(std::string_view name, Problems& problems);
// The form in which a colour is stored, and that form of six hexadecimal digits with or without "#".
[[nodiscard]] bool is_stored_color(std::string_view color);
[[nodiscard]] std::string stored_color(std::string_view color);
// The form in which the address of a picture of somebody or something is stored, an http or https address;
// empty, and a problem on `avatarUrl`, when it is none.
[[nodiscard]] std::string stored_avatar(const std::string& address, Problems& problems);

} // namespace slashpost
