// The caller's account (wire "Workspaces, people"): its route, shape and handler.
#include "core/ops/subscriptions.h"
#include "http/api/routes.h"
#include "http/api/workspace_shapes.h"

#include <fmt/format.h>

#include <algorithm>

namespace slashpost::api {

namespace {

using wire::field;

struct LimitReply {
    std::int64_t used = 0;
    std::int64_t included = 0;
    std::int64_t max = 0;
    static constexpr std::string_view wire_name = "LimitUse";
    static wire::Fields fields() {
        return {field("used", &LimitReply::used, wire::note("How many the account has.")),
                field("included", &LimitReply::included,
                      wire::note("How many its plan includes; 2147483647 means without a bound.")),
                field("max", &LimitReply::max, wire::note("The same as included."))};
    }
    static LimitReply of(const LimitUse& use) {
        const auto included = use.included.value_or(unbounded);
        return {.used = use.used, .included = included, .max = included};
    }
};

struct LimitsReply {
    LimitReply links, workspaces, domains, teammates, tags, scripts;
    static constexpr std::string_view wire_name = "Limits";
    static wire::Fields fields() {
        return {
            field("links", &LimitsReply::links,
                  wire::note("Links that are not deleted, in all workspaces of the account.")),
            field("workspaces", &LimitsReply::workspaces, wire::note("Workspaces of the account.")),
            field("domains", &LimitsReply::domains, wire::note("Domains that the account has registered.")),
            field("teammates", &LimitsReply::teammates,
                  wire::note("People in the workspaces of the account besides its own person, once for each "
                             "workspace.")),
            field("tags", &LimitsReply::tags, wire::note("Tags in all workspaces of the account.")),
            field("scripts", &LimitsReply::scripts, wire::note("Scripts in all workspaces of the account."))};
    }
};

// One key for each feature there is: whether the account may use it.
struct FeaturesReply {
    std::array<bool, all_features.size()> has{};
    static constexpr std::string_view wire_name = "Features";
    static wire::Fields fields() {
        static const auto notes = [] {
            std::array<std::string, all_features.size()> all;
            std::ranges::transform(all_features, all.begin(), [](Feature feature) {
                return fmt::format("{}: whether the account may use this.", title_of(feature));
            });
            return all;
        }();
        wire::Fields out;
        for (std::size_t i = 0; i < all_features.size(); ++i)
            out.push_back(
                {.name = to_string(all_features[i]),
                 .type = &wire::type_of<bool>(),
                 .slot = &wire::detail::SlotOf<bool>::slot,
                 .locate = [i](void* shape) -> void* { return &static_cast<FeaturesReply*>(shape)->has[i]; },
                 .rules = {.note = notes.at(i)}});
        return out;
    }
};

struct SubscriptionReply {
    std::string category;
    Timestamp created_at;
    LimitsReply limits;
    FeaturesReply features;
    static constexpr std::string_view wire_name = "Subscription";
    static wire::Fields fields() {
        return {
            field("category", &SubscriptionReply::category, wire::note("What the account's plan is called.")),
            field("createdAt", &SubscriptionReply::created_at,
                  wire::note("Since when the account has the plan.")),
            field("limits", &SubscriptionReply::limits,
                  wire::note("How many of everything the plan includes, and how many the account has.")),
            field("features", &SubscriptionReply::features, wire::note("What the account may use."))};
    }
};

struct AccountReply {
    AccountId id;
    std::string username;
    std::string email;
    std::string full_name;
    std::string avatar_url;
    Timestamp created_at;
    SubscriptionReply subscription;
    std::int64_t clicks = 0;
    std::int64_t sessions = 0;
    static constexpr std::string_view wire_name = "Account";
    static wire::Fields fields() {
        return {field("id", &AccountReply::id, wire::note("Id of the account.")),
                field("username", &AccountReply::username,
                      wire::note("The account's username, unique in the installation.")),
                field("email", &AccountReply::email, wire::note("The person's e-mail address; empty: none.")),
                field("fullName", &AccountReply::full_name, wire::note("The person's name.")),
                field("avatarUrl", &AccountReply::avatar_url,
                      wire::note("Address of a picture of the person; empty: none.")),
                field("createdAt", &AccountReply::created_at, wire::note("When the account was made.")),
                field("subscription", &AccountReply::subscription,
                      wire::note("The account's plan and what it includes.")),
                field("clicks", &AccountReply::clicks,
                      wire::note("Clicks on the links of all its own workspaces.")),
                field("sessions", &AccountReply::sessions,
                      wire::note("Sessions on the links of all its own workspaces."))};
    }
};

Result<AccountReply> read(Context& ctx) {
    const auto details = TRY(describe_account(ctx));
    const auto& account = details.account;
    AccountReply out{.id = account.id,
                     .username = account.username,
                     .email = account.email,
                     .full_name = account.full_name,
                     .avatar_url = account.avatar_url,
                     .created_at = account.created_at,
                     .subscription = {.category = details.plan.shown_category(),
                                      .created_at = account.plan_since.value_or(account.created_at),
                                      .limits = {.links = LimitReply::of(details.links),
                                                 .workspaces = LimitReply::of(details.workspaces),
                                                 .domains = LimitReply::of(details.domains),
                                                 .teammates = LimitReply::of(details.teammates),
                                                 .tags = LimitReply::of(details.tags),
                                                 .scripts = LimitReply::of(details.scripts)},
                                      .features = {}},
                     .clicks = details.clicks,
                     .sessions = details.sessions};
    for (std::size_t i = 0; i < all_features.size(); ++i)
        out.subscription.features.has[i] = ctx.has(all_features[i]);
    return out;
}

} // namespace

const RouteList& account_routes() {
    static const RouteList routes{"account",
                                  {
                                      {http::Method::get,
                                       "/account",
                                       "getAccount",
                                       {.scope = Scope::account},
                                       on(read),
                                       "Read the caller's account and what its plan includes."},
                                  }};
    return routes;
}

} // namespace slashpost::api
