#pragma once
// From a typed shape to the JSON text of a reply.
#include "http/wire/fields.h"

namespace slashpost::wire {

std::string write_json(const ValueType& type, const void* value);

template <class T>
std::string encode(const T& value) {
    return write_json(type_of<T>(), &value);
}

} // namespace slashpost::wire
