#include "core/ops/page_titles.h"

#include "core/base/text.h"
#include "core/base/url.h"
#include "core/ops/links.h"

namespace slashpost {

namespace {

std::unexpected<Error> bad_destination(std::string_view why) {
    return invalid("link", {invalid_format("destination", why)});
}

std::unexpected<Error> error_of(WebPageProblem problem) {
    switch (problem) {
    case WebPageProblem::not_public:
        return bad_destination("must lead to a public address");
    case WebPageProblem::no_page:
        return bad_destination("leads to no page that can be read");
    case WebPageProblem::account_is_busy:
        return unavailable("Another page is being read for this account; try again in a moment.");
    case WebPageProblem::server_is_busy:
        return unavailable("Too many pages are being read; try again in a moment.");
    case WebPageProblem::no_answer:
        break;
    }
    return unavailable("The destination gave no answer in time; try again later.");
}

// What says nothing of itself is taken for a page, as browsers do.
bool is_html(std::string_view content_type) {
    const auto type = lower_ascii(trim(content_type.substr(0, content_type.find(';'))));
    return type.empty() || type == "text/html" || type == "application/xhtml+xml";
}

} // namespace

Result<std::string> page_to_read(std::string_view given, const Problems& problems) {
    TRY(problems.result("link")); // they are about the only field that there is
    auto read = destination("destination", given);
    if (!read)
        return invalid("link", {std::move(read).error()});
    return std::move(read->stored);
}

Result<HtmlTitle> title_of(const WebPageAnswer& answer) {
    if (!answer)
        return error_of(answer.error());
    if (!is_html(answer->content_type))
        return bad_destination("leads to something that is no page of HTML");
    return html_title(answer->bytes, answer->content_type,
                      {.title = link_title_length_max, .description = link_description_length_max});
}

} // namespace slashpost
