#pragma once
// For whom a request is served, as a number under which its work waits its turn. Nothing is checked here: a
// wrong key is a holder of its own, whose work is to be refused.
#include "core/visitors/visitor.h"
#include "http/server/fair_queue.h"
#include "http/server/parser.h"

#include <string>
#include <string_view>

namespace slashpost::http {

// The key that the head of a request for the API shows: the header `apikey`, else `Authorization: Bearer`,
// else the last parameter of that name (wire "Transport"), undone of escapes, so that nobody is another
// holder by writing it in another way. Empty when it shows none.
[[nodiscard]] std::string shown_key(const RequestHead& head);

// The numbers of a key and of an address, where IPv6 is told apart by /64. Nobody who does not know the
// process can find two with the same.
[[nodiscard]] Holder holder_of_key(std::string_view key);
[[nodiscard]] Holder holder_of(const redirect::Address& address);

struct HashAddress {
    std::size_t operator()(const redirect::Address& address) const { return holder_of(address); }
};

} // namespace slashpost::http
