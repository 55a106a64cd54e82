// Every endpoint called as everybody, against tests/spec/access.txt; and the order of the checks (wire
// "Errors").
#include "tests/api/api_world.h"
#include "tests/api/spec_lists.h"
#include "tests/support/labels.h"

#include <fmt/format.h>

#include <map>

using namespace slashpost;
using namespace slashpost::test;

namespace {

const std::vector<std::string> roles{"viewer", "guest", "user", "admin", "owner"};

std::ptrdiff_t rank(const std::string& role) { return std::ranges::find(roles, role) - roles.begin(); }

std::string fresh_name() {
    static int made = 0;
    return fmt::format("name {}", ++made);
}

// The path on the link `id`; whatever else it names is made anew.
std::string filled(World& world, std::string path, const std::string& id) {
    const auto fill = [&](std::string_view parameter, const auto& make) {
        if (const auto at = path.find(parameter); at != std::string::npos)
            path.replace(at, parameter.size(), make());
    };
    fill("{link_id}", [&] { return id; });
    fill("{tag_id}", [&] { return make_tag(world, fresh_name()).id.hex(); });
    fill("{script_id}", [&] { return make_script(world, fresh_name()).id.hex(); });
    return path;
}

// A sound call of an endpoint on the link `id`.
Call sound_call(World& world, const std::string& method, const std::string& row, const std::string& id) {
    auto path = filled(world, row, id);
    if (path == "/links/new")
        path += "?destination=https://example.com/";
    if (method == "GET" && path.starts_with("/links/search"))
        return get(path + "?term=ab");
    if (method == "GET")
        return get(path);
    if (method == "DELETE" && path == "/links")
        return del(path, fmt::format(R"({{"links":["{}"]}})", id));
    if (method == "DELETE")
        return del(path);
    if (method == "PUT")
        return put(path, R"([{"destination":"https://example.com/"}])");
    if (path == "/links/bulk")
        return post(path, R"([{"destination":"https://example.com/"}])");
    if (path.starts_with("/links/search"))
        return post(path, R"({"term":"ab"})");
    if (path.starts_with("/workspaces"))
        return post(path, R"({"name":"abc","enabled":true})");
    if (path.starts_with("/tags"))
        return post(path, fmt::format(R"({{"name":"{}","color":"#FF8800"}})", fresh_name()));
    if (path.starts_with("/scripts"))
        return post(path, R"({"name":"a","value":"<script></script>"})");
    if (path.ends_with("/favourite"))
        return post(path, R"({"favourite":true})");
    return post(path, R"({"destination":"https://example.com/"})");
}

// The endpoints to try. One is left out: it takes the workspace away that the others need, and is tried in
// workspaces_test.cc.
std::vector<std::vector<std::string>> endpoints(const ApiWorld& world) {
    auto lines = spec_lines("access.txt");
    std::erase_if(lines, [](const auto& words) {
        return words[0] == "DELETE" && words[1] == "/workspaces/{workspace_id}";
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
    std::string link_of(const std::string& role) {
        const auto& key = keys.at(role == "viewer" ? "owner" : role);
        return send(post("/links", R"({"destination":"https://example.com/"})")
                        .with("Workspace", workspace_id())
                        .as(key))
            .at("id");
    }
};

} // namespace

TEST_CASE("each endpoint lets in whom the interface says, and nobody else", "[access]") {
    AccessWorld world;
    const auto outsider = world.outsider();
    for (const auto& words : endpoints(world)) {
        const auto &method = words[0], path = words[1];
        const bool hides = words[2].ends_with("/404");
        const auto lowest = words[2].substr(0, words[2].find('/'));
        const bool open = lowest == "anyone", for_all = open || lowest == "account";
        world.set_workspace([&](Workspace& workspace) { workspace.type = fitting_type(words[6]); });
        const auto call = [&](const std::string& role) {
            return sound_call(world, method, path, world.link_of(role))
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
            return world.link(R"({"destination":"https://example.com/","domain":{"fullName":"one.example"}})")
                .at("id");
        };
        INFO(method << " " << path);
        auto id = fresh();
        const auto fitting = fitting_type(words[6]);
        world.set_workspace([&](Workspace& workspace) {
            workspace.type = fitting;
            workspace.revoked = true;
        });
        CHECK(world.send(sound_call(world, method, path, id)).summary() ==
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

        id = fresh();
        world.set_domain(domain, {.revoked = Change<bool>::set(true)});
        CHECK(world.send(sound_call(world, method, path, id)).summary() ==
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
    CHECK(world.send(favour("x")).summary() == "403 WrongWorkspaceType workspace");
    world.set_workspace([](Workspace& workspace) {
        workspace.revoked = false;
        workspace.type = WorkspaceType::classic;
    });
    CHECK(world.send(update("x")).summary() == "404 NotFound link");
    CHECK(world.send(update(deleted)).summary() == "403 DeletedLink link");
    CHECK(world.send(update(in_force)).summary() == "403 InvalidFormat link: InvalidFormat title");
    CHECK(world.send(favour("x")).summary() == "404 NotFound link");
    CHECK(world.send(favour(deleted)).summary() == "403 DeletedLink link");
    CHECK(world.send(favour(in_force)).summary() == "403 RevokedDomain domain");
    world.set_domain(domain, {.revoked = Change<bool>::set(false)});
    CHECK(world.send(favour(in_force)).summary() == "403 InvalidFormat link: RequiredField favourite");
}
