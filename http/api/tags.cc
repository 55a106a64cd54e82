// Tags (interface 4.3): shapes, routes, and handlers of one core call each.
#include "core/ops/tags.h"
#include "http/api/paging.h"
#include "http/api/path_resource.h"
#include "http/api/replies.h"
#include "http/api/routes.h"
#include "http/api/status_words.h"
#include "http/api/tag_shapes.h"
#include "http/api/term.h"
#include "http/wire/formats.h"

namespace slashpost::api {

using wire::example, wire::field, wire::length, wire::note, wire::part, wire::required;
using wire::Fields;
namespace formats = wire::formats;

namespace {

struct TagInput {
    std::string name;
    std::string color;
    static constexpr std::string_view wire_name = "TagInput";
    static Fields fields() {
        return {field("name", &TagInput::name, required, length(1, tag_name_length_max),
                      note("What the tag is called; unique in the workspace, ignoring case."),
                      example("Summer sale")),
                field("color", &TagInput::color, formats::hex_color,
                      note("Six hexadecimal digits, with or without #; chosen by the name when absent."),
                      example("ff8800"))};
    }
    [[nodiscard]] NewTag to_new_tag() const { return {.name = name, .color = color}; }
};

struct TagChangeInput {
    std::optional<std::string> name;
    std::optional<std::string> color;
    static constexpr std::string_view wire_name = "TagChange";
    static Fields fields() {
        return {field("name", &TagChangeInput::name, length(1, tag_name_length_max),
                      note("What the tag is called then; unique in the workspace, ignoring case.")),
                field("color", &TagChangeInput::color, formats::hex_color,
                      note("Six hexadecimal digits, with or without #."))};
    }
    [[nodiscard]] TagChange to_change() const {
        return {.name = Change<std::string>::of(name), .color = Change<std::string>::of(color)};
    }
};

struct TagStatusQuery {
    std::optional<bool> active;
    StatusWords words; // a text in place of the object
    static constexpr std::string_view wire_name = "TagStatus";
    static Fields fields() {
        return {
            field("active", &TagStatusQuery::active, note("Only tags that are in use, or only the others.")),
            field("", &TagStatusQuery::words, wire::comma_list,
                  note("active: only tags that are in use; trashed: only the others; both, with a comma: "
                       "all."))};
    }
    [[nodiscard]] std::optional<bool> wanted() const {
        if (words.empty())
            return active;
        const bool in_use = has(words, StatusWord::active);
        return in_use && has(words, StatusWord::trashed) ? std::nullopt : std::optional(in_use);
    }
};

struct TagFilterQuery {
    std::string term;
    TagStatusQuery status;
    static constexpr std::string_view wire_name = "TagFilter";
    static Fields fields() {
        return {field("term", &TagFilterQuery::term, wire::length(0, term_length_max),
                      note("Only tags with this in their name, ignoring case.")),
                field("status", &TagFilterQuery::status, note("Tags in which state."))};
    }
    [[nodiscard]] TagFilter filter() const { return {.term = term, .active = status.wanted()}; }
};

struct TagListQuery {
    TagFilterQuery filter;
    PageQuery page;
    std::string order_by;
    static constexpr std::string_view wire_name = "TagList";
    static Fields fields() {
        return wire::joined({part(&TagListQuery::filter),
                             part(&TagListQuery::page),
                             {field("orderBy", &TagListQuery::order_by, wire::one_of(tag_orders()),
                                    note("What the tags are sorted by; name when absent."))}});
    }
};

Result<TagReply> reply_of(Context& ctx, Tag tag) {
    return TagReply::of(TRY(describe_tag(ctx, std::move(tag))));
}

Result<std::vector<TagReply>> list(Context& ctx, const Draft<Query<TagListQuery>>& query) {
    return TagReply::of_all(
        TRY(describe_tags(ctx, TRY(list_tags(ctx, query->filter.filter(),
                                             query->page.request(query->order_by), query.problems)))));
}

Result<TagReply> create(Context& ctx, const Draft<Body<TagInput>>& body) {
    return reply_of(ctx, TRY(create_tag(ctx, body->to_new_tag(), body.problems)));
}

Result<CountReply> count(Context& ctx, const Draft<Query<TagFilterQuery>>& query) {
    return CountReply{.count = TRY(count_tags(ctx, query->filter(), query.problems))};
}

Result<TagReply> read(Context& ctx, const Tag& tag) { return reply_of(ctx, tag); }

Result<TagReply> update(Context& ctx, const Tag& tag, const Update<TagChangeInput>& sent) {
    const auto body = TRY(sent.differing_from(TRY(read(ctx, tag))));
    return reply_of(ctx, TRY(update_tag(ctx, tag, body->to_change(), body.problems)));
}

Result<TagReply> remove(Context& ctx, const Tag& tag) { return reply_of(ctx, TRY(delete_tag(ctx, tag))); }

} // namespace

const RouteList& tag_routes() {
    using enum http::Method;
    using enum Role;
    constexpr auto write = Access::write;
    constexpr auto feature = Feature::links_tags;
    constexpr auto links = LimitedKeys::links;
    // clang-format off
    static const RouteList routes{"tag", {
        {get,  "/tags", "listTags", {.role = viewer, .limited_keys = links}, on(list),
         "List the tags of a workspace."},
        {post, "/tags", "createTag",
         {.access = write, .role = user, .feature = feature}, on(create),
         "Create a tag.",
         {"LimitReached"}},
        {get,  "/tags/count", "countTags", {.role = viewer, .limited_keys = links}, on(count),
         "Count tags."},
        {get,  "/tags/{tag_id}", "getTag", {.role = viewer, .limited_keys = links}, on(read),
         "Read one tag."},
        {post, "/tags/{tag_id}", "updateTag", {.access = write, .role = user, .feature = feature}, on(update),
         "Change a tag."},
        {del,  "/tags/{tag_id}", "deleteTag", {.access = write, .role = user}, on(remove),
         "Delete a tag and take it off every link."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api
