#include "tests/api/api_world.h"

#include "core/base/errors.h"
#include "core/base/text.h"
#include "http/api/openapi.h"
#include "tests/api/document_check.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace slashpost::test {

namespace json = boost::json;

namespace {

Call call(http::Method method, std::string_view path, std::string_view body = {}) {
    return {.method = method,
            .target = "/v1" + std::string(path),
            .body = std::string(body),
            .headers = {},
            .key = {}};
}

const json::value* step(const json::value& in, std::string_view name) {
    if (const auto* object = in.if_object())
        return object->if_contains(name);
    if (const auto* array = in.if_array())
        return array->if_contains(std::stoul(std::string(name)));
    return nullptr;
}

const json::value& document() {
    static const json::value document = api::openapi_document(api::all_routes());
    return document;
}

std::string plain(const json::value& value) {
    return value.is_string() ? std::string(value.get_string()) : json::serialize(value);
}

} // namespace

Call get(std::string_view path) { return call(http::Method::get, path); }
Call head(std::string_view path) { return call(http::Method::head, path); }
Call del(std::string_view path, std::string_view json) { return call(http::Method::del, path, json); }
Call put(std::string_view path, std::string_view json) {
    return call(http::Method::put, path, json).with("Content-Type", "application/json");
}
Call post(std::string_view path, std::string_view json) {
    return call(http::Method::post, path, json).with("Content-Type", "application/json");
}
Call patch(std::string_view path, std::string_view json) {
    return call(http::Method::patch, path, json).with("Content-Type", "application/json");
}
Call post_form(std::string_view path, std::string_view form) {
    return call(http::Method::post, path, form).with("Content-Type", "application/x-www-form-urlencoded");
}

std::string Answer::header(std::string_view name) const {
    std::string out;
    int found = 0;
    for (const auto& one : headers)
        if (lower_ascii(one.name) == lower_ascii(name)) {
            out = one.value;
            ++found;
        }
    REQUIRE(found <= 1);
    return out;
}

std::string Answer::at(std::string_view path) const {
    const auto* value = &json;
    while (value != nullptr && !path.empty()) {
        const auto name = path.substr(0, path.find('.'));
        path.remove_prefix(std::min(path.size(), name.size() + 1));
        value = step(*value, name);
    }
    return value == nullptr ? "(absent)" : plain(*value);
}

std::string Answer::summary() const {
    if (status < 400)
        return std::to_string(status);
    auto out = fmt::format("{} {} {}", status, at("code"), at("source"));
    if (const auto* errors = step(json, "errors"); errors != nullptr && errors->is_array())
        for (const auto& error : errors->get_array())
            out += fmt::format("{} {} {}", &error == errors->get_array().data() ? ":" : ",",
                               plain(error.at("code")), plain(error.at("property")));
    return out;
}

std::string Answer::column(std::string_view key) const {
    std::string out;
    for (const auto& item : json.as_array())
        out += (out.empty() ? "" : " ") + plain(item.at(key));
    return out;
}

ApiWorld::ApiWorld(RateLimiter::Options per_key, RateLimiter::Options per_address)
    : requests_per_key(per_key),
      refusals_per_address(per_address),
      api({.service = service,
           .clock = clock,
           .requests_per_key = requests_per_key,
           .refusals_per_address = refusals_per_address,
           .look_up_txt = [this](std::string_view name) { return look_up(name); },
           .read_page = [this](std::string_view address,
                               const AccountId& account) { return read_page(address, account); },
           .settings = &settings},
          api::all_routes(), [this](const Error& error) { faults.push_back(error); }) {}

Result<std::vector<std::string>> ApiWorld::look_up(std::string_view name) {
    looked_up.emplace_back(name);
    if (!dns_answers)
        return unavailable("The DNS gave no answer.");
    const auto found = txt_records.find(name);
    return found == txt_records.end() ? std::vector<std::string>() : found->second;
}

