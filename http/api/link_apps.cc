// Apps, and deep links into them (interface 4.6, wire "Parts of a link"): shapes, routes, and handlers of one
// core call each.
#include "core/ops/deep_links.h"
#include "http/api/path_resource.h"
#include "http/api/replies.h"
#include "http/api/routes.h"

namespace slashpost::api {

using wire::example, wire::field, wire::length, wire::note, wire::required;
using wire::Fields;

namespace {

struct AndroidReply {
    std::string package;
    std::string url;
    static constexpr std::string_view wire_name = "AppAndroid";
    static Fields fields() {
        return {field("package", &AndroidReply::package, note("The app's package on Android."),
                      example("com.instagram.android")),
                field("url", &AndroidReply::url,
                      note("Opens the app on Android; {path} is the path of a deep link."),
                      example("intent://{path}#Intent;scheme=instagram;package=com.instagram.android;end"))};
    }
};

struct IosReply {
    std::string id;
    std::string url;
    static constexpr std::string_view wire_name = "AppIos";
    static Fields fields() {
        return {field("id", &IosReply::id, note("The app's number in the App Store."), example("389801252")),
                field("url", &IosReply::url, note("Opens the app on iOS; {path} is the path of a deep link."),
                      example("instagram://{path}"))};
    }
};

struct AppReply {
    std::string id;
    std::string name;
    AndroidReply android;
    IosReply ios;
    static constexpr std::string_view wire_name = "App";
    static Fields fields() {
        return {
            field("id", &AppReply::id, note("The app's short name, as paths have it."), example("instagram")),
            field("name", &AppReply::name, note("What the app is called."), example("Instagram")),
            field("android", &AppReply::android, note("The app on Android.")),
            field("ios", &AppReply::ios, note("The app on iOS."))};
    }
    static AppReply of(const App& app) {
        return {.id = std::string(app.id),
                .name = std::string(app.name),
                .android = {.package = std::string(app.android_package), .url = app.android_url()},
                .ios = {.id = std::string(app.ios_store_id), .url = app.ios_url()}};
    }
};

struct DeepLinkBody {
    std::string path;
    bool active = true;
    static constexpr std::string_view wire_name = "DeepLinkInput";
    static Fields fields() {
        return {field("path", &DeepLinkBody::path, required, length(1, deep_link_path_length_max),
                      note("What takes the place of {path} in the app's addresses; without #."),
                      example("user?username=ada")),
                field("active", &DeepLinkBody::active,
                      note("Whether visitors who have the app are sent into it; true when absent."))};
    }
};

struct DeepLinkReply {
    std::string id;
    bool active = true;
    std::string path;
    static constexpr std::string_view wire_name = "DeepLink";
    static Fields fields() {
        return {field("id", &DeepLinkReply::id, note("Short name of the app that it opens."),
                      example("instagram")),
                field("active", &DeepLinkReply::active,
                      note("Whether visitors who have the app are sent into it.")),
                field("path", &DeepLinkReply::path, note("Where in the app they are sent."),
                      example("user?username=ada"))};
    }
    static DeepLinkReply of(const DeepLink& deep) {
        return {.id = deep.app, .active = deep.active, .path = deep.path};
    }
};

Result<std::vector<AppReply>> list_apps(Context&) {
    std::vector<AppReply> out;
    for (const auto& app : known_apps())
        out.push_back(AppReply::of(app));
    return out;
}

Result<std::vector<DeepLinkReply>> list(Context& ctx, const Link& link) {
    std::vector<DeepLinkReply> out;
    for (const auto& deep : TRY(deep_links_of_link(ctx, link)))
        out.push_back(DeepLinkReply::of(deep));
    return out;
}

// Here and below the app comes first: that all named in a path are there counts before the state of one.
Result<DeepLinkReply> set(Context& ctx, const App& app, const Link& link,
                          const Draft<Body<DeepLinkBody>>& body) {
    return DeepLinkReply::of(
        TRY(set_deep_link(ctx, link, app, {.path = body->path, .active = body->active}, body.problems)));
}

Result<EmptyReply> remove(Context& ctx, const App& app, const Link& link) {
    TRY(delete_deep_link(ctx, link, app));
    return EmptyReply{};
}

Result<EmptyReply> remove_all(Context& ctx, const Link& link) {
    TRY(delete_all_deep_links(ctx, link));
    return EmptyReply{};
}

} // namespace

const RouteList& link_app_routes() {
    using enum http::Method;
    using enum Role;
    constexpr auto write = Access::write;
    constexpr auto live = LinkState::live;
    constexpr auto links = LimitedKeys::links;
    // clang-format off
    static const RouteList routes{"app", {
        {get,  "/apps", "listApps", {.role = viewer, .limited_keys = links}, on(list_apps),
         "List the apps that deep links can open."},
        {get,  "/links/{link_id}/apps", "listDeepLinks", {.role = viewer, .link = live, .limited_keys = links}, on(list),
         "List the deep links of a link."},
        {post, "/links/{link_id}/apps/{app_id}", "setDeepLink",
         {.access = write, .role = guest, .link = live,
          .domain = DomainState::in_force, .limited_keys = links}, on(set),
         "Set where in an app a link leads people who have it.",
         {"LimitReached"}},
        {del,  "/links/{link_id}/apps/{app_id}", "deleteDeepLink",
         {.access = write, .role = guest, .link = live, .limited_keys = links}, on(remove),
         "Delete the deep link into one app."},
        {del,  "/links/{link_id}/apps", "deleteAllDeepLinks",
         {.access = write, .role = guest, .link = live, .limited_keys = links}, on(remove_all),
         "Delete all deep links of a link."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api
