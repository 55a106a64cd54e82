#include "core/data/sheets.h"

#include "core/base/errors.h"
#include "core/data/codec.h"
#include "core/data/key.h"
#include "core/data/packed.h"

#include <algorithm>
#include <vector>

namespace slashpost::data {

namespace {

constexpr char sheet_format = '\x02';
constexpr std::size_t id_bytes = 16;
constexpr std::size_t time_bytes = 8;

// The entries of several sheets, in the order of their ids: each is read once, however many sheets there are.
class Sheets {
  public:
    struct Source {
        SheetReader reader;
        SheetEntry entry; // the one that comes next of it
    };

    explicit Sheets(std::span<const BytesView> parts) {
        sources_.reserve(parts.size());
        for (const auto part : parts)
            if (auto& source = sources_.emplace_back(Source{.reader = SheetReader(part), .entry = {}});
                move_on(source))
                push({.beginning = beginning_of(source), .source = &source});
        take_front();
    }
    Sheets(const Sheets&) = delete; // it has pointers to its own sources
    Sheets& operator=(const Sheets&) = delete;
    ~Sheets() = default;
    // Nothing at the end.
    [[nodiscard]] const Source* front() const { return front_.source; }
    // A large sheet has many in a row: then the heap stays as it is.
    void pop() {
        if (move_on(*front_.source)) {
            front_.beginning = beginning_of(*front_.source);
            if (others_.empty() || !comes_later(front_, others_.front()))
                return;
            push(front_);
        }
        take_front();
    }
    [[nodiscard]] bool good() const {
        return std::ranges::all_of(sources_, [](const Source& source) { return source.reader.good(); });
    }

  private:
    // Compared by what most differ in, and small, as a heap moves much.
    struct Next {
        std::uint64_t beginning = 0; // of the id
        Source* source = nullptr;
    };
    static bool move_on(Source& source) {
        const auto entry = source.reader.next();
        if (entry)
            source.entry = *entry;
        return entry.has_value();
    }
    static std::uint64_t beginning_of(const Source& source) {
        return big_endian(source.entry.id.view().substr(0, 8));
    }
    static bool comes_later(const Next& a, const Next& b) {
        return a.beginning != b.beginning ? a.beginning > b.beginning
                                          : a.source->entry.id > b.source->entry.id;
    }
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

    std::vector<Source> sources_;
    Next front_;
    std::vector<Next> others_; // a heap
};

} // namespace

SheetReader::SheetReader(BytesView sheet) : left_(sheet), good_(sheet.starts_with(sheet_format)) {
    if (good_)
        left_.remove_prefix(1);
}

std::optional<SheetEntry> SheetReader::next() {
    if (!good_ || left_.empty())
        return std::nullopt;
    bytes_ = left_;
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
    bytes_.remove_suffix(left_.size());
    return entry;
}

void begin_sheet(Bytes& out) { out += sheet_format; }

void add_to_sheet(Bytes& out, const SheetEntry& entry) {
    out += entry.id.view();
    append_key(out, static_cast<std::uint64_t>(entry.latest ? entry.latest->ms : 0));
    append_varint(out, entry.counts.size());
    out += entry.counts;
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
    Bytes sum;
    sum.reserve(bytes);
    begin_sheet(sum);
    CountsMerger merger;
    Sheets sheets(parts);
    while (const auto* front = sheets.front()) {
        auto entry = front->entry;
        const auto as_it_is = front->reader.bytes();
        sheets.pop();
        front = sheets.front();
        if (!front || front->entry.id != entry.id) {
            sum += as_it_is;
            continue;
        }
        for (; front && front->entry.id == entry.id; front = sheets.front()) {
            const auto counts = merger.merge(entry.counts, front->entry.counts);
            if (!counts)
                return std::nullopt;
            entry.latest = std::max(entry.latest, front->entry.latest);
            entry.counts = *counts;
            sheets.pop();
        }
        add_to_sheet(sum, entry);
    }
    return sheets.good() ? std::optional(std::move(sum)) : std::nullopt;
}

} // namespace slashpost::data
