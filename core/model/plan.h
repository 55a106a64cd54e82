#pragma once
// What an account may do and how much of it: features, limits and the rate of its requests (interface 8,
// wire "Workspaces, people"). Plans are made by the operator; accounts without one have the plan "default",
// which has everything unless the operator changed it.
#include "core/data/codec.h"
#include "core/data/key.h"

namespace slashpost {

// What a plan can bound. On disk (core/access/limits.cc): never renumber.
enum class Limit : std::uint8_t {
    links = 1,
    workspaces = 2,
    domains = 3,
    teammates = 4,
    tags = 5,
    scripts = 6,
    invites_per_day = 7,
};

// Nothing: no bound.
struct PlanLimits {
    std::optional<std::int64_t> links; // that are not deleted, in all workspaces of the account
    std::optional<std::int64_t> workspaces;
    std::optional<std::int64_t> domains;   // registered by the account
    std::optional<std::int64_t> teammates; // in all workspaces of the account, besides itself
    std::optional<std::int64_t> tags;
    std::optional<std::int64_t> scripts;
    std::optional<std::int64_t> invites_per_day; // nothing: what interface 8 says
    bool operator==(const PlanLimits&) const = default;

    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "links", &PlanLimits::links),
                          stored(2, "workspaces", &PlanLimits::workspaces),
                          stored(3, "domains", &PlanLimits::domains),
                          stored(4, "teammates", &PlanLimits::teammates),
                          stored(5, "tags", &PlanLimits::tags),
                          stored(6, "scripts", &PlanLimits::scripts),
                          stored(7, "invites_per_day", &PlanLimits::invites_per_day)};
    }
};

struct Plan {
    static constexpr std::string_view default_name = "default";

    std::string name{default_name};    // 1 to 40 of a-z 0-9 - _
    std::string category;              // shown as subscription.category; empty: the name
    bool everything = true;            // has every feature, also those of builds to come
    std::vector<std::string> features; // otherwise these, by the names of core/access/guard.h
    PlanLimits limits;
    std::optional<std::uint32_t> rate_requests; // per key; 0: no limit; nothing: the installation's setting
    std::optional<std::uint32_t> rate_period_seconds;
    Timestamp created_at;
    Timestamp updated_at;
    data::Unknown unknown;

    [[nodiscard]] const std::string& shown_category() const { return category.empty() ? name : category; }

    static constexpr std::size_t primary_bytes = 0; // varies; no index is declared on these
    static data::Bytes primary_of(const Plan& p) { return data::key(p.name); }
    static constexpr auto fields() {
        using data::stored;
        return std::tuple{stored(1, "name", &Plan::name),
                          stored(2, "category", &Plan::category),
                          stored(3, "everything", &Plan::everything),
                          stored(4, "features", &Plan::features),
                          stored(5, "limits", &Plan::limits),
                          stored(6, "rate_requests", &Plan::rate_requests),
                          stored(7, "rate_period_seconds", &Plan::rate_period_seconds),
                          stored(8, "created_at", &Plan::created_at),
                          stored(9, "updated_at", &Plan::updated_at)};
    }
};

} // namespace slashpost
