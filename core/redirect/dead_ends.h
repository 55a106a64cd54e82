#pragma once
// What a visitor gets who is led to no link's destination (wire "The visitor's side"): an address that the
// domain or the link names, or a plain page.
#include "core/redirect/pages.h"

namespace slashpost::redirect {

// There is no such link: where the domain leads whoever asks for what is not there.
Outcome missing(const DomainFacts& domain, const Visit& visit, Answer& answer);
// The link has ended, or has not begun: where it says itself, else where its domain says, else where what is
// not found leads.
Outcome expired(const Seen& seen, Answer& answer);
// "/" on the domain.
Outcome home(const DomainFacts& domain, const Visit& visit, Answer& answer);

} // namespace slashpost::redirect
