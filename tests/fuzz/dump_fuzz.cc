// A dump: whatever the file holds, reading it ends, and fails with a sentence or gives rows of tables. And
// whatever rows a whole dump has, it is refused with a sentence and leaves nothing, or it is in the store
// with everything that follows from its rows.
#include "app/admin/commands.h"
#include "app/admin/dump_file.h"
#include "core/access/service.h"
#include "core/schema/spaces.h"
#include "core/schema/store.h"
#include "storage/memory/engine.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <string>

using namespace slashpost;
using namespace slashpost::admin;
using namespace slashpost::fuzz;

namespace {

constexpr std::size_t rows_max = 64; // of a restore, so that many are tried

void read(std::string_view bytes) {
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

// The rows among the lines as a whole dump of today.
std::string sealed(std::string_view bytes) {
    auto dump = dump_header(Timestamp{1'767'225'600'000});
    std::size_t rows = 0;
    while (!bytes.empty() && rows < rows_max) {
        const auto line = take_line(bytes);
        if (!line.starts_with(R"({"table")"))
            continue;
        dump.append(line).append("\n");
        ++rows;
    }
    Digest digest;
    digest.add(dump);
    return dump + dump_footer(rows, digest.hex());
}

class Listener final : public ChangeListener {
  public:
    void changed(const Changes&) override {}
};

class Quiet final : public Console {
  public:
    Result<void> write(std::string_view) override { return {}; }
    // "verify: links: 3 rows, 0 findings"
    void note(std::string_view line) override {
        // These are about several rows, of which a dump may have any; the others follow from one.
        static constexpr std::array<std::string_view, 4> of_several{"references", "search index", "clicks",
                                                                    "rollups"};
        if (!line.starts_with("verify: ") || line.ends_with(" 0 findings"))
            return;
        const auto part = line.substr(8, line.find(':', 8) - 8);
        must(std::ranges::find(of_several, part) != of_several.end(),
             "what was restored keeps the rules of rows, and has the entries and tallies that follow from "
             "them");
    }
    void complain(std::string_view) override {}
    void progress(std::string_view) override {}
    bool stopped() override { return false; }
};

// A store in memory and who works on it.
struct World {
    std::unique_ptr<data::Engine> engine = storage::make_memory_engine(space::all);
    SystemClock clock;
    SystemRandom random;
    IdSource ids{clock, random};
    Settings settings;
    Listener listener;
    Service service{*engine, clock, {.ids = ids, .random = random, .settings = settings}, listener};
    AdminContext context{
        .engine = *engine, .service = service, .clock = clock, .fold_clicks = [] { return Result<void>(); }};
};

void restore_all(const std::string& dump) {
    World world;
    Quiet console;
    std::istringstream in(dump);
    DumpReader reader(in);
    must(reader.read_header().has_value(), "a header of ours is read");
    const auto done = admin::restore(world.context, reader, console);
    if (!done.has_value()) {
        must(!done.error().message.empty(), "a dump that is refused is told why");
        must(world.engine->read([](data::View& view) { return store_is_empty(view); }).value_or(false),
             "a dump that is refused leaves nothing");
        return;
    }
    must(verify(world.context, console).has_value(), "what was restored can be verified");
    must(admin::dump(world.context, console).has_value(), "what was restored can be dumped");
}

} // namespace

void slashpost::fuzz::try_input(std::string_view bytes) {
    read(bytes);
    restore_all(sealed(bytes));
}
