#include "core/data/sheets.h"

#include "core/base/errors.h"
#include "core/data/codec.h"
#include "core/data/key.h"
#include "core/data/packed.h"

#include <algorithm>
#include <vector>

namespace slashpost::data {

namespace {

constexpr char format_byte = '\x02';
constexpr std::size_t id_bytes = 16;
constexpr std::size_t time_bytes = 8;

// The entries of several sheets, in the order of their ids: each is read once, however many sheets there are.
class Sheets {
  public:
    explicit Sheets(std::span<const BytesView> parts) : readers_(parts.begin(), parts.end()) {
        for (auto& reader : readers_)
            if (const auto entry = reader.next())
                push({.entry = *entry, .reader = &reader});
        take_front();
    }
    Sheets(const Sheets&) = delete; // it has pointers to its own readers
    Sheets& operator=(const Sheets&) = delete;
    ~Sheets() = default;
    // Nothing at the end.
    [[nodiscard]] const SheetEntry* front() const { return front_.reader ? &front_.entry : nullptr; }
    // A large sheet has many in a row: then the heap stays as it is.
    void pop() {
        const auto entry = front_.reader->next();
        if (entry && (others_.empty() || entry->id <= others_.front().entry.id)) {
            front_.entry = *entry;
            return;
        }
        if (entry)
            push({.entry = *entry, .reader = front_.reader});
        take_front();
    }
    [[nodiscard]] bool good() const { return std::ranges::all_of(readers_, &SheetReader::good); }

  private:
    struct Next {
        SheetEntry entry;
        SheetReader* reader = nullptr; // what it came from
    };
    static bool comes_later(const Next& a, const Next& b) { return a.entry.id > b.entry.id; }
    void push(const Next& next) {
        others_.push_back(next);
        std::ranges::push_heap(others_, comes_later);
    }
    void take_front() {
        front_ = {};
        if (others_.empty())
            return;
        std::ranges::pop_heap(others_, comes_later);
        front_ = others_.back();
        others_.pop_back();
    }

    std::vector<SheetReader> readers_;
    Next front_;
    std::vector<Next> others_; // a heap
};

} // namespace

SheetReader::SheetReader(BytesView sheet) : left_(sheet), good_(sheet.starts_with(format_byte)) {
    if (good_)
        left_.remove_prefix(1);
}

std::optional<SheetEntry> SheetReader::next() {
    if (!good_ || left_.empty())
        return std::nullopt;
    good_ = left_.size() > id_bytes + time_bytes;
    if (!good_)
        return std::nullopt;
    SheetEntry entry{.id = *RawId::from_bytes(left_.substr(0, id_bytes)), .latest = {}, .counts = {}};
    if (const auto ms = big_endian(left_.substr(id_bytes, time_bytes)); ms != 0)
        entry.latest = Timestamp{static_cast<std::int64_t>(ms)};
    left_.remove_prefix(id_bytes + time_bytes);
    std::uint64_t length = 0;
    good_ = take_varint(left_, length) && length <= left_.size();
    if (!good_)
        return std::nullopt;
    entry.counts = left_.substr(0, length);
    left_.remove_prefix(length);
    return entry;
}

SheetWriter::SheetWriter(std::size_t bytes) {
    out_.reserve(bytes);
    out_ += format_byte;
}

void SheetWriter::add(const SheetEntry& entry) {
    out_ += entry.id.view();
    append_key(out_, static_cast<std::uint64_t>(entry.latest ? entry.latest->ms : 0));
    append_varint(out_, entry.counts.size());
    out_ += entry.counts;
}

Bytes SheetWriter::take() {
    Bytes sheet = out_; // of its own size, while the writer keeps its room
    out_.resize(1);
    return sheet;
}

Result<std::optional<SheetEntry>> find_in_sheet(BytesView sheet, const RawId& id) {
    SheetReader reader(sheet);
    while (const auto entry = reader.next())
        if (entry->id >= id)
            return entry->id == id ? entry : std::nullopt;
    if (!reader.good())
        return fault("a sheet of counts cannot be read");
    return std::optional<SheetEntry>();
}

std::optional<Bytes> merge_sheets(std::span<const BytesView> parts) {
    std::size_t bytes = 1;
    for (const auto part : parts)
        bytes += part.size();
    SheetWriter writer(bytes);
    CountsMerger merger;
    Sheets sheets(parts);
    while (const auto* front = sheets.front()) {
        auto entry = *front;
        sheets.pop();
        for (front = sheets.front(); front && front->id == entry.id; front = sheets.front()) {
            const auto sum = merger.merge(entry.counts, front->counts);
            if (!sum)
                return std::nullopt;
            entry.latest = std::max(entry.latest, front->latest);
            entry.counts = *sum;
            sheets.pop();
        }
        writer.add(entry);
    }
    return sheets.good() ? std::optional(writer.take()) : std::nullopt;
}

} // namespace slashpost::data
