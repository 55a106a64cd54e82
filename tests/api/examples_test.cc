// The examples of the document are requests that somebody can copy: each is sent to a world in which what it
// names is there, and is answered with 200.
#include "core/ops/sessions.h"
#include "tests/api/api_world.h"
#include "tests/api/spec_lists.h"
#include "tests/support/applications.h"
#include "tests/support/conversions.h"
#include "tests/support/domains.h"
#include "tests/support/events.h"
#include "tests/support/hooks.h"
#include "tests/support/labels.h"
#include "tests/support/parts.h"
#include "tests/support/people.h"

#include <fmt/format.h>

#include <iterator>

using namespace slashpost;
using namespace slashpost::test;
namespace json = boost::json;

namespace {

// The id, the id of an event and the click id of all examples.
constexpr std::string_view sample_id = "019a9e3c7b5f4d2e8a1b6c0d9e8f7a6b";
constexpr std::string_view sample_event = "01a3185c500000030000000000000000";
constexpr std::string_view sample_click = "3q2-7wEBAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4fICEiIyQlJic";

std::string with(std::string text, std::string_view what, std::string_view instead) {
    for (auto at = text.find(what); at != text.npos; at = text.find(what, at + instead.size()))
        text.replace(at, what.size(), instead);
    return text;
}

http::Method method_of(std::string_view name) {
    return name == "get"     ? http::Method::get
           : name == "post"  ? http::Method::post
           : name == "put"   ? http::Method::put
           : name == "patch" ? http::Method::patch
                             : http::Method::del;
}

// Has one of everything.
struct Stocked : ApiWorld {
    std::string path, link;

    explicit Stocked(std::string_view template_path) : path(template_path) {
        const bool rotates = path.find("/rotator") != path.npos;
        link = link_id("stock", rotates ? R"(,"type":"rotator")" : "");
        set_workspace([&](Workspace& workspace) {
            workspace.conversion_enabled = true;
            if (path == "/links/bulk")
                workspace.type = WorkspaceType::extended;
        });
        const auto home = workspace_id();
        fill("{link_id}", [&] { return link; });
        fill("{external_id}", [&] {
            const auto called = R"({"externalId":"product-4711"})";
            return send(post("/links/" + link, called)).at("externalId");
        });
        fill("{tag_id}", [&] { return labelled(&Link::tags, make_tag(*this, "stock").id); });
        fill("{script_id}", [&] { return labelled(&Link::scripts, make_script(*this, "stock").id); });
        fill("{rule_id}", [&] {
            const auto id = *LinkId::parse(link);
            return rotates ? make_rotator_rule(*this, id).id.hex() : make_rule(*this, id).id.hex();
        });
        fill("{app_id}", [] { return std::string("instagram"); });
        fill("{teammate_id}", [&] { return colleague(Role::user).account.id.hex(); });
        fill("{invite_id}", [&] { return make_invite(*this, "b@example.com").details.invite.id.hex(); });
        fill("{token}", [&] { return invited(); });
        fill("{key_id}", [&] { return installed.key.row.id.hex(); });
        fill("{session_id}", [&] {
            return must(operate([&](SystemContext& system) {
                       return open_session(system, installed.account.id, SignInWay::address, "");
                   }))
                .row.id.hex();
        });
        path = with_webhook(*this, path);
        fill("{application_id}", [&] { return make_application(*this, path.ends_with("/secret")).id.hex(); });
        fill("{connection_id}", [&] {
            const auto application = make_application(*this);
            allow(*this, application, {AppScope::links_read});
            return application.id.hex();
        });
        fill("{template_name}", [&] { return make_utm_template(*this); });
        fill("{domain_id}", [&] { return registered(); });
        fill("{alias_name}", [] { return std::string("alias.example"); });
        fill("{domain_workspace_id}", [&] { return home; });
        // The default one cannot be deleted; the others have nothing that a path names.
        fill("{workspace_id}", [&] {
            return path.ends_with("{workspace_id}") ? make_workspace(*this, "stock").id.hex() : home;
        });
    }

