#include "app/first_start.h"

#include "core/base/local_host.h"
#include "core/ops/installation.h"
#include "core/schema/schema.h"
#include "core/schema/store.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fmt/format.h>

namespace slashpost::app {

std::string base_url(std::string_view scheme, const std::string& address, std::uint16_t port) {
    static constexpr std::array<std::string_view, 4> local{"0.0.0.0", "::", "127.0.0.1", "::1"};
    const bool here = std::ranges::find(local, address) != local.end();
    const Endpoint endpoint{.address = here ? "localhost" : address, .port = port};
    return fmt::format("{}://{}", scheme, endpoint.text());
}

bool say(const std::string& text) {
    return std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
}

Result<void> install_if_new(const Config& config, Site& site, const std::string& url, Log& log) {
    if (!TRY(site.engine().read([](data::View& view) { return store_is_empty(view); })))
        return {};
    const auto made = TRY(site.service().run_as_operator(
        [&](Desk& desk) { return install(desk, config.domain_or_default()); }));
    log.info("first start", {{"account", made.account.username}, {"domain", made.domain.full_name}});
    const bool told =
        say(fmt::format("This is the first start: there is an account 'admin' now, and the short domain {}.\n"
                        "API key: {}\n"
                        "It is shown this once. Make a link with it:\n"
                        "curl -H 'apikey: {}' -H 'Content-Type: application/json' -d "
                        "'{{\"destination\":\"https://example.com/\"}}' "
                        "{}/v1/links\n",
                        made.domain.full_name, made.key.key, made.key.key, url));
    if (!told)
        log.warn("the first API key could not be shown; make one with: slashpost-admin key create --account "
                 "admin",
                 {{"data", config.data.native()}});
    return {};
}

Result<std::optional<std::string>> domain_warning(const Config& config, data::Engine& engine) {
    return engine.read([&](data::View& view) -> Result<std::optional<std::string>> {
        const auto& domains = schema().domains;
        const auto id = TRY(default_domain(view));
        const auto first = id ? TRY(domains.find(view, id->view())) : std::nullopt;
        if (!first)
            return std::nullopt;
        const auto admin = fmt::format("slashpost-admin --data {} domain", config.data.string());
        if (!config.domain.empty() && !TRY(domains.find_by(domains.by_name, view, config.domain)))
            return fmt::format(
                "--domain {} is not used: the store has the domain {} since its first start; make "
                "another with: {} add {} --verified, then: {} default {}",
                config.domain, first->full_name, admin, config.domain, admin, config.domain);
        const auto is_open = [](const Endpoint& endpoint) { return !is_local_host(endpoint.text()); };
        if (is_local_host(first->full_name) &&
            (is_open(config.listen) || (config.tls_listen && is_open(*config.tls_listen))))
            return fmt::format(
                "new links are on {}, which leads visitors to their own machines; give the name of "
                "this server with --domain at the first start, or now with: {} add NAME --verified, "
                "then: {} default NAME",
                first->full_name, admin, admin);
        return std::nullopt;
    });
}

} // namespace slashpost::app
