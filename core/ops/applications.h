#pragma once
// Programs of others that an account registers, so that they may ask people for access (OAuth 2.0). What they
// are allowed: grants.h.
#include "core/access/context.h"
#include "core/base/change.h"
#include "core/base/errors.h"
#include "core/model/application.h"

namespace slashpost {

inline constexpr std::size_t applications_per_account_max = 20;
inline constexpr std::size_t application_name_length_max = 100;
inline constexpr std::size_t redirects_max = 10; // of one application
inline constexpr std::size_t redirect_length_max = 1'024;

struct NewApplication {
    std::string name;
    std::string website; // may be empty
    std::vector<std::string> redirects;
    bool keeps_secret = false; // runs where nobody but its makers sees what it has: gets a secret
    bool implicit = false;
};

struct ApplicationChange {
    Change<std::string> name;
    Change<std::string> website;
    Change<std::vector<std::string>> redirects;
    Change<bool> implicit;
};

struct IssuedApplication {
    Application row;
    std::string secret; // shown this once; empty: it has none
};

// Oldest first; there are few.
Result<std::vector<Application>> list_applications(Context& ctx);
// One of the caller's by its id as sent in a path; fails as not found.
Result<Application> find_own_application(Context& ctx, std::string_view id);
// Fails as invalid; refused with LimitReached for one too many.
Result<IssuedApplication> create_application(Context& ctx, const NewApplication& in, Problems problems = {});
Result<Application> update_application(Context& ctx, const Application& application,
                                       const ApplicationChange& change, Problems problems = {});
// The secret of before is none any more. Refused with WrongApplicationType for one that keeps none.
Result<IssuedApplication> renew_application_secret(Context& ctx, const Application& application);
// Its tokens are refused from the commit on.
Result<Application> delete_application(Context& ctx, const Application& application);
// User name of who registered it.
Result<std::string> registered_by(Context& ctx, const Application& application);
// How many grants of people it holds.
Result<std::int64_t> grants_of_application(data::View& view, ApplicationId application);

// Those of an account, oldest first; there are few.
Result<std::vector<Application>> applications_of(data::View& view, AccountId account);
// For the operator, likewise. An application may be anybody's; finding it fails as not found.
Result<Application> find_any_application(data::View& view, std::string_view id);
Result<IssuedApplication> add_application(SystemContext& system, AccountId owner, const NewApplication& in,
                                          Problems problems = {});
Result<IssuedApplication> renew_any_application_secret(SystemContext& system, const Application& application);
Result<Application> delete_any_application(SystemContext& system, const Application& application);

// Whether it is one by its form: https with a host; http to 127.0.0.1 or [::1]; or a scheme of the program's
// own with a dot in it, as "com.example.app:/back". Never with a fragment or a user.
bool is_redirect(std::string_view address);
// Whether `given` is one of the application's: the same text; at a loopback address with any port (RFC 8252,
// 7.3).
bool has_redirect(const Application& application, std::string_view given);
// What the operations keep true of every row.
void check_application(const Application& application, Problems& problems);

// The one that has the id and whose owner is let in; nothing when there is none.
Result<std::optional<Application>> find_application(data::View& view, std::string_view client_id);

} // namespace slashpost
