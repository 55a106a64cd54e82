#include "http/server/message.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>

namespace slashpost::http {

std::string_view to_string(Method method) {
    switch (method) {
    case Method::get:
        return "GET";
    case Method::head:
        return "HEAD";
    case Method::post:
        return "POST";
    case Method::put:
        return "PUT";
    case Method::patch:
        return "PATCH";
    case Method::del:
        return "DELETE";
    case Method::options:
        return "OPTIONS";
    case Method::other:
        break;
    }
    return "OTHER";
}

std::string_view bearer_key(std::string_view authorization) {
    constexpr std::string_view scheme = "bearer ";
    if (!boost::beast::iequals(authorization.substr(0, scheme.size()), scheme))
        return {};
    authorization.remove_prefix(scheme.size());
    return authorization.substr(std::min(authorization.find_first_not_of(' '), authorization.size()));
}

std::optional<std::string_view> Request::header(std::string_view name) const {
    for (const Header& header : headers) {
        if (boost::beast::iequals(header.name, name))
            return header.value;
    }
    return std::nullopt;
}

} // namespace slashpost::http
