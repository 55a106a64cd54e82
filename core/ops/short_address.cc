#include "core/ops/short_address.h"

#include "core/base/host.h"
#include "core/base/local_host.h"
#include "core/base/text.h"
#include "core/redirect/below.h"
#include "core/redirect/sent_path.h"
#include "core/schema/schema.h"

namespace slashpost {

namespace {

std::string_view without_scheme(std::string_view text) {
    for (const std::string_view scheme : {"https://", "http://"})
        if (lower_ascii(text.substr(0, scheme.size())) == scheme)
            return text.substr(scheme.size());
    return text;
}

} // namespace

ShortPath read_short_path(const Domain& domain, std::string_view path) {
    redirect::AddressBuffer buffer;
    const auto visited = redirect::visited_path(redirect::sent_path(path),
                                                redirect::SlashtagForm::of(domain.slashtag), buffer);
    using enum redirect::PathKind;
    return {.kind = visited.kind == slashtag_and_parameters ? slashtag : visited.kind,
            .slashtag_key = std::string(visited.slashtag)};
}

std::vector<ShortPath> read_paths_above(const Domain& domain, std::string_view path) {
    const auto sent = redirect::sent_path(path);
    redirect::AddressBuffer buffer;
    redirect::PathsAbove above(sent, redirect::SlashtagForm::of(domain.slashtag));
    std::vector<ShortPath> out;
    while (const auto next = above.next(buffer))
        out.push_back({.kind = next->kind,
                       .slashtag_key = std::string(next->slashtag),
                       .rest = std::string(next->rest)});
    return out;
}

Result<std::optional<ShortAddress>> read_short_address(data::View& view, std::string_view text) {
    text = without_scheme(without_blanks(text));
    const auto path_begin = text.find('/');
    if (path_begin == text.npos || path_begin == 0)
        return std::nullopt;
    const auto path = text.substr(path_begin);
    const auto host = normal_host(text.substr(0, path_begin));
    if (!host)
        return std::nullopt;
    const auto& domains = schema().domains;
    auto domain = TRY(domains.find_by(domains.by_name, view, *host));
    if (const auto local = domain ? std::nullopt : localhost_for(*host))
        domain = TRY(domains.find_by(domains.by_name, view, *local));
    if (!domain)
        return std::nullopt;
    const auto found = read_short_path(*domain, path.substr(0, path.find_first_of("?#")));
    using enum redirect::PathKind;
    if (found.kind != slashtag && found.kind != preview && found.kind != qr_code)
        return std::nullopt;
    return std::optional(ShortAddress{.domain = domain->id, .slashtag_key = found.slashtag_key});
}

} // namespace slashpost
