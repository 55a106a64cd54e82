#pragma once
// Pages that a visitor gets because there is nothing else: the home of a domain that leads nowhere, no such
// link, and a link that has ended.
#include "core/redirect/page.h"
#include "http/server/message.h"

#include <cstdint>

namespace slashpost::http {

enum class PlainPage : std::uint8_t {
    home,    // of a short domain
    door,    // of a host of the API, which says where that is described
    missing, // 404
    expired, // 404
};

// `brand` is that of the domain, null when there is none.
Reply plain_page(PlainPage page, const redirect::PageBrand* brand);

} // namespace slashpost::http
