#pragma once
// The host of the dashboard, which no domain may have, nor any of its further names: what scripts of links
// could do there, they could do as whoever is signed in.
#include "core/access/context.h"
#include "core/base/errors.h"

#include <string>
#include <string_view>
#include <vector>

namespace slashpost {

// Whether a domain of this name, in normal form, would be where the dashboard is (Settings::dashboard_url).
// Ports do not count: browsers send a host's cookies to all of them. Never, where the dashboard is on a name
// of the machine itself (core/base/local_host.h): whoever tries things out has links and dashboard on two
// ports of localhost.
[[nodiscard]] bool is_dashboard_host(const Settings& settings, std::string_view full_name);

// What is wrong with such a name.
[[nodiscard]] FieldError dashboard_host_refused(std::string_view property);

// The verified names of domains that are the dashboard's, in the order of the domains' creation: from before
// the dashboard had that host, or written without a server that knows it. Reads all domains.
Result<std::vector<std::string>> names_on_dashboard_host(data::View& view, const Settings& settings);

} // namespace slashpost
