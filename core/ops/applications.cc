#include "core/ops/applications.h"

#include "core/access/app_tokens.h"
#include "core/base/host.h"
#include "core/base/percent.h"
#include "core/base/secret.h"
#include "core/base/text.h"
#include "core/base/url.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace slashpost {

namespace {

const ApplicationTable& applications() { return schema().applications; }

constexpr std::string_view secure = "https://", plain = "http://";
constexpr std::array<std::string_view, 2> loopbacks{"127.0.0.1", "[::1]"};

// "http://127.0.0.1:80/back" in its parts.
struct Loopback {
    std::string_view host, rest;
    bool operator==(const Loopback&) const = default;
};

std::optional<Loopback> read_loopback(std::string_view address) {
    if (!address.starts_with(plain))
        return std::nullopt;
    const auto behind = address.substr(plain.size());
    const auto place = behind.substr(0, behind.find_first_of("/?"));
    const auto authority = split_authority(place);
    if (!authority || std::ranges::find(loopbacks, authority->host) == loopbacks.end())
        return std::nullopt;
    return Loopback{.host = authority->host, .rest = behind.substr(place.size())};
}

bool is_secure_redirect(std::string_view address) {
    const auto behind = address.substr(secure.size());
    const auto place = behind.substr(0, behind.find_first_of("/?\\"));
    return normal_host(place).has_value();
}

// "com.example.app:/back": nobody else's program is started by accident.
bool is_own_scheme(std::string_view address) {
    const auto scheme = address.substr(0, address.find(':'));
    return scheme.size() < address.size() && scheme.find('.') != scheme.npos &&
           may_allow_scheme(lower_ascii(scheme));
}

// Whoever read the input may have said it already.
bool is_told(const Problems& problems, std::string_view property) {
    return std::ranges::any_of(problems.fields(),
                               [&](const FieldError& one) { return one.property == property; });
}

void check_redirects(const std::vector<std::string>& redirects, Problems& problems) {
    if (is_told(problems, "redirects"))
        return;
    if (redirects.empty())
        problems.add(required_field("redirects"));
    if (redirects.size() > redirects_max)
        problems.add(out_of_range("redirects", fmt::format("must be {} addresses at most", redirects_max)));
    for (std::size_t i = 0; i < redirects.size() && i < redirects_max; ++i)
        if (!is_redirect(redirects[i]))
            problems.add(invalid_format(
                fmt::format("redirects[{}]", i),
                "must be an https address without a fragment; http only at 127.0.0.1 or [::1], or a "
                "scheme with a dot in it"));
}

// In its stored form.
std::string read_website(const std::string& given, Problems& problems) {
    if (given.empty())
        return {};
    auto read = destination("website", given);
    if (read.has_value())
        return std::move(read->stored);
    problems.add(std::move(read).error());
    return {};
}

} // namespace

bool is_redirect(std::string_view address) {
    if (address.empty() || address.size() > redirect_length_max || !is_uri_text(address) ||
        address.find('#') != address.npos)
        return false;
    if (address.starts_with(secure))
        return is_secure_redirect(address);
    return read_loopback(address).has_value() || is_own_scheme(address);
}

bool has_redirect(const Application& application, std::string_view given) {
    const auto local = read_loopback(given);
    return std::ranges::any_of(application.redirects, [&](const std::string& redirect) {
        return redirect == given || (local && is_redirect(given) && read_loopback(redirect) == local);
    });
}

void check_application(const Application& application, Problems& problems) {
    const auto& name = application.name;
    const bool told = is_told(problems, "name");
    if (!told && name.empty())
        problems.add(required_field("name"));
    else if (!told && count_code_points(name) > application_name_length_max)
        problems.add(invalid_length("name", 1, application_name_length_max));
    else if (!told && (!is_utf8(name) || has_control(name)))
        problems.add(invalid_format("name", "must be on one line"));
    check_redirects(application.redirects, problems);
}

Result<std::vector<Application>> applications_of(data::View& view, AccountId account) {
    std::vector<Application> out;
    TRY(applications().by_account.walk(view, {.scope = data::key(account)},
                                       [&](data::BytesView primary) -> Result<bool> {
                                           if (auto row = TRY(applications().find(view, primary)))
                                               out.push_back(*std::move(row));
                                           return true;
                                       }));
    return out;
}

