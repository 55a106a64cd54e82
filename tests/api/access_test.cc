// Every endpoint called as everybody, against tests/spec/access.txt; the order of checks (wire "Errors").
#include "tests/api/access_links.h"
#include "tests/api/api_world.h"
#include "tests/api/spec_lists.h"
#include "tests/support/elsewhere.h"
#include "tests/support/events.h"
#include "tests/support/hooks.h"

#include <fmt/format.h>
#include <map>

using namespace slashpost;
using namespace slashpost::test;

namespace {

const std::vector<std::string> roles{"viewer", "guest", "user", "admin", "owner"};

std::ptrdiff_t rank(const std::string& role) { return std::ranges::find(roles, role) - roles.begin(); }

std::string fresh_label() {
    static int made = 0;
    return fmt::format("name{}", ++made);
}
std::string fresh_name() { return "a " + fresh_label(); }

enum class Domains : std::uint8_t { in_force, revoked };

// A verified domain of the world's account, shared with its workspace.
Domain make_domain(World& world, Domains domains) {
    return must(world.operate([&](SystemContext& system) -> Result<Domain> {
        const auto made = TRY(add_domain(system, {.full_name = fresh_label() + ".example",
                                                  .type = DomainType::user,
                                                  .owner = world.installed.account.id,
                                                  .registered_in = world.installed.account.default_workspace,
                                                  .verified = true,
                                                  .slashtag = {}}));
        TRY(share_domain(system, made.id, world.installed.account.default_workspace));
        const std::vector names{fresh_label() + ".example"};
        return change_domain(system, made,
                             {.revoked = Change<bool>::set(domains == Domains::revoked),
                              .aliases = Change<std::vector<std::string>>::set(names),
                              .proved_aliases = names});
    }));
}

// The path on the link `id`; whatever else it names is made anew.
std::string filled(ApiWorld& world, std::string path, const std::string& id, Domains domains) {
    const auto fill = [&](std::string_view parameter, const auto& make) {
        if (const auto at = path.find(parameter); at != std::string::npos)
            path.replace(at, parameter.size(), make());
    };
    fill("{link_id}", [&] { return id; });
    fill("{external_id}", [&] { return external_id_of(world, id); });
    fill("{tag_id}", [&] { return make_tag(world, fresh_name()).id.hex(); });
    fill("{script_id}", [&] { return make_script(world, fresh_name()).id.hex(); });
    fill("{teammate_id}", [&] { return world.colleague(Role::guest).account.id.hex(); });
    fill("{invite_id}", [&] { return make_invite(world, "b@example.com").details.invite.id.hex(); });
    // A deleted link has none.
    fill("{rule_id}", [&] {
        if (must(world.engine->read([&](data::View& view) {
                return schema().links.find(view, LinkId::parse(id)->view());
            }))->status == LinkStatus::deleted)
            return id;
        return path.find("/rotator/") != std::string::npos
                   ? make_rotator_rule(world, *LinkId::parse(id)).id.hex()
                   : make_rule(world, *LinkId::parse(id)).id.hex();
    });
    fill("{template_name}", [&] { return make_utm_template(world); });
    fill("{app_id}", [] { return std::string("instagram"); });
    path = with_webhook(world, path);
    std::optional<Domain> domain; // none where the path names another one
    fill("{domain_id}", [&] { return domain.emplace(make_domain(world, domains)).id.hex(); });
    fill("{alias_name}", [&] { return domain ? domain->aliases.front().full_name : "none.example"; });
    fill("{domain_workspace_id}", [&] { return world.installed.account.default_workspace.hex(); });
    return path;
}

// A sound body for one of the parts of a link.
std::string sound_part(const std::string& path) {
    if (path.find("/rules") != std::string::npos)
        return R"({"destination":"https://example.com/","conditions":[{"type":"device","value":"mobile"}]})";
    if (path.find("/opengraph") != std::string::npos)
        return R"({"title":"t"})";
    if (path.find("/apps") != std::string::npos)
        return R"({"path":"p"})";
    return R"({"destination":"https://example.com/"})";
}

// A sound call of an endpoint on the link `id`.
Call sound_call(ApiWorld& world, const std::string& method, const std::string& row, const std::string& id,
                Domains domains = Domains::in_force) {
    auto path = filled(world, row, id, domains);
    if (path == "/links/new")
        path += "?destination=https://example.com/";
    if (method == "GET" && path.starts_with("/links/search"))
        return get(path + "?term=ab");
    if (method == "GET") {
        attach_label(world, path, id);
        return get(path);
    }
    if (method == "DELETE")
        return path == "/links" ? del(path, fmt::format(R"({{"links":["{}"]}})", id)) : del(path);
    if (method == "PUT" && row.find("{external_id}") != row.npos)
        return put(path, R"({"destination":"https://example.com/"})");
    if (method == "PUT")
        return put(path, R"([{"destination":"https://example.com/"}])");
    if (path == "/links/bulk")
        return post(path, R"([{"destination":"https://example.com/"}])");
    if (path.starts_with("/links/search"))
        return post(path, R"({"term":"ab"})");
    if (method == "PATCH")
        return patch(path, "{}");
    if (path == "/conversions") {
        world.set_workspace([](Workspace& workspace) { workspace.conversion_enabled = true; });
        return post(path, fmt::format(R"({{"linkId":"{}","event":"e"}})", id));
    }
    if (path.starts_with("/domains"))
        return post(path, fmt::format(R"({{"fullName":"{}.example"}})", fresh_label()));
    if (path.starts_with("/workspaces"))
        return post(path,
                    R"({"source":"s","enabled":true,"role":"guest","emails":["a@example.com"],"name":")" +
                        fresh_label() + "\"}");
    if (path.starts_with("/webhooks") || path == "/account/applications")
        return post(path, R"({"url":"https://a.b/","from":"2027-01-01","name":"n","redirects":["a.b:c"]})");
    if (path.starts_with("/tags"))
        return post(path, fmt::format(R"({{"name":"{}","color":"#FF8800"}})", fresh_name()));
    if (path.starts_with("/scripts"))
        return post(path, R"({"name":"a","value":"<script></script>"})");
    if (path.ends_with("/favourite"))
        return post(path, R"({"favourite":true})");
    if (path.ends_with("/restore"))
        return post(path, fmt::format(R"({{"event":"{}"}})", last_event_of(world, *LinkId::parse(id)).hex()));
    return post(path, sound_part(path));
}

// The endpoints to try, but for those that take a workspace away, let strangers in
// (access_membership_test.cc) or name what is of one account (keys_test.cc).
std::vector<std::vector<std::string>> endpoints(const ApiWorld& world) {
    auto lines = spec_lines("access.txt");
    std::erase_if(lines, [](const auto& words) {
        return (words[0] == "DELETE" && words[1] == "/workspaces/{workspace_id}") ||
               words[1] == "/invites/{token}/accept" || words[1] == "/invites/{token}/decline" ||
               (words[1].starts_with("/account/") && words[1].find('{') != std::string::npos);
    });
    constexpr std::string_view parameter = "{workspace_id}";
    for (auto& words : lines)
        if (const auto at = words[1].find(parameter); at != std::string::npos)
            words[1].replace(at, parameter.size(), world.workspace_id());
    return lines;
}

// A type of workspace that an endpoint is possible in.
WorkspaceType fitting_type(const std::string& types) {
    return types == "extended" ? WorkspaceType::extended : WorkspaceType::classic;
}

struct AccessWorld : ApiWorld {
    std::map<std::string, std::string> keys; // by role
    AccessWorld() {
        keys["owner"] = installed.key.key;
        for (const auto& [name, role] : {std::pair{"viewer", Role::viewer},
                                         {"guest", Role::guest},
                                         {"user", Role::user},
                                         {"admin", Role::admin}})
            keys[name] = colleague(role).key;
    }
    // A fresh link that its caller may edit: its own, if it can make one.
    std::string link_of(const std::string& role, const std::string& type) {
        const auto& key = keys.at(role == "viewer" ? "owner" : role);
        return send(post("/links",
                         fmt::format(R"({{"destination":"https://example.com/","type":"{}"}})", type))
                        .with("Workspace", workspace_id())
                        .as(key))
            .at("id");
    }
};

} // namespace

TEST_CASE("each endpoint lets in whom the interface says, and nobody else", "[access][threat-15]") {
    AccessWorld world;
    const auto outsider = world.outsider();
    for (const auto& words : endpoints(world)) {
        const auto &method = words[0], path = words[1];
        const bool hides = words[2].ends_with("/404");
        const auto lowest = words[2].substr(0, words[2].find('/'));
        const bool open = lowest == "anyone", for_all = open || lowest == "account";
        world.set_workspace([&](Workspace& workspace) { workspace.type = fitting_type(words[6]); });
        const auto call = [&](const std::string& role) {
            return sound_call(world, method, path, world.link_of(role, type_of_link(words)))
                .with("Workspace", world.workspace_id());
        };
        INFO(method << " " << path);
        CHECK(world.send(call("owner").anonymous()).status == (open ? 200 : 401));
        CHECK(world.send(call("owner").as("wrong")).status == (open ? 200 : 401));
        CHECK(world.send(call("owner").as(outsider.key)).summary() ==
              (for_all ? "200" : "404 NotFound workspace"));
        for (const auto& role : roles) {
            INFO(role);
            const bool admitted = for_all || rank(role) >= rank(lowest);
            CHECK(world.send(call(role).as(world.keys.at(role))).summary() ==
                  (admitted ? "200"
                   : hides  ? "404 NotFound workspace"
                            : "403 Forbidden workspace"));
        }
    }
    CHECK(world.inconsistency().empty());
}

TEST_CASE("each endpoint treats revoked workspaces, types, deleted links and revoked domains as told",
          "[access]") {
    for (const auto& words : endpoints(ApiWorld())) {
        ApiWorld world;
        const auto domain = world.domain("one.example");
        const auto &method = words[0], path = words[1];
        const auto fresh = [&] {
            return world
                .link(fmt::format(
                    R"({{"destination":"https://example.com/","domain":{{"fullName":"one.example"}},"type":"{}"}})",
                    type_of_link(words)))
                .at("id");
        };
        INFO(method << " " << path);
        auto id = fresh();
        const auto fitting = fitting_type(words[6]);
        world.set_workspace([&](Workspace& workspace) { workspace.type = fitting; });
        const auto call = sound_call(world, method, path, id);
        world.set_workspace([](Workspace& workspace) { workspace.revoked = true; });
        CHECK(world.send(call).summary() ==
              (words[5] == "refused" ? "403 RevokedWorkspace workspace" : "200"));
        world.set_workspace([](Workspace& workspace) { workspace.revoked = false; });

        for (const auto& [name, type] : {std::pair{"classic", WorkspaceType::classic},
                                         {"extended", WorkspaceType::extended},
                                         {"gallery", WorkspaceType::gallery}}) {
            id = fresh();
            world.set_workspace([&](Workspace& workspace) { workspace.type = type; });
            const bool fits = words[6] == "any" || words[6].find(name) != words[6].npos;
            CHECK(world.send(sound_call(world, method, path, id)).summary() ==
                  (fits ? "200" : "403 WrongWorkspaceType workspace"));
            world.set_workspace([&](Workspace& workspace) { workspace.type = fitting; });
        }

        id = fresh();
        world.send(del("/links/" + id));
        const std::string deleted = words[7] == "404"   ? "404 NotFound link"
                                    : words[7] == "403" ? "403 DeletedLink link"
                                                        : "200";
        const auto answer = world.send(sound_call(world, method, path, id)).summary();
        CHECK(answer.substr(0, answer.find(':')) == deleted); // behind it: where the body names the link

        if (type_of_link(words) == "rotator")
            CHECK(world.send(sound_call(world, method, path, world.link_id("plain"))).summary() ==
                  "403 WrongLinkType link");

        id = fresh();
        world.set_domain(domain, {.revoked = Change<bool>::set(true)});
        CHECK(world.send(sound_call(world, method, path, id, Domains::revoked)).summary() ==
              (words[8] == "refused" ? "403 RevokedDomain domain" : "200"));
        CHECK(world.inconsistency().empty());
    }
}

TEST_CASE("checks come in the order of the interface, whatever else is wrong", "[access]") {
    AccessWorld world;
    const auto domain = world.domain("one.example");
    const auto in_force = world.link_id("a", R"(,"domain":{"fullName":"one.example"})");
    const auto deleted = world.link_id("b", R"(,"domain":{"fullName":"one.example"})");
    REQUIRE(world.send(del("/links/" + deleted)).status == 200);
    world.set_domain(domain, {.revoked = Change<bool>::set(true)});
    world.set_workspace([](Workspace& workspace) {
        workspace.revoked = true;
        workspace.type = WorkspaceType::gallery;
    });
    const auto update = [&](const std::string& id) {
        return post("/links/" + id, R"({"title":5})").with("Workspace", world.workspace_id());
    };
    const auto favour = [&](const std::string& id) {
        return post("/links/" + id + "/favourite", "{}").with("Workspace", world.workspace_id());
    };
    CHECK(world.send(update("x").as("wrong")).status == 401);
    CHECK(world.send(update("x").as(world.outsider().key)).summary() == "404 NotFound workspace");
    CHECK(world.send(update("x").as(world.keys.at("viewer"))).summary() == "403 Forbidden workspace");
    CHECK(world.send(update("x")).summary() == "403 RevokedWorkspace workspace");
    CHECK(world.send(favour("x")).summary() == "403 RevokedWorkspace workspace");
    world.set_workspace([](Workspace& workspace) { workspace.revoked = false; });
    CHECK(world.send(favour("x")).summary() == "403 WrongWorkspaceType workspace");
    world.set_workspace([](Workspace& workspace) { workspace.type = WorkspaceType::classic; });
    CHECK(world.send(update("x")).summary() == "404 NotFound link");
    CHECK(world.send(update(deleted)).summary() == "403 DeletedLink link");
    CHECK(world.send(update(in_force)).summary() == "403 InvalidFormat link: InvalidFormat title");
    CHECK(world.send(favour("x")).summary() == "404 NotFound link");
    CHECK(world.send(favour(deleted)).summary() == "403 DeletedLink link");
    CHECK(world.send(favour(in_force)).summary() == "403 RevokedDomain domain");
    world.set_domain(domain, {.revoked = Change<bool>::set(false)});
    CHECK(world.send(favour(in_force)).summary() == "403 InvalidFormat link: RequiredField favourite");
}

namespace {

// The path with every parameter naming nothing.
std::string with_unknown_ids(std::string path) {
    for (auto at = path.find('{'); at != std::string::npos; at = path.find('{'))
        path.replace(at, path.find('}') - at + 1, std::string(32, 'f'));
    return path;
}

std::vector<std::string> parameters_in(const std::string& path) {
    std::vector<std::string> out;
    for (auto at = path.find('{'); at != std::string::npos; at = path.find('{', at + 1))
        out.push_back(path.substr(at, path.find('}', at) - at + 1));
    return out;
}

// A type of workspace that is not in "classic|gallery"; for "any" there is none.
WorkspaceType other_type(const std::string& types) {
    for (const auto& [name, type] : {std::pair{"classic", WorkspaceType::classic},
                                     {"extended", WorkspaceType::extended},
                                     {"gallery", WorkspaceType::gallery}})
        if (types.find(name) == types.npos)
            return type;
    return WorkspaceType::classic;
}

// Whether it is the answer for something that is not there within a workspace that is.
bool is_missing_resource(const std::string& summary) {
    return summary.starts_with("404 NotFound ") && summary != "404 NotFound workspace" &&
           summary != "404 NotFound endpoint";
}

void set_features(World& world, const std::vector<std::string>& features) {
    must(world.operate([&](SystemContext& system) -> Result<Account> {
        const auto account = TRY(find_account(system.txn, world.installed.account.id.hex()));
        return change_account_plan(system, account,
                                   {.granted_features = Change<std::vector<std::string>>::set(features)});
    }));
}

// Without the fields that a body has wrong. That a body cannot be read is told when all else is right.
std::string answer_to(ApiWorld& world, const Call& call) {
    const auto summary = [&](Call one) {
        const auto all = world.send(std::move(one).with("Workspace", world.workspace_id())).summary();
        return all.substr(0, all.find(':'));
    };
    if (call.method == http::Method::get)
        return summary(call);
    auto malformed = call, foreign = call;
    malformed.body = "{";
    foreign.body = "x";
    foreign.headers = {{"Content-Type", "text/plain"}};
    const auto of_malformed = summary(malformed), of_foreign = summary(foreign), all = summary(call);
    const bool body_names_link = call.target == "/v1/links" || call.target == "/v1/conversions";
    const bool comes_first = all != "200" && !(body_names_link && all.ends_with(" link"));
    CHECK(of_malformed == (comes_first ? all : "400 InvalidFormat request"));
    CHECK(of_foreign == (comes_first ? all : "406 NotAcceptable request"));
    return all;
}

// One endpoint with everything wrong about the call; then one thing after the other is put right.
void check_order(const std::vector<std::string>& words) {
    const auto &method = words[0], path = words[1], feature = words[4], types = words[6];
    const bool hides = words[2].ends_with("/404");
    const auto lowest = words[2].substr(0, words[2].find('/'));
    AccessWorld world;
    const auto outsider = world.outsider();
    const auto domain = world.domain("one.example");
    const auto make = [&](const std::string& type) {
        return world
            .link(fmt::format(
                R"({{"destination":"https://example.com/","domain":{{"fullName":"one.example"}},"type":"{}"}})",
                type))
            .at("id");
    };
    const auto deleted = make(type_of_link(words)), id = make(type_of_link(words)), plain = make("standard");
    world.send(del("/links/" + deleted));
    world.set_domain(domain, {.revoked = Change<bool>::set(true)});
    set_plan(world, {.features = Change<std::vector<std::string>>::set({})});
    world.set_workspace([&](Workspace& workspace) {
        workspace.revoked = true;
        workspace.type = other_type(types);
    });
    const auto answer = [&](const Call& call) { return answer_to(world, call); };
    const auto unknown = sound_call(world, method, with_unknown_ids(path), id);

    CHECK(answer(Call(unknown).as("wrong")).starts_with("401 Unauthorized"));
    if (lowest != "account") {
        CHECK(answer(Call(unknown).as(outsider.key)) == "404 NotFound workspace");
        if (rank(lowest) > rank("viewer"))
            CHECK(answer(Call(unknown).as(world.keys.at("viewer"))) ==
                  (hides ? "404 NotFound workspace" : "403 Forbidden workspace"));
    }
    if (feature != "-")
        CHECK(answer(unknown) == "403 FeatureNotIncluded " + feature);
    if (feature != "-")
        set_features(world, {feature});
    if (words[5] == "refused")
        CHECK(answer(unknown) == "403 RevokedWorkspace workspace");
    world.set_workspace([](Workspace& workspace) { workspace.revoked = false; });
    if (types != "any")
        CHECK(answer(unknown) == "403 WrongWorkspaceType workspace");
    world.set_workspace([&](Workspace& workspace) { workspace.type = fitting_type(types); });
    const bool makes_it = method == "PUT" && path.find("{external_id}") != path.npos;
    if (path.find('{') != path.npos && !makes_it)
        CHECK(is_missing_resource(answer(unknown)));
    if (words[7] != "-")
        CHECK(answer(sound_call(world, method, path, deleted)) ==
              (words[7] == "404" ? "404 NotFound link" : "403 DeletedLink link"));
    if (words[8] == "refused")
        CHECK(answer(sound_call(world, method, path, id, Domains::revoked)) == "403 RevokedDomain domain");
    world.set_domain(domain, {.revoked = Change<bool>::set(false)});
    if (type_of_link(words) != "standard")
        CHECK(answer(sound_call(world, method, path, plain)) == "403 WrongLinkType link");
    CHECK(answer(sound_call(world, method, path, id)) == "200");
    CHECK(world.inconsistency().empty());
}

} // namespace

TEST_CASE("with everything wrong at once each endpoint names one thing after the other, in order",
          "[access]") {
    for (const auto& words : endpoints(ApiWorld())) {
        INFO(words[0] << " " << words[1]);
        if (words[2] != "anyone")
            check_order(words);
    }
}

TEST_CASE("a trashed workspace is not there for anybody", "[access]") {
    AccessWorld world;
    std::vector<std::pair<std::string, Call>> calls;
    for (const auto& words : endpoints(world))
        if (words[2] != "anyone" && words[2] != "account")
            calls.emplace_back(
                words[0] + " " + words[1],
                sound_call(world, words[0], words[1], world.link_of("owner", type_of_link(words)))
                    .with("Workspace", world.workspace_id()));
    world.set_workspace([](Workspace& workspace) { workspace.trashed = true; });
    for (const auto& [name, call] : calls)
        for (const auto& role : roles) {
            INFO(name << " " << role);
            CHECK(world.send(Call(call).as(world.keys.at(role))).summary() == "404 NotFound workspace");
        }
}

namespace {

std::string resource_of(const std::string& path, const std::string& parameter) {
    if (parameter == "{rule_id}")
        return path.find("/rotator/") != path.npos ? "rotator" : "rule";
    if (parameter == "{domain_workspace_id}")
        return "workspace";
    if (parameter == "{external_id}")
        return "link";
    return parameter.substr(1, parameter.find('_') - 1);
}

} // namespace

TEST_CASE("what belongs to another workspace is not there, whichever part of the path names it",
          "[access][threat-15]") {
    AccessWorld world;
    const std::vector elsewhere{Elsewhere(world, world.stranger("foreign")),
                                Elsewhere(world, make_workspace(world, "room"))};
    for (const auto& words : endpoints(world)) {
        const auto &method = words[0], path = words[1];
        for (const auto& parameter : parameters_in(path)) {
            if (method == "PUT" && parameter == "{external_id}")
                continue; // which makes one of its own (link_external_ids_test.cc)
            INFO(method << " " << path << " " << parameter);
            const auto call_with = [&](const std::string& id) {
                auto named = path;
                named.replace(named.find(parameter), parameter.size(), id);
                return world.send(
                    sound_call(world, method, named, world.link_of("owner", type_of_link(words)))
                        .with("Workspace", world.workspace_id()));
            };
            const auto missing = "404 NotFound " + resource_of(path, parameter);
            CHECK(call_with(std::string(32, 'f')).summary() == missing);
            CHECK(call_with("no-such-thing").summary() == missing);
            for (const auto& there : elsewhere)
                for (const auto& id : there.things(path, parameter)) {
                    const auto answer = call_with(id);
                    if (method != "POST" || parameter != "{teammate_id}") {
                        CHECK(answer.summary() == missing);
                        continue;
                    }
                    CHECK(answer.at("role") == "guest"); // any account can be added (interface 4.5)
                    CHECK(role_in(world, there.workspace(), *AccountId::parse(id)) == Role::user);
                }
        }
    }
    CHECK(world.inconsistency().empty());
}