WebPageAnswer ApiWorld::read_page(std::string_view address, const AccountId& account) {
    CHECK_FALSE(account.empty());
    pages_read.emplace_back(address);
    const auto found = pages.find(address);
    return found == pages.end() ? WebPage{.content_type = "text/html", .bytes = "<p>"} : found->second;
}

http::Request ApiWorld::request_of(const Call& call) {
    http::Request request{.method = call.method,
                          .method_text = std::string(to_string(call.method)),
                          .target = call.target,
                          .host = "go.example.com",
                          .headers = call.headers,
                          .body = call.body,
                          .remote_address = remote_address};
    if (!call.accept.empty())
        request.headers.push_back({"Accept", call.accept});
    if (call.with_key)
        request.headers.push_back({"apikey", call.key.empty() ? installed.key.key : call.key});
    return request;
}

Answer ApiWorld::send(const Call& call) {
    auto reply = api.serve(request_of(call));
    while (reply.next_part && reply.pause.count() == 0) { // a stream: as far as it goes at once
        const auto part = reply.next_part();
        REQUIRE(part.has_value());
        reply.body += part->bytes;
        reply.pause = part->pause;
        if (part->bytes.empty())
            break;
    }
    const auto has = [&](std::string_view name, std::string_view begin) {
        return std::ranges::any_of(reply.headers, [&](const auto& header) {
            return header.name == name && header.value.starts_with(begin);
        });
    };
    const bool shows_all = reply.status != 304 && !has("Content-Encoding", "");
    const bool is_json =
        shows_all && has("Content-Type", "application/json") && !has("Content-Type", "application/jsonl");
    // A 401, which a client may ask to be in JSON; or problem details, which the document has as another
    // form.
    const bool is_text = has("Content-Type", "text/plain"),
               is_problem = has("Content-Type", "application/problem");
    Answer answer{.status = reply.status,
                  .headers = std::move(reply.headers),
                  .body = reply.body,
                  .json = is_json || is_problem ? json::parse(reply.body)
                                                : json::value(json::string(reply.body))};
    if (shows_all && !is_text && !is_problem)
        CHECK(difference_from_document(document(), call.method, call.target, answer.status, answer.json) ==
              "");
    return answer;
}

Answer ApiWorld::link(std::string_view json) {
    auto answer = send(post("/links", json));
    INFO(answer.body);
    REQUIRE(answer.status == 200);
    return answer;
}

std::string ApiWorld::link_id(std::string_view slashtag, std::string_view more) {
    return link(fmt::format(R"({{"destination":"https://example.com/","slashtag":"{}"{}}})", slashtag, more))
        .at("id");
}

Colleague ApiWorld::outsider() {
    const auto made = operate([&](SystemContext& system) -> Result<Colleague> {
        auto account = TRY(create_account(system, {.username = fmt::format("person{}", ++accounts_)}));
        auto key = TRY(create_key(system, account, "test"));
        return Colleague{.account = std::move(account), .key = std::move(key.key)};
    });
    REQUIRE(made.has_value());
    return *made;
}

Colleague ApiWorld::colleague(Role role) {
    auto out = outsider();
    const auto joined = operate([&](SystemContext& system) {
        return schema().members.insert(system.txn, {.workspace = installed.account.default_workspace,
                                                    .account = out.account.id,
                                                    .role = role,
                                                    .created_at = system.now,
                                                    .unknown = {}});
    });
    REQUIRE(joined.has_value());
    return out;
}

void ApiWorld::set_workspace(const std::function<void(Workspace&)>& change) {
    const auto done = operate([&](SystemContext& system) -> Result<void> {
        const auto& table = schema().workspaces;
        const auto was = TRY(table.find(system.txn, installed.account.default_workspace.view()));
        auto now = was.value();
        change(now);
        return table.update(system.txn, *was, now);
    });
    REQUIRE(done.has_value());
}

void ApiWorld::set_domain(const Domain& domain, const DomainChange& change) {
    REQUIRE(operate([&](SystemContext& system) -> Result<Domain> {
                const auto now = TRY(find_any_domain(system.txn, domain.id.hex()));
                return change_domain(system, now, change);
            }).has_value());
}

} // namespace slashpost::test
