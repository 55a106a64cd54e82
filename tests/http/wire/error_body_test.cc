#include "http/wire/error_body.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::wire;

namespace {

struct Case {
    std::unexpected<Error> error;
    unsigned status;
    std::string_view code;
};

} // namespace

TEST_CASE("each kind of error has its status", "[errors]") {
    const Case cases[] = {
        {malformed("x"), 400, "InvalidFormat"},
        {unauthenticated(), 401, "Unauthorized"},
        {invalid("link", {required_field("destination")}), 403, "InvalidFormat"},
        {forbidden("workspace"), 403, "Forbidden"},
        {feature_not_included("links.rules"), 403, "FeatureNotIncluded"},
        {refused("DeletedLink", "link", "The link is deleted."), 403, "DeletedLink"},
        {not_found("link", "7"), 404, "NotFound"},
        {method_refused(), 405, "MethodNotAllowed"},
        {media_type_refused(), 406, "NotAcceptable"},
        {conflict("x"), 409, "Conflict"},
        {body_too_large(5), 413, "PayloadTooLarge"},
        {limited(), 429, "TooManyRequests"},
        {fault("disk"), 500, "InternalError"},
        {unavailable("full"), 503, "Unavailable"},
    };
    for (const auto& [error, status, code] : cases) {
        CAPTURE(code);
        CHECK(status_of(error.error()) == status);
        CHECK(error_body(error.error()).starts_with(R"({"code":")" + std::string(code) + R"(",)"));
    }
}

TEST_CASE("a validation error lists each broken field with its full sentence", "[errors]") {
    const auto error = invalid("link", {required_field("destination"), already_exists("slashtag")});
    CHECK(error_body(error.error()) ==
          R"({"code":"InvalidFormat","message":"The link is not valid; 'errors' names each broken field.",)"
          R"("httpCode":403,"source":"link","errors":[)"
          R"({"code":"RequiredField","property":"destination","message":"cannot be empty",)"
          R"("verbose":"The property 'destination' cannot be empty."},)"
          R"({"code":"AlreadyExists","property":"slashtag","message":"is already in use",)"
          R"("verbose":"The property 'slashtag' is already in use."}]})");
}

TEST_CASE("every other refusal with 403 has an empty list of errors", "[errors]") {
    CHECK(error_body(forbidden("workspace").error()) ==
          R"({"code":"Forbidden","message":"Your role in this workspace does not allow this.",)"
          R"("httpCode":403,"source":"workspace","errors":[]})");
}

TEST_CASE("not found names what was asked for", "[errors]") {
    CHECK(error_body(not_found("domain", "abc").error()) ==
          R"({"code":"NotFound","message":"Not found","httpCode":404,"source":"domain",)"
          R"("verbose":"The domain was not found.","id":"abc"})");
}

TEST_CASE("not found says in a sentence which of several items it is about", "[errors]") {
    auto error = not_found("domain", "abc").error();
    error.fields = {{.code = "NotFound", .property = "[1].domain", .message = "does not exist"}};
    CHECK(error_body(error) ==
          R"({"code":"NotFound","message":"Not found","httpCode":404,"source":"domain",)"
          R"("verbose":"The domain was not found. The property '[1].domain' does not exist.","id":"abc"})");
}

TEST_CASE("what has another status than 403 lists no fields", "[errors]") {
    for (const auto& error :
         {malformed("x"), unauthenticated(), not_found("link", "7"), conflict("x"), limited(),
          unavailable("full"), fault("disk"), media_type_refused(), method_refused(), body_too_large(5)})
        CHECK(error_body(error.error()).find("errors") == std::string::npos);
}

TEST_CASE("what was asked for is shown only if it is short and UTF-8", "[errors]") {
    for (const auto& id : {std::string("\xff"), std::string(300, 'a')})
        CHECK(error_body(not_found("link", id).error()).find(R"x("id":"(not shown)")x") != std::string::npos);
}

TEST_CASE("a fault shows nothing of the inside", "[errors]") {
    const auto body = error_body(fault("secret path /var/lib/x").error());
    CHECK(body ==
          R"({"code":"InternalError","message":"Something went wrong inside the service; it has been )"
          R"(noted.","httpCode":500,"source":"service"})");
}
