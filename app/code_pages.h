#pragma once
// The resident size of the program's own code.

namespace slashpost::app {

// Gives the pages of code and constants back, of the program and its libraries: more than half of what the
// start touched is not needed again, and what is comes back from the page cache when it is used. Writable
// pages, relocated ones among them, stay.
void release_code_pages();

} // namespace slashpost::app
