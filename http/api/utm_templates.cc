// Templates of campaigns: shapes, routes, and handlers of one core call each.
#include "core/ops/utm_templates.h"
#include "http/api/replies.h"
#include "http/api/routes.h"

namespace slashpost::api {

using wire::example, wire::field, wire::length, wire::note, wire::part, wire::required;
using wire::Fields;

namespace {

struct UtmValues {
    std::string name, source, medium, campaign, term, content;
    static constexpr std::string_view wire_name = "UtmTemplate";
    static Fields fields() {
        constexpr auto longest = UtmTemplate::value_length_max;
        return {
            field("name", &UtmValues::name, required, length(1, UtmTemplate::name_length_max),
                  note("What people choose it by; unique in the workspace, ignoring case."),
                  example("Spring newsletter")),
            field("source", &UtmValues::source, length(0, longest),
                  note("Value of utm_source; at least one of the five is needed."), example("newsletter")),
            field("medium", &UtmValues::medium, length(0, longest), note("Value of utm_medium."),
                  example("email")),
            field("campaign", &UtmValues::campaign, length(0, longest), note("Value of utm_campaign."),
                  example("spring")),
            field("term", &UtmValues::term, length(0, longest), note("Value of utm_term."), example("shoes")),
            field("content", &UtmValues::content, length(0, longest), note("Value of utm_content."),
                  example("header"))};
    }
    static UtmValues of(const UtmTemplate& row) {
        return {.name = row.name,
                .source = row.source,
                .medium = row.medium,
                .campaign = row.campaign,
                .term = row.term,
                .content = row.content};
    }
    [[nodiscard]] UtmTemplate to_template() const {
        return {.name = name,
                .source = source,
                .medium = medium,
                .campaign = campaign,
                .term = term,
                .content = content};
    }
};

struct UtmTemplateInput {
    UtmValues values;
    std::string replaces;
    static constexpr std::string_view wire_name = "UtmTemplateInput";
    static Fields fields() {
        return wire::joined(
            {part(&UtmTemplateInput::values),
             {field("replaces", &UtmTemplateInput::replaces, length(0, UtmTemplate::name_length_max),
                    note("The name of the template that this one takes the place of; absent: of none."))}});
    }
};

} // namespace

template <>
struct Argument<UtmTemplate> {
    static Result<UtmTemplate> take(Context& ctx, const Input& input) {
        return find_utm_template(ctx, input.at("template_name"));
    }
    static void describe(Operation&) {}
};

namespace {

Result<std::vector<UtmValues>> list(Context& ctx) {
    std::vector<UtmValues> out;
    for (const auto& row : list_utm_templates(ctx))
        out.push_back(UtmValues::of(row));
    return out;
}

Result<UtmValues> keep(Context& ctx, const Draft<Body<UtmTemplateInput>>& body) {
    return UtmValues::of(
        TRY(put_utm_template(ctx, body->values.to_template(), body->replaces, body.problems)));
}

Result<UtmValues> remove(Context& ctx, const UtmTemplate& found) {
    return UtmValues::of(TRY(remove_utm_template(ctx, found)));
}

} // namespace

const RouteList& utm_template_routes() {
    using enum http::Method;
    using enum Role;
    constexpr auto write = Access::write;
    // clang-format off
    static const RouteList routes{"workspace", {
        {get,  "/workspaces/{workspace_id}/utm-templates", "listUtmTemplates", {.role = viewer}, on(list),
         "List the templates of campaigns of a workspace, by their names."},
        {post, "/workspaces/{workspace_id}/utm-templates", "putUtmTemplate", {.access = write, .role = user}, on(keep),
         "Make a template of a campaign, of which a workspace may have 50, or put it in place of another.",
         {"LimitReached"}},
        {del,  "/workspaces/{workspace_id}/utm-templates/{template_name}", "deleteUtmTemplate",
         {.access = write, .role = user}, on(remove),
         "Delete a template of a campaign. Links that were made with it stay as they are."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api
