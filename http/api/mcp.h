#pragma once
// The API as tools of assistants: the Model Context Protocol (revision 2025-06-18) over HTTP, without
// sessions and without streams, so any server answers any message. A tool is an operation of the OpenAPI
// document, with the same name, arguments and description; a call of it is a call of the API with the key
// that the message came with.
#include "http/api/dispatch.h"

#include <boost/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace slashpost::api {

class Mcp {
  public:
    // `api` must outlive it.
    Mcp(Api& api, std::string_view version);

    // The message is for this and not for the API: it is posted to /mcp.
    [[nodiscard]] static bool takes(const http::Request& request);

    // Answers one message (JSON-RPC 2.0). May block on the disk; safe to call from any thread.
    http::Reply serve(const http::Request& request) const;
    // As Api::admit_body.
    http::Reply admit_body(const http::Request& request) const;

  private:
    // The result of a method, or an error of JSON-RPC. A refusal of the key, or of a token for its scope,
    // ends the message instead: so clients ask people for another one.
    struct Outcome {
        boost::json::object result;
        int error = 0; // 0: none
        std::string message;
        std::optional<http::Reply> refusal;
    };

    [[nodiscard]] Outcome answer(std::string_view method, const boost::json::object& parameters,
                                 const http::Request& request) const;
    [[nodiscard]] Outcome initialize(const boost::json::object& parameters) const;
    [[nodiscard]] Outcome call(const boost::json::object& parameters, const http::Request& request) const;
    [[nodiscard]] http::Reply reply(unsigned status, const boost::json::object& body) const;

    Api& api_;
    const std::string version_;
};

} // namespace slashpost::api
