#pragma once
// A World with the API in front of it: requests without a socket, replies as status, headers and JSON.
#include "http/api/dispatch.h"
#include "http/api/routes.h"
#include "tests/support/world.h"

#include <boost/json.hpp>

#include <map>

namespace slashpost::test {

// One request; the key is the world's own unless told otherwise.
struct Call {
    http::Method method = http::Method::get;
    std::string target;
    std::string body;
    std::vector<http::Header> headers;
    bool with_key = true;                    // adds the header apikey
    std::string key;                         // empty: the world's
    std::string accept = "application/json"; // empty: no such header

    Call with(std::string_view name, std::string_view value) && {
        headers.push_back({std::string(name), std::string(value)});
        return std::move(*this);
    }
    Call as(std::string_view other_key) && {
        key = other_key;
        return std::move(*this);
    }
    Call accepting(std::string_view types) && {
        accept = types;
        return std::move(*this);
    }
    Call anonymous() && {
        with_key = false;
        return std::move(*this);
    }
};

// `path` is below /v1.
Call get(std::string_view path);
Call head(std::string_view path);
Call del(std::string_view path, std::string_view json = {});
Call put(std::string_view path, std::string_view json);
Call post(std::string_view path, std::string_view json = {});
Call patch(std::string_view path, std::string_view json);
Call post_form(std::string_view path, std::string_view form);

struct Answer {
    unsigned status = 0;
    std::vector<http::Header> headers;
    std::string body;
    boost::json::value json;

    // The value of a header; empty when there is none; ends the test when there are two.
    [[nodiscard]] std::string header(std::string_view name) const;
    // The text or the JSON at "domain.fullName" or "0.id"; "(absent)" when there is nothing.
    [[nodiscard]] std::string at(std::string_view path) const;
    // "403 InvalidFormat link: RequiredField destination, AlreadyExists slashtag" for an error, "200" else.
    [[nodiscard]] std::string summary() const;
    // The values of `key` of an array of objects, joined with spaces.
    [[nodiscard]] std::string column(std::string_view key) const;
};

// A person with a role in the world's workspace.
struct Colleague {
    Account account;
    std::string key;
};

class ApiWorld : public World {
  public:
    explicit ApiWorld(RateLimiter::Options per_key = {}, RateLimiter::Options per_address = {});

    RateLimiter requests_per_key;
    RateLimiter refusals_per_address;
    std::vector<Error> faults;
    std::map<std::string, std::vector<std::string>, std::less<>> txt_records; // the whole DNS
    bool dns_answers = true;
    std::vector<std::string> looked_up; // names, in order
    // The whole web: what is at an address; nothing in the map: a page without a title.
    std::map<std::string, WebPageAnswer, std::less<>> pages;
    std::vector<std::string> pages_read; // addresses, in order
    api::Api api;
    std::string remote_address = "192.0.2.1";

    // Every answer is also compared with what the document promises, unless it is packed or 304.
    Answer send(const Call& call);
    // What the server is told when it asks whether to wait for the call's body.
    http::Reply admit_body(const Call& call) { return api.admit_body(request_of(call)); }
    // Makes a link and answers its JSON; ends the test when that fails.
    Answer link(std::string_view json);
    std::string link_id(std::string_view slashtag, std::string_view more = {});

    Colleague colleague(Role role);
    // Somebody without a place in the world's workspace.
    Colleague outsider();
    void set_workspace(const std::function<void(Workspace&)>& change);
    void set_domain(const Domain& domain, const DomainChange& change);
    [[nodiscard]] std::string workspace_id() const { return installed.account.default_workspace.hex(); }

    http::Request request_of(const Call& call);

  private:
    Result<std::vector<std::string>> look_up(std::string_view name);
    WebPageAnswer read_page(std::string_view address, const AccountId& account);

    int accounts_ = 0;
};

// The name of one of the workspace's.
inline std::string make_utm_template(ApiWorld& world) {
    world.set_workspace(
        [](Workspace& workspace) { workspace.utm_templates = {{.name = "spring", .source = "newsletter"}}; });
    return "spring";
}

} // namespace slashpost::test
