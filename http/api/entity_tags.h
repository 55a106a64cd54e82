#pragma once
// Tags by which a client says what it has (RFC 9110, 8.8.3), and what it asks by them (13.1).
//
// The tag of a resource has two parts, "state.all". The second changes with anything that its GET answers;
// who asks whether that is still the same gives both. The first leaves out what changes by itself: clicks,
// sessions and how much there is of something. Who changes the resource only as long as it is as they know it
// gives the tag, too, and its first part counts; else no link that is visited could be changed in that way.
#include "http/server/message.h"

#include <functional>
#include <string>
#include <string_view>

namespace slashpost::api {

// Calls `use` with each item, without white space around it, of the comma lists in all headers of that name.
void each_listed(const http::Request& request, std::string_view lower_name,
                 const std::function<void(std::string_view)>& use);

// Of a text, with its quotes. `ending` tells the forms of one text apart.
[[nodiscard]] std::string entity_tag(std::string_view text, std::string_view ending = {});

// Of a resource, whose GET answers this JSON.
[[nodiscard]] std::string resource_tag(const std::string& json);

// The client has what carries this tag (If-None-Match).
[[nodiscard]] bool has_already(const http::Request& request, std::string_view tag);

// The request is to change something only if it is as the client knows it.
[[nodiscard]] bool has_precondition(const http::Request& request);
// The resource that carries this tag is as the client knows it (If-Match).
[[nodiscard]] bool is_as_known(const http::Request& request, std::string_view tag);

} // namespace slashpost::api
