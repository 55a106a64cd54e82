#pragma once
// What the names in the braces of paths stand for, for the document.
#include "http/api/input.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace slashpost::api {

// Of a link, by its external id (core/ops/external_ids.h); what a PUT does not find there it makes.
inline constexpr std::string_view external_id_parameter = "external_id";

// "link" for "link_id": what is not found, or is somebody else's, as errors say it.
inline std::string resource_of_parameter(std::string_view parameter) {
    if (parameter == external_id_parameter)
        return "link";
    return parameter.ends_with(workspace_parameter) ? "workspace"
           : parameter == "token"                   ? "invite"
                                                    : std::string(parameter.substr(0, parameter.rfind('_')));
}

// "Id of the tag." What has no id is an invite's token.
inline std::string path_parameter_note(std::string_view name) {
    constexpr std::string_view ending = "_id";
    if (name == external_id_parameter)
        return "External id of the link, percent-encoded: its externalId.";
    return name.ends_with(ending) ? fmt::format("Id of the {}.", name.substr(0, name.size() - ending.size()))
                                  : fmt::format("The {} that the invite's address ends in.", name);
}

} // namespace slashpost::api
