#pragma once
// Whether what the API answered is what its document promises.
#include "http/server/message.h"

#include <boost/json.hpp>
#include <string>
#include <string_view>

namespace slashpost::test {

// Empty, or a sentence about the first difference. Paths and methods that the document does not have are
// not looked at. `target` begins with /v1.
std::string difference_from_document(const boost::json::value& document, http::Method method,
                                     std::string_view target, unsigned status,
                                     const boost::json::value& body);

} // namespace slashpost::test
