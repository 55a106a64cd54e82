// A destination: what is stored is safe in a Location header and stays the same when it is given again. Where
// `node` is there, its URL parser says the same of every address (tests/fuzz/browser.mjs).
#include "core/base/text.h"
#include "core/base/url.h"
#include "tests/fuzz/browser.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>

using namespace slashpost;
using namespace slashpost::fuzz;

void slashpost::fuzz::try_input(std::string_view bytes) {
    static Browser browser;
    const auto read = destination("destination", bytes);
    if (read) {
        const auto& stored = read->stored;
        must(!stored.empty() && stored.size() <= destination_bytes_max, "a stored destination has its bound");
        must(std::ranges::all_of(stored, [](char c) { return c > ' ' && c < '\x7f'; }),
             "a stored destination is printable ASCII without white space");
        const auto scheme = lower_ascii(stored.substr(0, stored.find(':')));
        must(scheme == "http" || scheme == "https", "a stored destination is of the web");
        const auto again = destination("destination", stored);
        must(!again || again->stored == stored, "what is stored is read as itself");
        must(!again || again->host == read->host, "what is stored leads to the same host");
    }
    // What is no text, empty or too long is refused for reasons that are no browser's.
    if (is_utf8(bytes) && (read || read.error().code == "InvalidFormat"))
        browser.compare(bytes, read ? std::optional(read->stored) : std::nullopt);
}
