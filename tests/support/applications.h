#pragma once
// Applications of others in a World, and what its account allowed them.
#include "core/ops/applications.h"
#include "core/ops/grants.h"
#include "tests/support/must.h"
#include "tests/support/world.h"

namespace slashpost::test {

inline constexpr std::string_view app_redirect = "https://app.example/";

// Of the world's account.
inline Application make_application(World& world, bool keeps_secret = false) {
    constexpr Guard writing{.access = Access::write, .scope = Scope::account};
    return must(world.write(
                    [&](Context& ctx) {
                        return create_application(ctx, {.name = "App",
                                                        .website = {},
                                                        .redirects = {std::string(app_redirect)},
                                                        .keeps_secret = keeps_secret});
                    },
                    writing))
        .row;
}

// An access token of the application, which the world's account allowed the scopes.
inline std::string allow(World& world, const Application& application, std::vector<AppScope> scopes,
                         WorkspaceId workspace = {}) {
    constexpr Guard writing{.access = Access::write, .scope = Scope::account};
    return must(world.write(
                    [&](Context& ctx) {
                        return issue_access_token(ctx,
                                                  {.application = application,
                                                   .wish = {.scopes = std::move(scopes), .implicit = true},
                                                   .redirect = std::string(app_redirect),
                                                   .workspace = workspace});
                    },
                    writing))
        .access;
}

} // namespace slashpost::test
