#pragma once
// From an Error to what a caller sees of it (interface 2.4, wire "Errors"). The one place with the status
// numbers of errors. A fault shows nothing of its inside; whoever renders it logs it.
#include "core/base/errors.h"

namespace slashpost::wire {

// Refusals of the transport, which no operation knows: the path exists, but ...
std::unexpected<Error> method_refused();                      // 405
std::unexpected<Error> media_type_refused();                  // 406
std::unexpected<Error> body_too_large(std::size_t bytes_max); // 413
// ... what the request says of what was before does not hold.
std::unexpected<Error> precondition_failed();  // 412
std::unexpected<Error> idempotency_key_used(); // 422

unsigned status_of(const Error& error);
// {"code","message","httpCode","source","verbose"?,"id"?,"errors"?}: verbose and id in a 404, errors in a 403
std::string error_body(const Error& error);
// What a client gets that asks for problem details (RFC 9457): the same, with "type", "title", "status",
// "detail".
std::string problem_body(const Error& error);

} // namespace slashpost::wire