    // What stands for something that only the server gives out.
    std::string known(std::string text) {
        const auto row = must(read([&](Context& ctx) { return find_link(ctx, link); }));
        text = with(std::move(text), "/domains/" + std::string(sample_id),
                    "/domains/" + installed.domain.id.hex());
        text = with(std::move(text), sample_click, click_id(*this, row));
        if (text.find(sample_event) != text.npos)
            text = with(std::move(text), sample_event, last_event_of(*this, row.id).hex());
        return with(std::move(text), sample_id, link);
    }

  private:
    void fill(std::string_view parameter, const std::function<std::string()>& make) {
        if (path.find(parameter) != path.npos)
            path = with(path, parameter, make());
    }
    // The link has it.
    template <class I>
    std::string labelled(std::vector<I> Link::* labels, I label) {
        must(operate([&](SystemContext& system) -> Result<void> {
            const auto was = TRY(schema().links.find(system.txn, LinkId::parse(link)->view())).value();
            auto now = was;
            now.*labels = {label};
            return schema().links.update(system.txn, was, now);
        }));
        return label.hex();
    }
    // A domain of the account, which the DNS proves, as it does its further name.
    std::string registered() {
        auto domain = must(Seat(*this).add("stock.example"));
        if (path.find("{alias_name}") != path.npos)
            domain = must(Seat(*this).set(
                domain.id, {.verified = Change<bool>::set(true),
                            .aliases = Change<std::vector<std::string>>::set({"alias.example"})}));
        for (const auto* name : {"stock.example", "alias.example"}) {
            const auto record = verification_record(domain, name);
            txt_records[record.name] = {record.value};
        }
        return domain.id.hex();
    }
    // To the caller, into somebody else's workspace.
    std::string invited() {
        const auto other = stranger("other");
        return must(
                   write_as(*this, other.caller, other.account.default_workspace,
                            [&](Context& ctx) { return invite_account(ctx, installed.account, Role::user); }))
            .id.hex();
    }
};

// "from=2026-01-01&to=2026-01-31": the parameters that have an example, and all that are required.
std::string query_of(const json::value& operation) {
    std::string out;
    const auto* parameters = operation.as_object().if_contains("parameters");
    for (const auto& one : parameters == nullptr ? json::array{} : parameters->as_array()) {
        if (one.as_object().contains("$ref") || one.at("in").as_string() != "query")
            continue;
        const auto* examples = one.at("schema").as_object().if_contains("examples");
        if (examples == nullptr)
            CHECK_FALSE(one.at("required").as_bool());
        else
            out +=
                fmt::format("{}{}={}", out.empty() ? "" : "&", std::string_view(one.at("name").as_string()),
                            std::string_view(examples->as_array().front().as_string()));
    }
    return out;
}

} // namespace

TEST_CASE("each example of the document is a request that succeeds", "[examples]") {
    const auto document = ApiWorld().send(get("/openapi.json")).json;
    int sent = 0;
    for (const auto& [path, operations] : document.at("paths").as_object())
        for (const auto& [name, operation] : operations.as_object()) {
            Stocked world(path);
            const auto query = world.known(query_of(operation));
            Call call{.method = method_of(name),
                      .target = "/v1" + world.path + (query.empty() ? "" : "?" + query),
                      .body = {},
                      .headers = {},
                      .key = {}};
            if (const auto* body = operation.as_object().if_contains("requestBody")) {
                const auto& content = body->at("content").at("application/json");
                call.body = world.known(json::serialize(content.at("example")));
                call.headers.push_back({"Content-Type", "application/json"});
            }
            INFO(std::string_view(name) << " " << std::string_view(path) << " " << call.body);
            const auto answer = world.send(call);
            CHECK(answer.summary() == "200");
            CHECK(world.faults.empty());
            ++sent;
        }
    CHECK(sent == std::ssize(spec_lines("endpoints.txt")));
}
