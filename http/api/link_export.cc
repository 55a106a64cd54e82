// GET /links/export: all links of a list as a file, part by part, so that its length costs no memory.
#include "core/ops/link_export.h"

#include "http/api/link_shapes.h"
#include "http/api/path_resource.h"
#include "http/api/routes.h"

namespace slashpost::wire {

template <>
struct EnumNames<api::ExportFormat> {
    static constexpr std::array<std::pair<std::string_view, api::ExportFormat>, 2> all{
        {{"csv", api::ExportFormat::csv}, {"jsonl", api::ExportFormat::jsonl}}};
};

} // namespace slashpost::wire

namespace slashpost::api {

namespace {

using wire::field, wire::note, wire::part;

// Links of a part: an answer of a list has as many.
constexpr std::uint32_t part_links = page_limit_max;

struct ExportQuery {
    LinkFilterQuery filter;
    ExportFormat format = ExportFormat::csv;
    static constexpr std::string_view wire_name = "LinkExport";
    static wire::Fields fields() {
        return wire::joined({part(&ExportQuery::filter),
                             {field("format", &ExportQuery::format,
                                    note("csv: a row for each link, which slashpost-admin import reads; a "
                                         "field that a spreadsheet "
                                         "would run as a formula has an apostrophe in front. jsonl: one link "
                                         "a line, as lists have "
                                         "it. csv when absent."))}});
    }
};

Result<Part> links(Context& ctx, const Input& input, std::string_view last) {
    const auto query = TRY(Argument<Query<ExportQuery>>::take(ctx, input));
    const bool as_csv = query->format == ExportFormat::csv;
    Part out{.bytes = {}, .next = {}, .media_type = as_csv ? csv_media_type : jsonl_media_type};
    if (as_csv && last.empty())
        append_export_header(out.bytes);
    const auto page = TRY(list_links(ctx, query->filter.filter(),
                                     {.limit = part_links,
                                      .offset = 0,
                                      .order_by = {},
                                      .direction = Direction::ascending,
                                      .last = std::string(last)}));
    for (const auto& details : page) {
        if (as_csv)
            append_export_row(out.bytes, details);
        else
            out.bytes += wire::encode(LinkReply::of(details)) + '\n';
    }
    if (page.size() == part_links)
        out.next = page.back().link.id.hex();
    return out;
}

} // namespace

const RouteList& link_export_routes() {
    static const RouteList routes{
        .resource = "link",
        .routes = {
            {http::Method::get,
             "/links/export",
             "exportLinks",
             {.role = Role::viewer, .limited_keys = LimitedKeys::links},
             {.part = links,
              .media_type = csv_media_type,
              .headers = {{"Content-Disposition", "attachment; filename=\"links\""}},
              .query = &wire::type_of<ExportQuery>()},
             "Get all links of a list as a file, oldest first, in parts of a chunked answer. One that ends "
             "without its last chunk is not whole."}}};
    return routes;
}

} // namespace slashpost::api
