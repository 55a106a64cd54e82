#include "core/data/sheets.h"

#include "core/base/errors.h"
#include "core/data/codec.h"
#include "core/data/key.h"
#include "core/data/packed.h"

#include <algorithm>
#include <array>

namespace slashpost::data {

namespace {

constexpr char format_byte = '\x02';
constexpr std::size_t id_bytes = 16;
constexpr std::size_t time_bytes = 8;

// The sum of two; nothing when one cannot be read.
std::optional<Bytes> merge(BytesView left, BytesView right) {
    SheetReader a(left), b(right);
    SheetWriter writer(left.size() + right.size());
    auto in_a = a.next(), in_b = b.next();
    while (in_a || in_b) {
        if (!in_b || (in_a && in_a->id < in_b->id)) {
            writer.add(*in_a);
            in_a = a.next();
        } else if (!in_a || in_b->id < in_a->id) {
            writer.add(*in_b);
            in_b = b.next();
        } else {
            const auto counts = merge_counts(std::array{in_a->counts, in_b->counts});
            if (!counts)
                return std::nullopt;
            writer.add({.id = in_a->id, .latest = std::max(in_a->latest, in_b->latest), .counts = *counts});
            in_a = a.next();
            in_b = b.next();
        }
    }
    return a.good() && b.good() ? std::optional(writer.take()) : std::nullopt;
}

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
    if (parts.size() == 1)
        return merge(parts.front(), BytesView(&format_byte, 1));
    if (parts.size() == 2)
        return merge(parts[0], parts[1]);
    const auto half = parts.size() / 2;
    const auto left = merge_sheets(parts.first(half));
    const auto right = merge_sheets(parts.subspan(half));
    return left && right ? merge(*left, *right) : std::nullopt;
}

} // namespace slashpost::data