Result<std::vector<Application>> list_applications(Context& ctx) {
    return applications_of(ctx.view(), ctx.account.id);
}

Result<Application> find_any_application(data::View& view, std::string_view id) {
    const auto parsed = ApplicationId::parse(id);
    auto row = parsed ? TRY(applications().find(view, parsed->view())) : std::optional<Application>();
    if (!row)
        return not_found("application", id);
    return *std::move(row);
}

Result<Application> find_own_application(Context& ctx, std::string_view id) {
    auto row = TRY(find_any_application(ctx.view(), id));
    if (row.account != ctx.account.id)
        return not_found("application", id);
    return row;
}

Result<IssuedApplication> add_application(SystemContext& system, AccountId owner, const NewApplication& in,
                                          Problems problems) {
    const auto id = system.tools.ids.next<ApplicationId>();
    IssuedApplication out{.row = {.id = id,
                                  .account = owner,
                                  .name = in.name,
                                  .website = read_website(in.website, problems),
                                  .redirects = in.redirects,
                                  .secret_hash = {},
                                  .implicit = in.implicit,
                                  .created_at = id.made_at(),
                                  .updated_at = id.made_at(),
                                  .unknown = {}},
                          .secret = in.keeps_secret ? make_token(system.tools.random) : std::string()};
    check_application(out.row, problems);
    TRY(problems.result("application"));
    if (TRY(applications_of(system.txn, owner)).size() >= applications_per_account_max)
        return refused("LimitReached", "application",
                       fmt::format("An account has at most {} applications; delete one that is not used any "
                                   "more.",
                                   applications_per_account_max));
    if (in.keeps_secret)
        out.row.secret_hash = sha256(out.secret);
    TRY(applications().insert(system.txn, out.row));
    return out;
}

Result<IssuedApplication> create_application(Context& ctx, const NewApplication& in, Problems problems) {
    auto system = ctx.system_context();
    return add_application(system, ctx.account.id, in, std::move(problems));
}

Result<Application> update_application(Context& ctx, const Application& application,
                                       const ApplicationChange& change, Problems problems) {
    auto changed = application;
    change.name.apply_to(changed.name);
    if (change.website.is_set())
        changed.website = read_website(change.website.value(), problems);
    else if (change.website.is_clear())
        changed.website.clear();
    change.redirects.apply_to(changed.redirects);
    change.implicit.apply_to(changed.implicit);
    check_application(changed, problems);
    TRY(problems.result("application"));
    changed.updated_at = ctx.now;
    TRY(applications().update(ctx.txn(), application, changed));
    return changed;
}

Result<IssuedApplication> renew_any_application_secret(SystemContext& system,
                                                       const Application& application) {
    if (!application.keeps_secret())
        return refused("WrongApplicationType", "application", "This application keeps no secret.");
    IssuedApplication out{.row = application, .secret = make_token(system.tools.random)};
    out.row.secret_hash = sha256(out.secret);
    out.row.updated_at = system.now;
    TRY(applications().update(system.txn, application, out.row));
    return out;
}

Result<IssuedApplication> renew_application_secret(Context& ctx, const Application& application) {
    auto system = ctx.system_context();
    return renew_any_application_secret(system, application);
}

Result<Application> delete_any_application(SystemContext& system, const Application& application) {
    TRY(applications().remove(system.txn, application));
    return application;
}

Result<Application> delete_application(Context& ctx, const Application& application) {
    auto system = ctx.system_context();
    return delete_any_application(system, application);
}

Result<std::string> registered_by(Context& ctx, const Application& application) {
    const auto owner = TRY(schema().accounts.find(ctx.view(), application.account.view()));
    return owner ? owner->username : std::string();
}

Result<std::int64_t> grants_of_application(data::View& view, ApplicationId application) {
    return schema().grants.per_application.count(view, application);
}

Result<std::optional<Application>> find_application(data::View& view, std::string_view client_id) {
    const auto id = ApplicationId::parse(client_id);
    return id ? application_in_force(view, *id) : std::optional<Application>();
}

} // namespace slashpost
