// What a page is called that a link is to lead to: shapes, route, and a handler of one core call.
#include "core/ops/page_titles.h"

#include "http/api/routes.h"
#include "http/wire/formats.h"

namespace slashpost::api {

using wire::example, wire::field, wire::note, wire::required;
using wire::Fields;
namespace formats = wire::formats;

namespace {

struct TitleInput {
    std::string destination;
    static constexpr std::string_view wire_name = "TitleInput";
    static Fields fields() {
        return {field("destination", &TitleInput::destination, required, formats::uri,
                      note("The page to look at: http or https, and on the public internet."),
                      example("https://example.com/a?b=c"))};
    }
};

struct TitleReply {
    std::string title;
    std::string description;
    static constexpr std::string_view wire_name = "PageTitle";
    static Fields fields() {
        return {field("title", &TitleReply::title,
                      note("What the page says that it is called; empty when it does not say."),
                      example("Summer sale")),
                field("description", &TitleReply::description,
                      note("What it says of itself; empty when it says nothing."))};
    }
};

// What was found at the body's destination.
struct ReadPage {
    WebPageAnswer answer;
};

Result<TitleReply> tell_title(Context&, const Body<TitleInput>&, const ReadPage& page) {
    auto found = TRY(title_of(page.answer));
    return TitleReply{.title = std::move(found.title), .description = std::move(found.description)};
}

} // namespace

template <>
struct Argument<ReadPage> {
    static Result<ReadPage> take(Context&, const Input& input) {
        return ReadPage{input.page.value_or(std::unexpected(WebPageProblem::no_answer))};
    }
    static void describe(Operation& operation) {
        operation.page_address = [](Context& ctx, const Input& input) -> Result<std::string> {
            const auto body = TRY(Argument<Draft<Body<TitleInput>>>::take(ctx, input));
            return page_to_read(body->destination, body.problems);
        };
    }
};

const RouteList& link_title_routes() {
    // clang-format off
    static const RouteList routes{"link", {
        {http::Method::post, "/links/title", "getPageTitle",
         {.access = Access::write, .role = Role::guest, .limited_keys = LimitedKeys::links}, on(tell_title),
         "Look at a page on the web, and say what it is called."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api
