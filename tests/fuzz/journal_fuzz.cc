// A segment of the click journal as a crash or a bad disk may leave it: it is refused with a word and left as
// it was, or read; what is appended afterwards comes back.
#include "storage/journal/journal.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/temp_folder.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace slashpost;
using namespace slashpost::fuzz;

namespace {

constexpr std::size_t record_bytes = 12, slots = 4, slot_bytes = record_bytes + 4, header_bytes = 64;

std::vector<std::string> records(data::Journal& journal) {
    std::vector<std::string> out;
    must(journal
             .read(0, 0,
                   [&](data::BytesView bytes) {
                       out.emplace_back(bytes);
                       return true;
                   })
             .has_value(),
         "a journal that was opened can be read");
    return out;
}

} // namespace

void slashpost::fuzz::try_input(std::string_view bytes) {
    static const test::TempFolder parent;
    const auto folder = parent.path() / "journal";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    const auto file = folder / "0000-00000000000000000000.segment";
    std::ofstream(file, std::ios::binary) << bytes;

    const storage::JournalOptions options{.folder = folder.string(),
                                          .record_bytes = record_bytes,
                                          .segment_bytes = header_bytes + slots * slot_bytes,
                                          .has_thread = false};
    auto opened = storage::open_journal(options);
    if (!opened) {
        must(!opened.error().message.empty(), "a journal that is refused is told why");
        must(std::filesystem::file_size(file) == bytes.size(), "a journal that is refused is left as it was");
        return;
    }
    const auto before = records(**opened);
    auto lane = (*opened)->lane(0);
    must(lane.has_value(), "a lane can be written");
    must((*lane)->append("appended one"), "a record is appended");
    auto after = records(**opened);
    must(after.size() == before.size() + 1 && after.back() == "appended one", "what is appended comes back");
    opened->reset();
    opened = storage::open_journal(options);
    must(opened.has_value() && records(**opened) == after, "a journal is the same when it is opened again");
}
