#pragma once
// How the reference page (docs_page.h) shows what schemas say: each field with its name, type, meaning and
// bounds. All text is escaped.
#include <boost/json.hpp>
#include <string>
#include <string_view>

namespace slashpost::api {

// Members of the document, by key: the text or the object there; empty or null when there is none.
std::string_view docs_text(const boost::json::object& object, std::string_view key);
const boost::json::object* docs_object(const boost::json::object& object, std::string_view key);

// What a schema is, in a few words: a link to its shape, "array of ...", "string, date-time".
std::string docs_kind(const boost::json::object& schema);

struct DocsField {
    std::string_view name;
    bool required = false;
    const boost::json::object& schema;
    std::string_view meaning;
    std::string_view example{}; // instead of the schema's own
};
// An entry of a <dl>.
std::string docs_field(const DocsField& field);

// The members of a shape as a <dl>; empty when it has none. Types are links to their own shapes.
std::string docs_members(const boost::json::object& schema);
// What a body may hold, a <dl> as well: members of members too, under names such as domain.id and
// conditions[].type. `schemas` are those that it may refer to.
std::string docs_body(const boost::json::object& schema, const boost::json::object& schemas);

} // namespace slashpost::api
