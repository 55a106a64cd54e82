#pragma once
// Replies that several resources share.
#include "http/wire/fields.h"

namespace slashpost::api {

struct CountReply {
    std::int64_t count = 0;
    static constexpr std::string_view wire_name = "Count";
    static wire::Fields fields() {
        return {wire::field("count", &CountReply::count, wire::note("How many there are."))};
    }
};

// What an operation answers that has nothing to tell: {}.
struct EmptyReply {
    static constexpr std::string_view wire_name = "Empty";
    static wire::Fields fields() { return {}; }
};

} // namespace slashpost::api
