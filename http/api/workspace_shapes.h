#pragma once
// Workspaces on the wire (interface 2.2 and 3.5, wire "Workspaces, people").
#include "core/ops/workspace_lists.h"
#include "core/ops/workspaces.h"
#include "http/api/paging.h"

namespace slashpost::api {

// What a limit says that has no bound.
inline constexpr std::int64_t unbounded = 2'147'483'647;

struct NewExpirationInput {
    std::optional<std::int64_t> ttl;
    static constexpr std::string_view wire_name = "NewWorkspaceExpiration";
    static wire::Fields fields();
};

struct WorkspaceInput {
    std::string name;
    WorkspaceType type = WorkspaceType::classic;
    std::string notes;
    std::string avatar_url;
    NewExpirationInput expiration;
    std::string time_zone;
    static constexpr std::string_view wire_name = "WorkspaceInput";
    static wire::Fields fields();

    [[nodiscard]] NewWorkspace to_new_workspace() const;
};

struct ExpirationChangeInput {
    Change<std::int64_t> ttl;
    static constexpr std::string_view wire_name = "WorkspaceExpirationChange";
    static wire::Fields fields();
};

// Null takes notes, the avatar, the time to live or the time zone away.
struct WorkspaceChangeInput {
    std::optional<std::string> name;
    Change<std::string> notes;
    Change<std::string> avatar_url;
    ExpirationChangeInput expiration;
    Change<std::string> time_zone;
    static constexpr std::string_view wire_name = "WorkspaceChange";
    static wire::Fields fields();

    [[nodiscard]] WorkspaceChange to_change() const;
};

struct RemovalQuery {
    bool trash = false;
    static constexpr std::string_view wire_name = "WorkspaceRemoval";
    static wire::Fields fields();
};

struct WorkspaceFilterQuery {
    std::string term;
    std::optional<WorkspaceType> type;
    std::optional<bool> revoked;
    static constexpr std::string_view wire_name = "WorkspaceFilter";
    static wire::Fields fields();

    [[nodiscard]] WorkspaceFilter filter() const;
};

struct WorkspaceListQuery {
    WorkspaceFilterQuery filter;
    PageQuery page;
    std::string order_by;
    static constexpr std::string_view wire_name = "WorkspaceList";
    static wire::Fields fields();
};

struct ConversionInput {
    bool enabled = false;
    std::optional<std::int64_t> attribution_window;
    Change<std::string> parameter;
    static constexpr std::string_view wire_name = "ConversionTrackingInput";
    static wire::Fields fields();
};

struct ConversionReply {
    bool enabled = false;
    wire::Nullable<std::int64_t> attribution_window;
    std::optional<std::string> parameter;
    static constexpr std::string_view wire_name = "ConversionTracking";
    static wire::Fields fields();

    static ConversionReply of(const ConversionTracking& tracking);
};

// The caller's role as the interface shows it; stored ones are finer.
enum class ShownRole : std::uint8_t { owner, manager, guest };
ShownRole shown_role(Role role);

struct OwnerReply {
    AccountId id;
    std::string username;
    static constexpr std::string_view wire_name = "WorkspaceOwner";
    static wire::Fields fields();
};
struct DomainUseReply {
    std::int64_t used = 0;
    std::int64_t included = 0;
    static constexpr std::string_view wire_name = "WorkspaceDomainUse";
    static wire::Fields fields();
};
struct WorkspaceLimitsReply {
    DomainUseReply domains;
    static constexpr std::string_view wire_name = "WorkspaceLimits";
    static wire::Fields fields();
};
struct ExtraReply {
    static constexpr std::string_view wire_name = "BillingExtra";
    static wire::Fields fields() { return {}; }
};
struct BillingReply {
    ExtraReply extra{};
    static constexpr std::string_view wire_name = "Billing";
    static wire::Fields fields();
};
struct WorkspaceSubscriptionReply {
    std::string category;
    WorkspaceLimitsReply limits;
    BillingReply billing;
    static constexpr std::string_view wire_name = "WorkspaceSubscription";
    static wire::Fields fields();
};
struct ExpirationReply {
    std::int64_t ttl = 0;
    static constexpr std::string_view wire_name = "WorkspaceExpiration";
    static wire::Fields fields();
};

struct WorkspaceReply {
    WorkspaceId id;
    std::string name;
    bool is_default = false;
    WorkspaceType type = WorkspaceType::classic;
    Timestamp created_at;
    Timestamp updated_at;
    OwnerReply owner;
    ShownRole role = ShownRole::guest;
    WorkspaceSubscriptionReply subscription;
    std::string avatar_url;
    std::string notes;
    std::string time_zone;
    bool revoked = false;
    std::int64_t links = 0;
    std::int64_t teammates = 0;
    std::int64_t domains = 0;
    std::int64_t clicks = 0;
    std::int64_t sessions = 0;
    std::optional<Timestamp> last_click_at;
    std::optional<ExpirationReply> expiration;
    static constexpr std::string_view wire_name = "Workspace";
    static wire::Fields fields();

    // `account` is the caller.
    static WorkspaceReply of(const WorkspaceDetails& details, const Account& account);
};

struct PeriodReply {
    std::int64_t clicks = 0;
    std::int64_t sessions = 0;
    static constexpr std::string_view wire_name = "WorkspacePeriod";
    static wire::Fields fields();
};
struct StatisticsReply {
    std::int64_t clicks = 0;
    std::int64_t sessions = 0;
    std::int64_t links = 0;
    PeriodReply today;
    PeriodReply last_30_days;
    static constexpr std::string_view wire_name = "WorkspaceStatistics";
    static wire::Fields fields();
};
struct SingleWorkspaceReply {
    WorkspaceReply workspace;
    StatisticsReply statistics;
    static constexpr std::string_view wire_name = "SingleWorkspace";
    static wire::Fields fields();
};

} // namespace slashpost::api

namespace slashpost::wire {

template <>
struct EnumNames<api::ShownRole> {
    static constexpr std::array<std::pair<std::string_view, api::ShownRole>, 3> all{
        {{"owner", api::ShownRole::owner},
         {"manager", api::ShownRole::manager},
         {"guest", api::ShownRole::guest}}};
};

} // namespace slashpost::wire
