// Comma-separated values: how the file comes in pieces changes nothing, and every place can be gone on from.
#include "core/base/csv.h"
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

using namespace slashpost;
using namespace slashpost::fuzz;

namespace {

struct Row {
    std::vector<std::string> fields;
    std::uint64_t line = 0;
    bool broken = false;
    bool operator==(const Row&) const = default;
};

CsvReader::Source source_of(std::string_view text, std::size_t step) {
    return [text, step](std::span<char> into) mutable -> Result<std::size_t> {
        const auto count = std::min({into.size(), step, text.size()});
        std::memcpy(into.data(), text.data(), count);
        text.remove_prefix(count);
        return count;
    };
}

std::vector<Row> rows_of(CsvReader reader, std::vector<CsvPosition>* places = nullptr) {
    std::vector<Row> out;
    CsvRow row;
    for (;;) {
        if (places != nullptr)
            places->push_back(reader.place());
        const auto more = reader.next(row);
        must(more.has_value(), "reading fails only when the source does");
        if (!*more)
            return out;
        Row& one = out.emplace_back(Row{.fields = {}, .line = row.line(), .broken = !row.fault().empty()});
        for (std::size_t i = 0; !one.broken && i < row.size(); ++i)
            one.fields.emplace_back(row[i]);
    }
}

} // namespace

void slashpost::fuzz::try_input(std::string_view bytes) {
    std::vector<CsvPosition> places;
    const auto whole = rows_of(CsvReader(source_of(bytes, bytes.size() + 1)), &places);
    must(rows_of(CsvReader(source_of(bytes, 1))) == whole,
         "how a file comes in pieces does not change its rows");
    const auto half = whole.size() / 2;
    const auto rest =
        rows_of(CsvReader(source_of(bytes.substr(places[half].offset), bytes.size() + 1), places[half]));
    must(std::ranges::equal(rest, std::span(whole).subspan(half)),
         "a reading goes on where another one stopped");
}
