// Rows and keys on disk: bytes that are none fail with a word, and those that are one are written as they
// were read.
#include "core/data/key.h"
#include "core/model/domain.h"
#include "core/model/link.h"
#include "core/model/link_parts.h"
#include "core/model/workspace.h"
#include "core/schema/target.h"
#include "tests/fuzz/fuzz.h"

#include <string>

using namespace slashpost;
using namespace slashpost::fuzz;

namespace {

template <class Row>
void read_row(std::string_view bytes) {
    const auto row = data::decode<Row>(bytes);
    if (!row)
        return;
    const auto written = data::encode(*row);
    const auto again = data::decode<Row>(written);
    must(again.has_value(), "a row that was written is read");
    must(data::encode(*again) == written, "a row is written as it was read");
}

int sign(int value) { return value < 0 ? -1 : value > 0 ? 1 : 0; }

} // namespace

void slashpost::fuzz::try_input(std::string_view bytes) {
    read_row<Link>(bytes);
    read_row<LinkParts>(bytes);
    read_row<Domain>(bytes);
    read_row<Workspace>(bytes);
    if (const auto target = redirect::TargetView::decode(bytes)) {
        const auto written = std::string(target->link.view()) + target->encode_payload();
        const auto again = redirect::TargetView::decode(written);
        must(again && again->encode_payload() == target->encode_payload(),
             "a target is read as it was written");
    }

    const auto first = bytes.substr(0, bytes.size() / 2), second = bytes.substr(bytes.size() / 2);
    must(sign(data::key(first, std::uint32_t{1}).compare(data::key(second, std::uint32_t{0}))) ==
             (first == second ? 1 : sign(first.compare(second))),
         "keys are in the order of what they are made of");
}
