// Scripts (wire "Parts of a link"): shapes, routes, and handlers of one core call each.
#include "http/api/path_resource.h"
#include "http/api/replies.h"
#include "http/api/routes.h"
#include "http/api/script_shapes.h"
#include "http/api/term.h"
#include "http/wire/formats.h"

namespace slashpost::api {

using wire::example, wire::field, wire::length, wire::note, wire::part, wire::required;
using wire::Fields;
namespace formats = wire::formats;

namespace {

constexpr std::size_t name_length_max = 255;
constexpr std::string_view value_note =
    "HTML or JavaScript that the browsers of visitors run as it is; with "
    "uri or instead of it, but one of both is needed. At most 64 KiB in a "
    "page, where it is escaped.";
constexpr std::string_view uri_note = "Address of a script, http or https.";

struct ScriptInput {
    std::string name;
    std::string value;
    std::string uri;
    static constexpr std::string_view wire_name = "ScriptInput";
    static Fields fields() {
        return {field("name", &ScriptInput::name, required, length(1, name_length_max),
                      note("What the script is called."), example("Pixel")),
                field("value", &ScriptInput::value, length(1, script_value_length_max), note(value_note),
                      example("<script>console.log('seen')</script>")),
                field("uri", &ScriptInput::uri, formats::uri, note(uri_note))};
    }
    [[nodiscard]] NewScript to_new_script() const { return {.name = name, .value = value, .uri = uri}; }
};

// Null takes the value or the address away.
struct ScriptChangeInput {
    std::optional<std::string> name;
    Change<std::string> value;
    Change<std::string> uri;
    static constexpr std::string_view wire_name = "ScriptChange";
    static Fields fields() {
        return {
            field("name", &ScriptChangeInput::name, length(1, name_length_max),
                  note("What the script is called then.")),
            field("value", &ScriptChangeInput::value, length(1, script_value_length_max), note(value_note)),
            field("uri", &ScriptChangeInput::uri, formats::uri, note(uri_note))};
    }
    [[nodiscard]] ScriptChange to_change() const {
        return {.name = Change<std::string>::of(name), .value = value, .uri = uri};
    }
};

struct ScriptFilterQuery {
    std::string term;
    static constexpr std::string_view wire_name = "ScriptFilter";
    static Fields fields() {
        return {field("term", &ScriptFilterQuery::term, wire::length(0, term_length_max),
                      note("Only scripts with this in their name, ignoring case."))};
    }
    [[nodiscard]] ScriptFilter filter() const { return {.term = term}; }
};

struct ScriptListQuery {
    ScriptFilterQuery filter;
    ScriptPageQuery page;
    static constexpr std::string_view wire_name = "ScriptList";
    static Fields fields() {
        return wire::joined({part(&ScriptListQuery::filter), part(&ScriptListQuery::page)});
    }
};

Result<std::vector<ScriptReply>> list(Context& ctx, const Draft<Query<ScriptListQuery>>& query) {
    return ScriptReply::of_all(
        TRY(list_scripts(ctx, query->filter.filter(), query->page.request(), query.problems)));
}

Result<ScriptReply> create(Context& ctx, const Draft<Body<ScriptInput>>& body) {
    return ScriptReply::of(TRY(create_script(ctx, body->to_new_script(), body.problems)));
}

Result<CountReply> count(Context& ctx, const Draft<Query<ScriptFilterQuery>>& query) {
    return CountReply{.count = TRY(count_scripts(ctx, query->filter(), query.problems))};
}

Result<ScriptReply> read(Context&, const Script& script) { return ScriptReply::of(script); }

Result<ScriptReply> update(Context& ctx, const Script& script, const Update<ScriptChangeInput>& sent) {
    const auto body = TRY(sent.differing_from(ScriptReply::of(script)));
    return ScriptReply::of(TRY(update_script(ctx, script, body->to_change(), body.problems)));
}

Result<ScriptReply> remove(Context& ctx, const Script& script) {
    return ScriptReply::of(TRY(delete_script(ctx, script)));
}

} // namespace

const RouteList& script_routes() {
    using enum http::Method;
    using enum Role;
    constexpr auto write = Access::write;
    constexpr auto feature = Feature::links_scripts;
    // clang-format off
    static const RouteList routes{"script", {
        {get,  "/scripts", "listScripts", {.role = viewer}, on(list),
         "List the scripts of a workspace."},
        {post, "/scripts", "createScript",
         {.access = write, .role = user, .feature = feature}, on(create),
         "Create a script.",
         {"LimitReached"}},
        {get,  "/scripts/count", "countScripts", {.role = viewer}, on(count),
         "Count scripts."},
        {get,  "/scripts/{script_id}", "getScript", {.role = viewer}, on(read),
         "Read one script."},
        {post, "/scripts/{script_id}", "updateScript",
         {.access = write, .role = user, .feature = feature}, on(update),
         "Change a script."},
        {del,  "/scripts/{script_id}", "deleteScript", {.access = write, .role = user}, on(remove),
         "Delete a script and take it off every link."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api
