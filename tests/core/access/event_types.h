#pragma once
// What happens in tests of types of events, each in a world of its own: they check what is told of it, and
// answer the types that were.
#include "tests/support/told.h"

namespace slashpost::test {

// event_types_of_links_test.cc
Types links_tell();
Types time_tells(); // links that end
Types clicks_tell();
Types domains_tell();
Types tags_tell();
Types scripts_tell();

} // namespace slashpost::test
