#include "core/ops/dashboard_host.h"

#include "core/base/host.h"
#include "core/base/local_host.h"
#include "core/schema/schema.h"

namespace slashpost {

namespace {

std::string_view host_without_port(std::string_view host) {
    const auto authority = split_authority(host);
    return authority ? authority->host : host;
}

// In normal form, without its port; empty: there is no dashboard, or it is on this machine's own names.
std::string host_of_dashboard(const Settings& settings) {
    constexpr std::string_view begin_of_host = "://";
    std::string_view rest = settings.dashboard_url;
    const auto begin = rest.find(begin_of_host);
    if (begin == rest.npos)
        return {};
    rest.remove_prefix(begin + begin_of_host.size());
    const auto host = normal_host(rest.substr(0, rest.find('/')));
    return host && !is_local_host(*host) ? std::string(host_without_port(*host)) : std::string();
}

} // namespace

bool is_dashboard_host(const Settings& settings, std::string_view full_name) {
    const auto host = host_of_dashboard(settings);
    return !host.empty() && host == host_without_port(full_name);
}

FieldError dashboard_host_refused(std::string_view property) {
    return invalid_format(property, "is the host of the dashboard, where no short links may be");
}

Result<std::vector<std::string>> names_on_dashboard_host(data::View& view, const Settings& settings) {
    std::vector<std::string> out;
    const auto host = host_of_dashboard(settings);
    if (host.empty())
        return out;
    const auto take = [&](const std::string& full_name, bool verified) {
        if (verified && host_without_port(full_name) == host)
            out.push_back(full_name);
    };
    TRY(schema().domains.each(view, [&](const Domain& domain) -> Result<bool> {
        take(domain.full_name, domain.verified);
        for (const auto& alias : domain.aliases)
            take(alias.full_name, alias.verified);
        return true;
    }));
    return out;
}

} // namespace slashpost
