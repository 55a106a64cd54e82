#pragma once
// Examples for the OpenAPI document, made from its schemas: what a field gives as its example, else something
// of the right form that tells what the field is for. So every body has one, and none can go out of date.
#include <boost/json.hpp>
#include <string_view>

namespace slashpost::api {

enum class SampleOf {
    input, // what has to be given, and what the shape has an example for
    reply  // everything
};

// `schemas` are those that `schema` may refer to.
boost::json::value sample_of(const boost::json::value& schema, const boost::json::object& schemas,
                             SampleOf use);
// For something of that name that is no more than a text: a parameter of a path.
std::string_view sample_text(std::string_view name);

} // namespace slashpost::api
