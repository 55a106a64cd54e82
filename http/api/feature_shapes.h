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
        return {field("id", &FeatureReply::id, wire::example("links.bulk")),
                field("name", &FeatureReply::name), field("active", &FeatureReply::active),
                field("revoked", &FeatureReply::revoked)};
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
                            wire::note("Only revoked ones, or only the others."))};
    }
};

} // namespace slashpost::api
