#include "core/redirect/pages.h"

#include "core/access/domain_scripts.h"
#include "core/base/html.h"
#include "core/base/percent.h"
#include "core/base/url.h"
#include "core/clicks/campaigns.h"
#include "core/model/apps.h"
#include "core/redirect/gate.h"
#include "core/redirect/location.h"
#include "core/schema/schema.h"

#include <fmt/format.h>

namespace slashpost::redirect {

namespace {

bool on_phone(System system) { return system == System::ios || system == System::android; }

// With the scheme by which visitors should come. Where nothing is known of that, the one of the visit works.
std::string short_url(const RedirectorTools& tools, const PageOrder& order, std::string_view slashtag) {
    const bool https = order.secure || (tools.comes_by_https && tools.comes_by_https(order.brand->domain));
    auto out = fmt::format("{}://{}/", https ? "https" : "http", order.brand->domain);
    append_uri_text(out, slashtag);
    return out;
}

std::unique_ptr<Page> new_page(Page::Kind kind, Random& random) {
    auto page = std::make_unique<Page>();
    page->kind = kind;
    RawId nonce; // 128 bits
    random.fill(nonce.bytes);
    page->nonce = nonce.hex();
    return page;
}

// Nothing that a browser would run or show inside itself. Destinations are none of those when they are
// stored; a page, unlike a Location, is where it would hurt if one were after all.
bool may_be_opened_from_page(std::string_view location) {
    const auto colon = location.find(':');
    return colon != location.npos && may_allow_scheme(location.substr(0, colon));
}

std::string_view scheme_of(std::string_view location) { return location.substr(0, location.find(':')); }

// The address that opens `app` at `path` on a telephone of that kind. Android's own way takes the address to
// go to without the app along; for iOS the page sees to it.
std::string app_url(const App& app, System system, std::string_view path, std::string_view location) {
    auto out = system == System::android ? app.android_url() : app.ios_url();
    constexpr std::string_view place = "{path}", end = ";end";
    std::string inserted;
    append_uri_text(inserted, path.substr(0, path.find('#'))); // behind one would be said which app to open
    if (system == System::android && out.ends_with(end) && scheme_of(location).starts_with("http")) {
        out.resize(out.size() - end.size());
        out += ";S.browser_fallback_url=";
        append_uri_value(out, location);
        out += end;
    }
    if (const auto at = out.find(place); at != out.npos)
        out.replace(at, place.size(), inserted);
    return out;
}

std::string app_url(const LinkParts& parts, System system, std::string_view location) {
    for (const auto& deep : parts.deep_links)
        if (const auto* const app = find_known_app(deep.app); app != nullptr && deep.active)
            return app_url(*app, system, deep.path, location);
    return {};
}

Result<std::vector<PageScript>> read_scripts(data::View& view, std::string_view ids) {
    std::vector<PageScript> out;
    std::size_t bytes = 0;
    for (; ids.size() >= 16; ids.remove_prefix(16)) {
        auto script = TRY(schema().scripts.find(view, ids.substr(0, 16)));
        if (!script) // deleted; the link's row follows
            continue;
        bytes += page_bytes(*script);
        if (bytes > page_scripts_bytes_max)
            break;
        out.push_back({.uri = std::move(script->uri), .text = std::move(script->value)});
    }
    return out;
}

// Fills in what the link's rows have. False when there is nothing to show after all.
Result<bool> fill_open_graph(data::View& view, const PageOrder& order, Page& page) {
    const auto id = order.link.view();
    auto parts = TRY(schema().link_parts.find(view, id));
    if (!parts || !parts->open_graph)
        return false;
    auto& shown = *parts->open_graph;
    page.title = std::move(shown.title);
    page.description = std::move(shown.description);
    page.image = std::move(shown.image);
    page.type = std::move(shown.type);
    page.locale = std::move(shown.locale);
    if (page.title.empty())
        if (auto link = TRY(schema().links.find(view, id)))
            page.title = std::move(link->title);
    return true;
}

Result<bool> fill_interstitial(data::View& view, const PageOrder& order, Page& page) {
    const auto link =
        order.scripts.empty() ? std::optional<Link>() : TRY(schema().links.find(view, order.link.view()));
    if (link && TRY(runs_scripts(view, link->workspace, link->domain)))
        page.scripts = TRY(read_scripts(view, order.scripts));
    if (order.opens_apps)
        if (const auto parts = TRY(schema().link_parts.find(view, order.link.view())))
            page.app_url = app_url(*parts, order.system, order.location);
    if (page.scripts.empty())
        page.kind = Page::Kind::app;
    return !page.scripts.empty() || !page.app_url.empty();
}

Result<bool> fill_preview(data::View& view, const RedirectorTools& tools, const PageOrder& order,
                          Page& page) {
    const auto id = order.link.view();
    auto link = TRY(schema().links.find(view, id));
    if (!link)
        return false;
    page.short_url = short_url(tools, order, link->slashtag);
    page.title = std::move(link->title);
    if (const auto parts = TRY(schema().link_parts.find(view, id)))
        page.varies = !parts->rules.empty() || !parts->rotator.empty();
    return true;
}

Result<bool> fill(data::View& view, const RedirectorTools& tools, const PageOrder& order, Page& page) {
    switch (order.kind) {
    case Page::Kind::open_graph:
        return fill_open_graph(view, order, page);
    case Page::Kind::preview:
        return fill_preview(view, tools, order, page);
    case Page::Kind::interstitial:
    case Page::Kind::app:
        return fill_interstitial(view, order, page);
    case Page::Kind::qr_code:
        page.short_url.append("?").append(scan_parameter);
        break;
    case Page::Kind::gate:
    case Page::Kind::document:
        break;
    }
    return true; // nothing of it is stored
}

Outcome order(Page::Kind kind, const Seen& seen, Answer& answer) {
    answer.order = std::make_unique<PageOrder>(PageOrder{.kind = kind,
                                                         .link = seen.target.link,
                                                         .secure = seen.visit.secure,
                                                         .brand = seen.domain.brand,
                                                         .slashtag = std::string(seen.slashtag),
                                                         .query = std::string(seen.visit.query),
                                                         .location = answer.location,
                                                         .redirect_type = answer.redirect_type});
    return Outcome::ordered;
}

} // namespace

std::size_t page_bytes(const Script& script) { return html_size(script.value) + html_size(script.uri); }

Outcome order_page_in_front(const Seen& seen, const Agent& agent, Answer& answer) {
    if (!may_be_opened_from_page(answer.location))
        return Outcome::forward;
    if (agent.fetches_previews && has(seen.target, routing_open_graph))
        return order(Page::Kind::open_graph, seen, answer);
    const bool opens_apps = on_phone(agent.system) && has(seen.target, routing_deep_links);
    if (agent.device == Device::bot || (seen.target.scripts.empty() && !opens_apps))
        return Outcome::forward;
    order(Page::Kind::interstitial, seen, answer);
    answer.order->scripts = seen.target.scripts;
    answer.order->opens_apps = opens_apps;
    answer.order->system = agent.system;
    return Outcome::ordered;
}

void append_place(std::string& location, std::string_view address, const Forwarding& forwarding,
                  const DomainFacts& domain, const Visit& visit) {
    if (!has_room(address))
        return;
    std::string place;
    append_missing_place(place, address, domain.host, visit.path);
    if (visit.query.empty() || !forwarding.parameters)
        location += place;
    else
        append_forwarded(location, place, visit.query, forwarding.on_conflict);
}

void append_not_found(const DomainFacts& domain, const Visit& visit, std::string& location) {
    if (!domain.not_found_url.empty())
        append_place(location, domain.not_found_url, domain.forwarding, domain, visit);
}

Outcome order_preview(const Seen& seen, Answer& answer) {
    order(Page::Kind::preview, seen, answer);
    append_location(answer.order->location, seen.target.destination);
    append_not_found(seen.domain, seen.visit, answer.order->location_of_missing);
    return Outcome::ordered;
}

Outcome order_way_on(const Seen& seen, Answer& answer) { return order(Page::Kind::preview, seen, answer); }

Outcome order_gate(const Seen& seen, bool looks, Answer& answer) {
    order(Page::Kind::gate, seen, answer);
    answer.order->guarded = std::make_shared<GuardedVisit>(seen.visit);
    if (looks && !seen.visit.posts)
        answer.order->guarded->counts = false;
    append_not_found(seen.domain, seen.visit, answer.order->location_of_missing);
    return Outcome::ordered;
}

void make_gate_page(const RedirectorTools& tools, const PageOrder& order, GateNote note,
                    std::int64_t wait_seconds, Answer& answer) {
    answer.page = new_page(Page::Kind::gate, tools.random);
    answer.page->brand = order.brand;
    answer.page->short_url = short_url(tools, order, order.slashtag);
    answer.page->note = note;
    answer.page->wait_seconds = wait_seconds;
}

Outcome order_code(const Seen& seen, Answer& answer) { return order(Page::Kind::qr_code, seen, answer); }

Outcome make_page(const RedirectorTools& tools, const PageOrder& order, Answer& answer) {
    const bool preview = order.kind == Page::Kind::preview;
    answer.redirect_type = order.redirect_type;
    answer.location = order.location;
    auto page = new_page(order.kind, tools.random);
    page->brand = order.brand;
    page->short_url = short_url(tools, order, order.slashtag);
    const auto filled = tools.engine.read([&](data::View& view) { return fill(view, tools, order, *page); });
    if (!filled.has_value()) {
        tools.figures.store_failures.fetch_add(1, std::memory_order_relaxed);
        return preview ? Outcome::unavailable : Outcome::forward;
    }
    if (*filled) {
        answer.page = std::move(page);
        return Outcome::page;
    }
    if (!preview)
        return Outcome::forward;
    answer.location = order.location_of_missing;
    answer.brand = order.brand;
    return Outcome::missing;
}

Outcome well_known_page(const DomainFacts& domain, std::string_view path, Answer& answer) {
    std::shared_ptr<const std::string> document;
    if (path == "/.well-known/apple-app-site-association")
        document = domain.apple_app_site_association;
    else if (path == "/.well-known/assetlinks.json")
        document = domain.asset_links;
    if (!document)
        return Outcome::well_known;
    answer.page = std::make_unique<Page>();
    answer.page->kind = Page::Kind::document;
    answer.page->document = std::move(document);
    return Outcome::page;
}

} // namespace slashpost::redirect
