#include "http/dashboard/origin.h"

#include "core/base/host.h"
#include "core/base/local_host.h"
#include "core/base/text.h"
#include "core/model/sign_in.h"
#include "core/ops/provider_visits.h"

#include <algorithm>
#include <fmt/format.h>

namespace slashpost::dashboard {

namespace {

constexpr std::string_view session_kind = "slashpost";
constexpr std::string_view visit_kind = "slashpost-visit";

std::string_view without_port(std::string_view host) {
    const auto authority = split_authority(host);
    return authority ? authority->host : host;
}

bool only_reads(http::Method method) { return method == http::Method::get || method == http::Method::head; }

// Calls `use(name, value)` for each cookie of the request.
template <class Use>
void each_cookie(const http::Request& request, const Use& use) {
    for (const auto& header : request.headers) {
        if (lower_ascii(header.name) != "cookie")
            continue;
        std::string_view rest = header.value;
        while (!rest.empty()) {
            const auto one = rest.substr(0, rest.find(';'));
            rest.remove_prefix(std::min(rest.size(), one.size() + 1));
            const auto equals = one.find('=');
            if (equals != one.npos)
                use(trim(one.substr(0, equals)), trim(one.substr(equals + 1)));
        }
    }
}

} // namespace

Origin::Origin(const std::string& host)
    : host_(without_port(host)),
      public_(!host_.empty() && !is_local_host(host_)) {}

bool Origin::covers(const http::Request& request) const {
    const auto name = normal_host(request.host);
    if (!name)
        return false;
    return host_.empty() ? is_local_host(*name) : without_port(*name) == host_;
}

std::string Origin::refusal(const http::Request& request) const {
    if (host_.empty())
        return fmt::format(
            "The dashboard answers to the names of its own machine only, such as localhost. To reach "
            "it as {}, start the server with --dashboard-host.\n",
            normal_host(request.host) ? request.host : "another host");
    return fmt::format("The dashboard answers to {} only.\n", host_);
}

bool Origin::is_own_page(const http::Request& request) const {
    if (const auto site = request.header("sec-fetch-site"))
        return *site == "same-origin";
    const auto origin = request.header("origin");
    if (!origin)
        return only_reads(request.method);
    const auto at = [&](std::string_view scheme) {
        return *origin == fmt::format("{}://{}", scheme, request.host);
    };
    return at("https") || (!public_ && at("http"));
}

// With the prefix it can be set by nobody but this very host, over HTTPS, for all of its paths.
std::string Origin::cookie_name(std::string_view kind) const {
    return fmt::format("{}{}", public_ ? "__Host-" : "", kind);
}

std::string Origin::value_of(const http::Request& request, std::string_view kind) const {
    const auto wanted = cookie_name(kind);
    std::string found;
    std::size_t count = 0;
    each_cookie(request, [&](std::string_view name, std::string_view value) {
        if (name == wanted) {
            found = value;
            ++count;
        }
    });
    return count == 1 ? found : std::string();
}

http::Header Origin::cookie(std::string_view kind, std::string_view value, std::int64_t seconds) const {
    return {"Set-Cookie", fmt::format("{}={}; Max-Age={}; Path=/; HttpOnly; SameSite=Strict{}",
                                      cookie_name(kind), value, seconds, public_ ? "; Secure" : "")};
}

std::string Origin::token_of(const http::Request& request) const { return value_of(request, session_kind); }

http::Header Origin::cookie_with(std::string_view token) const {
    return cookie(session_kind, token, Session::seconds_max);
}

http::Header Origin::cookie_without() const { return cookie(session_kind, "", 0); }

std::string Origin::visit_of(const http::Request& request) const { return value_of(request, visit_kind); }

http::Header Origin::visit_cookie_with(std::string_view sealed) const {
    return cookie(visit_kind, sealed, provider_visit_seconds);
}

http::Header Origin::visit_cookie_without() const { return cookie(visit_kind, "", 0); }

bool sends_json_or_nothing(const http::Request& request) {
    if (request.body.empty())
        return true;
    const auto type = request.header("content-type").value_or("");
    return lower_ascii(trim(type.substr(0, type.find(';')))) == "application/json";
}

} // namespace slashpost::dashboard
