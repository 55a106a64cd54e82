#pragma once
// Scripts on the wire (wire "Parts of a link").
#include "core/ops/scripts.h"
#include "http/api/paging.h"

namespace slashpost::api {

struct ScriptReply {
    ScriptId id;
    std::string name;
    std::string value;
    std::string uri;
    Timestamp created_at;
    Timestamp updated_at;
    static constexpr std::string_view wire_name = "Script";
    static wire::Fields fields() {
        using wire::field;
        return {field("id", &ScriptReply::id),
                field("name", &ScriptReply::name),
                field("value", &ScriptReply::value),
                field("uri", &ScriptReply::uri),
                field("createdAt", &ScriptReply::created_at),
                field("updatedAt", &ScriptReply::updated_at)};
    }
    static ScriptReply of(const Script& script) {
        return {.id = script.id,
                .name = script.name,
                .value = script.value,
                .uri = script.uri,
                .created_at = script.created_at,
                .updated_at = script.updated_at};
    }
    static std::vector<ScriptReply> of_all(const std::vector<Script>& scripts) {
        std::vector<ScriptReply> out;
        out.reserve(scripts.size());
        for (const auto& script : scripts)
            out.push_back(of(script));
        return out;
    }
};

// The page and order of a list of scripts.
struct ScriptPageQuery {
    PageQuery page;
    std::string order_by;
    static constexpr std::string_view wire_name = "ScriptPage";
    static wire::Fields fields() {
        return wire::joined({wire::part(&ScriptPageQuery::page),
                             {wire::field("orderBy", &ScriptPageQuery::order_by,
                                          wire::one_of(script_orders()), wire::note("name when absent."))}});
    }
    [[nodiscard]] PageRequest request() const { return page.request(order_by); }
};

} // namespace slashpost::api
