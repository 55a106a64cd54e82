#pragma once
// Which page, if any, a visitor gets in place of a redirect, and what is on it (wire "Parts of a link", "The
// visitor's side"). Most links have none: a look at their target says so.
//
// A page is ordered on the visitor's thread, which reads nothing for it, and made on another, which reads
// from the store what it shows. Nothing here counts clicks.
#include "core/model/script.h"
#include "core/redirect/directory.h"
#include "core/redirect/redirector.h"
#include "core/schema/routing.h"
#include "core/schema/target.h"

namespace slashpost::redirect {

// What scripts take in a page, where they are escaped, which makes up to six bytes of one: one script, and
// all that a link carries.
inline constexpr std::size_t script_page_bytes_max = std::size_t{64} * 1024;
inline constexpr std::size_t link_scripts_page_bytes_max = std::size_t{128} * 1024;
[[nodiscard]] std::size_t page_bytes(const Script& script);

// Of all scripts on one page. A link comes near only by scripts that grew after it took them, or that were
// made when more was allowed, the largest of which has room; those that come later are left out then, so that
// no visit takes much memory.
inline constexpr std::size_t page_scripts_bytes_max = std::size_t{1} << 19;

[[nodiscard]] inline bool has(const TargetView& target, unsigned routing_bits) {
    return !target.routing.empty() &&
           (static_cast<unsigned char>(target.routing.front()) & routing_bits) != 0;
}

// Whether there can be a page in front of the link's destination.
[[nodiscard]] inline bool may_have_page(const TargetView& target) {
    return !target.scripts.empty() || has(target, routing_open_graph | routing_deep_links);
}

// One visit to a link that is there.
struct Seen {
    const TargetView& target;
    const DomainFacts& domain;
    const Visit& visit;
    std::string_view slashtag; // as it is looked up
};

// Orders the page in front of `answer.location`: programs that fetch previews get the social preview, people
// the page that runs the link's scripts or opens its app; everybody else is redirected.
Outcome order_page_in_front(const Seen& seen, const Agent& agent, Answer& answer);

// Orders a page from which people go on to `answer.location`, which has no room in a header.
Outcome order_way_on(const Seen& seen, Answer& answer);

// An address that says what was asked for (append_missing_place), with what the visitor brought along;
// nothing of one that has no room in a header.
void append_place(std::string& location, std::string_view address, const Forwarding& forwarding,
                  const DomainFacts& domain, const Visit& visit);
// Where the domain leads whoever asks for what is not there; nothing for a plain page.
void append_not_found(const DomainFacts& domain, const Visit& visit, std::string& location);

// Orders that somebody looks whether the visitor of a guarded link gets through. `looks`: who asked for the
// preview does not want to, but by its form.
Outcome order_gate(const Seen& seen, bool looks, Answer& answer);
// The page that says why not, as far as there is one for it.
void make_gate_page(const RedirectorTools& tools, const PageOrder& order, GateNote note,
                    std::int64_t wait_seconds, Answer& answer);

// <slashtag>+ and <slashtag>.qr.
Outcome order_preview(const Seen& seen, Answer& answer);
Outcome order_code(const Seen& seen, Answer& answer);

// Makes what was ordered. Whose page has nothing to show is redirected, and so is everybody when the store
// cannot be read, which `figures` counts; a preview is missing or not available then.
Outcome make_page(const RedirectorTools& tools, const PageOrder& order, Answer& answer);

// What the domain has at a path below /.well-known/.
Outcome well_known_page(const DomainFacts& domain, std::string_view path, Answer& answer);

} // namespace slashpost::redirect
