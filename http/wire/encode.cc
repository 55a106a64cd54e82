#include "http/wire/encode.h"

#include <boost/json.hpp>

namespace slashpost::wire {

std::string write_json(const ValueType& type, const void* value) {
    return boost::json::serialize(type.write(value));
}

} // namespace slashpost::wire
