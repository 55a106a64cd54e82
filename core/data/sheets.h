#pragma once
// Sheets: the counts of many ids in one value, which the engine adds up by itself (Txn::add_sheet). One write
// then counts for many ids, where a row for each would cost a write each.
//
// Encoded: 02, then for each id in ascending order its 16 bytes, the latest time (8 bytes, big-endian;
// milliseconds since 1970, 0: none), the length of its counts (varint), and the counts as core/data/counts.h
// encodes them. Adding keeps the later time and adds the counts up, which are bounded there.
#include "core/base/id.h"
#include "core/base/time.h"
#include "core/data/counts.h"

namespace slashpost::data {

struct SheetEntry {
    RawId id;
    std::optional<Timestamp> latest;
    BytesView counts; // encoded
};

// Reads the entries one by one; the sheet must outlive what it gives.
class SheetReader {
  public:
    explicit SheetReader(BytesView sheet);
    // The next entry; nothing at the end, and when the rest cannot be read.
    std::optional<SheetEntry> next();
    // The entry that was read last, as it stands in the sheet.
    [[nodiscard]] BytesView bytes() const { return bytes_; }
    [[nodiscard]] bool good() const { return good_; }

  private:
    BytesView left_, bytes_;
    bool good_ = false;
};

// A sheet at the end of `out`, without entries.
void begin_sheet(Bytes& out);
// Adds to the sheet at the end of `out`. Ids come in ascending order, each once.
void add_to_sheet(Bytes& out, const SheetEntry& entry);

// The entry of one id. Fails when the sheet cannot be read as far as there.
Result<std::optional<SheetEntry>> find_in_sheet(BytesView sheet, const RawId& id);

// The sum of encoded sheets, which engines keep. Nothing when one of them cannot be read.
std::optional<Bytes> merge_sheets(std::span<const BytesView> parts);

} // namespace slashpost::data
