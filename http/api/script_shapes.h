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
        return {
            field("id", &ScriptReply::id, wire::note("Id of the script.")),
            field("name", &ScriptReply::name, wire::note("What the script is called.")),
            field("value", &ScriptReply::value,
                  wire::note("The HTML or JavaScript that the browsers of visitors run; empty: none.")),
            field("uri", &ScriptReply::uri, wire::note("Address of a script that they load; empty: none.")),
            field("createdAt", &ScriptReply::created_at, wire::note("When the script was made.")),
            field("updatedAt", &ScriptReply::updated_at, wire::note("When the script was last changed."))};
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
        return wire::joined(
            {wire::part(&ScriptPageQuery::page),
             {wire::field("orderBy", &ScriptPageQuery::order_by, wire::one_of(script_orders()),
                          wire::note("What the scripts are sorted by; name when absent."))}});
    }
    [[nodiscard]] PageRequest request() const { return page.request(order_by); }
};

} // namespace slashpost::api
