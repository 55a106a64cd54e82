#pragma once
// Features of a plan on the wire (wire "Workspaces, people").
#include "core/ops/subscriptions.h"
#include "http/wire/fields.h"

namespace slashpost::api {

struct FeatureReply {
    std::string id;
    std::string name;
    bool active = true;
    bool revoked = false;
    static constexpr std::string_view wire_name = "Feature";
    static wire::Fields fields() {
        using wire::field;
        return {
            field("id", &FeatureReply::id, wire::note("Name of the feature, as errors give it."),
                  wire::example("links.bulk")),
            field("name", &FeatureReply::name, wire::note("What the feature is, in words.")),
            field("active", &FeatureReply::active, wire::note("Whether the owner may use it.")),
            field("revoked", &FeatureReply::revoked, wire::note("Whether the operator has taken it away."))};
    }
    static std::vector<FeatureReply> of_all(const std::vector<OwnedFeature>& features) {
        std::vector<FeatureReply> out;
        out.reserve(features.size());
        for (const auto& [feature, revoked] : features)
            out.push_back({.id = std::string(to_string(feature)),
                           .name = std::string(title_of(feature)),
                           .active = !revoked,
                           .revoked = revoked});
        return out;
    }
};

struct FeatureQuery {
    std::optional<bool> revoked;
    static constexpr std::string_view wire_name = "FeatureFilter";
    static wire::Fields fields() {
        return {wire::field("revoked", &FeatureQuery::revoked,
                            wire::note("Only revoked features, or only the others."))};
    }
};

} // namespace slashpost::api
