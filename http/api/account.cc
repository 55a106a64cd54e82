// The caller's account (wire "Workspaces, people"): its route, shape and handler.
#include "http/api/account.h"

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
    std::int64_t blocked = 0;
    static constexpr std::string_view wire_name = "LimitUse";
    static wire::Fields fields() {
        return {field("used", &LimitReply::used, wire::note("How many the account has.")),
                field("included", &LimitReply::included,
                      wire::note("How many its plan includes; 2147483647 means without a bound.")),
                field("max", &LimitReply::max, wire::note("The same as included.")),
                field("blocked", &LimitReply::blocked,
                      wire::note("Always 0: what there is goes on when a plan includes less; kept for older "
                                 "clients."))};
    }
    static LimitReply of(const LimitUse& use) {
        const auto included = use.included.value_or(unbounded);
        return {.used = use.used, .included = included, .max = included};
    }
};

struct CycleReply {
    LimitReply clicks;
    static constexpr std::string_view wire_name = "Cycle";
    static wire::Fields fields() {
        return {field(
            "clicks", &CycleReply::clicks,
            wire::note("Clicks on the links of all its own workspaces since the first of the month, UTC; "
                       "as many as come are included."))};
    }
};

struct LimitsReply {
    LimitReply links, workspaces, domains, teammates, tags, scripts;
    CycleReply cycle;
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
            field("scripts", &LimitsReply::scripts, wire::note("Scripts in all workspaces of the account.")),
            field("cycle", &LimitsReply::cycle, wire::note("What is counted anew each month."))};
    }
};

// Whether the account may use each feature there is.
struct FeatureFlags {
    std::array<bool, all_features.size()> has{};

    // One key for each feature whose name begins so: the rest of the name. `Shape` is made of flags alone.
    template <class Shape>
    static wire::Fields fields_of(std::string_view prefix) {
        static const auto notes = [] {
            std::array<std::string, all_features.size()> all;
            std::ranges::transform(all_features, all.begin(), [](Feature feature) {
                return fmt::format("{}: whether the account may use this.", title_of(feature));
            });
            return all;
        }();
        wire::Fields out;
        for (std::size_t i = 0; i < all_features.size(); ++i)
            if (const auto name = to_string(all_features[i]); name.starts_with(prefix))
                out.push_back({.name = name.substr(prefix.size()),
                               .type = &wire::type_of<bool>(),
                               .slot = &wire::detail::SlotOf<bool>::slot,
                               .locate = [i](void* shape) -> void* {
                                   return &static_cast<Shape*>(shape)->flags.has[i];
                               },
                               .rules = {.note = notes.at(i)}});
        return out;
    }
};

struct LinkFeaturesReply {
    FeatureFlags flags;
    static constexpr std::string_view wire_name = "LinkFeatures";
    static wire::Fields fields() { return FeatureFlags::fields_of<LinkFeaturesReply>("links."); }
};

struct ExtraFeaturesReply {
    FeatureFlags flags;
    static constexpr std::string_view wire_name = "ExtraFeatures";
    static wire::Fields fields() { return FeatureFlags::fields_of<ExtraFeaturesReply>("extra."); }
};

// By their whole names, as errors give them, and nested, as there are clients that look for them so.
struct FeaturesReply {
    FeatureFlags flags;
    LinkFeaturesReply links;
    ExtraFeaturesReply extra;
    static constexpr std::string_view wire_name = "Features";
    static wire::Fields fields() {
        return wire::joined(
            {FeatureFlags::fields_of<FeaturesReply>(""),
             {field("links", &FeaturesReply::links, wire::note("The same for the features of links.")),
              field("extra", &FeaturesReply::extra, wire::note("The same for all others."))}});
    }
    static FeaturesReply of(const FeatureFlags& flags) {
        return {.flags = flags, .links = {flags}, .extra = {flags}};
    }
};

struct SubscriptionReply {
    std::string category;
    Timestamp created_at;
    std::int64_t due = 0;
    LimitsReply limits;
    FeaturesReply features;
    static constexpr std::string_view wire_name = "Subscription";
    static wire::Fields fields() {
        return {
            field("category", &SubscriptionReply::category, wire::note("What the account's plan is called.")),
            field("createdAt", &SubscriptionReply::created_at,
                  wire::note("Since when the account has the plan.")),
            field("due", &SubscriptionReply::due,
                  wire::note(
                      "What is to be paid: always 0, as nothing is charged here; kept for older clients.")),
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
    std::string my_cname;
    Timestamp created_at;
    SubscriptionReply subscription;
    std::int64_t clicks = 0;
    std::int64_t sessions = 0;
    static constexpr std::string_view wire_name = "Account";
    static wire::Fields fields() {
        return {
            field("id", &AccountReply::id, wire::note("Id of the account.")),
            field("username", &AccountReply::username,
                  wire::note("The account's username, unique in the installation.")),
            field("email", &AccountReply::email, wire::note("The person's e-mail address; empty: none.")),
            field("fullName", &AccountReply::full_name, wire::note("The person's name.")),
            field("avatarUrl", &AccountReply::avatar_url,
                  wire::note("Address of a picture of the person; empty: none.")),
            field("myCname", &AccountReply::my_cname, wire::note("Always empty; kept for older clients.")),
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
    AccountReply out{
        .id = account.id,
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
                                    .scripts = LimitReply::of(details.scripts),
                                    .cycle = {.clicks = LimitReply::of({.used = details.clicks_this_month,
                                                                        .included = std::nullopt})}},
                         .features = {}},
        .clicks = details.clicks,
        .sessions = details.sessions};
    FeatureFlags flags;
    for (std::size_t i = 0; i < all_features.size(); ++i)
        flags.has[i] = ctx.has(all_features[i]);
    out.subscription.features = FeaturesReply::of(flags);
    return out;
}

} // namespace

Result<std::string> account_json(Context& ctx) { return wire::encode(TRY(read(ctx))); }

const RouteList& account_routes() {
    static const RouteList routes{"account",
                                  {
                                      {http::Method::get,
                                       "/account",
                                       "getAccount",
                                       {.scope = Scope::account, .limited_keys = LimitedKeys::all},
                                       on(read),
                                       "Read the caller's account and what its plan includes."},
                                  }};
    return routes;
}

} // namespace slashpost::api
