#include "core/data/counts.h"

#include "core/base/errors.h"
#include "core/data/codec.h"

#include <algorithm>

namespace slashpost::data {

namespace {

constexpr char counts_format = '\x01';

// Sums wrap around like the machine's integers, as tallies do.
std::int64_t plus(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

// Reads encoded counts one by one.
class Reader {
  public:
    explicit Reader(BytesView bytes) : left_(bytes) {
        good_ = left_.starts_with(counts_format);
        if (good_)
            left_.remove_prefix(1);
    }
    // False at the end, and when the rest cannot be read.
    bool next() {
        if (!good_ || left_.empty())
            return false;
        const std::size_t length = static_cast<unsigned char>(left_.front());
        good_ = length != 0 && left_.size() > length && name < left_.substr(1, length);
        if (!good_)
            return false;
        name = left_.substr(1, length);
        left_.remove_prefix(1 + length);
        std::uint64_t raw = 0;
        good_ = take_varint(left_, raw);
        number = unzigzag(raw);
        return good_;
    }
    [[nodiscard]] bool good() const { return good_; }

    BytesView name;
    std::int64_t number = 0;

  private:
    BytesView left_;
    bool good_ = false;
};

bool is_rest(BytesView own) { return own == "\xff"; }

void put(CountsWriter& writer, BytesView name, std::int64_t number) {
    writer.put(name.front(), name.substr(1), number);
}

// What of one group is kept. `all` is the group in ascending order.
void put_group(std::span<const Count> all, CountsWriter& writer) {
    const auto rest_name = rest_of(all.front().name.front());
    std::vector<const Count*> kept;
    std::int64_t rest = 0;
    for (const auto& count : all)
        if (count.name == rest_name)
            rest = count.number;
        else
            kept.push_back(&count);
    if (const auto max = names_max(rest_name.front()); kept.size() > max) {
        const auto larger = [](const Count* a, const Count* b) {
            return a->number != b->number ? a->number > b->number : a->name < b->name;
        };
        const auto fallen = kept.begin() + static_cast<std::ptrdiff_t>(max);
        std::ranges::nth_element(kept, fallen, larger);
        for (auto it = fallen; it != kept.end(); ++it)
            rest = plus(rest, (*it)->number);
        kept.erase(fallen, kept.end());
    }
    const Count of_rest{.name = rest_name, .number = rest};
    kept.push_back(&of_rest);
    std::ranges::sort(kept, {}, [](const Count* count) -> BytesView { return count->name; });
    for (const auto* count : kept)
        put(writer, count->name, count->number);
}

// Puts the sum of two; false when one cannot be read.
bool merge(BytesView left, BytesView right, CountsWriter& writer) {
    Reader a(left), b(right);
    bool in_a = a.next(), in_b = b.next();
    while (in_a && in_b) {
        const auto order = a.name <=> b.name;
        if (order == 0)
            put(writer, a.name, plus(a.number, b.number));
        else
            order < 0 ? put(writer, a.name, a.number) : put(writer, b.name, b.number);
        if (order <= 0)
            in_a = a.next();
        if (order >= 0)
            in_b = b.next();
    }
    for (; in_a; in_a = a.next())
        put(writer, a.name, a.number);
    for (; in_b; in_b = b.next())
        put(writer, b.name, b.number);
    return a.good() && b.good();
}

std::optional<Bytes> merge(BytesView left, BytesView right) {
    CountsWriter writer(left.size() + right.size());
    return merge(left, right, writer) ? std::optional(std::move(writer.take())) : std::nullopt;
}

} // namespace

Counts Counts::of(std::vector<Count> counts) {
    const auto name = [](const Count& count) -> BytesView { return count.name; };
    if (!std::ranges::is_sorted(counts, {}, name))
        std::ranges::sort(counts, {}, name);
    Counts sums;
    sums.all_.reserve(counts.size());
    for (auto& count : counts)
        if (!sums.all_.empty() && sums.all_.back().name == count.name)
            sums.all_.back().number = plus(sums.all_.back().number, count.number);
        else
            sums.all_.push_back(std::move(count));
    return sums;
}

void Counts::add(BytesView name, std::int64_t number) {
    if (name.size() > count_name_bytes_max)
        return add(rest_of(name.front()), number);
    auto at = all_.end();
    if (!all_.empty() && name <= all_.back().name)
        at = std::ranges::lower_bound(all_, name, {},
                                      [](const Count& count) -> BytesView { return count.name; });
    if (at != all_.end() && at->name == name)
        at->number = plus(at->number, number);
    else
        all_.insert(at, {.name = Bytes(name), .number = number});
}

void Counts::add(const Counts& more) {
    for (const auto& count : more.all_)
        add(count.name, count.number);
}

std::int64_t Counts::of(BytesView name) const {
    const auto at =
        std::ranges::lower_bound(all_, name, {}, [](const Count& count) -> BytesView { return count.name; });
    return at != all_.end() && at->name == name ? at->number : 0;
}

std::span<const Count> Counts::group(char group) const {
    const auto byte = [](const Count& count) { return static_cast<unsigned char>(count.name.front()); };
    const auto found = std::ranges::equal_range(all_, static_cast<unsigned char>(group), {}, byte);
    return {found.begin(), found.end()};
}

std::int64_t Counts::sum(char of_group) const {
    std::int64_t total = 0;
    for (const auto& count : group(of_group))
        total = plus(total, count.number);
    return total;
}

Bytes Counts::encode() const {
    CountsWriter writer(1 + 24 * all_.size());
    for (std::size_t at = 0; at < all_.size();) {
        const auto whole = group(all_[at].name.front());
        if (whole.size() > names_max(all_[at].name.front()))
            put_group(whole, writer);
        else
            for (const auto& count : whole)
                put(writer, count.name, count.number);
        at += whole.size();
    }
    return std::move(writer.take());
}

Result<std::int64_t> count_of(BytesView encoded, BytesView name) {
    Reader reader(encoded);
    while (reader.next())
        if (reader.name >= name)
            return reader.name == name ? reader.number : 0;
    if (!reader.good())
        return fault("counts cannot be read");
    return 0;
}

Result<Counts> Counts::decode(BytesView bytes) {
    Counts counts;
    Reader reader(bytes);
    while (reader.next())
        counts.all_.push_back({.name = Bytes(reader.name), .number = reader.number});
    if (!reader.good())
        return fault("stored counts cannot be read");
    return counts;
}

void CountsWriter::put(char group, BytesView own, std::int64_t number) {
    if (taken_) {
        out_.assign(1, counts_format);
        group_ = '\0';
        taken_ = overflows_ = false;
    }
    if (number == 0)
        return;
    if (group != group_) {
        group_ = group;
        names_ = 0;
    }
    if (!is_rest(own) && ++names_ > names_max(group))
        overflows_ = true;
    out_ += static_cast<char>(1 + own.size());
    out_ += group;
    out_ += own;
    append_varint(out_, zigzag(number));
}

Bytes& CountsWriter::take() {
    if (taken_)
        out_.assign(1, counts_format);
    else if (overflows_)
        if (const auto whole = Counts::decode(out_); whole.has_value())
            out_ = whole->encode();
    taken_ = true;
    return out_;
}

// What is added to is often the sum before.
std::optional<BytesView> CountsMerger::merge(BytesView left, BytesView right) {
    auto& writer = writers_[turn_ ^= 1];
    (void)writer.take(); // what a failure may have left
    return data::merge(left, right, writer) ? std::optional<BytesView>(writer.take()) : std::nullopt;
}

std::optional<Bytes> merge_counts(std::span<const BytesView> parts) {
    // Two and two, so that many small ones cost little more than reading them once.
    if (parts.size() == 1)
        return merge(parts.front(), BytesView(&counts_format, 1));
    if (parts.size() == 2)
        return merge(parts[0], parts[1]);
    std::vector<Bytes> sums;
    for (std::size_t i = 0; i < parts.size(); i += 2) {
        auto sum = merge_counts(parts.subspan(i, std::min<std::size_t>(2, parts.size() - i)));
        if (!sum)
            return std::nullopt;
        sums.push_back(std::move(*sum));
    }
    return merge_counts(std::vector<BytesView>(sums.begin(), sums.end()));
}

} // namespace slashpost::data
