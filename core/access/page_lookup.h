#pragma once
// How the service reads a page of the web that a tenant names, of which core itself knows nothing: the
// program gives it a function.
#include "core/base/id.h"

#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>

namespace slashpost {

struct WebPage {
    std::string content_type; // as its server calls it: "text/html; charset=utf-8"; empty: it does not say
    std::string bytes;        // how it begins, at most 256 KiB
};

enum class WebPageProblem : std::uint8_t {
    not_public,      // it lies, or leads on, to where this server connects for no tenant
    no_answer,       // none in time
    no_page,         // there is none, or only after too many redirects
    account_is_busy, // one page at a time
    server_is_busy
};

using WebPageAnswer = std::expected<WebPage, WebPageProblem>;

// What is at `address`, which is a stored destination with http or https, for somebody of the account. Takes
// seconds at worst, so no transaction may wait for it. Safe to call from any thread.
using WebPageLookup = std::function<WebPageAnswer(std::string_view address, const AccountId& account)>;

} // namespace slashpost
