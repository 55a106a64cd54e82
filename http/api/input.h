#pragma once
// One request, taken apart but without types: what a handler's parameters are made from.
#include "core/access/page_lookup.h"
#include "http/wire/decode.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slashpost::api {

// The parameter of a path that names the workspace to enter, instead of the header `Workspace`.
inline constexpr std::string_view workspace_parameter = "workspace_id";

using PathParameters = std::vector<std::pair<std::string_view, std::string>>; // name, decoded value

struct Input {
    std::string_view resource; // the source of validation errors
    PathParameters path;
    // Or why it cannot be read, which the caller is told when nothing else is wrong (wire "Errors").
    Result<wire::Tree> query;
    Result<wire::Tree> body;
    std::vector<std::string> txt_records{}; // those at Operation::txt_name
    std::optional<WebPageAnswer> page{};    // what is at Operation::page_address
    std::string last_event_id{};            // header Last-Event-ID, of a stream

    // The value of a parameter that the route's path has; empty for any other name.
    [[nodiscard]] std::string_view at(std::string_view parameter) const {
        for (const auto& [name, value] : path)
            if (name == parameter)
                return value;
        return {};
    }
};

} // namespace slashpost::api
