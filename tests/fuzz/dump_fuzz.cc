// A dump: whatever the file holds, reading it ends, and fails with a sentence or gives rows of tables.
#include "tests/fuzz/fuzz.h"
#include "tools/admin/dump_file.h"

#include <sstream>
#include <string>

using namespace slashpost;
using namespace slashpost::admin;
using namespace slashpost::fuzz;

void slashpost::fuzz::try_input(std::string_view bytes) {
    std::istringstream in{std::string(bytes)};
    DumpReader reader(in);
    const auto began = reader.read_header();
    if (!began) {
        must(!began.error().message.empty(), "a dump that is refused is told why");
        return;
    }
    for (;;) {
        const auto lines = reader.next(3);
        if (!lines || !*lines)
            return;
        must((*lines)->ends.size() <= 3 && !(*lines)->ends.empty(), "as many lines come as were asked for");
        const auto done =
            each_dump_row(**lines, [](std::string_view table, const boost::json::object&) -> Result<void> {
                must(!table.empty(), "a row says of which table it is");
                return {};
            });
        if (!done)
            return;
    }
}
